/**
 * Checks of a `StripmapRadar`, and the ranges, frequencies and times that follow from it. The conventions of the whole package are in
 * `stripmap.ts` of `@dechirp/radar` (Cumming & Wong, Digital Processing of SAR Data, 2005, chapters 3–6).
 */

import { inputError } from "@dechirp/core";
import { checkObject } from "@dechirp/core/internal";
import { type StripmapRadar, speedOfLight, wavelengthMeters } from "@dechirp/radar";

/** Larger than for any radar, and small enough that everything computed from them is finite. */
const largest = [
  ["carrierHz", 1e15],
  ["samplingRateHz", 1e15],
  ["prfHz", 1e15],
  ["pulseSeconds", 1e9],
  ["velocityMetersPerSecond", speedOfLight],
  ["nearRangeMeters", 1e15],
] as const;
/** Within this many lines of zero, float64 still resolves a thousandth of a line. */
const mostLines = 2 ** 43;

/** Throws `input`, naming the field as `radar.<name>`, unless every parameter is valid. */
export function checkRadar(radar: StripmapRadar): void {
  checkObject(radar, "radar", "input");
  for (const [field, most] of largest) {
    const value = radar[field];
    if (typeof value !== "number" || !Number.isFinite(value) || value <= 0) throw inputError(`radar.${field}`, "a positive number", value);
    if (value > most) throw inputError(`radar.${field}`, `at most ${most}`, value);
  }
  for (const field of ["chirpRateHzPerSecond", "dopplerCentroidHz"] as const) {
    if (typeof radar[field] !== "number" || !Number.isFinite(radar[field]))
      throw inputError(`radar.${field}`, "a finite number", radar[field]);
  }
  if (radar.chirpRateHzPerSecond === 0) throw inputError("radar.chirpRateHzPerSecond", "different from zero", 0);
  if (radar.startSeconds !== undefined && !(Math.abs(radar.startSeconds) * radar.prfHz <= mostLines))
    throw inputError("radar.startSeconds", "a finite number, within 2^43 lines of zero", radar.startSeconds);
  if (chirpBandwidthHz(radar) > radar.samplingRateHz * 1.0001) {
    throw inputError("radar.samplingRateHz", `at least the chirp bandwidth of ${chirpBandwidthHz(radar)} Hz`, radar.samplingRateHz);
  }
  if (radar.pulseSeconds * radar.samplingRateHz < 1) throw inputError("radar.pulseSeconds", "at least one sample long", radar.pulseSeconds);
  if (Math.abs(radar.dopplerCentroidHz) >= maxDopplerHz(radar)) {
    throw inputError("radar.dopplerCentroidHz", `below 2V/λ = ${maxDopplerHz(radar)} Hz in magnitude`, radar.dopplerCentroidHz);
  }
}

/** Bandwidth of the transmitted chirp, |K|·T. */
export const chirpBandwidthHz = (radar: StripmapRadar): number => Math.abs(radar.chirpRateHzPerSecond) * radar.pulseSeconds;
/** Slant range between range samples, c/(2·Fr). */
export const rangeSpacingMeters = (radar: Pick<StripmapRadar, "samplingRateHz">): number => speedOfLight / (2 * radar.samplingRateHz);
/** Doppler frequency of a target straight ahead, 2V/λ. */
export const maxDopplerHz = (radar: StripmapRadar): number => (2 * radar.velocityMetersPerSecond) / wavelengthMeters(radar);
/** D(f) = √(1 − (λf/2V)²), the cosine of the instantaneous squint angle (Cumming & Wong eq. 5.31). */
export const migrationFactor = (radar: StripmapRadar, dopplerHz: number): number => Math.sqrt(1 - (dopplerHz / maxDopplerHz(radar)) ** 2);
/** Azimuth FM rate magnitude Ka = 2V²D³/(λR₀) at Doppler f (Cumming & Wong eq. 5.41 region). */
export const azimuthRateHzPerSecond = (radar: StripmapRadar, slantRangeMeters: number, dopplerHz: number): number =>
  (2 * radar.velocityMetersPerSecond ** 2 * migrationFactor(radar, dopplerHz) ** 3) / (wavelengthMeters(radar) * slantRangeMeters);
/**
 * Slow time, relative to closest approach, at which a target at R₀ is seen at Doppler f:
 * η = −λR₀f/(2V²D) (Cumming & Wong eq. 5.44 region). Negative Doppler is seen after closest approach.
 */
export const beamOffsetSeconds = (radar: StripmapRadar, slantRangeMeters: number, dopplerHz: number): number =>
  (-wavelengthMeters(radar) * slantRangeMeters * dopplerHz) / (2 * radar.velocityMetersPerSecond ** 2 * migrationFactor(radar, dopplerHz));
