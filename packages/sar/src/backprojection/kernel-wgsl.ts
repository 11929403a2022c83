/** Backprojection in WGSL. */
import type { WgslKernel, WgslLimits } from "@dechirp/core";
import type { BackprojectionShape } from "./kernel.ts";

export function backprojectionWgsl(_shape: BackprojectionShape, _limits: WgslLimits): WgslKernel | undefined {
  return undefined;
}
