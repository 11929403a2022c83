/** Small scenes for tests. */
import type { PointTarget } from "@dechirp/radar";
import { beamOffsetSeconds, migrationFactor, rangeSpacingMeters, type ScenePreset, scenePresets } from "@dechirp/sar";

const { radar } = scenePresets.default;

function target(name: string, line: number, cell: number): PointTarget {
  const slantRangeMeters = radar.nearRangeMeters + cell * rangeSpacingMeters(radar);
  const azimuthSeconds = line / radar.prfHz - beamOffsetSeconds(radar, slantRangeMeters, radar.dopplerCentroidHz);
  return { name, azimuthSeconds, slantRangeMeters, amplitude: 2, phaseRadians: 0.5 };
}

/** The default preset's radar with a smaller scene, with clutter and noise if `noisy`. */
export const smallPreset = (noisy: boolean): ScenePreset => ({
  title: "small",
  radar,
  lines: 320,
  samples: 576,
  beam: scenePresets.default.beam,
  processedBandwidthHz: scenePresets.default.processedBandwidthHz,
  targets: [target("centre", 160.3, 60.4), target("beyond the swath", 160, 900), target("never lit", 5000, 60)],
  ...(noisy ? { background: { levelDb: -25 }, noise: { snrDb: 0 } } : {}),
  seed: 1,
});

/** The quality preset's radar with a squinted beam; a target in the middle of the swath and one near its edge. */
export function squintedPreset(dopplerCentroidHz: number): ScenePreset {
  const preset = scenePresets.quality;
  const turned = { ...preset.radar, dopplerCentroidHz };
  const factor = migrationFactor(turned, dopplerCentroidHz);
  const targets = [619.3, 60.4].map((cell, i): PointTarget => {
    const slantRangeMeters = (turned.nearRangeMeters + cell * rangeSpacingMeters(turned)) * factor;
    const azimuthSeconds = (1024.3 + 60 * i) / turned.prfHz - beamOffsetSeconds(turned, slantRangeMeters, dopplerCentroidHz);
    return { name: `target ${i}`, azimuthSeconds, slantRangeMeters, amplitude: 1, phaseRadians: 1 + i };
  });
  return { ...preset, title: "squinted", radar: turned, targets };
}

/** A C-band radar in orbit with a squint of some degrees, whose aperture is 900 lines long. */
export const spaceRadar = {
  carrierHz: 5.3e9,
  samplingRateHz: 32.317e6,
  prfHz: 1256.98,
  chirpRateHzPerSecond: -0.72135e12,
  pulseSeconds: 41.74e-6,
  velocityMetersPerSecond: 7062,
  nearRangeMeters: 988_647,
  dopplerCentroidHz: -6900,
} as const;
