/** The PERFECT suite's small input (`DECHIRP_DATA`), with values that another float64 implementation gave. */
import { type Arrays, type Device, evaluate, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import { readArray } from "@dechirp/io/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { productIndex } from "../src/efa/options.ts";
import {
  type Cube,
  checkStatus,
  conditionReport,
  covarianceReference,
  type DopplerCube,
  dopplerReference,
  type EfaGeometry,
  efa,
  efaGeometry,
  efaReference,
  efaStages,
  snrDb,
  solveReference,
  weightingReference,
} from "../src/index.ts";
import { exactSnrDb } from "../src/snr.ts";
import { perfectAbsent, perfectFolder } from "./data.ts";
import { at, backwardError, epsilon, relativeError, times } from "./helpers.ts";

describe.skipIf(perfectAbsent)("PERFECT, small set", () => {
  let cube: Cube;
  let v: Float32Array;
  let geometry: EfaGeometry;
  let x: DopplerCube;
  const options = { steeringVectors: 16, dopplerBins: 256 } as const;
  const perfect = { ...options, training: { kind: "own" }, output: "complex" } as const;

  beforeAll(async () => {
    const recording = await readArray(perfectFolder);
    const { channels, pulses, ranges } = recording.cube;
    expect([recording.blockRanges, recording.steering?.vectors, recording.steering?.elements]).toEqual([32, 16, 3 * channels]);
    cube = recording.cube;
    v = recording.steering?.data as Float32Array;
    geometry = efaGeometry({ ...perfect, channels, pulses, ranges });
    x = dopplerReference(cube, geometry);
  });

  it.each(["cholesky", "gauss-jordan"] as const)("gives the reference output y[steering][Doppler][range] by %s", (solver) => {
    const y = efaReference(cube, v, { ...perfect, solver });
    expect(y.shape).toEqual([16, 256, 512]);
    // All printed digits: half a unit of the last, and the sums to eleven digits.
    for (const [p, n, l, re, im] of [
      [0, 0, 0, 91119.501559, -559556.698511],
      [0, 1, 31, 419560.179181, -125478.547293],
      [7, 100, 300, -187704.642424, -50306.528635],
      [11, 200, 410, -543684.720797, 358898.560825],
    ]) {
      const found = at(y.data, (p * 256 + n) * 512 + l);
      expect(Math.abs(found[0] - re)).toBeLessThan(1e-6);
      expect(Math.abs(found[1] - im)).toBeLessThan(1e-6);
    }
    const sums = [0, 0, 0];
    for (let i = 0; i < y.data.length; i += 2) {
      sums[0] += y.data[i] ** 2 + y.data[i + 1] ** 2;
      sums[1] += y.data[i];
      sums[2] += y.data[i + 1];
    }
    expect(relativeError(sums, [1.9204733899e18, 3.1320284108e11, 2.1036378334e10])).toBeLessThan(1e-10);
    expect(sums[1] / 3.1320284108e11).toBeCloseTo(1, 10);
    expect(sums[2] / 2.1036378334e10).toBeCloseTo(1, 9);
  });

  it("gives the reference output of the paper's options", () => {
    const { data } = efaReference(cube, v, options);
    expect(data[0]).toBeCloseTo(1.5554529583, 9);
    expect(data[(7 * 256 + 100) * 512 + 300]).toBeCloseTo(1.5050638788, 9);
    const total = data.reduce((sum, p) => sum + p, 0);
    expect(total).toBeCloseTo(3104366.0242, 3);
    expect(total / data.length).toBeCloseTo(1.48028, 5);
  });

  it("has stages that are right by definition", () => {
    for (const [m, n, l] of [
      [0, 0, 0],
      [3, 255, 511],
      [2, 77, 130],
    ]) {
      let [re, im] = [0, 0];
      let scale = 0;
      for (let t = 0; t < 128; t++) {
        const [a, b] = at(cube.data, (m * 128 + t) * 512 + l);
        const angle = (-2 * Math.PI * ((n * t) % 256)) / 256;
        re += a * Math.cos(angle) - b * Math.sin(angle);
        im += a * Math.sin(angle) + b * Math.cos(angle);
        scale += Math.hypot(a, b);
      }
      const found = at(x.data, (m * 256 + n) * 512 + l);
      expect(Math.hypot(found[0] - re, found[1] - im)).toBeLessThan(scale * 8 * epsilon);
    }
    const r = covarianceReference(x, geometry);
    for (const [n, block, i, j] of [
      [0, 0, 0, 0],
      [255, 15, 11, 3],
      [128, 7, 2, 9],
    ]) {
      let [re, im] = [0, 0];
      for (let l = 32 * block; l < 32 * (block + 1); l++) {
        const [a, b] = [i, j].map((e) => at(x.data, (Math.floor(e / 3) * 256 + ((n - 1 + (e % 3) + 256) % 256)) * 512 + l));
        re += (a[0] * b[0] + a[1] * b[1]) / 32;
        im += (a[1] * b[0] - a[0] * b[1]) / 32;
      }
      const found = at(r, ((n * 16 + block) * 12 + i) * 12 + j);
      const [pi, pj] = [i, j].map((e) => r[2 * (((n * 16 + block) * 12 + e) * 12 + e)]);
      expect(Math.hypot(found[0] - re, found[1] - im)).toBeLessThan(64 * epsilon * Math.sqrt(pi * pj));
    }
    const sides = Float64Array.from(v);
    for (const solver of ["cholesky", "gauss-jordan"] as const) {
      const { data } = solveReference(r, v, { ...geometry, solver });
      let worst = 0;
      for (let g = 0; g < 4096; g++)
        for (let p = 0; p < 16; p++) {
          const w = data.subarray(24 * (16 * g + p), 24 * (16 * g + p + 1));
          worst = Math.max(worst, backwardError(r.subarray(288 * g, 288 * (g + 1)), 12, w, sides.subarray(24 * p, 24 * (p + 1))));
        }
      expect(worst).toBeLessThan(4 * 12 * epsilon);
    }
  });

  it("has covariances of the conditions that were found elsewhere", () => {
    const report = conditionReport(x, geometry);
    expect(report).toMatchObject({ order: 12, fewestCells: 32, mostCells: 32, matrices: 4096, singular: 0 });
    expect(report.leastCondition).toBeGreaterThan(33.5);
    expect(report.leastCondition).toBeLessThan(34.5);
    expect(report.medianCondition).toBeGreaterThan(81.5);
    expect(report.medianCondition).toBeLessThan(82.5);
    expect(report.mostCondition / 1.16e5).toBeCloseTo(1, 2);
    expect(report.expectedLossDb).toBeCloseTo(-1.76, 2);
  });

  it("keeps the suite's 100 dB a stage and 80 dB in all where every stage's result is stored in float32", () => {
    const stored = (data: Float64Array): Float64Array => Float64Array.from(Float32Array.from(data));
    const r = covarianceReference(x, geometry);
    const weights = solveReference(r, v, geometry);
    const y = weightingReference(x, weights, geometry).data;
    // Rounding to float32 is −150 dB of a number; the criterion's most is 140.
    for (const stage of [x.data, r, weights.data, y]) expect(snrDb(stage, stored(stage))).toBe(exactSnrDb);
    const x32 = { ...x, data: stored(x.data) };
    const r32 = stored(covarianceReference(x32, geometry));
    const w32 = solveReference(r32, v, geometry);
    const y32 = weightingReference(x32, { ...w32, data: stored(w32.data) }, geometry).data;
    expect(snrDb(r, r32)).toBeGreaterThan(100);
    expect(snrDb(y, y32)).toBeGreaterThan(80);
  });

  describe.each(["cpu", "gpu"] as const)("on the %s, in float32", (name) => {
    let device: Device;
    let r: Float64Array;
    beforeAll(async () => {
      device = await open(name === "cpu" ? cpu() : gpu());
      r = covarianceReference(x, geometry);
    });
    afterAll(() => device[Symbol.dispose]());

    const stored = (data: ArrayLike<number>): Float32Array => Float32Array.from(data);
    const stages = (solver: "cholesky" | "gauss-jordan") => efaStages({ ...geometry, ...perfect, solver });
    const cubeArrays = (): Arrays => ({ cube: toPaper(cube) });
    /** What the products of every bin and block are in float64: elements of a covariance that has them, by the index rules. */
    const exactMeans = (): Float64Array => {
      const { products, dopplerBins } = geometry;
      const means = new Float64Array(2 * dopplerBins * 16 * products);
      for (let bin = 0; bin < dopplerBins; bin++) {
        for (let block = 0; block < 16; block++) {
          // For the window around the next bin: taps 0 and `lag` are bins `bin` and `bin + lag`.
          const matrix = ((bin + 1) % dopplerBins) * 16 + block;
          for (let lag = 0; lag < 3; lag++)
            for (let i = 0; i < 4; i++)
              for (let j = 0; j < (lag === 0 ? i + 1 : 4); j++)
                means.set(
                  at(r, (matrix * 12 + 3 * i) * 12 + 3 * j + lag),
                  2 * ((bin * 16 + block) * products + productIndex(geometry, lag, i, j)),
                );
        }
      }
      return means;
    };

    it.each(["cholesky", "gauss-jordan"] as const)("the whole application keeps 80 dB, fused or not: %s", async (solver) => {
      const y = efaReference(cube, v, { ...perfect, solver }).data;
      for (const fused of [true, false]) {
        const outputs = await evaluate(efa({ ...geometry, ...perfect, solver, fused }), device, { ...cubeArrays(), steering: v });
        checkStatus(outputs.status, geometry);
        expect(snrDb(y, outputs.y)).toBeGreaterThan(80);
      }
    });

    it("Doppler processing, covariances and weighting keep 100 dB each, fed from float64", async () => {
      const { doppler, covariance, weighting } = stages("cholesky");
      expect(snrDb(x.data, (await evaluate(doppler, device, cubeArrays())).x)).toBeGreaterThan(100);
      const { means } = await evaluate(covariance, device, { x: stored(x.data) });
      expect(snrDb(exactMeans(), means)).toBeGreaterThan(100);
      const weights = solveReference(r, v, geometry);
      const y = weightingReference(x, weights, geometry).data;
      const inputs = { x: stored(x.data), weights: stored(weights.data), gains: stored(weights.gains) };
      expect(snrDb(y, (await evaluate(weighting, device, inputs)).y)).toBeGreaterThan(100);
    });

    it.each(["cholesky", "gauss-jordan"] as const)("every solution has a backward error of 1e-6 at most: %s", async (solver) => {
      const { weights, status } = await evaluate(stages(solver).solve, device, { means: stored(exactMeans()), steering: v });
      checkStatus(status, geometry);
      const sides = Float64Array.from(v);
      const solutions = Float64Array.from(weights);
      const worst = times(4096 * 16, (i) => {
        const [g, p] = [Math.floor(i / 16), i % 16];
        return backwardError(
          r.subarray(288 * g, 288 * (g + 1)),
          12,
          solutions.subarray(24 * i, 24 * (i + 1)),
          sides.subarray(24 * p, 24 * (p + 1)),
        );
      }).reduce((most, error) => Math.max(most, error), 0);
      expect(worst).toBeLessThan(1e-6);
    });
  });
});

/** [channel][pulse][range] in float32. */
function toPaper({ data, channels, pulses, ranges, order }: Cube): Float32Array {
  expect(order).toEqual(["channel", "pulse", "range"]);
  expect(data.length).toBe(2 * channels * pulses * ranges);
  return Float32Array.from(data);
}
