/**
 * The scene of a published experiment, "Kernel-Fused SAR Imaging on Apple Silicon" (Bergach, arXiv 2604.03585, section V-A): 4096
 * pulses of 4096 samples, five point targets at "center, range offset, azimuth offset, diagonal offset, far offset", X band,
 * "20 dB additive Gaussian noise". The paper does not state its bandwidth, PRF, speed and range, the places of the targets, or what the 20
 * dB
 * refer to. They are chosen here, and must be stated with every result:
 *
 * - 10 GHz, 100 MHz sampled at 120 MHz, pulses of 240 samples, so that a transform of 4096 keeps at least 3840 cells;
 * - the middle of the swath 12.4 km away, 120 m/s, 250 pulses a second, 170 Hz of Doppler processed, so that about 550 pulses see a target;
 * - 20 dB is the ratio of a target in the middle to noise in one range-compressed pulse, before windows: the published 45 to 47 dB of
 *   the image are then what azimuth compression of that many pulses adds;
 * - echoes weaken with the square of range (power by its fourth), and the ranges of the targets follow from the published differences.
 *
 * Other sizes are the same scene scaled: pulse and ranges with the samples, aperture with the lines.
 */
import { chirpSamples, type PointTarget, type StripmapRadar } from "@dechirp/radar";
import { rangeSpacingMeters } from "../radar.ts";
import type { ScenePreset } from "./options.ts";
import { place } from "./place.ts";

/** Name, line as a part of the lines, cell as a part of the samples, phase. */
const places: readonly (readonly [name: string, line: number, cell: number, phaseRadians: number])[] = [
  ["centre", 0.5, 0.4708, 0],
  ["range offset", 0.5, 0.566, 1],
  ["azimuth offset", 0.3, 0.4708, 2],
  ["diagonal", 0.68, 0.6241, -1],
  ["far", 0.57, 0.894, -2],
];

/** The published size. */
const side = 4096;

/** The scene over `lines` pulses of `samples` samples, both integers of at least 128. `rangeLength` is `samples`. */
export function fusedSarScene(lines: number, samples: number): ScenePreset {
  const [along, across] = [lines / side, samples / side];
  const radar: StripmapRadar = {
    carrierHz: 10e9,
    samplingRateHz: 120e6,
    prfHz: 250,
    chirpRateHzPerSecond: 100e6 / (2e-6 * across),
    pulseSeconds: 2e-6 * across,
    // The number of pulses of an aperture is proportional to range over speed squared.
    velocityMetersPerSecond: 120 * Math.sqrt(across / along),
    nearRangeMeters: 10_000 * across,
    dopplerCentroidHz: 0,
  };
  const rangeOf = (cell: number): number => radar.nearRangeMeters + cell * samples * rangeSpacingMeters(radar);
  const targets = places.map(([name, line, cell, phaseRadians], i): PointTarget => {
    const amplitude = (rangeOf(places[0][2]) / rangeOf(cell)) ** 2;
    return place(radar, name, line * lines + 0.13 + 0.17 * i, cell * samples, amplitude, phaseRadians);
  });
  return {
    title: "Five point targets as in a paper on fused kernels, X band, broadside, 20 dB in a range-compressed pulse",
    radar,
    lines,
    samples,
    beam: { kind: "doppler-band", bandwidthHz: 204 },
    processedBandwidthHz: 170,
    rangeLength: samples,
    targets,
    noise: { snrDb: 20 - 10 * Math.log10(chirpSamples(radar)) },
    seed: 1,
  };
}
