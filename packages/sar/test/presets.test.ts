/** The presets of scenes: that each can be simulated and measured as its purpose demands. */
import { chirpSamples } from "@dechirp/radar";
import { describe, expect, it } from "vitest";
import { illuminatedPulses, rangeExcessMeters } from "../src/geometry.ts";
import { azimuthRateHzPerSecond, chirpBandwidthHz, rangeSpacingMeters } from "../src/radar.ts";
import type { ScenePreset } from "../src/simulate/options.ts";
import { checkSimulation } from "../src/simulate/options.ts";
import { scenePresets } from "../src/simulate/presets.ts";

const fractional = (x: number): boolean => Math.abs(x - Math.round(x)) > 0.04;

describe.each(Object.entries(scenePresets) as [string, ScenePreset][])("preset %s", (_, preset) => {
  const { radar, lines, samples, targets, beam, processedBandwidthHz } = preset;

  it("can be simulated without aliasing and with a flat processed band", () => {
    checkSimulation(preset);
    expect(beam.bandwidthHz / processedBandwidthHz).toBeCloseTo(1.2, 12);
    expect(radar.prfHz / beam.bandwidthHz).toBeGreaterThanOrEqual(1.2);
    expect(radar.samplingRateHz / chirpBandwidthHz(radar)).toBeGreaterThanOrEqual(1.2 - 1e-12);
  });

  it("sees every target fully: all pulses of the beam, all samples of every echo", () => {
    for (const target of targets) {
      const [first, last] = illuminatedPulses(radar, beam, target);
      expect(first).toBeGreaterThanOrEqual(0);
      expect(last).toBeLessThanOrEqual(lines - 1);
      const start = (target.slantRangeMeters - radar.nearRangeMeters) / rangeSpacingMeters(radar);
      expect(start).toBeGreaterThanOrEqual(32);
      for (const pulse of [first, last]) {
        const offset = (radar.startSeconds ?? 0) + pulse / radar.prfHz - target.azimuthSeconds;
        const migrated = start + rangeExcessMeters(radar, target.slantRangeMeters, offset) / rangeSpacingMeters(radar);
        expect(migrated).toBeLessThanOrEqual(samples - chirpSamples(radar) - 32);
      }
    }
  });

  it("names its targets and places them off the grid", () => {
    expect(new Set(targets.map((target) => target.name)).size).toBe(targets.length);
    expect(targets.length).toBeGreaterThanOrEqual(5);
    for (const target of targets) {
      expect(fractional((target.slantRangeMeters - radar.nearRangeMeters) / rangeSpacingMeters(radar))).toBe(true);
      expect(fractional((target.azimuthSeconds - (radar.startSeconds ?? 0)) * radar.prfHz)).toBe(true);
    }
  });
});

describe("preset quality", () => {
  const { radar, samples, targets, processedBandwidthHz } = scenePresets.quality as ScenePreset;

  it("has time-bandwidth products of 512 and more in both axes, and range oversampling of 1.3", () => {
    expect(chirpBandwidthHz(radar) * radar.pulseSeconds).toBeGreaterThanOrEqual(512);
    expect(radar.samplingRateHz / chirpBandwidthHz(radar)).toBeGreaterThanOrEqual(1.3);
    for (const { slantRangeMeters } of targets) {
      expect(processedBandwidthHz ** 2 / azimuthRateHzPerSecond(radar, slantRangeMeters, radar.dopplerCentroidHz)).toBeGreaterThanOrEqual(
        512,
      );
    }
  });

  it("has targets in the centre and near both edges of the swath", () => {
    const cells = targets.map(({ slantRangeMeters }) => (slantRangeMeters - radar.nearRangeMeters) / rangeSpacingMeters(radar));
    const valid = samples - chirpSamples(radar);
    expect(Math.min(...cells)).toBeLessThan(64);
    expect(Math.max(...cells)).toBeGreaterThan(valid - 64);
    expect(cells.some((cell) => Math.abs(cell - valid / 2) < 2)).toBe(true);
  });
});
