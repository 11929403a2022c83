/**
 * The Doppler centroid of recordings that are measured in blocks: simulated echoes of known centroid, drifting, contradictory, or only
 * noise; which lines are read; and agreement with the measurement of the whole.
 */
import { createRandom, type Device, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { chirpSamples, type PointTarget, type StripmapRadar } from "@dechirp/radar";
import {
  beamOffsetSeconds,
  measureDopplerCentroid,
  migrationFactor,
  rangeSpacingMeters,
  scenePresets,
  simulateStripmap,
  type UncentredParams,
} from "@dechirp/sar";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chooseCentroid } from "../src/focus/centroid.ts";
import type { CentroidOptions } from "../src/focus/centroid-options.ts";

let device: Device;
beforeAll(async () => {
  device = await open(cpu());
});
afterAll(() => device[Symbol.dispose]());

const [lines, samples] = [3456, 512];
const { dopplerCentroidHz: _, ...base } = {
  ...scenePresets.quality.radar,
  nearRangeMeters: 3000,
  pulseSeconds: 1.5e-6,
  chirpRateHzPerSecond: 100e6 / 1.5e-6,
};
const { prfHz } = base;
const params: UncentredParams = { radar: base, lines, samples, processedBandwidthHz: 160 };

/** Echoes of targets of random strength, all over the recording and beyond its ends, in noise. */
async function echoes(dopplerCentroidHz: number, count: number, seed: number): Promise<Float32Array> {
  const radar: StripmapRadar = { ...base, dopplerCentroidHz };
  const random = createRandom(seed);
  const targets = Array.from({ length: count }, (_unused, i): PointTarget => {
    const seen = radar.nearRangeMeters + random.uniform() * (samples - chirpSamples(radar)) * rangeSpacingMeters(radar);
    const slantRangeMeters = seen * migrationFactor(radar, dopplerCentroidHz);
    const line = (random.uniform() * 1.2 - 0.1) * lines;
    return {
      name: `${i}`,
      azimuthSeconds: line / prfHz - beamOffsetSeconds(radar, slantRangeMeters, dopplerCentroidHz),
      slantRangeMeters,
      amplitude: Math.exp(0.7 * random.gaussian()),
      phaseRadians: 2 * Math.PI * random.uniform(),
    };
  });
  const { raw } = await simulateStripmap({
    radar,
    lines,
    samples,
    beam: { kind: "sinc2", bandwidthHz: 150 },
    targets,
    noise: { snrDb: 0 },
  });
  return raw as Float32Array;
}

/** Turns the phase so that the centroid changes by `hz` of the line. */
function turned(data: Float32Array, hz: (line: number) => number): Float32Array {
  const out = data.slice();
  let cycles = 0;
  for (let p = 0; p < lines; p++) {
    cycles += hz(p) / prfHz;
    const [cos, sin] = [Math.cos(2 * Math.PI * cycles), Math.sin(2 * Math.PI * cycles)];
    for (let k = 2 * p * samples; k < 2 * (p + 1) * samples; k += 2) {
      out[k] = data[k] * cos - data[k + 1] * sin;
      out[k + 1] = data[k] * sin + data[k + 1] * cos;
    }
  }
  return out;
}

async function choose(data: Float32Array, options: CentroidOptions = {}, presetHz?: number) {
  const reads: [number, number][] = [];
  const readLines = async (from: number, count: number) => {
    reads.push([from, count]);
    return data.subarray(2 * from * samples, 2 * (from + count) * samples);
  };
  const sensor = presetHz === undefined ? {} : { sensor: { name: "test", dopplerCentroidHz: presetHz } };
  const centroid = await chooseCentroid({ radar: base, ...sensor }, params, device, readLines, { wholeSamples: 2 ** 20, ...options });
  return { centroid, reads };
}

describe("chooseCentroid of a recording that is measured in blocks", () => {
  let even: Float32Array;
  beforeAll(async () => {
    even = await echoes(-640, 350, 3);
  });

  it("finds the centroid and its ambiguity, as on the whole recording, without reading all lines at once", async () => {
    const stages: string[] = [];
    const { centroid, reads } = await choose(even, { onStage: (stage) => stages.push(stage) });
    expect(centroid.used).toMatchObject({ source: "data" });
    expect(centroid.warnings).toEqual([]);
    const { fit } = centroid;
    if (!fit) throw new Error("no fit");
    const { standardErrors } = fit.report;
    expect(Math.abs(centroid.used.value + 640)).toBeLessThan(Math.min(4 * standardErrors.hz, prfHz / 16));
    expect(fit.polynomial.hz).toBe(centroid.used.value);
    expect(fit.dopplerCentroidHz((lines - 1) / 2, fit.polynomial.slantRangeMeters)).toBe(centroid.used.value);
    expect(fit.report.estimates.hz.length).toBe(fit.report.blocksRead);
    expect(JSON.parse(JSON.stringify(fit.report))).toEqual(fit.report);
    expect(Math.max(...reads.map(([, count]) => count))).toBeLessThan(lines);
    expect(stages).toContain("ambiguity, block 3 of 3");
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });

    const whole = await choose(even, { wholeSamples: lines * samples });
    expect(whole.reads).toEqual([[0, lines]]);
    const measured = await measureDopplerCentroid(params, device, even);
    expect(whole.centroid.used).toEqual({ value: measured.dopplerCentroidHz, source: measured.source, why: measured.why });
    expect(Math.abs(whole.centroid.used.value - centroid.used.value)).toBeLessThan(prfHz / 16);
    expect(whole.centroid.fit?.polynomial.hz).toBeCloseTo(fit.polynomial.hz, 6);
  });

  it("follows a drift of 0.3 PRF", async () => {
    const drift = (p: number): number => 0.3 * prfHz * (p / lines - 0.5);
    const { centroid } = await choose(turned(even, drift));
    expect(centroid.used.source).toBe("data");
    const { fit } = centroid;
    expect(fit?.report).toMatchObject({ azimuthOrder: 1 });
    if (!fit) return;
    const { standardErrors } = fit.report;
    expect(Math.abs(fit.polynomial.hzPerLine * lines - 0.3 * prfHz)).toBeLessThan(4 * standardErrors.hzPerLine * lines);
    expect(standardErrors.hzPerLine * lines).toBeLessThan(0.1 * prfHz);
    for (const line of [0, 1000, 3400])
      expect(Math.abs(fit.dopplerCentroidHz(line, fit.polynomial.slantRangeMeters) - (-640 + drift(line)))).toBeLessThan(prfHz / 16);
  });

  it("says that blocks disagree, and takes the preset", async () => {
    // The same fraction, another ambiguity in the second half.
    const other = await echoes(-640 + prfHz, 350, 4);
    const data = even.slice();
    data.set(other.subarray(lines * samples), lines * samples);
    for (const presetHz of [undefined, -600, -600 + 2 * prfHz]) {
      const { centroid } = await choose(data, {}, presetHz);
      expect(centroid.warnings).toHaveLength(1);
      expect(centroid.warnings[0]).toMatch(/^Doppler ambiguity: the blocks disagree: . of 3 shows? another ambiguity, around line \d+/);
      expect(centroid.used.why).toContain("the blocks disagree");
    }
  });

  it("says that noise shows nothing, and reads no more than the grid", async () => {
    const random = createRandom(8);
    const noise = Float32Array.from({ length: 2 * lines * samples }, () => random.gaussian() + 1);
    const { centroid, reads } = await choose(noise);
    expect(centroid.used).toMatchObject({ value: 0, source: "none" });
    expect(centroid.used.why).toMatch(/do not show a fraction.*broadside assumed/);
    expect(centroid.fit).toBeUndefined();
    expect(reads.reduce((sum, [, count]) => sum + count, 0)).toBeLessThanOrEqual(lines);
    expect((await choose(noise, {}, -333)).centroid.used).toMatchObject({ value: -333, source: "preset" });
  });

  it("stops when it is aborted, wherever it is", async () => {
    for (const at of [1, 4, 13, 15]) {
      const abort = new AbortController();
      let reads = 0;
      const readLines = async (from: number, count: number) => {
        if (++reads === at) abort.abort();
        return even.subarray(2 * from * samples, 2 * (from + count) * samples);
      };
      const pending = chooseCentroid({ radar: base }, params, device, readLines, { wholeSamples: 1, signal: abort.signal });
      await expect(pending).rejects.toMatchObject({ code: "aborted" });
      expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
    }
  });
});

it("reads a twentieth of the lines of a long recording, or sixteen blocks", async () => {
  const wide: UncentredParams = {
    ...params,
    lines: 200_000,
    samples: 64,
    radar: { ...base, pulseSeconds: 2e-7, chirpRateHzPerSecond: 5e14 },
  };
  let read = 0;
  const random = createRandom(2);
  const readLines = async (_from: number, count: number) => {
    read += count;
    return Float32Array.from({ length: 2 * count * 64 }, () => random.uniform() - 0.5);
  };
  const { used } = await chooseCentroid({ radar: base }, wide, device, readLines, { wholeSamples: 1 });
  expect(used.source).toBe("none");
  expect(read).toBeLessThanOrEqual(Math.max(200_000 / 20, 16 * 1024));
});
