/** Grids, phase histories, range compression and the float64 backprojector, against definitions. */

import { createRandom } from "@dechirp/core";
import { type PhaseHistory, speedOfLight, windowOfKind, windowSamples } from "@dechirp/radar";
import { type InterpolatorSpec, interpolationErrorDb } from "@dechirp/radar/interpolation";
import { describe, expect, it } from "vitest";
import { boundingSphere, checkGrid, type ImageGrid, type PolarGrid, pixelPosition } from "../src/backprojection/grid.ts";
import { compressProfiles, pulseCount, type RangeProfiles } from "../src/backprojection/profiles.ts";
import { backprojectReference } from "../src/backprojection/reference.ts";
import { signalToErrorDb } from "../src/backprojection/ser.ts";
import { circularTrack, linearTrack, simulatePhaseHistory } from "../src/backprojection/simulate.ts";
import { scatteredTargets, squareGrid } from "./backprojection-scenes.ts";
import { refused } from "./refused.ts";

const frequency = { firstHz: 9.3e9, stepHz: 4e6, count: 61 };
const positions = circularTrack({ radiusMeters: 700, altitudeMeters: 700, firstRadians: 0.2, stepRadians: 0.01, pulses: 7 });
const sector: PolarGrid = {
  kind: "polar",
  nx: 5,
  ny: 4,
  centreMeters: [10, -20, 3],
  firstRangeMeters: 100,
  rangeStepMeters: 2,
  firstAzimuthRadians: -0.1,
  azimuthStepRadians: 0.03,
};

/** Names the field of the input error that `work` throws. */
describe("grids", () => {
  it("place pixels along the steps, and heights along the normal", () => {
    const grid: ImageGrid = { kind: "ground", nx: 3, ny: 2, originMeters: [1, 2, 3], xStepMeters: [0, 2, 0], yStepMeters: [0, 0, 3] };
    expect(pixelPosition(grid, 2, 1)).toEqual([1, 6, 6]);
    expect(pixelPosition(grid, 0.5, -1)).toEqual([1, 3, 0]);
    const heightMeters = Float64Array.of(0, 1, 2, 3, 4, 5);
    expect(pixelPosition({ ...grid, heightMeters }, 2, 1)).toEqual([6, 6, 6]);
    expect(pixelPosition({ ...grid, heightMeters }, 7, 9)).toEqual([6, 16, 30]); // the nearest pixel's height
    expect(pixelPosition({ ...sector, heightMeters: 7 }, 0, 0)).toEqual([10 + 100 * Math.cos(0.1), -20 - 100 * Math.sin(0.1), 10]);
  });

  it("lie within their bounding sphere", () => {
    const heightMeters = Float32Array.from({ length: 20 }, (_, i) => Math.sin(i) * 9);
    const skew: ImageGrid = { ...squareGrid(1, 1), nx: 5, ny: 4, yStepMeters: [1.5, 2, 0.3], heightMeters };
    for (const grid of [skew, sector, { ...sector, heightMeters }]) {
      const { centre, radius } = boundingSphere(grid);
      let farthest = 0;
      for (let i = 0; i < 20; i++) {
        const [x, y, z] = pixelPosition(grid, i % 5, Math.floor(i / 5));
        farthest = Math.max(farthest, Math.hypot(x - centre[0], y - centre[1], z - centre[2]));
      }
      expect(farthest).toBeLessThanOrEqual(radius * (1 + 1e-12));
      expect(farthest).toBeGreaterThan(radius / 2);
    }
  });

  it.each([
    ["grid.kind", { ...sector, kind: "slant" }],
    ["grid.nx", { ...sector, nx: 0 }],
    ["grid.ny", { ...sector, ny: 1.5 }],
    ["grid.nx", { ...sector, nx: 65536, ny: 65536 }],
    ["grid.rangeStepMeters", { ...sector, rangeStepMeters: -1 }],
    ["grid.azimuthStepRadians", { ...sector, azimuthStepRadians: 0 }],
    ["grid.firstRangeMeters", { ...sector, firstRangeMeters: -1 }],
    ["grid.centreMeters", { ...sector, centreMeters: [0, 1] }],
    ["grid.heightMeters", { ...sector, heightMeters: Number.NaN }],
    ["grid.heightMeters.length", { ...sector, heightMeters: new Float32Array(3) }],
    ["grid.heightMeters[2]", { ...sector, heightMeters: new Float32Array(20).fill(Number.NaN, 2) }],
    ["grid.yStepMeters", { ...squareGrid(4, 1), yStepMeters: [2, 0, 0] }],
    ["grid.xStepMeters", { ...squareGrid(4, 1), xStepMeters: [0, 0, 0] }],
    ["grid.originMeters", { ...squareGrid(4, 1), originMeters: [0, 0, Infinity] }],
  ])("are refused by %s", (field, grid) => expect(refused(() => checkGrid(grid as ImageGrid))).toBe(field));
});

describe("phase histories", () => {
  it("are sums of exponentials", () => {
    const [a, b] = scatteredTargets(2, 10, 4);
    const history = simulatePhaseHistory({ positions, frequency, targets: [a, { ...b, amplitude: 3 }], reference: 900 });
    let error = 0;
    for (let p = 0; p < pulseCount(history); p++) {
      for (let k = 0; k < frequency.count; k++) {
        let [re, im] = [0, 0];
        for (const [{ positionMeters: s, phaseRadians = 0 }, amplitude] of [[a, 1] as const, [b, 3] as const]) {
          const range = Math.hypot(positions[3 * p] - s[0], positions[3 * p + 1] - s[1], positions[3 * p + 2] - s[2]) - 900;
          const angle = phaseRadians - (4 * Math.PI * (frequency.firstHz + k * frequency.stepHz) * range) / speedOfLight;
          re += amplitude * Math.cos(angle);
          im += amplitude * Math.sin(angle);
        }
        const at = 2 * (p * frequency.count + k);
        error = Math.max(error, Math.abs(history.samples[at] - re), Math.abs(history.samples[at + 1] - im));
      }
    }
    // Rounding to float32 of numbers up to 4.
    expect(error).toBeLessThan(2 ** -22);
    expect(error).toBeGreaterThan(0);
  });

  it("have the noise that was asked for, by seed", () => {
    const noise = (seed: number, sigma: number) =>
      simulatePhaseHistory({ positions, frequency, targets: [], noise: { sigma }, seed }).samples;
    expect(noise(1, 2)).toEqual(noise(1, 2));
    expect(noise(1, 2)).not.toEqual(noise(2, 2));
    const power = noise(3, 2).reduce((sum, x) => sum + x * x, 0) / (7 * 61);
    expect(Math.abs(power - 4)).toBeLessThan((5 * 4) / Math.sqrt(7 * 61)); // of an exponential distribution's mean
  });

  it("come from tracks of even steps", () => {
    const line = linearTrack({ middleMeters: [1, 2, 3], stepMeters: [0, 2, -1], pulses: 3 });
    expect([...line]).toEqual([1, 0, 4, 1, 2, 3, 1, 4, 2]);
    for (let p = 0; p < 7; p++) {
      expect(Math.hypot(positions[3 * p], positions[3 * p + 1])).toBeCloseTo(700, 9);
      expect(Math.atan2(positions[3 * p + 1], positions[3 * p])).toBeCloseTo(0.2 + 0.01 * p, 12);
    }
  });

  it.each([
    ["targets", { targets: 5 }],
    ["targets[0].positionMeters", { targets: [{ positionMeters: [0, 0], amplitude: 1 }] }],
    ["targets[0].amplitude", { targets: [{ positionMeters: [0, 0, 0] }] }],
    ["frequency.count", { frequency: { ...frequency, count: 2 ** 40 } }],
    ["history.frequency.count", { frequency: { ...frequency, count: 1 } }],
    ["history.frequency.stepHz", { frequency: { ...frequency, stepHz: 0 } }],
    ["history.positions", { positions: [1, 2, 3] }],
    ["history.positions[1]", { positions: Float64Array.of(0, Number.NaN, 0) }],
    ["reference", { reference: Number.NaN }],
    ["noise.sigma", { noise: { sigma: -1 } }],
  ])("are refused by %s", (field, wrong) => {
    const options = { positions, frequency, targets: [], ...wrong } as unknown as Parameters<typeof simulatePhaseHistory>[0];
    expect(refused(() => simulatePhaseHistory(options))).toBe(field);
  });
});

/** A phase history of noise. */
function noiseHistory(count: number): PhaseHistory {
  return simulatePhaseHistory({ positions, frequency: { ...frequency, count }, targets: [], noise: { sigma: 1 }, seed: 5 });
}

describe("range compression", () => {
  it.each([
    ["centre", 61, "hamming"],
    ["centre", 64, "chebyshev"],
    ["first", 61, "kaiser"],
  ] as const)("is its definition, with the %s of %i frequencies at zero and a window %s", (carrier, count, kind) => {
    const history = noiseHistory(count);
    const window = windowOfKind(kind);
    const profiles = compressProfiles(history, { bins: 256, carrier, window, dtype: "c128" });
    const { firstHz, stepHz } = history.frequency;
    expect(profiles.carrierHz).toBe(firstHz + (carrier === "first" ? 0 : Math.floor(count / 2)) * stepHz);
    expect(profiles.firstRangeMeters + 128 * profiles.binMeters).toBe(0);
    const weights = windowSamples(window, count);
    const sum = weights.reduce((a, b) => a + b);
    const expected = new Float64Array(profiles.samples.length);
    for (let p = 0; p < pulseCount(profiles); p++) {
      for (let b = 0; b < profiles.bins; b++) {
        const range = profiles.firstRangeMeters + b * profiles.binMeters;
        for (let k = 0; k < count; k++) {
          const angle = (4 * Math.PI * (firstHz + k * stepHz - profiles.carrierHz) * range) / speedOfLight;
          const [re, im] = history.samples.subarray(2 * (p * count + k), 2 * (p * count + k) + 2);
          expected[2 * (p * profiles.bins + b)] += (weights[k] / sum) * (re * Math.cos(angle) - im * Math.sin(angle));
          expected[2 * (p * profiles.bins + b) + 1] += (weights[k] / sum) * (re * Math.sin(angle) + im * Math.cos(angle));
        }
      }
    }
    // Angles of up to π·61 radians are rounded to 2⁻⁵³ of themselves in three operations: 3·190·1.1e-16 = 6e-14.
    expect(signalToErrorDb(profiles.samples, expected)).toBeGreaterThan(-20 * Math.log10(6e-14));
  });

  it("peaks at a target's amplitude, with its phase", () => {
    const history = simulatePhaseHistory({
      positions: Float64Array.of(1000, 0, 0),
      frequency,
      targets: [{ positionMeters: [-3 * (speedOfLight / (2 * 4e6 * 256)), 0, 0], amplitude: 5, phaseRadians: 0.7 }],
    });
    const { samples, carrierHz, binMeters } = compressProfiles(history, { bins: 256 });
    const [re, im] = samples.subarray(2 * 131, 2 * 131 + 2);
    expect(Math.hypot(re, im)).toBeCloseTo(5, 5);
    const phase = 0.7 - (4 * Math.PI * carrierHz * 3 * binMeters) / speedOfLight;
    expect(Math.cos(Math.atan2(im, re) - phase)).toBeCloseTo(1, 9);
  });

  it.each([
    ["bins", { bins: 100 }],
    ["bins", { bins: 32 }],
    ["window", { window: { kind: "none" } }],
    ["carrier", { carrier: "last" }],
    ["dtype", { dtype: "f32" }],
  ])("is refused by %s", (field, wrong) => {
    expect(refused(() => compressProfiles(noiseHistory(61), wrong as Parameters<typeof compressProfiles>[1]))).toBe(field);
  });
});

const targets = scatteredTargets(5, 6, 7);
const history = simulatePhaseHistory({ positions, frequency, targets });

/** Σ over pulses and frequencies, without profiles: what backprojection interpolates. */
function matchedFilter(
  { frequency: { firstHz, stepHz, count }, referenceRangeMeters, samples }: PhaseHistory,
  grid: ImageGrid,
): Float64Array {
  const image = new Float64Array(2 * grid.nx * grid.ny);
  for (let at = 0; at < grid.nx * grid.ny; at++) {
    const [x, y, z] = pixelPosition(grid, at % grid.nx, Math.floor(at / grid.nx));
    for (let p = 0; p < pulseCount({ positions, referenceRangeMeters }); p++) {
      const range = Math.hypot(positions[3 * p] - x, positions[3 * p + 1] - y, positions[3 * p + 2] - z) - referenceRangeMeters[p];
      for (let k = 0; k < count; k++) {
        const angle = (4 * Math.PI * (firstHz + k * stepHz) * range) / speedOfLight;
        const [re, im] = samples.subarray(2 * (p * count + k), 2 * (p * count + k) + 2);
        image[2 * at] += (re * Math.cos(angle) - im * Math.sin(angle)) / count;
        image[2 * at + 1] += (re * Math.sin(angle) + im * Math.cos(angle)) / count;
      }
    }
  }
  return image;
}

describe("float64 backprojection", () => {
  const grid = squareGrid(16, 0.7);
  const knab: InterpolatorSpec = { kind: "sinc", taps: 12, window: "knab" };

  it.each([
    ["ground", grid],
    ["heights", { ...grid, heightMeters: Float64Array.from({ length: 256 }, (_, i) => Math.sin(i)) }],
    ["polar", { ...sector, centreMeters: [-104, 4, 1] as const, nx: 16, ny: 16, rangeStepMeters: 0.5, azimuthStepRadians: 0.005 }],
  ])("is the matched filter, but for interpolation: %s", (_, image) => {
    const profiles = compressProfiles(history, { bins: 512, dtype: "c128" });
    const oversampling = 512 / 61;
    // One tone at one delay errs at most some 30 times (15 dB) more than the mean that is predicted.
    const predicted = interpolationErrorDb(knab, oversampling);
    expect(predicted).toBeGreaterThan(140);
    expect(signalToErrorDb(backprojectReference(profiles, image, { interpolation: knab }), matchedFilter(history, image))).toBeGreaterThan(
      predicted - 15,
    );
    // Between two bins a tone of f cycles a bin, |f| ≤ 1/(2·oversampling), errs by at most (2πf)²/8.
    const linear = -20 * Math.log10((Math.PI / oversampling) ** 2 / 8);
    expect(signalToErrorDb(backprojectReference(profiles, image), matchedFilter(history, image))).toBeGreaterThan(linear);
  });

  it("focuses a target where it is, to its amplitude and phase", () => {
    const at = { positionMeters: [2.1, -1.4, 0] as const, amplitude: 4, phaseRadians: 1 };
    const profiles = compressProfiles(simulatePhaseHistory({ positions, frequency, targets: [at] }), { bins: 1024 });
    const image = backprojectReference(profiles, grid, { interpolation: knab });
    const [x, y] = [11, 6];
    expect(pixelPosition(grid, x, y)).toEqual([expect.closeTo(2.1, 9), expect.closeTo(-1.4, 9), 0]);
    const [re, im] = image.subarray(2 * (y * 16 + x), 2 * (y * 16 + x) + 2);
    expect(Math.hypot(re, im)).toBeCloseTo(7 * 4, 4);
    expect(Math.atan2(im, re)).toBeCloseTo(1, 5);
    for (let i = 0; i < 512; i += 2) expect(Math.hypot(image[i], image[i + 1])).toBeLessThanOrEqual(Math.hypot(re, im));
  });

  it("adds pulse sets to an image", () => {
    const profiles = compressProfiles(history, { bins: 512 });
    const into = backprojectReference(profiles, grid, { pulses: [0, 3] });
    expect(backprojectReference(profiles, grid, { pulses: [3, 4], into })).toBe(into);
    expect(signalToErrorDb(into, backprojectReference(profiles, grid))).toBeGreaterThan(-20 * Math.log10(8 * 2 ** -53));
  });

  it("adds nothing from pulses whose profile does not hold every tap", () => {
    const samples = new Float64Array(2 * 8).fill(1);
    const profiles: RangeProfiles = {
      positions: Float64Array.of(0, 0, 100),
      referenceRangeMeters: Float64Array.of(100),
      bins: 8,
      binMeters: 1,
      firstRangeMeters: -4,
      carrierHz: speedOfLight / 2, // whole cycles at whole metres
      bandwidthHz: speedOfLight / 8,
      samples,
    };
    // Pixels straight below: at a range of −height, bin 4 − height.
    const values = (interpolation: "linear" | InterpolatorSpec, heights: number[]): number[] => {
      const column: ImageGrid = { ...squareGrid(1, 1), originMeters: [0, 0, 0], nx: heights.length, xStepMeters: [1e-12, 0, 0] };
      const image = backprojectReference(profiles, { ...column, heightMeters: Float64Array.from(heights) }, { interpolation });
      return heights.map((_, i) => Math.round(image[2 * i]));
    };
    expect(values("linear", [5, 4, 0, -2, -3, -4])).toEqual([0, 1, 1, 1, 0, 0]);
    expect(values({ kind: "sinc", taps: 4, window: "knab" }, [4, 3, 0, -1, -2, -3])).toEqual([0, 1, 1, 1, 0, 0]);
  });

  it("is refused by field", () => {
    const profiles = compressProfiles(history, { bins: 512 });
    const run = (wrong: object, options = {}) => refused(() => backprojectReference({ ...profiles, ...wrong }, grid, options));
    expect(run({ bins: 3 })).toBe("profiles.samples.length");
    expect(run({ samples: [] })).toBe("profiles.samples");
    expect(run({ carrierHz: -1 })).toBe("profiles.carrierHz");
    expect(run({ binMeters: Number.NaN })).toBe("profiles.binMeters");
    expect(run({ bandwidthHz: 1e12 })).toBe("profiles.bandwidthHz");
    expect(run({ referenceRangeMeters: new Float64Array(2) })).toBe("profiles.referenceRangeMeters");
    expect(run({}, { into: new Float64Array(3) })).toBe("into");
    expect(run({}, { pulses: [5, 3] })).toBe("pulses[1]");
    expect(run({}, { pulses: [7, 0] })).toBe("pulses[0]");
    expect(run({}, { interpolation: "cubic" })).toBe("interpolation");
    expect(refused(() => signalToErrorDb([1], [1, 2]))).toBe("actual.length");
  });

  it("has a signal-to-error ratio of powers", () => {
    const random = createRandom(1);
    const x = Float64Array.from({ length: 64 }, () => random.gaussian());
    expect(signalToErrorDb(x, x)).toBe(Number.POSITIVE_INFINITY);
    expect(
      signalToErrorDb(
        x.map((v) => 1.01 * v),
        x,
      ),
    ).toBeCloseTo(40, 9);
    expect(signalToErrorDb([Number.NaN], [1])).toBeNaN();
  });
});
