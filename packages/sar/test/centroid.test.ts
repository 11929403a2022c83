/** The Doppler centroid measured by focusing: ambiguity and fraction of simulated scenes whose centroid is known. */

import { createRandom, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { chirpSamples, type PointTarget, type StripmapRadar } from "@dechirp/radar";
import { describe, expect, test } from "vitest";
import {
  beamOffsetSeconds,
  measureDopplerCentroid,
  migrationFactor,
  rangeDoppler,
  rangeSpacingMeters,
  scenePresets,
  simulateStripmap,
} from "../src/index.ts";

const lines = 1024;
const samples = 1024;
const base: StripmapRadar = { ...scenePresets.quality.radar, pulseSeconds: 3e-6, chirpRateHzPerSecond: 100e6 / 3e-6 };
const beam = { kind: "sinc2", bandwidthHz: 150 } as const;

/** Targets of random strength all over the block and beyond its ends, so that some are seen in part only. */
function targets(radar: StripmapRadar, count: number, seed: number): PointTarget[] {
  const random = createRandom(seed);
  const cells = samples - chirpSamples(radar);
  return Array.from({ length: count }, (_, i) => {
    const slantRangeMeters =
      (radar.nearRangeMeters + random.uniform() * cells * rangeSpacingMeters(radar)) * migrationFactor(radar, radar.dopplerCentroidHz);
    const line = (random.uniform() * 1.6 - 0.3) * lines;
    const azimuthSeconds = line / radar.prfHz - beamOffsetSeconds(radar, slantRangeMeters, radar.dopplerCentroidHz);
    return {
      name: `${i}`,
      azimuthSeconds,
      slantRangeMeters,
      amplitude: Math.exp(1.5 * random.gaussian()),
      phaseRadians: 2 * Math.PI * random.uniform(),
    };
  });
}

describe("measureDopplerCentroid", () => {
  test.each([
    [70, 0],
    [-640, -640 + 100],
    [905, 905 - 80],
  ])("finds a centroid of %d Hz with a preset of %d Hz", async (dopplerCentroidHz, presetHz) => {
    using device = await open(cpu());
    const radar = { ...base, dopplerCentroidHz };
    const { raw } = await simulateStripmap({ radar, lines, samples, beam, targets: targets(radar, 60, 3), noise: { snrDb: 10 } });
    const { dopplerCentroidHz: _, ...unknown } = radar;
    const stages: string[] = [];
    const params = { radar: unknown, lines, samples, processedBandwidthHz: 160 };
    const found = await measureDopplerCentroid(params, device, raw as Float32Array, {
      presetHz,
      onProgress: ({ stage }) => stages.push(stage),
    });
    const error = found.image?.standardErrorHz ?? Number.NaN;
    // Four standard errors, as the estimate itself states them; and no wider than an eighth of the PRF.
    expect(Math.abs(found.dopplerCentroidHz - dopplerCentroidHz)).toBeLessThan(Math.min(4 * error, radar.prfHz / 8));
    expect(found.dopplerCentroidHz).toBeCloseTo(found.fractionHz + found.ambiguity * radar.prfHz, 6);
    expect(found.why).toContain("fully exposed lines");
    expect(stages).toContain("image");
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });

  test("says so if no line has full exposure", async () => {
    using device = await open(cpu());
    const radar = { ...base, dopplerCentroidHz: 20 };
    const short = { radar, lines: 200, samples, beam };
    const { raw } = await simulateStripmap({ ...short, targets: targets(radar, 30, 5), noise: { snrDb: 10 } });
    expect(rangeDoppler(short).geometry.exposure.fullRows[1]).toBeLessThan(48);
    const found = await measureDopplerCentroid({ ...short, radar: base }, device, raw as Float32Array, { presetHz: 0 });
    expect(found.image).toBeUndefined();
    expect(found.why).toMatch(/full exposure|do not show/);
  });

  test("stops when it is aborted", async () => {
    using device = await open(cpu());
    const raw = Float32Array.from({ length: 2 * lines * samples }, (_, i) => Math.sin(i * i));
    const abort = new AbortController();
    const pending = measureDopplerCentroid({ radar: base, lines, samples }, device, raw, {
      signal: abort.signal,
      onProgress: () => abort.abort(),
    });
    await expect(pending).rejects.toMatchObject({ code: "aborted" });
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });
});
