/**
 * A phase history: the spectra of the pulses that a moving radar received, motion-compensated to a range of each pulse,
 * with where the platform was. Its fields have the names and units that the packages sar and processor take, so that one fits the other
 * without either package importing the other. No file format is known here.
 *
 * Convention. Scatterers aₛ at s, seen from A_p, give
 *   fp[p][k] ≈ Σₛ aₛ·exp(−j4πf_k(|A_p − s| − r₀_p)/c), f_k = first + k·step,
 * so a scatterer at the range r₀_p has the same phase at every frequency, and ranges repeat every c/(2·step). The
 * conjugate gives an image as sharp, mirrored through the point of compensation.
 */
import type { PhaseHistory, PulseCorrections } from "@dechirp/radar";

/** Transmitted, then received. */
export type Polarisation = "HH" | "HV" | "VH" | "VV";

/** A phase history with what its files say of it, as a recording that hands out its pulses. */
export interface RecordedPhaseHistory extends PhaseHistory {
  readonly name: string;
  /** Pulses, frequencies of a pulse. */
  readonly shape: readonly [pulses: number, frequencies: number];
  /** Samples of pulses `from` to `from + count − 1`, [count][frequency], interleaved: a view of `samples`. */
  pulses(from: number, count: number): Float32Array;
  /** By pulse: direction of the platform as the file states it, counter-clockwise from +x. */
  readonly azimuthRadians?: Float64Array;
  /** By pulse: direction of the platform as the file states it, above the ground plane. */
  readonly elevationRadians?: Float64Array;
  /** Corrections that are not applied; absent where the file has none. */
  readonly autofocus?: PulseCorrections;
  readonly polarisation?: Polarisation;
  /** Number of the flight pass. */
  readonly pass?: number;
  /** Remarks on what was read, one sentence each. */
  readonly notes: readonly string[];
}
