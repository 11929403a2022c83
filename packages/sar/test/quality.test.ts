/**
 * The point-target analyser against targets whose response is known in closed form: a band-limited spectrum with a window,
 * at a sub-pixel place, on a squinted and wrapped spectral centre. The expected metrics are computed here from the
 * window's own transform, by definition and on a grid ten times finer than the analyser's.
 */
import { createRandom } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import type { CutMetrics } from "../src/point-target-cuts.ts";
import { analysePointTarget, interpolatePhase, pointTargetCuts } from "../src/quality.ts";
import { refused } from "./refused.ts";

const N = 1024;

const uniform = (seed: number): (() => number) => createRandom(seed).uniform;

const bessel = (x: number): number => {
  // By the integral I₀(x) = 1/π ∫ exp(x cos θ) dθ: the midpoint rule is exact to rounding for an analytic periodic function.
  let sum = 0;
  for (let k = 0; k < 64; k++) sum += Math.exp(x * Math.cos((Math.PI * (k + 0.5)) / 64));
  return sum / 64;
};

/** Taylor window from its definition: n̄ equal side lobes of `db`. */
function taylor(nbar: number, db: number): number[] {
  const a = Math.acosh(10 ** (db / 20)) / Math.PI;
  const s2 = nbar ** 2 / (a ** 2 + (nbar - 0.5) ** 2);
  const f = Array.from({ length: nbar - 1 }, (_, i) => {
    const m = i + 1;
    let numerator = (-1) ** (m + 1);
    let denominator = 2;
    for (let k = 1; k < nbar; k++) {
      numerator *= 1 - m ** 2 / (s2 * (a ** 2 + (k - 0.5) ** 2));
      if (k !== m) denominator *= 1 - m ** 2 / k ** 2;
    }
    return numerator / denominator;
  });
  return Array.from(
    { length: N },
    (_, k) => 1 + 2 * f.reduce((sum, fm, i) => sum + fm * Math.cos((2 * Math.PI * (i + 1) * (k - (N - 1) / 2)) / N), 0),
  );
}

const windows: Record<string, { w: number[]; table: [irw: number, pslr: number, islr: number] }> = {
  rect: { w: new Array(N).fill(1), table: [0.886, -13.26, -10.11] },
  "Kaiser 2.5": {
    w: Array.from({ length: N }, (_, k) => bessel(2.5 * Math.sqrt(1 - ((2 * k) / (N - 1) - 1) ** 2))),
    table: [1.042, -20.96, -18.93],
  },
  "Taylor 4, -30 dB": { w: taylor(4, 30), table: [1.125, -30.31, -24.55] },
};

/** Response of a window with its spectrum over ±½ cycle per cell, at x cells: real, because the window is symmetric. */
function response(w: number[], x: number): number {
  let sum = 0;
  for (let k = 0; k < N; k++) sum += w[k] * Math.cos((2 * Math.PI * x * (k - (N - 1) / 2)) / N);
  return sum;
}

/** Metrics in cells on a dense grid, by definition, 10 lobes a side; `reach`: cells in the total ISLR. */
function expectedMetrics(w: number[], reach: number) {
  const fine = 200;
  const power = Array.from({ length: Math.ceil(reach * fine) + 1 }, (_, i) => response(w, i / fine) ** 2 / response(w, 0) ** 2);
  const minima = power.flatMap((p, i) => (i > 0 && i + 1 < power.length && p < power[i - 1] && p <= power[i + 1] ? [i] : []));
  const half = power.findIndex((p) => p <= 0.5);
  const energy = (a: number, b: number): number => power.slice(a, b).reduce((sum, p) => sum + p, 0);
  const main = energy(0, minima[0]) - power[0] / 2;
  return {
    irw: (2 * (half - 1 + (power[half - 1] - 0.5) / (power[half - 1] - power[half]))) / fine,
    pslr: 10 * Math.log10(power.slice(minima[0]).reduce((a, b) => Math.max(a, b))),
    islr: 10 * Math.log10(energy(minima[0], minima[10]) / main),
    islrTotal: 10 * Math.log10(energy(minima[0], power.length) / main),
    null: minima[0] / fine,
  };
}

interface Target {
  row: number;
  column: number;
  phase: number;
  rowOversampling: number;
  columnOversampling: number;
  rowCentre: number;
  columnCentre: number;
}

/** The separable response of one target over an image (not periodic within it). */
function targetImage(rows: number, columns: number, w: number[], t: Target, array: Float32ArrayConstructor | Float64ArrayConstructor) {
  const axis = (n: number, at: number, oversampling: number, centre: number) =>
    Array.from({ length: n }, (_, i) => {
      const value = response(w, (i - at) / oversampling) / response(w, 0);
      const phase = 2 * Math.PI * centre * (i - at);
      return [value * Math.cos(phase), value * Math.sin(phase)];
    });
  const down = axis(rows, t.row, t.rowOversampling, t.rowCentre);
  const across = axis(columns, t.column, t.columnOversampling, t.columnCentre);
  const data = new array(2 * rows * columns);
  const [cr, ci] = [Math.cos(t.phase), Math.sin(t.phase)];
  for (let r = 0; r < rows; r++) {
    const [a, b] = [down[r][0] * cr - down[r][1] * ci, down[r][0] * ci + down[r][1] * cr];
    for (let c = 0; c < columns; c++) {
      const [x, y] = across[c];
      data[2 * (r * columns + c)] = a * x - b * y;
      data[2 * (r * columns + c) + 1] = a * y + b * x;
    }
  }
  return { data, rows, columns };
}

const wrapPhase = (x: number): number => Math.atan2(Math.sin(x), Math.cos(x));
const degrees = Math.PI / 180;

describe("analysePointTarget", () => {
  const random = uniform(20);
  for (const [name, { w, table }] of Object.entries(windows)) {
    for (const oversampling of [1.2, 1.4]) {
      it(`${name}, oversampling ${oversampling}: width, side lobes, place and phase of a squinted target`, () => {
        const rows = 250;
        const columns = 240;
        const t: Target = {
          row: 125 + random() - 0.5,
          column: 119 + random() - 0.5,
          phase: (random() - 0.5) * 2 * Math.PI,
          rowOversampling: oversampling,
          columnOversampling: 2.6 - oversampling,
          // Squint: a Doppler centroid of several PRF; its wrapped band straddles ±½ about as often as not.
          rowCentre: -5.6 + (random() - 0.5),
          columnCentre: 0.1 * (random() - 0.5),
        };
        const image = targetImage(rows, columns, w, t, Float32Array);
        const options = { azimuthCentreCyclesPerSample: t.rowCentre, rangeCentreCyclesPerSample: t.columnCentre, cutHalfPixels: 80 };
        const expectedAt = { row: t.row + 1.2, column: t.column - 2.1 };
        const q = analysePointTarget(image, expectedAt, options);
        expect(Math.abs(q.row - t.row)).toBeLessThan(0.002);
        expect(Math.abs(q.column - t.column)).toBeLessThan(0.002);
        expect(q.rowOffset).toBeCloseTo(-1.2, 2);
        expect(q.columnOffset).toBeCloseTo(2.1, 2);
        expect(Math.abs(q.peakMagnitude - 1)).toBeLessThan(1e-3);
        expect(Math.abs(wrapPhase(interpolatePhase(image, t, options) - t.phase))).toBeLessThan(0.05 * degrees);
        // At the measured peak the carrier has turned by 2π·centre·(position error) as well: the phase that belongs there.
        const turned = t.phase + 2 * Math.PI * (t.rowCentre * (q.row - t.row) + t.columnCentre * (q.column - t.column));
        expect(Math.abs(wrapPhase(q.peakPhaseRadians - turned))).toBeLessThan(0.05 * degrees);
        // One target, no noise: what is left in the corners are products of two far side lobes.
        expect(q.snrDb).toBeGreaterThan(60);
        const check = (cut: CutMetrics, os: number): void => {
          const e = expectedMetrics(w, 80 / os);
          expect(Math.abs(cut.irwPixels / os / e.irw - 1)).toBeLessThan(0.002);
          expect(Math.abs(cut.pslrDb - e.pslr)).toBeLessThan(0.1);
          expect(Math.abs(cut.islrDb - e.islr)).toBeLessThan(0.1);
          expect(Math.abs(cut.islrTotalDb - e.islrTotal)).toBeLessThan(0.1);
          // Nulls are read off a grid of 1/32 pixel.
          expect(Math.abs(cut.nullRightPixels - e.null * os)).toBeLessThan(1.01 / 32);
          expect(Math.abs(cut.nullLeftPixels + e.null * os)).toBeLessThan(1.01 / 32);
          expect(cut.sideLobesCounted).toEqual([10, 10]);
          // The published values, to half a unit of their last digit more.
          expect(Math.abs(cut.irwPixels / os - table[0])).toBeLessThan(0.002 * table[0] + 0.0005);
          expect(Math.abs(cut.pslrDb - table[1])).toBeLessThan(0.105);
          expect(Math.abs(cut.islrDb - table[2])).toBeLessThan(0.105);
        };
        check(q.azimuth, t.rowOversampling);
        check(q.range, t.columnOversampling);
      });
    }
  }

  const plain: Target = {
    row: 99.7,
    column: 101.2,
    phase: 1.1,
    rowOversampling: 1.3,
    columnOversampling: 1.25,
    rowCentre: 0.42,
    columnCentre: -0.03,
  };

  it.each([0, 0.3])("gives the cuts that it measures, with %d rows per column along range", (slope) => {
    const { w } = windows["Taylor 4, -30 dB"];
    const image = targetImage(220, 230, w, plain, Float32Array);
    const options = { cutHalfPixels: 50, rangeCutRowsPerColumn: slope, rangeCentreCyclesPerSample: plain.columnCentre };
    const q = analysePointTarget(image, { row: 100, column: 101 }, options);
    const cuts = pointTargetCuts(image, q, options);
    const power = (cells: number): number => (response(w, cells) / response(w, 0)) ** 2;
    for (const [name, { firstPixels, stepPixels, power: cut }] of Object.entries(cuts)) {
      expect([firstPixels, stepPixels, cut.length]).toEqual([-50, 1 / 32, 3201]);
      for (const [i, value] of cut.entries()) {
        const at = firstPixels + i * stepPixels;
        const [down, across] = name === "azimuth" ? [at, 0] : [slope * at, at];
        const expected =
          power((q.row + down - plain.row) / plain.rowOversampling) * power((q.column + across - plain.column) / plain.columnOversampling);
        // The rejection of the interpolation kernel, 81 dB, of amplitudes up to 1.
        expect(Math.abs(value - expected)).toBeLessThan(5e-4);
      }
    }
    expect(() => pointTargetCuts(image, { ...q, row: 220 }, options)).toThrow("at.row");
  });

  it("estimates spectral centres that are not given, up to whole cycles", () => {
    const t = { ...plain, rowCentre: -3.55 };
    const image = targetImage(200, 200, windows["Kaiser 2.5"].w, t, Float64Array);
    const q = analysePointTarget(image, { row: 100, column: 101 });
    // The chip holds 32 pixels a side: its power beyond is below 1e-3, which bounds the estimate's bias in cycles.
    expect(Math.abs(q.azimuthCentreCyclesPerSample - 0.45)).toBeLessThan(1e-3);
    expect(Math.abs(q.rangeCentreCyclesPerSample + 0.03)).toBeLessThan(1e-3);
    expect(Math.abs(q.row - t.row)).toBeLessThan(0.002);
    expect(Math.abs(q.column - t.column)).toBeLessThan(0.002);
    const e = expectedMetrics(windows["Kaiser 2.5"].w, 40);
    expect(Math.abs(q.azimuth.pslrDb - e.pslr)).toBeLessThan(0.1);
    // The whole cycles that were left out turn the phase by 2π·4·(fraction of the position).
    const expected = t.phase + 2 * Math.PI * 4 * t.row;
    expect(Math.abs(wrapPhase(q.peakPhaseRadians - expected))).toBeLessThan(0.5 * degrees);
  });

  it("measures across the edge of an azimuth axis that wraps", () => {
    // A period that holds a whole number of spectrum samples: N/oversampling cells = 256 rows → spectrum of 197 lines.
    const rows = 256;
    const lines = 197;
    const columns = 140;
    const t = { row: 255.6, column: 69.7, phase: -0.4 };
    const data = new Float64Array(2 * rows * columns);
    for (let r = 0; r < rows; r++) {
      let [re, im] = [0, 0];
      for (let k = 0; k < lines; k++) {
        const phase = (2 * Math.PI * (k + 30) * (r - t.row)) / rows + t.phase;
        re += Math.cos(phase) / lines;
        im += Math.sin(phase) / lines;
      }
      for (let c = 0; c < columns; c++) {
        const x = (c - t.column) / 1.3;
        const value = x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
        data[2 * (r * columns + c)] = re * value;
        data[2 * (r * columns + c) + 1] = im * value;
      }
    }
    const image = { data, rows, columns };
    const options = { wrapRows: true, azimuthCentreCyclesPerSample: (30 + (lines - 1) / 2) / rows, rangeCentreCyclesPerSample: 0 };
    const q = analysePointTarget(image, { row: 0, column: 70 }, options);
    expect(Math.abs(q.row - t.row)).toBeLessThan(0.002);
    expect(Math.abs(q.rowOffset + 0.4)).toBeLessThan(0.002);
    expect(Math.abs(wrapPhase(q.peakPhaseRadians - t.phase))).toBeLessThan(0.05 * degrees);
    // Rect: 0.8859 cells, to 0.2 %.
    expect(Math.abs((q.azimuth.irwPixels * lines) / rows - 0.8859)).toBeLessThan(0.0018);
    expect(Math.abs(q.azimuth.pslrDb + 13.26)).toBeLessThan(0.1);
    expect(q.azimuth.sideLobesCounted).toEqual([10, 10]);
    // The same without wrap: half of the target is missing.
    expect(() => analysePointTarget(image, { row: 255, column: 70 }, { ...options, wrapRows: false })).toThrowError(/main lobe/);
  });

  it("measures the signal-to-noise ratio it defines", () => {
    const image = targetImage(200, 200, windows["Taylor 4, -30 dB"].w, plain, Float64Array);
    const next = uniform(5);
    const sigma2 = 1e-3;
    for (let i = 0; i < image.data.length; i += 2) {
      const [radius, angle] = [Math.sqrt(-sigma2 * Math.log(1 - next())), 2 * Math.PI * next()];
      image.data[i] += radius * Math.cos(angle);
      image.data[i + 1] += radius * Math.sin(angle);
    }
    const q = analysePointTarget(image, plain);
    // Noise power is a mean over 32² exponential pixels: 1/32 relative (0.14 dB), four sigmas; the peak adds 2·√(σ²/2)·4.
    const tolerance = 10 * Math.log10(1 + 4 / 32) + 20 * Math.log10(1 + 4 * Math.sqrt(sigma2 / 2));
    expect(Math.abs(q.snrDb - 30)).toBeLessThan(tolerance);
  });

  it("refuses what it can't measure, naming the field", () => {
    const image = targetImage(100, 100, windows.rect.w, { ...plain, row: 50, column: 50 }, Float64Array);
    const at = { row: 50, column: 50 };
    expect(refused(() => analysePointTarget({ ...image, rows: 99 }, at))).toBe("image.data.length");
    expect(refused(() => analysePointTarget({ ...image, rows: 1.5 }, at))).toBe("rows");
    expect(refused(() => analysePointTarget({ ...image, data: [1] as never }, at))).toBe("image.data");
    expect(refused(() => analysePointTarget(image, { row: Number.NaN, column: 50 }))).toBe("at.row");
    expect(refused(() => analysePointTarget(image, { row: 50, column: 100 }))).toBe("at.column");
    expect(refused(() => analysePointTarget(image, at, { cutHalfPixels: 1e9 }))).toBe("cutHalfPixels");
    expect(refused(() => analysePointTarget(image, at, { searchHalfPixels: 0 }))).toBe("searchHalfPixels");
    expect(refused(() => analysePointTarget(image, at, { azimuthCentreCyclesPerSample: Infinity }))).toBe("azimuthCentreCyclesPerSample");
    expect(refused(() => analysePointTarget({ ...image, data: new Float64Array(20_000) }, at))).toBe("image.data");
    expect(refused(() => analysePointTarget({ ...image, data: image.data.map(() => Number.NaN) }, at))).toBe("image.data");
    expect(refused(() => interpolatePhase(image, { row: -1, column: 0 }))).toBe("at.row");
  });
});
