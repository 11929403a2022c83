/** The rows of the table for corner turns. */
import type { Rule } from "@dechirp/core";
import type { Engine } from "./engine.ts";
import type { GpuArray } from "./memory.ts";

export function transposeRules(_engine: Engine): readonly Rule<GpuArray>[] {
  return [];
}
