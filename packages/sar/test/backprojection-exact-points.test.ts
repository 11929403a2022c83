/** `backprojectExact` against the double sum with a sine and a cosine for each term, and against the fast form of the whole image. */
import { createRandom, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { type PhaseHistory, windowSamples } from "@dechirp/radar";
import { describe, expect, it } from "vitest";
import { backproject, backprojectExact, circularTrack, type GroundGrid, pixelPosition, signalToErrorDb } from "../src/index.ts";

const speedOfLight = 299792458;
const random = createRandom(7);
const frequency = { firstHz: 9.3e9, stepHz: 2e6, count: 48 };
const positions = circularTrack({ radiusMeters: 900, altitudeMeters: 600, firstRadians: 0.3, stepRadians: 0.002, pulses: 20 });
const history: PhaseHistory = {
  positions,
  frequency,
  referenceRangeMeters: Float64Array.from({ length: 20 }, (_, p) => Math.hypot(...positions.subarray(3 * p, 3 * p + 3)) + 2 * Math.sin(p)),
  samples: Float32Array.from({ length: 2 * 20 * 48 }, () => random.gaussian()),
};
const points = Float64Array.from({ length: 3 * 9 }, (_, i) => (i % 3 === 2 ? random.gaussian() : 12 * random.gaussian()));

/** The definition, term by term. Samples with the phase sign 1 are the conjugates of others. */
function definition(of: PhaseHistory, weights: ArrayLike<number>): Float64Array {
  const sums = new Float64Array((2 * points.length) / 3);
  for (let i = 0; i < points.length / 3; i++) {
    for (let p = 0; p < of.positions.length / 3; p++) {
      if (of.badPulses?.includes(p)) continue;
      const place = [0, 1, 2].map((axis) => of.positions[3 * p + axis] - points[3 * i + axis]);
      const range = Math.hypot(...place) - of.referenceRangeMeters[p];
      if (Math.abs(range) > speedOfLight / (4 * frequency.stepHz)) continue;
      for (let k = 0; k < frequency.count; k++) {
        const first = of.pulseFrequencies?.firstHz[p] ?? frequency.firstHz;
        const step = of.pulseFrequencies?.stepHz[p] ?? frequency.stepHz;
        const angle = ((4 * Math.PI * (first + k * step)) / speedOfLight) * range * -(of.phaseSign ?? -1);
        const [re, im] = [of.samples[2 * (p * frequency.count + k)], of.samples[2 * (p * frequency.count + k) + 1]];
        sums[2 * i] += weights[k] * (re * Math.cos(angle) - im * Math.sin(angle));
        sums[2 * i + 1] += weights[k] * (re * Math.sin(angle) + im * Math.cos(angle));
      }
    }
  }
  return sums;
}

const even = new Float64Array(frequency.count).fill(1 / frequency.count);

describe("backprojectExact", () => {
  it.each([
    ["a plain history", history],
    ["the other sign of the phase", { ...history, phaseSign: 1 as const }],
    ["bad pulses", { ...history, badPulses: [0, 7, 19] }],
    [
      "pulses that differ in their frequencies",
      {
        ...history,
        pulseFrequencies: {
          firstHz: Float64Array.from({ length: 20 }, (_, p) => 9.3e9 + 1e6 * p),
          stepHz: Float64Array.from({ length: 20 }, (_, p) => 2e6 - 1e4 * p),
        },
      },
    ],
  ])("is the double sum of %s", (_, given) => {
    // Phases of 1e5 radians have an error of 1e-11 in the definition.
    expect(signalToErrorDb(backprojectExact(given, points), definition(given, even))).toBeGreaterThan(190);
  });

  it("weighs frequencies by the window, whose weights add up to 1", () => {
    const window = { kind: "hamming" } as const;
    const taper = windowSamples(window, frequency.count);
    const sum = taper.reduce((a, b) => a + b, 0);
    const weights = taper.map((w) => w / sum);
    expect(signalToErrorDb(backprojectExact(history, points, { window }), definition(history, weights))).toBeGreaterThan(190);
  });

  it("leaves out pulses beyond the unambiguous range", () => {
    const far = Float64Array.from([200, 0, 0]);
    expect([...backprojectExact(history, far)]).toEqual([0, 0]);
  });

  it("adds sets of pulses to the whole", () => {
    const into = backprojectExact(history, points, { pulses: [0, 8] });
    expect(backprojectExact(history, points, { pulses: [8, 12], into })).toBe(into);
    expect(signalToErrorDb(into, backprojectExact(history, points))).toBeGreaterThan(250);
  });

  it("is what backproject approximates", async () => {
    const grid: GroundGrid = {
      kind: "ground",
      nx: 16,
      ny: 16,
      originMeters: [-8, -8, 0],
      xStepMeters: [1, 0, 0],
      yStepMeters: [0, 1, 0],
    };
    using device = await open(cpu());
    const { image } = await backproject(device, history, grid);
    const all = Float64Array.from({ length: 256 }, (_, i) => i).reduce<number[]>(
      (list, i) => list.concat(pixelPosition(grid, i % 16, Math.floor(i / 16))),
      [],
    );
    expect(signalToErrorDb(image, backprojectExact(history, Float64Array.from(all)))).toBeGreaterThan(70);
  });

  it("names what is wrong", () => {
    expect(() => backprojectExact(history, new Float64Array(4))).toThrow("points");
    expect(() => backprojectExact(history, Float64Array.from([0, Number.NaN, 0]))).toThrow("points");
    expect(() => backprojectExact(history, points, { into: new Float64Array(2) })).toThrow("into");
    expect(() => backprojectExact(history, points, { pulses: [3, 18] })).toThrow("pulses[1]");
  });
});
