/**
 * Quadratic interpolation of range profiles: around each bin the profile is a parabola, v + s·μ + q·μ² for μ from −½ to ½
 * bins. The parabola is computed once for each bin, so that a pixel reads one bin, 16 bytes, and not the five that
 * s and q come from. That costs a pixel as much as a line between two bins and is accurate to 74 dB at every frequency
 * of a band that fills an eighth of the bins, to 83 dB in the mean (a line: 37 and 44 dB).
 *
 * The parabola. A profile is a sum of exp(jωμ) with |ω| ≤ π/χ, χ the oversampling. Least squares over μ of s·μ to sin ωμ leaves ω³/317
 * (the third Legendre polynomial on one bin), of 1 + q·μ² to cos ωμ less; so the error falls by 18 dB if χ doubles. s and q are
 * weighted sums of two bins to either side: the weights are the least squares of those best values over ω from 0 to π/8,
 * weighted by ω. They add less than 0.1 dB to what the parabola leaves.
 *
 * The word. v is two float32 numbers, s and q of a part share 32 bits: the low 14 are the sign, the exponent and the first five bits of q,
 * the others those of s, chosen so that the whole word, read as a float32, is as near to s as it can be. A reader takes the
 * word as s, and the word shifted left by 18 as q. That adds an error of −89 dB.
 */
import type { ProfileGeometry } from "./profiles.ts";

/** Oversampling that the weights are designed for, and from which on interpolation by parabolas has the stated accuracy. */
export const quadraticOversampling = 8;

/** Weights of the differences, then of the sums minus twice the bin, of the bins one and two away. */
export const slopeWeights = [0.6470311, -0.07357588] as const;
export const curvatureWeights = [0.64063856, -0.03517388] as const;

/** Number of bins to either side that a parabola needs. */
export const quadraticReach = 2;

/** Number of complex numbers of a parabola. */
export const curveNumbers = 2;

/**
 * Number of parabolas of a profile: one for every bin. If bins repeat, the first one is added again, so that parabolas reach from half a
 * bin before
 * the first bin to half a bin after the place where it repeats.
 */
export function curvesOf({ bins, binMeters, periodMeters }: Pick<ProfileGeometry, "bins" | "binMeters" | "periodMeters">): number {
  const goRound = periodMeters !== undefined && Math.abs(periodMeters / (bins * binMeters) - 1) < 1e-9;
  return goRound ? bins + 1 : bins;
}

/** Range of the last bin, relative to r₀. Bins that repeat have one more: the first again, a period on. */
export const lastRangeMeters = (profiles: ProfileGeometry): number =>
  profiles.firstRangeMeters + (curvesOf(profiles) - 1) * profiles.binMeters;

const float = new Float32Array(1);
const word = new Int32Array(float.buffer);
const wordOf = (value: number): number => {
  float[0] = value;
  return word[0];
};
const floatOf = (bits: number): number => {
  word[0] = bits;
  return float[0];
};

/** s and q of the real or the imaginary part in one word, as the float32 with the same bits. */
export function packCurve(slope: number, curvature: number): number {
  const low = ((wordOf(curvature) + 0x20000) >>> 18) & 0x3fff;
  const bits = wordOf(slope);
  const magnitude = Math.max(0, (bits & 0x7fffffff) + 0x2000 - low) & 0x7fffc000;
  return floatOf((bits & 0x80000000) | magnitude | low);
}

/** q of a word; s is the word itself. */
export const curvatureOf = (packed: number): number => floatOf(wordOf(packed) << 18);

/** s and q of a bin, from the values of bins −2 to 2 beside it. */
export function curveOf(at: (away: number) => number): readonly [slope: number, curvature: number] {
  return [
    slopeWeights[0] * (at(1) - at(-1)) + slopeWeights[1] * (at(2) - at(-2)),
    curvatureWeights[0] * (at(1) + at(-1) - 2 * at(0)) + curvatureWeights[1] * (at(2) + at(-2) - 2 * at(0)),
  ];
}
