/**
 * The entry point `@dechirp/fft-gpu/lab`: kernels that the planner does not choose, for measurements. `open(gpu({ variants }))` makes a
 * device whose plans take one by name: `device.plan(op, { variant: "radix-8" })`.
 */
import { cooleyTukey } from "./lab/cooley-tukey.ts";
import { shuffle } from "./lab/shuffle.ts";
import { registers, sincos, stockham } from "./lab/stockham.ts";
import type { Variants } from "./variants.ts";

export type { SubgroupMatrix, Unmet, Variant, VariantLimits, Variants } from "./variants.ts";

/** The laboratory's kernels by name. */
export const variants = {
  "radix-4": stockham(4),
  "radix-8": stockham(8),
  "radix-16": stockham(16),
  registers,
  sincos,
  "cooley-tukey": cooleyTukey,
  shuffle,
} as const satisfies Variants;
