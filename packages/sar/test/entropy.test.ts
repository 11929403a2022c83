/** Focus measures against their closed forms. */
import { createRandom, isRadarError } from "@dechirp/core";
import { expect, it } from "vitest";
import { imageContrast, imageEntropy, peakToMeanDb } from "../src/entropy.ts";

const uniform = (seed: number): (() => number) => createRandom(seed).uniform;

const n = 4096;
// Sums of n positive terms in float64: relative error below n·2⁻⁵³.
const rounding = n * 2 ** -52;

it("a single bright pixel: entropy 0, contrast √(n − 1), peak over mean n", () => {
  const data = new Float32Array(2 * n);
  data[77] = -3;
  expect(imageEntropy(data)).toBe(0);
  expect(Math.abs(imageContrast(data) / Math.sqrt(n - 1) - 1)).toBeLessThan(rounding);
  expect(peakToMeanDb(data)).toBeCloseTo(10 * Math.log10(n), 10);
});

it("equal powers of any phase: entropy ln n, contrast 0, peak over mean 1", () => {
  const data = new Float64Array(2 * n);
  const next = uniform(1);
  for (let i = 0; i < n; i++) {
    const phase = 2 * Math.PI * next();
    data[2 * i] = 5 * Math.cos(phase);
    data[2 * i + 1] = 5 * Math.sin(phase);
  }
  expect(Math.abs(imageEntropy(data) - Math.log(n))).toBeLessThan(rounding * Math.log(n) * 10);
  expect(imageContrast(data)).toBeLessThan(1e-7);
  expect(Math.abs(peakToMeanDb(data))).toBeLessThan(1e-9);
});

it("the definition, summed pixel by pixel, whatever the scale", () => {
  const next = uniform(2);
  const data = Float64Array.from({ length: 2 * n }, () => (next() - 0.5) * 10 ** (4 * next()));
  const power = Array.from({ length: n }, (_, i) => data[2 * i] ** 2 + data[2 * i + 1] ** 2);
  const total = power.reduce((a, b) => a + b, 0);
  const expected = -power.reduce((sum, q) => sum + (q / total) * Math.log(q / total), 0);
  expect(Math.abs(imageEntropy(data) - expected)).toBeLessThan(rounding * 100);
  expect(Math.abs(imageEntropy(data.map((x) => x * 1e5)) - expected)).toBeLessThan(rounding * 100);
  const mean = total / n;
  const variance = power.reduce((sum, q) => sum + (q - mean) ** 2, 0) / n;
  expect(Math.abs(imageContrast(data) - Math.sqrt(variance) / mean)).toBeLessThan(rounding * 100);
});

it("speckle: intensity is exponential, so contrast is 1", () => {
  const next = uniform(3);
  const data = new Float64Array(2 * n);
  for (let i = 0; i < 2 * n; i += 2) {
    const [radius, angle] = [Math.sqrt(-Math.log(1 - next())), 2 * Math.PI * next()];
    data[i] = radius * Math.cos(angle);
    data[i + 1] = radius * Math.sin(angle);
  }
  // Squared contrast m₂/m² − 1 of an exponential: standard error of contrast √2/√n (delta method); four of them.
  expect(Math.abs(imageContrast(data) - 1)).toBeLessThan((4 * Math.SQRT2) / Math.sqrt(n));
});

it("refuses empty, odd, dark and non-finite data", () => {
  for (const measure of [imageEntropy, imageContrast, peakToMeanDb]) {
    for (const bad of [
      new Float32Array(0),
      new Float32Array(3),
      new Float32Array(8),
      Float32Array.of(1, Number.NaN),
      Float64Array.of(Infinity, 0),
      [1, 2] as never,
    ]) {
      let thrown: unknown;
      try {
        measure(bad);
      } catch (error) {
        thrown = error;
      }
      expect(isRadarError(thrown, "input")).toBe(true);
    }
  }
});
