/**
 * Scenes as data, which the command line, the documentation, tests and benchmarks simulate. They are invented
 * airborne radars. In every preset the beam is 1.2 times the Doppler band that is processed, so that
 * the processed spectrum is flat, and the PRF is at least 1.2 times the beam, so that nothing aliases.
 */
import { chirpSamples, type StripmapRadar } from "@dechirp/radar";
import { fusedSarScene } from "./fused-sar-paper.ts";
import type { ScenePreset } from "./options.ts";
import { place } from "./place.ts";

/** C band, 1.5° of squint: 1 m in both directions; migration is mostly linear, about 2 cells. */
const defaultRadar: StripmapRadar = {
  carrierHz: 5.3e9,
  samplingRateHz: 150e6,
  prfHz: 160,
  chirpRateHzPerSecond: 40e12,
  pulseSeconds: 3e-6,
  velocityMetersPerSecond: 130,
  nearRangeMeters: 3000,
  dopplerCentroidHz: 120,
};

/** C band, broadside: time-bandwidth products of 600 in range and more than 512 in azimuth. */
const qualityRadar: StripmapRadar = {
  carrierHz: 5.4e9,
  samplingRateHz: 135e6,
  prfHz: 260,
  chirpRateHzPerSecond: 100e6 / 6e-6,
  pulseSeconds: 6e-6,
  velocityMetersPerSecond: 150,
  nearRangeMeters: 15_000,
  dopplerCentroidHz: 0,
};
const qualityLast = 2048 - chirpSamples(qualityRadar);

/** X band, broadside, 4096 by 4096. */
const largeRadar: StripmapRadar = {
  carrierHz: 10e9,
  samplingRateHz: 120e6,
  prfHz: 250,
  chirpRateHzPerSecond: 10e12,
  pulseSeconds: 10e-6,
  velocityMetersPerSecond: 100,
  nearRangeMeters: 20_000,
  dopplerCentroidHz: 0,
};

/** Scenes by name: radar, targets, clutter and noise, sizes. */
export const scenePresets = {
  default: {
    title: "Reflectors in made-up farmland by a lake, C band, slightly squinted, 1 m",
    radar: defaultRadar,
    lines: 1024,
    samples: 1024,
    beam: { kind: "doppler-band", bandwidthHz: 132 },
    processedBandwidthHz: 110,
    targets: [
      place(defaultRadar, "centre", 512.3, 287.4, 5),
      place(defaultRadar, "near", 330.75, 60.2, 5, 1),
      place(defaultRadar, "far", 690.6, 510.7, 5, 2),
      place(defaultRadar, "early", 180.1, 380.55, 5, -1),
      place(defaultRadar, "late", 860.45, 150.85, 5, -2),
    ],
    background: { levelDb: -25, density: 1, texture: "terrain" },
    noise: { snrDb: -7 },
    seed: 1,
  },
  quality: {
    title: "Point targets only, for measuring impulse responses, C band, broadside",
    radar: qualityRadar,
    lines: 2048,
    samples: 2048,
    beam: { kind: "doppler-band", bandwidthHz: 210 },
    processedBandwidthHz: 175,
    targets: [
      place(qualityRadar, "centre", 1024.37, qualityLast / 2 + 0.21),
      place(qualityRadar, "near edge", 1024.81, 48.37, 1, 0.5),
      place(qualityRadar, "far edge", 1024.13, qualityLast - 52.29, 1, 1),
      place(qualityRadar, "early", 620.44, qualityLast / 2 + 100.58, 1, 1.5),
      place(qualityRadar, "late", 1427.69, qualityLast / 2 - 100.17, 1, 2),
      place(qualityRadar, "early near", 700.06, 160.93, 1, 2.5),
      place(qualityRadar, "late far", 1350.92, qualityLast - 170.46, 1, 3),
    ],
    seed: 1,
  },
  large: {
    title: "Five point targets in noise, X band, broadside, 4096 by 4096",
    radar: largeRadar,
    lines: 4096,
    samples: 4096,
    beam: { kind: "doppler-band", bandwidthHz: 204 },
    processedBandwidthHz: 170,
    targets: [
      place(largeRadar, "centre", 2048.25, 1448.4),
      place(largeRadar, "near edge", 1900.6, 64.7, 1, 1),
      place(largeRadar, "far edge", 2210.35, 2820.15, 1, 2),
      place(largeRadar, "early", 1000.8, 900.55, 1, -1),
      place(largeRadar, "late", 3090.45, 2050.9, 1, -2),
    ],
    noise: { snrDb: 20 },
    seed: 1,
  },
  "fused-sar-paper": fusedSarScene(4096, 4096),
} as const satisfies Record<string, ScenePreset>;
