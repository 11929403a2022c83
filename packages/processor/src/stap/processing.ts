/** How a cube is processed: what presets and settings say of it. Types only. */
import type { Window } from "@dechirp/radar";
import type { AdaptiveOutput, Solver } from "@dechirp/stap";

/**
 * Which ranges train a covariance: the blocks beside its own, its own block, or the ranges around each range.
 */
export type TrainingKind = "adjacent" | "own" | "sliding";

/** A scan of azimuths in degrees: from, from + step, … up to `to`, 4096 at most. */
export interface AzimuthScan {
  /** The first azimuth. */
  readonly from: number;
  /** The largest azimuth. */
  readonly to: number;
  /** From one azimuth to the next, above 0. */
  readonly step: number;
}

/** How the cube is processed: the extended factored algorithm of R. C. DiPietro (Proc. 26th Asilomar Conference, 1992). */
export interface StapProcessing {
  /** Bins of the zero-padded Doppler transform, from the pulses on; the pulses where left out. */
  readonly dopplerBins?: number;
  /** Doppler bins of a snapshot; 3 where left out. */
  readonly temporalTaps?: number;
  /** Ranges of a training block; 32 where left out. */
  readonly blockRanges?: number;
  /** `adjacent` where left out. */
  readonly training?: TrainingKind;
  /** Ranges that train one, where training slides; all where left out. */
  readonly cells?: number;
  /** Blocks of adjacent training, ranges of sliding training, that are left out on each side; 0 where left out. */
  readonly guard?: number;
  /** Diagonal loading as a share of the diagonal's mean; 0 where left out. */
  readonly loading?: number;
  /** `cholesky` where left out. */
  readonly solver?: Solver;
  /** `amf` where left out. */
  readonly output?: AdaptiveOutput;
  /** Only the largest output over all steering vectors. */
  readonly maxOverSteering?: boolean;
  /** Weights of the pulses before the Doppler transform. Default: none. */
  readonly window?: Window;
  /** Zero Doppler in the middle of the output; at bin 0 where left out. */
  readonly centred?: boolean;
  /** Directions to look at with a uniform line of elements. */
  readonly azimuth?: AzimuthScan;
}
