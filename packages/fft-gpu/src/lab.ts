/**
 * The entry point `@dechirp/fft-gpu/lab`: kernels that the planner does not choose, for measurements. `open(gpu({ variants }))` makes a
 * device whose plans take one by name: `device.plan(op, { variant: "radix-8" })`.
 */
import { cooleyTukey } from "./lab/cooley-tukey.ts";
import { matrices } from "./lab/matrix.ts";
import { unsafeFeatures } from "./lab/matrix-products.ts";
import { registersHalf } from "./lab/registers-half.ts";
import { shuffle } from "./lab/shuffle.ts";
import { registers, sincos, stockham } from "./lab/stockham.ts";
import type { GpuOptions } from "./options.ts";
import { fewestTile, longestLine, longestTile, longestWideTile } from "./passes.ts";
import { goodInvocations } from "./shape.ts";
import { goodValues, mostValues } from "./stage-choice.ts";
import type { Variants } from "./variants.ts";

export { butterflyText, kernelsOf, type LabKernel, type LabKernelOptions, type LabKernels } from "./lab/kernels.ts";
export { type MatrixVariantOptions, matrixVariant } from "./lab/matrix.ts";
export { radicesOf } from "./lab/stockham.ts";
export type { SubgroupMatrix, Unmet, Variant, VariantLimits, Variants } from "./variants.ts";

/** The laboratory's kernels by name. */
export const variants = {
  "radix-4": stockham(4),
  "radix-8": stockham(8),
  "radix-16": stockham(16),
  registers,
  "registers f16": registersHalf,
  sincos,
  "cooley-tukey": cooleyTukey,
  shuffle,
  ...matrices,
} as const satisfies Variants;

/**
 * Options of `gpu` for measurements: all variants, the experimental features of Dawn that some need, and a clock that is not rounded.
 * `open(gpu(laboratory))` works on every GPU, as features that the adapter lacks are left out.
 */
export const laboratory = {
  variants,
  unsafe: unsafeFeatures,
  dawnFlags: ["disable-dawn-features=timestamp_quantization"],
} as const satisfies GpuOptions;

/** The numbers that the planner chooses shapes by, for models of it. */
export const plannerNumbers = {
  /** The largest number of complex values that an invocation may hold, and the largest that leaves room for other invocations. */
  mostValues,
  goodValues,
  /** Short lines share a workgroup until it has this many invocations. */
  goodInvocations,
  /** The longest row and the longest column that are transformed in one pass, if a workgroup holds them. */
  longestLine,
  longestTile,
  /** The longest columns of which eight are transformed together, and the least number of columns together. */
  longestWideTile,
  fewestTile,
} as const;
