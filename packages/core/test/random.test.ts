/** Tests of the random numbers: they repeat, and their moments and correlations are those of random ones. */
import { describe, expect, it } from "vitest";
import { createRandom } from "../src/random.ts";

const n = 200_000;
const draws = (seed: number, stream: number, kind: "uniform" | "gaussian"): Float64Array => {
  const random = createRandom(seed, stream);
  return Float64Array.from({ length: n }, () => random[kind]());
};
const mean = (values: Float64Array, f: (x: number) => number): number => values.reduce((sum, x) => sum + f(x), 0) / values.length;

describe("random", () => {
  it("repeats for the same seed and stream, and differs for others", () => {
    const first = (seed: number, stream?: number): number[] => {
      const random = createRandom(seed, stream);
      return [random.uint32(), random.uint32(), random.uint32()];
    };
    expect(first(5)).toEqual(first(5, 0));
    const all = [first(0), first(1), first(5), first(5, 1), first(1, 5), first(0xffffffff), first(0, 0xffffffff)].map(String);
    expect(new Set(all).size).toBe(all.length);
  });

  it("has uniform and Gaussian moments within five standard errors", () => {
    const uniform = draws(1, 0, "uniform");
    expect(Math.min(...uniform.subarray(0, 50_000))).toBeGreaterThanOrEqual(0);
    expect(Math.abs(mean(uniform, (x) => x) - 1 / 2)).toBeLessThan(5 * Math.sqrt(1 / 12 / n));
    expect(Math.abs(mean(uniform, (x) => x * x) - 1 / 3)).toBeLessThan(5 * Math.sqrt(4 / 45 / n));
    const gaussian = draws(1, 0, "gaussian");
    // Variances of x, x², x³, x⁴ of a normal variable: 1, 2, 15, 96.
    [0, 1, 0, 3].forEach((moment, k) => {
      expect(Math.abs(mean(gaussian, (x) => x ** (k + 1)) - moment)).toBeLessThan(5 * Math.sqrt([1, 2, 15, 96][k] / n));
    });
  });

  it("has uncorrelated streams and neighbours, and balanced bits", () => {
    const a = draws(9, 0, "gaussian");
    const b = draws(9, 1, "gaussian");
    const correlate = (x: Float64Array, y: Float64Array, lag: number): number =>
      mean(
        x.subarray(0, n - 8).map((v, i) => v * y[i + lag]),
        (v) => v,
      );
    for (const lag of [0, 1, 2, 8]) expect(Math.abs(correlate(a, b, lag))).toBeLessThan(5 / Math.sqrt(n - 8));
    for (const lag of [1, 2, 3]) expect(Math.abs(correlate(a, a, lag))).toBeLessThan(5 / Math.sqrt(n - 8));
    const random = createRandom(3);
    const ones = new Array<number>(32).fill(0);
    for (let i = 0; i < 20_000; i++) for (let word = random.uint32(), bit = 0; bit < 32; bit++) ones[bit] += (word >>> bit) & 1;
    for (const count of ones) expect(Math.abs(count - 10_000)).toBeLessThan(5 * Math.sqrt(5_000));
  });

  it("rejects seeds that are not 32-bit integers", () => {
    for (const seed of [-1, 0.5, 2 ** 32, Number.NaN]) expect(() => createRandom(seed)).toThrow(/^seed/);
    expect(() => createRandom(0, -1)).toThrow(/^stream/);
  });
});
