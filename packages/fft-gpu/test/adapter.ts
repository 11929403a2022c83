/** Helpers for the tests of this backend: the adapter that vitest.config.ts found, and options of the conformance kit for it. */
import type { ConformanceOptions } from "@dechirp/conformance";
import { type Device, open } from "@dechirp/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type GpuOptions, gpu } from "../src/index.ts";

/** Whether this run tests all lengths and suites. */
export const isFull = process.env["DECHIRP_SIZES"] === "full";

/** Why a slow adapter skips a test that fast ones run. With DECHIRP_SIZES=full all run it. */
export const leftOut = "only on fast adapters, or with DECHIRP_SIZES=full";

/**
 * Checks of the kit that go through many lengths, shapes or moments, most with a kernel of their own. Each takes half a minute and more.
 * The other checks cover every kind of operation, hook and failure.
 */
const sweeps: readonly string[] = [
  "reference/every short length",
  "reference/powers of small primes, composites and large primes",
  "reference/zero-padded, cropped, kept in part",
  "reference/kept ranges at the ends",
  "reference/in place",
  "reference/one line and very many lines",
  "real transforms/forward, every length",
  "real transforms/inverse, every length, odd ones by n",
  "real transforms/round trip",
  "filters/lengths",
  "computed filters/lengths",
  "computed filters/padded, cropped, kept in part, any axis, with and without a corner turn",
  "corner turns/along any axis, padded, kept in part",
  "corner turns/random shapes",
  ...[2, 3, 4, 5, 6, 7, 8].map((part) => `expressions/random maps, part ${part} of 8`),
  "lowering/fft",
  "lowering/spectral-filter and filter-inverse, line and all",
  "lowering/real-fft",
  "accuracy/c64 inverse",
  "accuracy/real forward: the gate and a split",
  "planning/of two plans only one is aborted",
  "faults/a device can be disposed of at every turn",
];

/** Whether this run skips what takes long on an adapter that compiles for seconds. */
export const leavesOut = process.env["DECHIRP_ADAPTER_KIND"] === "swiftshader" && !isFull;

/**
 * Options of the kit. A software adapter compiles for seconds what a GPU's driver compiles in milliseconds, and every length has a kernel
 * of its own. So the full table of lengths is only for GPUs, and for DECHIRP_SIZES=full.
 */
export const kit = (options: GpuOptions = {}): ConformanceOptions => ({
  describe,
  test,
  open: () => open(gpu(options)),
  sizes: isFull || process.env["DECHIRP_ADAPTER_KIND"] === "system" ? "full" : "subset",
  ...(leavesOut && { skips: Object.fromEntries(sweeps.map((name) => [name, leftOut])) }),
  report: (text) => process.stdout.write(`${text}\n`),
  timeoutMilliseconds: 20 * 60_000, // SwiftShader takes seconds to compile a kernel, and three times as long on a busy machine
});

/** Opens a device before the tests of a file and hands it over. After them, nothing may be left on it. */
export function withDevice(use: (device: Device) => void): void {
  let device: Device;
  beforeAll(async () => {
    device = await open(gpu());
    use(device);
  });
  afterAll(() => {
    expect(device.memory()).toMatchObject({ buffers: 0, bytes: 0, plans: 0 });
    device[Symbol.dispose]();
  });
}
