/**
 * Doppler estimates on a grid and the polynomials fitted to them, on recordings of known centroid: Gaussian scenes straight from the
 * definition, where every range sample is a random process along azimuth whose phase turns with the centroid; and simulated echoes whose
 * centroid is made to drift. Errors are judged by the standard deviations that the estimates state.
 */
import { createRandom, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { chirpSamples, speedOfLight } from "@dechirp/radar";
import { describe, expect, it } from "vitest";
import {
  createConvolver,
  createDopplerGrid,
  type DopplerFit,
  type DopplerGridOptions,
  type DopplerGridRadar,
  type DopplerSection,
  dopplerAt,
  fitDoppler,
  scenePresets,
  simulateStripmap,
} from "../src/index.ts";
import { refused } from "./refused.ts";

const prfHz = 1000;
const radar: DopplerGridRadar = {
  carrierHz: 5.3e9,
  samplingRateHz: 36e6,
  prfHz,
  velocityMetersPerSecond: 7100,
  nearRangeMeters: 850e3,
  pulseSeconds: 0,
};
const spacing = speedOfLight / (2 * radar.samplingRateHz);
/** A bell of Doppler frequencies, and the autocorrelation of it. */
const bell = [1, 5, 10, 10, 5, 1];
const rho = (lag: number): number => bell.reduce((sum, v, j) => sum + v * (bell[j + Math.abs(lag)] ?? 0), 0) / 252;

/** Lines `firstLine` to `firstLine + lines − 1` of a scene whose centroid at line p and sample i is `hz(p, i)`, with noise. */
function scene(
  lines: number,
  samples: number,
  hz: (line: number, sample: number) => number,
  { seed, noise = 0, mean = 0 }: { readonly seed: number; readonly noise?: number; readonly mean?: number },
): Float32Array {
  const random = createRandom(seed);
  const data = new Float32Array(2 * lines * samples);
  const history = new Float64Array(2 * (lines + bell.length));
  for (let i = 0; i < samples; i++) {
    for (let k = 0; k < history.length; k++) history[k] = random.gaussian() * Math.SQRT1_2;
    let cycles = 0;
    for (let p = 0; p < lines; p++) {
      cycles += hz(p, i) / prfHz;
      let [a, b] = [0, 0];
      for (let j = 0; j < bell.length; j++) {
        a += bell[j] * history[2 * (p + j)];
        b += bell[j] * history[2 * (p + j) + 1];
      }
      const [cos, sin] = [Math.cos(2 * Math.PI * cycles), Math.sin(2 * Math.PI * cycles)];
      const at = 2 * (p * samples + i);
      const scale = 1 / Math.sqrt(252);
      data[at] = scale * (a * cos - b * sin) + noise * Math.SQRT1_2 * random.gaussian() + mean;
      data[at + 1] = scale * (a * sin + b * cos) + noise * Math.SQRT1_2 * random.gaussian() - mean;
    }
  }
  return data;
}

async function estimatesOf(
  data: Float32Array,
  lines: number,
  samples: number,
  options: DopplerGridOptions,
): Promise<readonly DopplerSection[]> {
  const grid = createDopplerGrid(radar, lines, samples, options);
  await grid.add(0, { data, lines, samples });
  return grid.estimates();
}

const wrap = (hz: number): number => hz - prfHz * Math.round(hz / prfHz);
const meanSquare = (scores: readonly number[]): number => scores.reduce((sum, z) => sum + z * z, 0) / scores.length;
const rangeAt = (sample: number): number => radar.nearRangeMeters + sample * spacing;

/** The largest error of a fit over a recording, modulo PRF. */
function worst(fit: DopplerFit, lines: number, samples: number, hz: (line: number, sample: number) => number): number {
  let [largest, turns] = [0, Number.NaN];
  for (let p = 0; p <= lines; p += lines / 16) {
    for (let i = 0; i <= samples; i += samples / 8) {
      const error = dopplerAt(fit.polynomial, p, rangeAt(i)) - hz(p, i);
      if (Number.isNaN(turns)) turns = Math.round(error / prfHz);
      largest = Math.max(largest, Math.abs(error - turns * prfHz));
    }
  }
  return largest;
}

describe("createDopplerGrid", () => {
  it("estimates what the definition says, in pieces of any size and order, with gains and an offset", async () => {
    const [lines, samples, blockLines, sections] = [210, 37, 50, 3];
    const random = createRandom(4);
    const data = Int16Array.from({ length: 2 * lines * samples }, () => Math.round(20 * random.gaussian() + 7));
    const lineGain = Float64Array.from({ length: lines }, () => 0.5 + random.uniform());
    const all = createDopplerGrid(radar, lines, samples, { blockLines, sections });
    await all.add(0, { data, lines, samples, lineGain });
    expect(all.blocks).toBe(4);
    expect(all.estimates()).toHaveLength(12);
    for (const { block, section, line, fractionHz, coherence } of all.estimates()) {
      const [from, to] = [Math.floor((section * samples) / 3), Math.floor(((section + 1) * samples) / 3)];
      const part = data.subarray(2 * block * blockLines * samples, 2 * (block + 1) * blockLines * samples);
      const mean = [0, 1].map((k) => part.reduce((sum, v, i) => sum + (i % 2 === k ? v : 0), 0) / (blockLines * samples));
      let [re, im, energy] = [0, 0, 0];
      for (let p = 0; p + 1 < blockLines; p++) {
        const gain = lineGain[block * blockLines + p] * lineGain[block * blockLines + p + 1];
        let [first, second] = [0, 0];
        for (let i = from; i < to; i++) {
          const k = 2 * (p * samples + i);
          const [a, b, c, d] = [part[k], part[k + 1], part[k + 2 * samples], part[k + 2 * samples + 1]].map((v, n) => v - mean[n % 2]);
          re += gain * (a * c + b * d);
          im += gain * (a * d - b * c);
          first += a * a + b * b;
          second += c * c + d * d;
        }
        energy += gain * Math.sqrt(first * second);
      }
      expect(line).toBe(block * blockLines + 24.5);
      expect(fractionHz).toBeCloseTo((Math.atan2(im, re) / (2 * Math.PI)) * prfHz, 6);
      expect(coherence).toBeCloseTo(Math.hypot(re, im) / energy, 9);
    }

    const pieces = createDopplerGrid(radar, lines, samples, { blockLines, sections });
    const add = (from: number, to: number) =>
      pieces.add(from, {
        data: data.subarray(2 * from * samples, 2 * to * samples),
        lines: to - from,
        samples,
        lineGain: lineGain.subarray(from, to),
      });
    for (let p = 100; p < lines; p++) await add(p, p + 1);
    await add(0, 33);
    await add(33, 100);
    expect(pieces.estimates()).toEqual(all.estimates());
  });

  it("states the standard deviation of Bamler's formula for an even scene, and it is true", async () => {
    const [lines, samples, noise] = [512, 64, 1];
    const scores: number[] = [];
    const stated: number[] = [];
    for (let seed = 1; seed <= 24; seed++) {
      const hz = 37 * seed;
      const data = scene(lines, samples, () => hz, { seed, noise });
      for (const one of await estimatesOf(data, lines, samples, { blockLines: 256, sections: 2 })) {
        scores.push(wrap(one.fractionHz - hz) / one.standardDeviationHz);
        stated.push(one.standardDeviationHz);
      }
    }
    // Σ(ρ_k² − ρ_(k+1)ρ_(k−1))/(2nρ₁²), the same as the integral by Parseval's theorem; noise of the same power as the signal.
    const noisy = (lag: number): number => (rho(lag) + (lag === 0 ? noise ** 2 : 0)) / (1 + noise ** 2);
    let sum = 0;
    for (let k = -8; k <= 8; k++) sum += noisy(k) ** 2 - noisy(k + 1) * noisy(k - 1);
    const bamler = (prfHz / (2 * Math.PI)) * Math.sqrt(sum / (2 * 255 * 32 * noisy(1) ** 2));
    // The variance of a variance over 17 of 255 lags is 2·17/255 of its square.
    const rms = Math.sqrt(meanSquare(stated));
    expect(Math.abs(rms / bamler - 1)).toBeLessThan(0.5 * 4 * Math.sqrt((2 * 17) / 255 / stated.length) + 0.02);
    // 96 scores of nearly unit variance: four sigmas of their mean square, and 7 % for the uncertain denominators.
    expect(Math.abs(meanSquare(scores) - 1.07)).toBeLessThan(4 * Math.sqrt(2.4 / scores.length));
  });

  it("sees the centroid at −10 dB, and nothing in noise, with an offset of the receiver", async () => {
    const [lines, samples] = [1024, 512];
    const weak = scene(lines, samples, () => -320, { seed: 5, noise: Math.sqrt(10), mean: 3 });
    const found = await estimatesOf(weak, lines, samples, { blockLines: 256, sections: 2 });
    expect(found.every(({ standardDeviationHz }) => standardDeviationHz < prfHz / 8)).toBe(true);
    expect(meanSquare(found.map((one) => wrap(one.fractionHz + 320) / one.standardDeviationHz))).toBeLessThan(1 + 4 * Math.sqrt(2 / 8));
    expect(fitDoppler(found, prfHz)?.polynomial.hz).toBeCloseTo(-320, -1.5);
    for (let seed = 1; seed <= 8; seed++) {
      const random = createRandom(seed);
      const noise = Float32Array.from({ length: 2 * lines * samples }, () => random.gaussian() + 2);
      const nothing = await estimatesOf(noise, lines, samples, { blockLines: 128, sections: 8 });
      expect(nothing.filter(({ standardDeviationHz }) => standardDeviationHz < Infinity).length).toBeLessThan(3);
      expect(fitDoppler(nothing, prfHz)).toBeUndefined();
    }
  });

  it("takes lines of zeros as not recorded", async () => {
    const [lines, samples] = [512, 64];
    const data = scene(lines, samples, () => 210, { seed: 9, mean: 2 });
    const random = createRandom(1);
    for (let p = 0; p < lines; p++) if (random.uniform() < 0.2) data.fill(0, 2 * p * samples, 2 * (p + 1) * samples);
    const [one] = await estimatesOf(data, lines, samples, { blockLines: lines, sections: 1 });
    expect(Math.abs(one.fractionHz - 210)).toBeLessThan(4 * one.standardDeviationHz);
    expect(Math.abs(one.coherence - rho(1))).toBeLessThan(0.03);
    const silent = await estimatesOf(new Float32Array(2 * lines * samples), lines, samples, {});
    expect(silent.every((section) => section.standardDeviationHz === Infinity && section.coherence === 0)).toBe(true);
    expect(fitDoppler(silent, prfHz)).toBeUndefined();
  });

  it("bounds the blocks that are enough", () => {
    for (const [lines, options] of [
      [60_000, {}],
      [4096, {}],
      [1_000_000, {}],
      [100, {}],
      [2, {}],
      [70_001, { blockLines: 100 }],
    ] as const) {
      const { blocks, blockLines, spread } = createDopplerGrid(radar, lines, 4096, options);
      expect(spread.length).toBe(Math.min(blocks, Math.max(16, Math.floor(blocks / 20))));
      expect(spread[0].firstLine).toBe(0);
      expect(spread[spread.length - 1].firstLine).toBe((blocks - 1) * blockLines);
      expect(new Set(spread.map(({ firstLine }) => firstLine)).size).toBe(spread.length);
      expect(spread.every(({ firstLine, lines: count }) => count === blockLines && firstLine % blockLines === 0)).toBe(true);
    }
  });
});

describe("fitDoppler", () => {
  const [lines, samples] = [2048, 256];
  const across = (i: number): number => i / samples - 0.5;
  const along = (p: number): number => p / lines - 0.5;
  const cases: readonly [name: string, hz: (p: number, i: number) => number, range: number, azimuth: number][] = [
    ["constant", () => 130, 0, 0],
    ["constant at half the PRF", () => 498, 0, 0],
    ["drifting along azimuth by 0.3 PRF", (p) => 200 + 300 * along(p), 0, 1],
    ["linear in range by 0.2 PRF", (_, i) => -100 + 200 * across(i), 1, 0],
    ["quadratic in range", (_, i) => 40 + 200 * across(i) + 500 * across(i) ** 2, 2, 0],
    ["in azimuth and range, wrapped over half the PRF", (p, i) => 470 + 300 * along(p) + 200 * across(i) - 400 * across(i) ** 2, 2, 1],
  ];
  it.each(cases)("fits a centroid that is %s", async (_, hz, rangeOrder, azimuthOrder) => {
    const data = scene(lines, samples, hz, { seed: 21, noise: 0.7 });
    const found = await estimatesOf(data, lines, samples, { blockLines: 128, sections: 8 });
    const about = [lines / 2, rangeAt(samples / 2)] as const;
    const fit = fitDoppler(found, prfHz, { about });
    expect(fit).toMatchObject({ rangeOrder, azimuthOrder, unseen: 0 });
    if (!fit) return;
    expect(fit.used).toBeGreaterThanOrEqual(124);
    const { polynomial, standardErrors } = fit;
    expect(Math.abs(wrap(polynomial.hz - hz(lines / 2, samples / 2)))).toBeLessThan(4 * standardErrors.hz);
    expect(standardErrors.hz).toBeLessThan(2);
    const slope = hz(lines, samples / 2) - hz(0, samples / 2);
    expect(Math.abs(polynomial.hzPerLine * lines - slope)).toBeLessThan(4 * standardErrors.hzPerLine * lines + 1e-9);
    const width = samples * spacing;
    const tilt = hz(0, samples) - hz(0, 0);
    expect(Math.abs(polynomial.hzPerMeter * width - tilt)).toBeLessThan(4 * standardErrors.hzPerMeter * width + 1e-9);
    const bend = 2 * (hz(0, samples) + hz(0, 0) - 2 * hz(0, samples / 2));
    expect(Math.abs(polynomial.hzPerSquareMeter * width ** 2 - bend)).toBeLessThan(4 * standardErrors.hzPerSquareMeter * width ** 2 + 1e-9);
    expect(worst(fit, lines, samples, hz)).toBeLessThan(8);
    // 128 squares around 1.
    expect(Math.abs(fit.residualRatio ** 2 - 1)).toBeLessThan(4 * Math.sqrt(2.4 / 128) + 0.1);
    expect(polynomial.hz).toBeGreaterThanOrEqual(-prfHz / 2);
    expect(polynomial.hz).toBeLessThan(prfHz / 2);
  });
});

it("follows simulated echoes whose centroid drifts by 0.3 PRF", { timeout: 120_000 }, async () => {
  const preset = { ...scenePresets.default, radar: { ...scenePresets.default.radar, pulseSeconds: 1e-6, chirpRateHzPerSecond: 120e12 } };
  const [lines, samples] = [1536, 512];
  using device = await open(cpu());
  using convolver = createConvolver(device);
  const scenery = { ...preset, lines, samples, targets: [], noise: { snrDb: 0 } };
  const { raw } = await simulateStripmap(scenery, { convolve: convolver.convolve });
  const data = raw as Float32Array;
  const { prfHz: rate, dopplerCentroidHz } = preset.radar;
  const drift = (p: number): number => 0.3 * rate * (p / lines - 0.5);
  let cycles = 0;
  for (let p = 0; p < lines; p++) {
    cycles += drift(p) / rate;
    const [cos, sin] = [Math.cos(2 * Math.PI * cycles), Math.sin(2 * Math.PI * cycles)];
    for (let k = 2 * p * samples; k < 2 * (p + 1) * samples; k += 2) {
      const [a, b] = [data[k], data[k + 1]];
      data[k] = a * cos - b * sin;
      data[k + 1] = a * sin + b * cos;
    }
  }
  const grid = createDopplerGrid(preset.radar, lines, samples, { blockLines: 192, sections: 4 });
  await grid.add(0, { data, lines, samples });
  expect(grid.blocks).toBeGreaterThanOrEqual(4);
  const depth = (samples - chirpSamples(preset.radar)) / 2;
  const about = [lines / 2, preset.radar.nearRangeMeters + (depth * speedOfLight) / 2 / preset.radar.samplingRateHz] as const;
  const fit = fitDoppler(grid.estimates(), rate, { about });
  expect(fit).toMatchObject({ azimuthOrder: 1 });
  if (!fit) return;
  const turn = (fit.polynomial.hz - dopplerCentroidHz) / rate;
  expect(Math.abs(turn - Math.round(turn)) * rate).toBeLessThan(Math.max(4 * fit.standardErrors.hz, 2));
  expect(Math.abs(fit.polynomial.hzPerLine * lines - 0.3 * rate)).toBeLessThan(4 * fit.standardErrors.hzPerLine * lines);
  // A third of the drift: the blocks are as short as the aperture, and the terrain is uneven.
  expect(fit.standardErrors.hzPerLine * lines).toBeLessThan(0.1 * rate);
});

it("refuses bad input, naming the field, and stops when aborted", async () => {
  const reject = async (call: () => Promise<unknown>): Promise<unknown> =>
    call().then(
      () => undefined,
      (error) => error.fields?.field ?? error,
    );
  const make = (options: object, lines: unknown = 100, samples: unknown = 16) =>
    refused(() => createDopplerGrid(radar, lines as number, samples as number, options));
  expect(make({ blockLines: 101 })).toBe("options.blockLines");
  expect(make({ blockLines: 31 })).toBe("options.blockLines");
  expect(make({ sections: 17 })).toBe("options.sections");
  expect(make({}, 1.5)).toBe("lines");
  expect(make({}, 100, 0)).toBe("samples");
  expect(refused(() => createDopplerGrid({ ...radar, prfHz: 0 }, 9, 9))).toBe("radar.prfHz");
  expect(refused(() => createDopplerGrid({ ...radar, pulseSeconds: Number.NaN }, 9, 9))).toBe("radar.pulseSeconds");
  const grid = createDopplerGrid(radar, 100, 16);
  const lines = { data: new Float32Array(2 * 10 * 16), lines: 10, samples: 16 };
  expect(await reject(() => grid.add(91, lines))).toBe("firstLine");
  expect(await reject(() => grid.add(0, { ...lines, samples: 8 }))).toBe("lines.data.length");
  expect(await reject(() => grid.add(0, { data: new Float32Array(160), lines: 10, samples: 8 }))).toBe("lines.samples");
  expect(await reject(() => grid.add(0, { ...lines, lines: 1 }))).toBe("lines.data.length");
  expect(await reject(() => grid.add(0, { ...lines, data: lines.data.map(() => Number.NaN) }))).toBe("lines.data");
  expect(await reject(() => grid.add(0, null as never))).toBe("lines");
  await expect(grid.add(0, lines, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "aborted" });
});
