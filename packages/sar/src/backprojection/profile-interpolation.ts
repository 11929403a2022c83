/** How range profiles are read between bins: the ways there are, the default, and the error of each. */
import {
  bandErrorDb,
  checkInterpolator,
  type InterpolatorSpec,
  interpolationErrorDb,
  interpolatorTaps,
} from "@dechirp/radar/interpolation";
import { type ProfileGeometry, profileOversampling } from "./profiles.ts";
import { curveOf, quadraticOversampling } from "./quadratic.ts";

/**
 * How profiles are read between bins. `quadratic`: on a parabola around the nearest bin (quadratic.ts), for profiles with at least eight
 * bins
 * for each frequency. `linear`: on the line between two bins. Or a windowed sinc.
 */
export type ProfileInterpolation = "quadratic" | "linear" | InterpolatorSpec;

/** Largest number of neighbouring samples of a profile, or of parabolas, that a pixel reads. */
export const profileTaps = (interpolation: ProfileInterpolation): number =>
  typeof interpolation === "string" && interpolation !== "nearest" ? 2 : interpolatorTaps(interpolation);

/** Throws `input` naming `interpolation` unless it is valid. */
export function checkProfileInterpolation(interpolation: ProfileInterpolation): void {
  if (interpolation !== "linear" && interpolation !== "quadratic") checkInterpolator(interpolation, "interpolation");
}

/** Signal-to-error ratio for a flat spectrum that a sinc must reach to become the default. */
const enoughDb = 90;
const mostTaps = 32;

/** The oversampling that interpolators are designed for. */
export const designOversampling = (profiles: ProfileGeometry): number => Math.min(64, Math.max(1, profileOversampling(profiles)));

/**
 * The default for `profiles`: parabolas if there are at least eight bins for each frequency. Otherwise the sinc of fewest taps
 * whose error is −90 dB for a flat spectrum, or of 32 taps if none is. From an oversampling of 1.25 on that is at least 70 dB at every
 * frequency of
 * the band; below, the ends of the band keep less, and at 1.1 a flat spectrum keeps 60 dB.
 */
export function defaultInterpolation(profiles: ProfileGeometry): ProfileInterpolation {
  const oversampling = designOversampling(profiles);
  if (oversampling >= quadraticOversampling * (1 - 1e-9)) return "quadratic";
  for (let taps = 4; ; taps += 2) {
    const spec = { kind: "sinc", taps, window: "knab" } as const;
    if (taps === mostTaps || interpolationErrorDb(spec, oversampling) >= enoughDb) return spec;
  }
}

/**
 * Expected ratio of the signal to the interpolation error in dB, for samples whose spectrum is flat over the band, such as noise. It does
 * not
 * include arithmetic and rounding.
 */
export function profileInterpolationDb(interpolation: ProfileInterpolation, profiles: ProfileGeometry): number {
  const oversampling = designOversampling(profiles);
  if (interpolation === "linear") {
    return bandErrorDb(2, oversampling, (row, mu) => row.set([1 - mu, mu]));
  }
  if (interpolation === "quadratic") return bandErrorDb(6, oversampling, writeQuadratic);
  return interpolationErrorDb(interpolation, oversampling);
}

/** Weights of six bins, starting two before the bin below, for delay `mu` from that bin. */
function writeQuadratic(row: Float64Array, mu: number): void {
  const nearest = mu < 0.5 ? 2 : 3;
  const x = mu + 2 - nearest;
  for (let j = 0; j < 6; j++) {
    const [slope, curvature] = curveOf((away) => (nearest + away === j ? 1 : 0));
    row[j] = (j === nearest ? 1 : 0) + x * (slope + x * curvature);
  }
}
