/** Types of the options with which presets and settings describe how a cube is processed. */
import type { Window } from "@dechirp/radar";
import type { AdaptiveOutput, Solver } from "@dechirp/stap";

/**
 * Which ranges train a covariance: the blocks beside its own (`adjacent`), its own block (`own`), or the ranges around each range
 * (`sliding`).
 */
export type TrainingKind = "adjacent" | "own" | "sliding";

/** A scan of azimuths in degrees: from, from + step, … up to `to`. At most 4096 azimuths. */
export interface AzimuthScan {
  /** The first azimuth. */
  readonly from: number;
  /** The largest azimuth. */
  readonly to: number;
  /** From one azimuth to the next, above 0. */
  readonly step: number;
}

/**
 * How the cube is processed: options of the extended factored algorithm (EFA) of R. C. DiPietro (Proc. 26th Asilomar Conference, 1992).
 */
export interface StapProcessing {
  /** Number of bins of the zero-padded Doppler transform, at least the number of pulses. Default: the number of pulses. */
  readonly dopplerBins?: number;
  /** Number of Doppler bins in a snapshot. Default: 3. */
  readonly temporalTaps?: number;
  /** Number of ranges in a training block. Default: 32. */
  readonly blockRanges?: number;
  /** Default: `adjacent`. */
  readonly training?: TrainingKind;
  /** Number of ranges that train each range, for sliding training. Default: all. */
  readonly cells?: number;
  /** Guard on each side: number of blocks for adjacent training, of ranges for sliding training. Default: 0. */
  readonly guard?: number;
  /** Diagonal loading as a share of the mean of the diagonal. Default: 0. */
  readonly loading?: number;
  /** Default: `cholesky`. */
  readonly solver?: Solver;
  /** Default: `amf`. */
  readonly output?: AdaptiveOutput;
  /** Keep only the largest output over all steering vectors. Default: false. */
  readonly maxOverSteering?: boolean;
  /** Window over the pulses before the Doppler transform. Default: none. */
  readonly window?: Window;
  /** Put zero Doppler in the middle of the output. Default: false, zero Doppler is bin 0. */
  readonly centred?: boolean;
  /** Directions in which a uniform linear array is steered. */
  readonly azimuth?: AzimuthScan;
}
