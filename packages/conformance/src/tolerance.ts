/**
 * All tolerances of the kit, with their derivations. ε is the spacing of numbers at 1: 2⁻²³ for c64, 2⁻⁵² for c128. The error of a good
 * transform grows as ε·√log₂n (Schatzman 1996; M. Frigo and S. G. Johnson, benchFFT): the roundings of its log₂n stages are independent,
 * each with a standard deviation of about 0.3 ε relative to the rounded number.
 */
import { type DType, dtypes } from "@dechirp/core";

/** The ε of an element type: 2⁻²³ for single precision, 2⁻⁵² for double. */
export const epsilonOf = (dtype: DType): number => (dtypes[dtype].array === Float64Array ? 2 ** -52 : 2 ** -23);

/** What a plan says about how it computes a transform. A convolution takes three transforms instead of one. */
type PlanFacts = { readonly convolved?: boolean };

/**
 * The largest relative L2 error, pooled over many random lines: 0.4·ε·√log₂n, and twice that if a convolution computes the transform. The
 * best float32 codes reach 0.31; 0.4 leaves them a third more. n = 1 must be exact.
 */
export const gate = (n: number, { convolved }: PlanFacts, dtype: DType = "c64"): number =>
  (convolved ? 0.8 : 0.4) * epsilonOf(dtype) * Math.sqrt(Math.log2(n));

/**
 * The same for float64. A float32 transform has twiddle factors that were rounded from a higher precision. A float64 transform computes
 * them in its own precision, with errors of up to half a unit: as much error again at every stage, which is √2 times in all. The
 * definition adds an error of about 1 ε.
 */
export const gateFloat64 = (n: number, plan: PlanFacts): number => Math.SQRT2 * gate(n, plan, "c128") + 2 ** -52;

/** Error of x·h: three roundings of at most ε/2 on the longest path, each 0.3 ε on average: 0.3·√3 ε. */
const multiplyError = 0.52;

/** The gate for IDFT(DFT(x)·h) with |h| = 1: two transforms and a product with independent errors. */
export const filterGate = (n: number, plan: PlanFacts): number => Math.hypot(Math.SQRT2 * gate(n, plan), multiplyError * 2 ** -23);

/** The gate for IDFT(x·h) with |h| = 1. */
export const halfFilterGate = (n: number, plan: PlanFacts): number => Math.hypot(gate(n, plan), multiplyError * 2 ** -23);

/**
 * The gate for a real transform. Computed as a complex one of half the length, it splits even and odd parts at the end: one more stage
 * with a complex product and a sum.
 */
export const realGate = (n: number, plan: PlanFacts): number => (n === 1 ? 0 : Math.hypot(gate(n, plan), multiplyError * 2 ** -23));

/**
 * A tolerance for correctness, whatever the algorithm. It holds for a single line instead of a pool: 4 times the gate of the slowest
 * algorithm, for the spread between lines (χ² of as few as 2 numbers). `stages` is the number of transforms or products in a row. log₂n +
 * 1 gives n = 1 room for a product. Wrong results exceed it by a factor of 10⁵.
 */
export const correct = (n: number, dtype: DType, stages = 1): number => 4 * 0.8 * epsilonOf(dtype) * Math.sqrt(stages * (Math.log2(n) + 1));
