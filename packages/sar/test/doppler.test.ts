/**
 * Doppler estimators on scenes of known absolute centroid. Two generators, each straight from the signal model: an even
 * scene, where every range frequency f is its own random process around f_dc·(1 + f/f₀); and range-compressed point
 * targets on their hyperbolas, seen through a beam around f_dc. Errors are judged by the standard errors that the
 * estimators claim, which must in turn be small enough to matter.
 */

import { createRandom } from "@dechirp/core";
import { speedOfLight } from "@dechirp/radar";
import { describe, expect, it } from "vitest";
import {
  type ComplexLines,
  type DopplerRadar,
  estimateDopplerAmbiguity,
  estimateDopplerByRangeLooks,
  estimateDopplerByRangeWalk,
  estimateDopplerFraction,
  resolveDopplerCentroid,
} from "../src/index.ts";
import { refused } from "./refused.ts";

const cBand: DopplerRadar = {
  carrierHz: 5.3e9,
  samplingRateHz: 36e6,
  prfHz: 1300,
  velocityMetersPerSecond: 7100,
  nearRangeMeters: 850e3,
};
/** Three times the bandwidth: the looks need a ninth of the data. */
const wide: DopplerRadar = { ...cBand, samplingRateHz: 108e6 };
/** Signal bandwidth over sampling rate, in both generators. */
const fill = 30 / 36;

const uniform = (seed: number): (() => number) => createRandom(seed).uniform;

function gaussian(next: () => number, power: number): [number, number] {
  const radius = Math.sqrt(-power * Math.log(1 - next()));
  const angle = 2 * Math.PI * next();
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
}

function evenScene(
  radar: DopplerRadar,
  lines: number,
  samples: number,
  dopplerHz: number,
  seed: number,
): ComplexLines & { data: Float32Array } {
  const next = uniform(seed);
  const bins = Math.floor((samples * fill) / 2);
  const width = 2 * bins + 1;
  // White noise through a binomial filter: a bell of about a third of the PRF around the centroid.
  const filter = [1, 5, 10, 10, 5, 1].map((v) => v / Math.sqrt(252 * width));
  const re = new Float64Array(lines * width);
  const im = new Float64Array(lines * width);
  for (let k = -bins; k <= bins; k++) {
    const noise = Array.from({ length: lines + filter.length }, () => gaussian(next, 1));
    const cycles = (dopplerHz * (1 + (k * radar.samplingRateHz) / samples / radar.carrierHz)) / radar.prfHz;
    for (let p = 0; p < lines; p++) {
      let [a, b] = [0, 0];
      filter.forEach((h, j) => {
        a += h * noise[p + j][0];
        b += h * noise[p + j][1];
      });
      const turn = 2 * Math.PI * ((cycles * p) % 1);
      re[p * width + k + bins] = a * Math.cos(turn) - b * Math.sin(turn);
      im[p * width + k + bins] = a * Math.sin(turn) + b * Math.cos(turn);
    }
  }
  const cos = Float64Array.from({ length: samples }, (_, i) => Math.cos((2 * Math.PI * i) / samples));
  const sin = Float64Array.from({ length: samples }, (_, i) => Math.sin((2 * Math.PI * i) / samples));
  const data = new Float32Array(2 * lines * samples);
  for (let p = 0; p < lines; p++) {
    for (let i = 0; i < samples; i++) {
      let [x, y] = gaussian(next, 0.05);
      let turn = (((-bins * i) % samples) + samples) % samples;
      for (let k = 0; k < width; k++) {
        x += re[p * width + k] * cos[turn] - im[p * width + k] * sin[turn];
        y += re[p * width + k] * sin[turn] + im[p * width + k] * cos[turn];
        turn += i;
        if (turn >= samples) turn -= samples;
      }
      data[2 * (p * samples + i)] = x;
      data[2 * (p * samples + i) + 1] = y;
    }
  }
  return { data, lines, samples };
}

/** Compressed targets (sinc along range, a beam of 0.8 PRF to its first null at ±0.9 PRF) in unit noise. */
function brightScene(radar: DopplerRadar, lines: number, samples: number, dopplerHz: number, seed: number, targets: number): ComplexLines {
  const lambda = speedOfLight / radar.carrierHz;
  const cell = speedOfLight / (2 * radar.samplingRateHz);
  const velocity = radar.velocityMetersPerSecond;
  const next = uniform(seed);
  const data = new Float32Array(2 * lines * samples);
  for (let i = 0; i < data.length; i += 2) [data[i], data[i + 1]] = gaussian(next, 1);
  for (let t = 0; t < targets; t++) {
    // Placed where the beam's centre sees it: at slant range `seen`, at line `line`; hence closest approach and range there.
    const seen = radar.nearRangeMeters + next() * samples * cell;
    const line = (next() * 1.4 - 0.2) * lines;
    const amplitude = 6 * (0.5 + next());
    const phase = 2 * Math.PI * next();
    const squint = (lambda * dopplerHz) / (2 * velocity);
    const closest = seen * Math.sqrt(1 - squint ** 2);
    const along = seen * squint;
    for (let p = 0; p < lines; p++) {
      const x = along - ((p - line) / radar.prfHz) * velocity;
      const range = Math.hypot(closest, x);
      const doppler = ((2 * velocity) / lambda) * (x / range);
      const u = (doppler - dopplerHz) / (0.9 * radar.prfHz);
      if (Math.abs(u) > 1) continue;
      const beam = u === 0 ? 1 : (Math.sin(Math.PI * u) / (Math.PI * u)) ** 2;
      const angle = phase - (4 * Math.PI * range) / lambda;
      const at = (range - radar.nearRangeMeters) / cell;
      for (let i = Math.max(0, Math.ceil(at - 12)); i <= Math.min(samples - 1, at + 12); i++) {
        const z = (i - at) * fill;
        const value = amplitude * beam * (z === 0 ? 1 : Math.sin(Math.PI * z) / (Math.PI * z));
        data[2 * (p * samples + i)] += value * Math.cos(angle);
        data[2 * (p * samples + i) + 1] += value * Math.sin(angle);
      }
    }
  }
  return { data, lines, samples };
}

const ambiguities = [-6, -1, 0, 5];
describe("estimateDopplerFraction", () => {
  it("is exact for one Doppler frequency", () => {
    const [lines, samples, prfHz] = [64, 50, 1000];
    const next = uniform(1);
    const amplitudes = Array.from({ length: samples }, () => gaussian(next, 1));
    for (const cycles of [0, 5, -13, 31, -32]) {
      const data = new Float64Array(2 * lines * samples);
      for (let p = 0; p < lines; p++) {
        // Whole cycles over the data: no mean to lose, but for the frequency 0 itself, made of alternating lines of range.
        const angle = (2 * Math.PI * cycles * p) / lines;
        amplitudes.forEach(([a, b], i) => {
          const flip = cycles === 0 && i % 2 === 1 ? amplitudes[i - 1] : undefined;
          const [x, y] = flip === undefined ? [a, b] : [-flip[0], -flip[1]];
          data[2 * (p * samples + i)] = x * Math.cos(angle) - y * Math.sin(angle);
          data[2 * (p * samples + i) + 1] = x * Math.sin(angle) + y * Math.cos(angle);
        });
      }
      const f = estimateDopplerFraction({ data, lines, samples }, prfHz);
      const difference = f.fractionHz - (cycles / lines) * prfHz;
      expect(Math.abs(difference - prfHz * Math.round(difference / prfHz))).toBeLessThan(1e-9 * prfHz);
      expect(f.fractionHz).toBeGreaterThanOrEqual(-prfHz / 2);
      expect(f.fractionHz).toBeLessThan(prfHz / 2);
      expect(Math.abs(f.coherence - 1)).toBeLessThan(1e-9);
      expect(f.standardErrorHz).toBeLessThan(1e-9 * prfHz);
    }
  });

  it("finds the fraction of an even scene within its own error, from float and from gained, offset 8-bit data", () => {
    for (const fraction of [433, -620, 3]) {
      const scene = evenScene(wide, 400, 48, 4 * 1300 + fraction, 2000 + fraction);
      const f = estimateDopplerFraction(scene, 1300);
      expect(Math.abs(f.fractionHz - fraction)).toBeLessThan(4 * f.standardErrorHz);
      expect(f.standardErrorHz).toBeLessThan(10);
      // Adjacent lines: 210/252 by the binomial filter, times signal over signal and noise 1/1.05; a few percent of scatter.
      expect(Math.abs(f.coherence - 210 / 252 / 1.05)).toBeLessThan(0.04);
      // The same in 8 bits at a gain that changes from line to line, with a receiver offset of 20 levels: as it was.
      const lineGain = Float64Array.from({ length: 400 }, (_, p) => 0.04 * 1.122 ** (p % 5));
      const data = Int8Array.from(scene.data, (v, i) => Math.max(-128, Math.min(127, Math.round(v / lineGain[Math.floor(i / 96)] + 20))));
      const g = estimateDopplerFraction({ data, lines: 400, samples: 48, lineGain }, 1300);
      expect(Math.abs(g.fractionHz - f.fractionHz)).toBeLessThan(f.standardErrorHz);
      expect(Math.abs(g.coherence - f.coherence)).toBeLessThan(0.01);
    }
  });

  it("is not confident about white noise", () => {
    const next = uniform(3);
    const [lines, samples] = [300, 40];
    const data = new Float32Array(2 * lines * samples);
    for (let i = 0; i < data.length; i += 2) [data[i], data[i + 1]] = gaussian(next, 1);
    const f = estimateDopplerFraction({ data, lines, samples }, 1300);
    // |mean of n products| has rms 1/√n.
    expect(f.coherence).toBeLessThan(4 / Math.sqrt(lines * samples));
    expect(f.standardErrorHz).toBe(Infinity);
  });
});

describe("estimateDopplerByRangeLooks", () => {
  for (const ambiguity of ambiguities) {
    it(`resolves ambiguity ${ambiguity} of an even scene, confidently`, () => {
      const absoluteHz = ambiguity * 1300 - 433;
      const scene = evenScene(wide, 700, 96, absoluteHz, 40 + ambiguity);
      const e = estimateDopplerByRangeLooks(scene, wide);
      expect(Math.abs(e.absoluteHz - absoluteHz)).toBeLessThan(4 * e.standardErrorHz);
      expect(e.standardErrorHz).toBeLessThan(1300 / 6);
      const { fractionHz } = estimateDopplerFraction(scene, 1300);
      const decision = estimateDopplerAmbiguity({ raw: scene }, wide, fractionHz);
      expect(decision.ambiguity).toBe(ambiguity);
      expect(decision.method).toBe("range-looks");
    });
  }

  it("states errors that are true: scaled errors of many scenes have unit spread", () => {
    const scores = Array.from({ length: 24 }, (_, k) => {
      const absoluteHz = -7000 + 600 * k;
      const e = estimateDopplerByRangeLooks(evenScene(wide, 240, 48, absoluteHz, 100 + k), wide);
      return (e.absoluteHz - absoluteHz) / e.standardErrorHz;
    });
    const meanSquare = scores.reduce((sum, z) => sum + z * z, 0) / scores.length;
    // Student's t with 11 degrees of freedom: E z² = 11/9, variance of z² = 3·11²/(9·7) − (11/9)² = 4.3; four sigmas of 24 scores.
    expect(Math.abs(meanSquare - 11 / 9)).toBeLessThan((4 * Math.sqrt(4.3)) / Math.sqrt(24));
  });

  it("states a large error for a scene of a few bright targets", () => {
    const scene = brightScene(cBand, 800, 200, -6 * 1300 + 433, 8, 5);
    const e = estimateDopplerByRangeLooks(scene, cBand);
    expect(e.standardErrorHz).toBeGreaterThan(1300 / 6);
    expect(estimateDopplerAmbiguity({ raw: scene }, cBand, 433).confident).toBe(false);
  });

  it("scales with bandwidth as theory says on a real radar's numbers: C band, 30 MHz", () => {
    const absoluteHz = -6 * 1300 + 433;
    const e = estimateDopplerByRangeLooks(evenScene(cBand, 500, 160, absoluteHz, 77), cBand);
    expect(Math.abs(e.absoluteHz - absoluteHz)).toBeLessThan(4 * e.standardErrorHz);
    expect(e.standardErrorHz).toBeLessThan(1300);
  });
});

describe("estimateDopplerByRangeWalk", () => {
  for (const ambiguity of ambiguities) {
    it(`resolves ambiguity ${ambiguity} of bright targets`, () => {
      const absoluteHz = ambiguity * 1300 + 433;
      const scene = brightScene(cBand, 1600, 512, absoluteHz, 60 + ambiguity, 60);
      const e = estimateDopplerByRangeWalk(scene, cBand);
      expect(Math.abs(e.absoluteHz - absoluteHz)).toBeLessThan(3 * e.standardErrorHz);
      expect(e.standardErrorHz).toBeLessThan(1300 / 6);
      const decision = estimateDopplerAmbiguity({ compressed: scene }, cBand, 433);
      expect(decision).toMatchObject({ ambiguity, method: "range-walk", confident: true });
      expect(decision.estimates).toHaveLength(2);
    });
  }

  it("states a large error for even speckle without targets", () => {
    const e = estimateDopplerByRangeWalk(evenScene(cBand, 900, 200, 3000, 5), cBand);
    expect(3 * e.standardErrorHz).toBeGreaterThan(650);
  });

  it("is not confident with less than half an exposure or a narrow strip", () => {
    const scene = brightScene(cBand, 200, 256, 433, 9, 30);
    const e = estimateDopplerByRangeWalk(scene, cBand);
    expect(3 * e.standardErrorHz).toBeGreaterThan(650);
  });

  it("gives the same answer twice", () => {
    const scene = brightScene(cBand, 900, 200, -2000, 10, 20);
    expect(estimateDopplerByRangeWalk(scene, cBand)).toEqual(estimateDopplerByRangeWalk(scene, cBand));
  });
});

describe("resolveDopplerCentroid", () => {
  const absoluteHz = -6 * 1300 + 433;
  const even = evenScene(wide, 700, 96, absoluteHz, 34);
  const undecided = evenScene(cBand, 200, 64, absoluteHz, 35);
  const next = uniform(36);
  const noise = { data: Float32Array.from({ length: 2 * 300 * 40 }, () => next() - 0.5), lines: 300, samples: 40 };

  it("takes the given centroid", () => {
    expect(resolveDopplerCentroid(even, wide, { givenHz: -6900, presetHz: 5 })).toMatchObject({
      dopplerCentroidHz: -6900,
      source: "given",
      ambiguity: -5,
      fractionHz: -400,
    });
  });

  it("takes fraction and ambiguity from data that show both, even if a preset differs", () => {
    for (const presetHz of [undefined, absoluteHz, absoluteHz + 1300]) {
      const r = resolveDopplerCentroid(even, wide, presetHz === undefined ? {} : { presetHz });
      expect(r.source).toBe("data");
      expect(r.ambiguity).toBe(-6);
      expect(Math.abs(r.dopplerCentroidHz - absoluteHz)).toBeLessThan(4 * (r.fraction?.standardErrorHz ?? 0));
      expect(/against the preset/.test(r.why)).toBe(presetHz === absoluteHz + 1300);
    }
  });

  it("follows bright targets if compressed lines are given", () => {
    const scene = brightScene(cBand, 1600, 512, absoluteHz, 61, 60);
    const r = resolveDopplerCentroid(scene, cBand, { compressed: scene });
    expect(r).toMatchObject({ source: "data", ambiguity: -6 });
    expect(r.estimate?.method).toBe("range-walk");
    expect(r.why).toContain("range-walk");
  });

  it("takes the ambiguity nearest the preset where data can't tell, 0 without a preset, and says so", () => {
    const withPreset = resolveDopplerCentroid(undecided, cBand, { presetHz: absoluteHz + 500 });
    expect(withPreset).toMatchObject({ source: "data+preset", ambiguity: -6 });
    expect(Math.abs(withPreset.dopplerCentroidHz - absoluteHz)).toBeLessThan(4 * (withPreset.fraction?.standardErrorHz ?? 0));
    const without = resolveDopplerCentroid(undecided, cBand);
    expect(without).toMatchObject({ source: "fraction", ambiguity: 0 });
    expect(without.why).toContain("0 assumed");
  });

  it("keeps the preset, or broadside, if the data has no fraction", () => {
    expect(resolveDopplerCentroid(noise, cBand, { presetHz: -6900 })).toMatchObject({
      source: "preset",
      dopplerCentroidHz: -6900,
      ambiguity: -5,
    });
    expect(resolveDopplerCentroid(noise, cBand)).toMatchObject({ source: "none", dopplerCentroidHz: 0, ambiguity: 0, fractionHz: 0 });
  });
});

it("refuses bad input, naming the field", () => {
  const data = new Float32Array(2 * 40 * 32).map((_, i) => Math.cos(i * i));
  const good: ComplexLines = { data, lines: 40, samples: 32 };
  expect(refused(() => estimateDopplerFraction({ ...good, lines: 41 }, 1300))).toBe("raw.data.length");
  expect(refused(() => estimateDopplerFraction({ ...good, lines: 1 }, 1300))).toBe("raw.lines");
  expect(refused(() => estimateDopplerFraction({ ...good, data: new Uint16Array(2560) as never }, 1300))).toBe("raw.data");
  expect(refused(() => estimateDopplerFraction({ ...good, lineGain: [1] }, 1300))).toBe("raw.lineGain.length");
  expect(refused(() => estimateDopplerFraction({ ...good, lineGain: new Float64Array(40).fill(Number.NaN) }, 1300))).toBe(
    "raw.lineGain[0]",
  );
  expect(refused(() => estimateDopplerFraction(good, 0))).toBe("prfHz");
  expect(refused(() => estimateDopplerFraction({ ...good, data: data.map(() => Number.NaN) }, 1300))).toBe("data");
  expect(refused(() => estimateDopplerFraction({ ...good, data: new Float32Array(2560) }, 1300))).toBe("data");
  expect(refused(() => estimateDopplerByRangeLooks({ data: data.subarray(0, 640), lines: 20, samples: 16 }, cBand))).toBe("data.samples");
  expect(refused(() => estimateDopplerByRangeWalk(good, { ...cBand, velocityMetersPerSecond: -1 }))).toBe("radar.velocityMetersPerSecond");
  expect(refused(() => estimateDopplerByRangeWalk({ ...good, data: data.map(() => Number.NaN) }, cBand))).toBe("compressed.data");
  expect(refused(() => estimateDopplerAmbiguity({}, cBand, 0))).toBe("data");
  expect(refused(() => estimateDopplerAmbiguity({ raw: good }, cBand, Number.NaN))).toBe("fractionHz");
  expect(refused(() => resolveDopplerCentroid(good, cBand, { presetHz: Number.NaN }))).toBe("presetHz");
});
