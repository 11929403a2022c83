/**
 * Platform tracks, target positions, delays and carrier phases with full precision at satellite distances, and the
 * antenna beam as a gain over Doppler. Flight is straight and level if a `StripmapRadar` is given; tracks
 * given as arrays of positions may have any shape.
 *
 * Frame: metres; x along the track with x = V·η, y on the ground towards the side that the radar looks to, z up, ground at
 * z = 0. At altitude 0 the y axis is slant range itself. The platform of an effective-velocity model flies on a straight
 * line at the effective velocity.
 */

import { inputError } from "@dechirp/core";
import { type PointTarget, type StripmapRadar, sincHalfPowerWidth, speedOfLight, wavelengthMeters } from "@dechirp/radar";
import { beamOffsetSeconds, maxDopplerHz } from "./radar.ts";

/** Slow time of pulse p. */
export const pulseSeconds = (radar: Pick<StripmapRadar, "prfHz" | "startSeconds">, pulse: number): number =>
  (radar.startSeconds ?? 0) + pulse / radar.prfHz;

/** Platform positions [pulses][3] of straight flight at `altitudeMeters` (default: 0). Throws `input`. */
export function stripmapTrack(radar: StripmapRadar, pulses: number, altitudeMeters = 0): Float64Array {
  if (!Number.isInteger(pulses) || pulses < 1 || pulses > 2 ** 24) throw inputError("pulses", "an integer from 1 to 2^24", pulses);
  const track = new Float64Array(3 * pulses);
  for (let p = 0; p < pulses; p++) {
    track[3 * p] = radar.velocityMetersPerSecond * pulseSeconds(radar, p);
    track[3 * p + 2] = altitudeMeters;
  }
  return track;
}

/**
 * Distances in metres from every position of `track` [pulses][3] to `point` [3]. Throws `input` if the length of the track is not a
 * multiple of 3.
 */
export function slantRanges(track: Float64Array, point: ArrayLike<number>): Float64Array {
  if (track.length % 3 !== 0) throw inputError("track", "positions of three numbers each", track);
  if (point.length !== 3) throw inputError("point", "three numbers", point);
  const ranges = new Float64Array(track.length / 3);
  for (let p = 0; p < ranges.length; p++) {
    const dx = track[3 * p] - point[0];
    const dy = track[3 * p + 1] - point[1];
    const dz = track[3 * p + 2] - point[2];
    ranges[p] = Math.sqrt(dx * dx + dy * dy + dz * dz);
  }
  return ranges;
}

/**
 * Position [x, y, z] of a target on the ground (or at `heightMeters`): in its plane of zero Doppler, at its slant range
 * from the track. Throws `input` if the slant range is smaller than the height of the platform above the target.
 */
export function targetPosition(
  radar: StripmapRadar,
  target: Pick<PointTarget, "azimuthSeconds" | "slantRangeMeters">,
  altitudeMeters = 0,
  heightMeters = 0,
): [x: number, y: number, z: number] {
  const drop = altitudeMeters - heightMeters;
  const range = target.slantRangeMeters;
  if (!(range >= Math.abs(drop))) throw inputError("slantRangeMeters", `at least the height difference of ${Math.abs(drop)} m`, range);
  return [radar.velocityMetersPerSecond * target.azimuthSeconds, Math.sqrt((range - drop) * (range + drop)), heightMeters];
}

/** The inverse of `targetPosition`: slow time and slant range of closest approach. */
export function targetCoordinates(
  radar: StripmapRadar,
  position: ArrayLike<number>,
  altitudeMeters = 0,
): Pick<PointTarget, "azimuthSeconds" | "slantRangeMeters"> {
  return {
    azimuthSeconds: position[0] / radar.velocityMetersPerSecond,
    slantRangeMeters: Math.hypot(position[1], altitudeMeters - position[2]),
  };
}

/**
 * Slant range beyond closest approach, R(η) − R₀ for R² = R₀² + V²Δη², computed without cancellation: accurate to a few
 * units in the last place of the difference. Subtracting R₀ from R of a satellite would lose seven digits.
 */
export function rangeExcessMeters(radar: StripmapRadar, slantRangeMeters: number, offsetSeconds: number): number {
  const along = radar.velocityMetersPerSecond * offsetSeconds;
  const square = along * along;
  return square / (slantRangeMeters + Math.sqrt(slantRangeMeters * slantRangeMeters + square));
}

/** Doppler frequency −(2/λ)·dR/dη at `offsetSeconds` from closest approach (Cumming & Wong eq. 4.33 region). */
export function instantaneousDopplerHz(radar: StripmapRadar, slantRangeMeters: number, offsetSeconds: number): number {
  const along = radar.velocityMetersPerSecond * offsetSeconds;
  const range = Math.sqrt(slantRangeMeters * slantRangeMeters + along * along);
  return (-2 * radar.velocityMetersPerSecond * along) / (wavelengthMeters(radar) * range);
}

/**
 * Carrier cycles of the two-way path, 2·f₀·R/c modulo 1 in [0, 1). The product is exact (Dekker's two-product)
 * and reduced by the exact remainder, so that 3·10⁷ cycles of a satellite keep all their digits.
 */
export function twoWayCycles(radar: StripmapRadar, rangeMeters: number): number {
  const factor = 2 * radar.carrierHz;
  const high = factor * rangeMeters;
  const [factorHigh, factorLow] = splitDouble(factor);
  const [rangeHigh, rangeLow] = splitDouble(rangeMeters);
  const low = factorHigh * rangeHigh - high + factorHigh * rangeLow + factorLow * rangeHigh + factorLow * rangeLow;
  const cycles = ((high % speedOfLight) + (low % speedOfLight)) / speedOfLight;
  return cycles - Math.floor(cycles);
}

/** Veltkamp's splitting into two halves of 26 bits. */
function splitDouble(value: number): [high: number, low: number] {
  const scaled = 134217729 * value;
  const high = scaled - (scaled - value);
  return [high, value - high];
}

/** When and how strongly a target is illuminated, as a gain over the offset of its Doppler frequency from the centroid. */
export type Beam =
  /** Gain 1 within ±bandwidth/2 of the Doppler centroid, 0 outside. */
  | { readonly kind: "doppler-band"; readonly bandwidthHz: number }
  /**
   * Two-way amplitude gain sinc²(0.886·Δf/bandwidth) of a uniformly lit antenna, its main lobe only. `bandwidthHz` is
   * the Doppler band within the one-way half-power beam width (Cumming & Wong eq. 4.27 and 4.28 region, with θ ∝ f): the
   * two-way gain is −6 dB at its ends and 0 beyond bandwidth/0.886 from the centroid.
   */
  | { readonly kind: "sinc2"; readonly bandwidthHz: number };

/** Throws `input` unless the beam is of a known kind and stays within the Doppler frequencies ±2V/λ that exist. */
export function checkBeam(radar: StripmapRadar, beam: Beam): void {
  const kind = (beam as { kind?: unknown } | null | undefined)?.kind;
  if (kind !== "doppler-band" && kind !== "sinc2") throw inputError("beam.kind", "doppler-band or sinc2", kind);
  if (!(Number.isFinite(beam.bandwidthHz) && beam.bandwidthHz > 0))
    throw inputError("beam.bandwidthHz", "a positive number", beam.bandwidthHz);
  const limit = maxDopplerHz(radar) - Math.abs(radar.dopplerCentroidHz);
  if (!(beamReachHz(beam) < limit)) {
    throw inputError(
      "beam.bandwidthHz",
      `small enough that the beam's edges stay below 2V/λ = ${maxDopplerHz(radar)} Hz`,
      beam.bandwidthHz,
    );
  }
}

/** Largest Doppler offset from the centroid at which a target is illuminated. */
export const beamReachHz = (beam: Beam): number => (beam.kind === "sinc2" ? beam.bandwidthHz / sincHalfPowerWidth : beam.bandwidthHz / 2);

/**
 * The pulses, as fractional indices [first, last], between which a target is illuminated. They may lie outside the
 * recording. A target passes its positive Doppler frequencies first.
 */
export function illuminatedPulses(
  radar: StripmapRadar,
  beam: Beam,
  target: Pick<PointTarget, "azimuthSeconds" | "slantRangeMeters">,
): [first: number, last: number] {
  const reach = beamReachHz(beam);
  const start = target.azimuthSeconds - (radar.startSeconds ?? 0);
  const entry = beamOffsetSeconds(radar, target.slantRangeMeters, radar.dopplerCentroidHz + reach);
  const exit = beamOffsetSeconds(radar, target.slantRangeMeters, radar.dopplerCentroidHz - reach);
  return [(start + entry) * radar.prfHz, (start + exit) * radar.prfHz];
}

/** Two-way amplitude gain at a Doppler offset from the centroid; 0 if a target is not illuminated. */
export function beamGain(beam: Beam, dopplerOffsetHz: number): number {
  if (!(Math.abs(dopplerOffsetHz) <= beamReachHz(beam))) return 0;
  if (beam.kind === "doppler-band") return 1;
  const x = (Math.PI * sincHalfPowerWidth * dopplerOffsetHz) / beam.bandwidthHz;
  return Math.abs(x) < 1e-9 ? 1 : (Math.sin(x) / x) ** 2;
}
