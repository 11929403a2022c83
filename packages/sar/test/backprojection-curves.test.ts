/** Parabolas of range profiles: the kernel that makes them in WASM against its reference, and the word that two numbers share. */
import { ArrayView, createRandom, type Layout } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import { curvesKernel } from "../src/backprojection/curves.ts";
import type { RangeProfiles } from "../src/backprojection/profiles.ts";
import { curvatureOf, packCurve } from "../src/backprojection/quadratic.ts";
import { sarKernels } from "../src/recipes.ts";
import { curvesByReference } from "./backprojection-inputs.ts";
import { placeKernel } from "./wasm-harness.ts";

const random = createRandom(41);
const below = (n: number): number => Math.floor(random.uniform() * n);
const noise = (length: number): Float32Array => Float32Array.from({ length }, () => random.gaussian());
const bits = (values: Float32Array): Buffer => Buffer.from(values.buffer, values.byteOffset, values.byteLength);

/** A partition of 0 … items, in any order. */
function runsOf(items: number): [start: number, end: number][] {
  const runs: [number, number][] = [];
  for (let at = 0; at < items; at = runs[runs.length - 1][1]) runs.push([at, Math.min(items, at + 1 + below(items))]);
  return runs.sort(() => random.uniform() - 0.5);
}

describe("parabolas", () => {
  it.each([
    [1, 2, 2],
    [2, 5, 6],
    [3, 5, 5],
    [1, 9, 10],
    [3, 64, 65],
    [2, 63, 63],
  ])(
    "of %d pulses of %d bins, %d of them, are the reference's, rounded once, whatever the calls and wherever arrays are",
    (pulses, bins, curves) => {
      const profiles: RangeProfiles = {
        positions: new Float64Array(3 * pulses),
        referenceRangeMeters: new Float64Array(pulses),
        ...{ bins, binMeters: 0.15, firstRangeMeters: 0, carrierHz: 1e9, bandwidthHz: 1e8, samples: noise(2 * pulses * bins) },
      };
      const kernel = curvesKernel({ pulses, bins, curves });
      const expected = curvesByReference(profiles, curves);
      const arrays = { profiles: profiles.samples as Float32Array };
      const out = new Float32Array(4 * pulses * curves).fill(9);
      const found = placeKernel(kernel, arrays, {})(out, [[0, kernel.items]]);
      for (let i = 0; i < found.length; i++) {
        // Bins as they are; of a word five bits of one number and nine of the other, of which rounding may take the last one.
        if (i % 4 < 2) expect(found[i]).toBe(expected[i]);
        else {
          expect(Math.abs(found[i] - expected[i])).toBeLessThanOrEqual(2 ** -9 * Math.abs(expected[i]) + 2e-6);
          expect(Math.abs(curvatureOf(found[i]) - curvatureOf(expected[i]))).toBeLessThanOrEqual(
            2 ** -5 * Math.abs(curvatureOf(expected[i])) + 2e-6,
          );
        }
      }
      for (const last of ["profiles", "curves"])
        expect(bits(placeKernel(kernel, arrays, {}, { last })(out, runsOf(kernel.items))).equals(bits(found)), last).toBe(true);
    },
  );

  it.each([
    [1, 9, 10, 1],
    [3, 64, 65, 17],
    [2, 63, 63, 8],
    [4, 40, 40, 39],
  ])("of a part of %d pulses of %d bins have the bits of all %d: %d", (pulses, bins, curves, kept) => {
    const profiles = noise(2 * pulses * bins);
    const whole = placeKernel(
      curvesKernel({ pulses, bins, curves }),
      { profiles },
      {},
    )(new Float32Array(4 * pulses * curves), [[0, pulses * curves]]);
    for (let trial = 0; trial < 20; trial++) {
      const firsts = Uint32Array.from({ length: pulses }, () => below(curves - kept + 1));
      const kernel = curvesKernel({ pulses, bins, curves, kept });
      const out = new Float32Array(4 * pulses * kept).fill(9);
      const found = placeKernel(kernel, { profiles, firsts }, {})(out, runsOf(kernel.items));
      const byReference = new Float32Array(4 * pulses * kept);
      const view = (name: string, values: Float32Array | Uint32Array) => new ArrayView(kernel.ports[name].layout as Layout, values);
      const ports = { profiles: view("profiles", profiles), firsts: view("firsts", firsts), curves: view("curves", byReference) };
      kernel.reference(ports, {}, 0, kernel.items);
      for (let p = 0; p < pulses; p++) {
        const part = whole.subarray(4 * (p * curves + firsts[p]), 4 * (p * curves + firsts[p] + kept));
        expect(bits(found.slice(4 * p * kept, 4 * (p + 1) * kept)).equals(bits(part.slice()))).toBe(true);
        for (let i = 0; i < 4 * kept; i += 4) expect(byReference[4 * p * kept + i]).toBe(part[i]);
      }
    }
  });

  it("come from a recipe, which refuses a part that is larger than the whole", () => {
    const make = sarKernels["sar/curves"];
    for (const shape of [
      { pulses: 2, bins: 9, curves: 10, kept: 4 },
      { pulses: 2, bins: 9, curves: 9 },
    ]) {
      const kernel = curvesKernel(shape);
      expect(make(kernel.recipe?.parameters ?? {}).ports).toEqual(kernel.ports);
    }
    for (const kept of [0, 11, 1.5, "4", null]) expect(() => make({ pulses: 2, bins: 9, curves: 10, kept } as never)).toThrow("kept");
  });

  it("have words that hold both numbers, of any size and sign", () => {
    for (let trial = 0; trial < 20_000; trial++) {
      const size = 10 ** (60 * random.uniform() - 30);
      const [s, q] = [random.gaussian() * size, random.gaussian() * size * 10 ** (6 * random.uniform() - 5)];
      const word = packCurve(s, q);
      expect(Math.abs(word - s)).toBeLessThanOrEqual(2 ** -10 * Math.abs(s) * 1.001);
      expect(Math.abs(curvatureOf(word) - q)).toBeLessThanOrEqual(2 ** -6 * Math.abs(q) * 1.001);
    }
    expect([packCurve(0, 0), packCurve(0, 1), curvatureOf(packCurve(0, 1)), packCurve(-1, 0)].map(Math.fround)).toEqual([
      0,
      expect.closeTo(0, 30),
      1,
      -1,
    ]);
  });
});
