/** Tells whether what was measured at a picked pixel is a point target at all: empty ground has a brightest point, too. */
import type { PointTargetQuality } from "@dechirp/sar";

/**
 * Power of a point target over its surroundings, in decibels, at least. The power of speckle is distributed exponentially (Cumming and Wong,
 * Digital Processing of SAR Data, section 4.7; Oliver and Quegan, Understanding SAR Images, section 4.3): a pixel of it exceeds 13 dB over
 * the mean with probability exp(−20), the brightest of the 81 pixels that are searched with 2 · 10⁻⁷.
 */
export const leastContrastDb = 13;

/** Why what was measured is no point target, as the end of a sentence. Undefined if it may be one. */
export function whyNoTarget({ snrDb, azimuth, range }: PointTargetQuality): string | undefined {
  if (snrDb < leastContrastDb)
    return `the brightest point is only ${Math.max(0, snrDb).toFixed(1)} dB above its surroundings, and speckle alone reaches ${leastContrastDb} dB`;
  if (azimuth.pslrDb > 0 || range.pslrDb > 0) return "something beside the brightest point is brighter on a cut through it";
  return undefined;
}
