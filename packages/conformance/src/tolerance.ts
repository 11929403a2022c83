/**
 * Every tolerance of the kit, with its derivation. ε is the spacing of numbers at 1: 2⁻²³ (c64), 2⁻⁵² (c128). The error of
 * a good transform grows as ε·√log₂n (Schatzman 1996; M. Frigo and S. G. Johnson, benchFFT): the roundings of its log₂n
 * stages are independent and each has a standard deviation of some 0.3 ε of what is rounded.
 */
import { type DType, dtypes } from "@dechirp/core";

/** The unit roundoff that counts for a type: 2⁻²³ of single precision, 2⁻⁵² of double. */
export const epsilonOf = (dtype: DType): number => (dtypes[dtype].array === Float64Array ? 2 ** -52 : 2 ** -23);

/** What a plan says about how it computes a transform. A convolution takes three transforms instead of one. */
type PlanFacts = { readonly convolved?: boolean };

/**
 * The gate: relative L2 error pooled over many random lines, at most 0.4·ε·√log₂n, and twice that through a convolution.
 * The 0.4 leaves a third over the 0.31 that the best float32 codes reach. n = 1 is exact.
 */
export const gate = (n: number, { convolved }: PlanFacts, dtype: DType = "c64"): number =>
  (convolved ? 0.8 : 0.4) * epsilonOf(dtype) * Math.sqrt(Math.log2(n));

/**
 * A float64 transform has twiddle factors of its own precision, wrong by up to half a unit, where a float32 one has them
 * rounded from better: as large an error again at every stage, and √2 of the whole; the definition adds its own, about 1 ε.
 */
export const gateFloat64 = (n: number, plan: PlanFacts): number => Math.SQRT2 * gate(n, plan, "c128") + 2 ** -52;

/** x·h: three roundings of at most ε/2 on the longest path of a product's part, 0.3 ε each in the mean: 0.3·√3 ε. */
const multiplyError = 0.52;

/** IDFT(DFT(x)·h) for |h| = 1: two transforms and a multiply, their errors independent. */
export const filterGate = (n: number, plan: PlanFacts): number => Math.hypot(Math.SQRT2 * gate(n, plan), multiplyError * 2 ** -23);

/** IDFT(x·h) for |h| = 1. */
export const halfFilterGate = (n: number, plan: PlanFacts): number => Math.hypot(gate(n, plan), multiplyError * 2 ** -23);

/**
 * A real transform through a complex one of half the length splits even and odd parts at the end: one more stage of a
 * complex multiply and an add.
 */
export const realGate = (n: number, plan: PlanFacts): number => (n === 1 ? 0 : Math.hypot(gate(n, plan), multiplyError * 2 ** -23));

/**
 * Correct, whatever the algorithm: a single line, not a pool, with 4 times the gate of the slowest algorithm for the spread
 * of single lines (χ² of as few as 2 numbers), `stages` transforms or products in a row, and log₂n + 1 so that n = 1 has
 * room for a product. Wrong results are wrong by 10⁵ times that.
 */
export const correct = (n: number, dtype: DType, stages = 1): number => 4 * 0.8 * epsilonOf(dtype) * Math.sqrt(stages * (Math.log2(n) + 1));
