/** Every input that the algorithm cannot work with ends in one error that names the field, never in NaN or a huge array. */

import { createRandom } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import {
  type Cube,
  conditionReport,
  cubeOrders,
  dopplerReference,
  type EfaOptions,
  efaGeometry,
  efaReference,
  efaSteering,
  snrDb,
  solveReference,
  weightingReference,
  worstBlockSnrDb,
} from "../src/index.ts";
import { noise, refuse, times } from "./helpers.ts";

const options: EfaOptions = { channels: 2, pulses: 6, ranges: 24, steeringVectors: 1, blockRanges: 8 };
const cube: Cube = { channels: 2, pulses: 6, ranges: 24, data: noise(288, 1), order: cubeOrders.paper };
const v = noise(6, 2);
const run = (more: Partial<EfaOptions> = {}, steering = v, data = cube): unknown =>
  efaReference(data, steering, { steeringVectors: 1, blockRanges: 8, ...more });

describe("options", () => {
  it.each([
    [{ channels: 0 }, "channels"],
    [{ channels: 2.5 }, "channels"],
    [{ pulses: Number.NaN }, "pulses"],
    [{ ranges: 1e12 }, "ranges"],
    [{ steeringVectors: -1 }, "steeringVectors"],
    [{ dopplerBins: 5 }, "dopplerBins"],
    [{ dopplerBins: 2 ** 30 }, "dopplerBins"],
    [{ temporalTaps: 7 }, "temporalTaps"],
    [{ temporalTaps: 0 }, "temporalTaps"],
    [{ channels: 1000, temporalTaps: 3 }, "temporalTaps"],
    [{ blockRanges: 0 }, "blockRanges"],
    [{ window: [1, 1] }, "window.length"],
    [{ window: times(6, () => 0) }, "window"],
    [{ window: times(6, () => Number.NaN) }, "window[0]"],
    [{ loading: -1 }, "loading"],
    [{ loading: Number.POSITIVE_INFINITY }, "loading"],
    [{ solver: "qr" as never }, "solver"],
    [{ output: "power" as never }, "output"],
    [{ output: "complex", maxOverSteering: true }, "maxOverSteering"],
    [{ sharing: "all" as never }, "sharing"],
    [{ sharing: "sliding", training: { kind: "custom", cells: () => [1], perBin: true }, loading: 1 }, "sharing"],
    [{ training: { kind: "own" }, blockRanges: 5 }, "training"],
    [{ training: { kind: "sliding", cells: 5 } }, "training"],
    [{ training: { kind: "custom", cells: () => [1, 2, 3] } }, "training"],
    [{ training: { kind: "adjacent", guardBlocks: 1 } }, "training"],
    // Every number is in bounds by itself, but together they are terabytes.
    [{ pulses: 2 ** 16, ranges: 2 ** 24 }, "dopplerBins"],
    [{ ranges: 2 ** 20, steeringVectors: 2 ** 16 }, "steeringVectors"],
    [{ ranges: 2 ** 20, channels: 20, training: { kind: "sliding" }, blockRanges: 1 }, "temporalTaps"],
  ] as readonly [Partial<EfaOptions>, string][])("%j are refused by name", (more, field) => {
    refuse(
      () => efaGeometry({ ...options, ...more }),
      new RegExp(`^(${field.replace(/[[\]]/g, "\\$&")} must|training of|adjacent training)`),
      field,
    );
  });

  it("say how many cells a covariance needs, and take fewer with loading", () => {
    refuse(
      () => run({ training: { kind: "own" }, blockRanges: 5 }),
      /training of ranges 0 to 4 must have at least 6 cells, the order of the covariance, or loading, not 5/,
    );
    const { data } = run({ training: { kind: "own" }, blockRanges: 5, loading: 1e-3 }) as { data: Float64Array };
    expect(data.every(Number.isFinite)).toBe(true);
    // Chosen bin by bin, the number of cells shows when a bin is asked for.
    const cells = (_: number, bin: number): number[] => times(bin === 4 ? 5 : 6, (i) => i);
    refuse(() => run({ training: { kind: "custom", cells, perBin: true } }), /must have at least 6 cells/, "training");
  });
});

describe("data", () => {
  it("that are NaN are found before anything is computed", () => {
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
      const data = cube.data.slice();
      data[33] = bad;
      refuse(() => run({}, v, { ...cube, data }), /^cube\.data\[33\] must be a finite number/, "cube.data[33]");
      const steering = v.slice();
      steering[3] = bad;
      refuse(() => run({}, steering), /^steering\[3\]/, "steering[3]");
    }
  });

  it("of other sizes than the options' are refused", () => {
    refuse(() => run({}, noise(5, 1)), /^steering\.length must be 12, re and im of 1 vectors of 6/, "steering.length");
    refuse(() => run({}, new Float64Array(12)), /^steering\[0\] must be a vector that is not all zeros/);
    const geometry = efaGeometry(options);
    refuse(() => dopplerReference({ ...cube, ranges: 12, pulses: 12 }, geometry), /^cube\.pulses must be 6, as the options say/);
    const x = dopplerReference(cube, geometry);
    refuse(() => conditionReport({ ...x, bins: 5 }, geometry), /^x\.bins/);
    refuse(() => conditionReport({ ...x, data: x.data.subarray(2) }, geometry), /^x\.data\.length/);
    refuse(() => conditionReport(x, geometry, [6]), /^bins\[0\]/);
    refuse(() => conditionReport(x, geometry, []), /^bins must be/);
    refuse(() => solveReference(new Float64Array(4), v, geometry), /^covariances\.length/);
    refuse(() => weightingReference(x, { data: new Float64Array(1), gains: new Float64Array(1) }, geometry), /^weights\.gains\.length/);
    refuse(() => efaSteering(geometry, []), /^spatial must be 1 vectors/);
    refuse(() => efaSteering(geometry, [noise(3, 1)]), /^spatial\[0\]\.length/);
  });

  it("without noise give singular covariances, named by group and bin, which loading makes solvable", () => {
    const silent = { ...cube, data: cube.data.map((x, i) => (Math.floor(i / 2) % 24 < 8 ? x : 0)) };
    refuse(
      () => run({}, v, silent),
      /^covariance of group 0, bin 0 must be positive definite, but element 0 of its diagonal is zero/,
      "covariance",
    );
    const constant = { ...cube, data: cube.data.map((_, i) => (i % 2 === 0 ? 1 : 0)) };
    for (const solver of ["cholesky", "gauss-jordan"] as const) {
      refuse(() => run({ solver }, v, constant), /^covariance of group 0, bin 0 must be positive definite/);
    }
    const x = dopplerReference(constant, efaGeometry(options));
    const report = conditionReport(x, efaGeometry(options));
    expect([report.singular, report.mostCondition, report.matrices]).toEqual([18, Number.POSITIVE_INFINITY, 18]);
    // Zero Doppler is in the windows of bins 5, 0 and 1; others have no power, which relative loading cannot change.
    const loaded = conditionReport(x, efaGeometry({ ...options, loading: 1e-3 }), [5, 0, 1]);
    expect(loaded.singular).toBe(0);
    const y = efaReference(constant, v, { steeringVectors: 1, blockRanges: 8, loading: 1e-3 }, [5, 0, 1]);
    expect(y.data.every(Number.isFinite)).toBe(true);
  });

  it("too large for squares in float64 are refused as well", () => {
    refuse(() => run({}, v, { ...cube, data: cube.data.map((x) => x * 1e200) }), /^covariance of group 0, bin 0/);
  });
});

describe("snrDb", () => {
  it("is the suite's: −20·log₁₀ of the relative error, 140 where equal", () => {
    const reference = noise(1000, 5);
    expect(snrDb(reference, reference)).toBe(140);
    expect(
      snrDb(
        reference,
        reference.map((x) => x * 1.001),
      ),
    ).toBeCloseTo(60, 6);
    const one = reference.slice();
    one[1999] *= 2;
    const [part, whole] = [1900, 0].map((from) => reference.subarray(from).reduce((sum, x) => sum + x * x, 0));
    expect(snrDb(reference, one)).toBeCloseTo(10 * Math.log10(whole / reference[1999] ** 2), 9);
    expect(worstBlockSnrDb(reference, one, 100)).toBeCloseTo(10 * Math.log10(part / reference[1999] ** 2), 9);
    expect(snrDb([1], [Number.NaN])).toBeNaN();
    expect(worstBlockSnrDb([1, 1], [Number.NaN, 1], 1)).toBeNaN();
    refuse(() => snrDb([1, 2], [1]), /^test\.length/);
  });
});

it("random numbers are those of the simulator of synthetic aperture scenes", () => {
  const random = createRandom(5, 7);
  expect([random.uint32(), random.uint32(), random.uint32()]).toEqual([1421700444, 664611336, 102754693]);
  expect([random.uniform(), random.gaussian(), random.gaussian()]).toEqual([0.5688792125514015, -0.5378024104053853, -0.33012371981554434]);
});
