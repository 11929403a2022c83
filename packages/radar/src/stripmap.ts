/**
 * What a stripmap radar is, as plain data with units, and how its recordings describe it. Checks of these numbers and what follows from
 * them (Doppler rates, migration) are in `@dechirp/sar`; files are read by `@dechirp/io`.
 *
 * Conventions (Cumming & Wong, Digital Processing of SAR Data, 2005, chapters 3–6):
 * - Fast time starts with the first sample of the pulse. Range sample i lies at slant range near + i·c/(2·Fr). The echo of a point at that
 *   range starts there and is one pulse long.
 * - A transmitted pulse is exp(+jπK(t − T/2)²), 0 ≤ t < T; K < 0 is a down-chirp.
 * - Demodulated echoes carry exp(−j4π·R(η)/λ); an approaching target has a positive Doppler frequency.
 * - Slow time η is in seconds; pulse p is sent at startSeconds + p/PRF. The azimuth position of a target is the slow time of its closest
 *   approach (zero Doppler), even if the beam squints and sees the target seconds before or after.
 */
import type { RatedChirp } from "./chirp.ts";

/** Type of stored echoes: 8- or 16-bit I/Q, or complex64. */
export type EchoType = "ci8" | "ci16" | "c64";

/** A stripmap radar: the numbers that simulation and focusing need. */
export interface StripmapRadar extends RatedChirp {
  /** Carrier frequency f₀. */
  readonly carrierHz: number;
  /** Complex range sampling rate Fr. */
  readonly samplingRateHz: number;
  /** Pulse repetition frequency (PRF) Fa. */
  readonly prfHz: number;
  /** Effective velocity V of the hyperbolic range equation R² = R₀² + V²(η − η₀)². */
  readonly velocityMetersPerSecond: number;
  /** Slant range of the first range sample. */
  readonly nearRangeMeters: number;
  /** Absolute Doppler centroid (ambiguity resolved); 0 is broadside. */
  readonly dopplerCentroidHz: number;
  /** Slow time of the first pulse. Default: 0. */
  readonly startSeconds?: number;
}

/** The path of a platform as state vectors at four times or more. */
export interface Orbit {
  /** Increasing, [vector]; on the slow-time axis of the radar if they describe a recording. */
  readonly timesSeconds: ArrayLike<number>;
  /** Earth-fixed (ECEF, WGS84) positions, [vector][x, y, z]. */
  readonly positionsMeters: ArrayLike<ArrayLike<number>>;
  /** Velocities in the same frame, which turns with the Earth, [vector][x, y, z]. Default: derived from the positions. */
  readonly velocitiesMetersPerSecond?: ArrayLike<ArrayLike<number>>;
}

/** State vectors of a radar, and where it looks. */
export interface RadarOrbit extends Orbit {
  /** The side of the flight direction that the radar looks to. The Earth's rotation makes V of a satellite differ by up to 1 % between them. */
  readonly lookSide?: "left" | "right";
  /** Height of the ground above the WGS84 ellipsoid. Default: 0. */
  readonly groundHeightMeters?: number;
}

/** The radar of a recording, as far as its file states it: an effective velocity, state vectors, or both. */
export type RecordedRadar = Omit<StripmapRadar, "velocityMetersPerSecond" | "dopplerCentroidHz"> & {
  /** Effective velocity. Default: computed from `orbit`. */
  readonly velocityMetersPerSecond?: number;
  /** Absolute Doppler centroid. Default: measured. */
  readonly dopplerCentroidHz?: number;
  /** State vectors on the slow-time axis of the lines. */
  readonly orbit?: RadarOrbit;
};

/** A point scatterer, placed where it is focused. */
export interface PointTarget {
  readonly name: string;
  /** Slow time of closest approach (zero Doppler). */
  readonly azimuthSeconds: number;
  /** Slant range of closest approach R₀. */
  readonly slantRangeMeters: number;
  /** Linear amplitude of its echo. */
  readonly amplitude: number;
  /** Phase of its reflectivity. */
  readonly phaseRadians: number;
}
