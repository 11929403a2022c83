/** How range profiles are read between bins: the ways there are, which one is taken where none is asked for, and the error that each makes. */
import { bandErrorDb, checkInterpolator, type InterpolatorSpec, interpolationErrorDb, interpolatorTaps } from "../interpolation.ts";
import { type ProfileGeometry, profileOversampling } from "./profiles.ts";
import { curveOf, quadraticOversampling } from "./quadratic.ts";

/**
 * `quadratic`: on a parabola around the nearest bin (quadratic.ts), for profiles with eight bins or more for each frequency. `linear`: on
 * the line between two bins. Or a windowed sinc.
 */
export type ProfileInterpolation = "quadratic" | "linear" | InterpolatorSpec;

/** Samples of a profile, or of what was made of it, that a pixel reads at most beside each other. */
export const profileTaps = (interpolation: ProfileInterpolation): number =>
  typeof interpolation === "string" && interpolation !== "nearest" ? 2 : interpolatorTaps(interpolation);

/** Throws `input` naming `interpolation` unless it is one. */
export function checkProfileInterpolation(interpolation: ProfileInterpolation): void {
  if (interpolation !== "linear" && interpolation !== "quadratic") checkInterpolator(interpolation, "interpolation");
}

/** What a sinc has to reach of a flat spectrum to be taken where none is asked for. */
const enoughDb = 90;
const mostTaps = 32;

/** The oversampling that interpolators are made for. */
export const designOversampling = (profiles: ProfileGeometry): number => Math.min(64, Math.max(1, profileOversampling(profiles)));

/**
 * What reads `profiles` where nothing else is asked for: parabolas from eight bins for each frequency on; below, the sinc of fewest taps
 * whose error is −90 dB of a flat spectrum, or of 32 taps where there is none. That is 70 dB and more at every frequency of the band from an
 * oversampling of 1.25 on; below, the ends of the band keep less, and at 1.1 a flat spectrum keeps 60 dB.
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
 * Signal over the error of interpolation in dB that is expected of samples whose spectrum is flat over the band, as noise has it;
 * arithmetic and its rounding are not in it.
 */
export function profileInterpolationDb(interpolation: ProfileInterpolation, profiles: ProfileGeometry): number {
  const oversampling = designOversampling(profiles);
  if (interpolation === "linear") {
    return bandErrorDb(2, oversampling, (row, mu) => row.set([1 - mu, mu]));
  }
  if (interpolation === "quadratic") return bandErrorDb(6, oversampling, writeQuadratic);
  return interpolationErrorDb(interpolation, oversampling);
}

/** Weights of six bins from two before the one below on, for delay `mu` from that. */
function writeQuadratic(row: Float64Array, mu: number): void {
  const nearest = mu < 0.5 ? 2 : 3;
  const x = mu + 2 - nearest;
  for (let j = 0; j < 6; j++) {
    const [slope, curvature] = curveOf((away) => (nearest + away === j ? 1 : 0));
    row[j] = (j === nearest ? 1 : 0) + x * (slope + x * curvature);
  }
}
