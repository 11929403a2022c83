/** Tests of the definition against known results, and of the gates against their formulas. */
import { layout } from "@dechirp/core";
import { expect, test } from "vitest";
import { dft, dftBins, gate, random, randomArray, transformed } from "../src/index.ts";
import { filterGate, realGate } from "../src/tolerance.ts";

test("four points by hand", () => {
  // x = 1, j, −1, 2: y[0] = 2 + j, y[1] = x0 − j·x1 − x2 + j·x3 = 3 + 2j, y[2] = −2 − j, y[3] = 1 − 2j
  const x = Float64Array.of(1, 0, 0, 1, -1, 0, 2, 0);
  expect(Array.from(dft(x, 4, false))).toEqual([2, 1, 3, 2, -2, -1, 1, -2]);
  expect(Array.from(dft(dft(x, 4, false), 4, true))).toEqual(Array.from(x));
});

test("a tone of any length is one bin", () => {
  for (const n of [1, 2, 3, 5, 12, 97, 1000, 65_537]) {
    const k = Math.floor(n / 3);
    const tone = new Float64Array(2 * n);
    for (let i = 0; i < n; i++) {
      const angle = (2 * Math.PI * ((i * k) % n)) / n;
      tone[2 * i] = Math.cos(angle);
      tone[2 * i + 1] = Math.sin(angle);
    }
    const bins = [k, (k + 1) % n, n - 1 - k];
    const y = dftBins(tone, n, bins, false);
    bins.forEach((bin, b) => {
      // n terms, each off by at most one unit
      expect(Math.abs(y[2 * b] - (bin === k ? n : 0))).toBeLessThan(n * 2 ** -51);
      expect(Math.abs(y[2 * b + 1])).toBeLessThan(n * 2 ** -51);
    });
  }
});

test("lines are padded with zeros and cropped at their end", () => {
  const x = Float64Array.of(1, 2, 3, 4);
  expect(Array.from(dftBins(x, 3, [0], false))).toEqual([4, 6]);
  expect(Array.from(dftBins(x, 1, [0], false))).toEqual([1, 2]);
});

test("along an axis it is the transform of each line", () => {
  const shape = layout("c128", [2, 3, 4]);
  const x = randomArray(shape, random(1));
  const y = transformed({ op: "fft", layout: shape, axis: 1, inverse: false, n: 5, keep: [1, 2] }, x);
  for (const outer of [0, 1]) {
    for (const inner of [0, 1, 2, 3]) {
      const line = Float64Array.from({ length: 6 }, (_, i) => x[2 * ((outer * 3 + (i >> 1)) * 4 + inner) + (i & 1)]);
      const expected = dft(line, 5, false).subarray(2, 6);
      const actual = [0, 1].flatMap((k) => [0, 1].map((part) => y[2 * ((outer * 2 + k) * 4 + inner) + part]));
      expect(actual).toEqual(Array.from(expected));
    }
  }
});

test("half spectra come from real lines and go back", () => {
  for (const n of [1, 2, 5, 8]) {
    const shape = layout("f64", [n]);
    const x = randomArray(shape, random(n));
    const half = transformed({ op: "real-fft", layout: shape, axis: 0, inverse: false }, x);
    expect(half.length).toBe(2 * (Math.floor(n / 2) + 1));
    const back = transformed({ op: "real-fft", layout: layout("c128", [half.length / 2]), axis: 0, inverse: true, n }, half);
    back.forEach((v, i) => {
      expect(Math.abs(v - x[i])).toBeLessThan(1e-15);
    });
  }
});

test("the gates have their documented values", () => {
  const epsilon = 2 ** -23;
  expect(gate(1, {})).toBe(0);
  expect(gate(4096, {})).toBe(0.4 * epsilon * Math.sqrt(12));
  expect(gate(4099, { convolved: true })).toBe(0.8 * epsilon * Math.sqrt(Math.log2(4099)));
  expect(gate(16, {}, "c128")).toBe(0.8 * 2 ** -52);
  expect(filterGate(256, {})).toBeCloseTo(epsilon * Math.sqrt(2 * 0.16 * 8 + 0.52 ** 2), 15);
  expect(realGate(256, {})).toBeCloseTo(epsilon * Math.sqrt(0.16 * 8 + 0.52 ** 2), 15);
});
