/** What tests of this backend share: the adapter that vitest.config.ts found, and how the kit is run on it. */
import type { ConformanceOptions } from "@dechirp/conformance";
import { open } from "@dechirp/core";
import { describe, test } from "vitest";
import { type GpuOptions, gpu } from "../src/index.ts";

/** SwiftShader takes seconds to compile a kernel. */
export const slow = process.env["DECHIRP_ADAPTER_KIND"] === "swiftshader";

/**
 * Options of the kit. A software adapter compiles for seconds what a GPU's driver compiles in milliseconds, and every length is
 * a kernel of its own: the full table of lengths is for DECHIRP_SIZES=full, and for adapters that are GPUs.
 */
export const kit = (options: GpuOptions = {}): ConformanceOptions => ({
  describe,
  test,
  open: () => open(gpu(options)),
  sizes: process.env["DECHIRP_SIZES"] === "full" || process.env["DECHIRP_ADAPTER_KIND"] === "system" ? "full" : "subset",
  timeoutMilliseconds: 20 * 60_000, // SwiftShader takes seconds to compile a kernel, and three times as many on a busy machine
});
