/** Losses and false alarms of adaptive detectors and CFAR against closed forms (Reed, Mallett and Brennan), from seeded numbers. */
import { createRandom } from "@dechirp/core";
import { beforeAll, describe, expect, it } from "vitest";
import {
  adaptiveLoss,
  amfFalseAlarm,
  amfThreshold,
  brennanRank,
  caCfar,
  caFactor,
  caFalseAlarm,
  choleskyFactor,
  covarianceReference,
  cubeOrders,
  dopplerReference,
  efaGeometry,
  expectedAdaptiveLoss,
  expectedAmf,
  numericalRank,
  osCfar,
  osFactor,
  osFalseAlarm,
  solveReference,
  weightingReference,
} from "../src/index.ts";
import { noise, positive, refuse, times } from "./helpers.ts";

// Values of E[ρ], its decibels and E[AMF | H0] worked out independently for n = 12.
const table = [
  { cells: 64, loss: 0.8308, lossDb: -0.81, amf: 1.4862 },
  { cells: 32, loss: 0.6667, lossDb: -1.76, amf: 2.4381 },
  { cells: 24, loss: 0.56, lossDb: -2.52, amf: 3.6923 },
  { cells: 21, loss: 0.5, lossDb: -3.01, amf: 4.9 },
];
const n = 12;
const trials = 2500;

describe.each(table)("sample matrix inversion with K = $cells, n = 12", ({ cells, loss, lossDb, amf }) => {
  const rho: number[] = [];
  const level: number[] = [];

  beforeAll(() => {
    // One pulse and bin: every block of K + 1 ranges is a trial, trained by its first K, tested on its last.
    const blockRanges = cells + 1;
    const ranges = trials * blockRanges;
    const geometry = efaGeometry({
      channels: n,
      pulses: 1,
      ranges,
      steeringVectors: 1,
      blockRanges,
      training: { kind: "custom", cells: (block) => times(cells, (i) => block * blockRanges + i) },
    });
    // Interference of some covariance: colour white noise by its factor.
    const truth = positive(n, n + 3, 5, 0.1);
    const factor = choleskyFactor(truth, n);
    const white = noise(n * ranges, 1000 + cells);
    const data = new Float64Array(white.length);
    for (let i = 0; i < n; i++)
      for (let k = 0; k <= i; k++) {
        const [re, im] = [factor[2 * (i * n + k)], factor[2 * (i * n + k) + 1]];
        for (let l = 0; l < ranges; l++) {
          const [a, b] = [white[2 * (k * ranges + l)], white[2 * (k * ranges + l) + 1]];
          data[2 * (i * ranges + l)] += re * a - im * b;
          data[2 * (i * ranges + l) + 1] += re * b + im * a;
        }
      }
    const v = noise(n, 6);
    const x = dopplerReference({ data, channels: n, pulses: 1, ranges, order: cubeOrders.paper }, geometry);
    const weights = solveReference(covarianceReference(x, geometry), v, geometry);
    const y = weightingReference(x, weights, geometry).data;
    for (let trial = 0; trial < trials; trial++) {
      rho.push(adaptiveLoss(weights.data.subarray(2 * n * trial, 2 * n * (trial + 1)), truth, factor, v));
      level.push(y[trial * blockRanges + cells]);
    }
  });

  it("has the loss that Reed, Mallett and Brennan give", () => {
    expect(expectedAdaptiveLoss(n, cells)).toBeCloseTo(loss, 4);
    expect(10 * Math.log10(expectedAdaptiveLoss(n, cells))).toBeCloseTo(lossDb, 2);
    // ρ ~ Beta(a, b): four standard errors of the mean, and of the variance's scale.
    const [a, b] = [cells + 2 - n, n - 1];
    const variance = (a * b) / ((a + b) ** 2 * (a + b + 1));
    const mean = rho.reduce((s, x) => s + x, 0) / trials;
    expect(Math.abs(mean - loss)).toBeLessThan(4 * Math.sqrt(variance / trials) + 5e-5);
    expect(Math.max(...rho)).toBeLessThanOrEqual(1);
    const spread = rho.reduce((s, x) => s + (x - mean) ** 2, 0) / trials;
    // A beta distribution's kurtosis is below that of the normal's 3 here: relative error of the variance √(2/trials).
    expect(Math.abs(spread / variance - 1)).toBeLessThan(4 * Math.sqrt(2 / trials));
  });

  it("leaves the mean level and the false alarms that theory has", () => {
    expect(expectedAmf(n, cells)).toBeCloseTo(amf, 4);
    // AMF = K·T/ρ, T = exponential/Gamma(K − n + 1), ρ ~ Beta(K + 2 − n, n − 1): second moments in closed form.
    const k = cells;
    const second = k ** 2 * (2 / ((k - n) * (k - n - 1))) * ((k * (k - 1)) / ((k - n + 1) * (k - n)));
    const mean = level.reduce((s, x) => s + x, 0) / trials;
    expect(Math.abs(mean - amf)).toBeLessThan(4 * Math.sqrt((second - amf ** 2) / trials) + 5e-5);
    for (const falseAlarm of [0.3, 0.1, 0.02]) {
      const threshold = amfThreshold(falseAlarm, n, cells);
      expect(amfFalseAlarm(threshold, n, cells)).toBeCloseTo(falseAlarm, 12);
      const rate = level.filter((x) => x > threshold).length / trials;
      expect(Math.abs(rate - falseAlarm)).toBeLessThan(4 * Math.sqrt((falseAlarm * (1 - falseAlarm)) / trials));
    }
  });
});

describe("closed forms", () => {
  it("of false alarms hold at n = 1, at no threshold and for endless training", () => {
    expect(amfFalseAlarm(5, 1, 20)).toBeCloseTo((1 + 5 / 20) ** -20, 14);
    expect(amfFalseAlarm(0, 12, 24)).toBeCloseTo(1, 12);
    // K → ∞ is exp(−τ), to terms of order n·τ/K.
    expect(amfFalseAlarm(3, 12, 2 ** 24) / Math.exp(-3)).toBeCloseTo(1, 4);
    // The integral of the tail is the mean; Simpson's rule, to where 10⁻¹³ is left.
    const step = 0.1;
    let mean = 0;
    for (let i = 0; i <= 600; i++) mean += (step / 3) * (i % 600 === 0 ? 1 : i % 2 === 1 ? 4 : 2) * amfFalseAlarm(i * step, 12, 64);
    expect(mean).toBeCloseTo(expectedAmf(12, 64), 5);
  });

  it("of rank are Brennan's", () => {
    expect([1, 2, 3].map((beta) => brennanRank(18, 18, beta))).toEqual([35, 52, 69]);
    expect([0.6, 2.83].map((beta) => brennanRank(18, 18, beta))).toEqual([28, 66]);
    // One more pulse moves the array by β half-spacings, one more channel by one: the arguments cannot be exchanged.
    expect([brennanRank(8, 1, 3), brennanRank(3, 8, 3), brennanRank(6, 12, 3)]).toEqual([8, 24, 39]);
    expect(numericalRank([1, 1e-5, 1e-7, 0], -60)).toBe(2);
  });

  it("refuse numbers outside their domain", () => {
    refuse(() => expectedAdaptiveLoss(12, 11), /^cells must be an integer from 12/, "cells");
    refuse(() => expectedAmf(12, 12), /^cells/);
    refuse(() => amfThreshold(0, 12, 24), /^falseAlarm must be between 0 and 1/, "falseAlarm");
    refuse(() => amfFalseAlarm(Number.NaN, 12, 24), /^threshold/);
    refuse(() => brennanRank(0, 18, 1), /^channels/);
  });
});

describe("CFAR", () => {
  const cells = 16;
  const guardCells = 1;
  const ranges = cells + 3;
  const lines = 40_000;
  const random = createRandom(9);
  const power = Float64Array.from({ length: lines * ranges }, () => -Math.log(1 - random.uniform()));

  it.each([
    ["cell averaging", caCfar],
    ["ordered statistic", osCfar],
  ] as const)("%s raises false alarms at the rate asked for, in the middle and at the edges", (_, detect) => {
    const falseAlarm = 0.05;
    const { detected } = detect(power, ranges, { falseAlarm, cells, guardCells });
    // Lines are independent; so are the trials of one place in all of them.
    for (const place of [0, 1, ranges >> 1, ranges - 1]) {
      const rate = times(lines, (line) => detected[line * ranges + place]).reduce((s, x) => s + x, 0) / lines;
      expect(Math.abs(rate - falseAlarm)).toBeLessThan(4 * Math.sqrt((falseAlarm * (1 - falseAlarm)) / lines));
    }
  });

  it("has factors that are the inverse of their false alarms", () => {
    for (const falseAlarm of [0.5, 1e-2, 1e-6, 1e-12]) {
      expect(caFalseAlarm(caFactor(falseAlarm, 32), 32) / falseAlarm).toBeCloseTo(1, 12);
      expect(osFalseAlarm(osFactor(falseAlarm, 32, 24), 32, 24) / falseAlarm).toBeCloseTo(1, 10);
    }
    // The smallest of one cell is the mean of one cell.
    expect(osFactor(1e-3, 1, 1)).toBeCloseTo(caFactor(1e-3, 1), 6);
  });

  it("does not depend on the scale of the power, and finds a target among its neighbours' own level", () => {
    const options = { falseAlarm: 1e-6, cells, guardCells };
    const line = power.slice(0, 5 * ranges);
    line[2 * ranges + 7] = 1e4;
    for (const detect of [caCfar, osCfar]) {
      const found = detect(line, ranges, options);
      expect(times(line.length, (i) => i).filter((i) => found.detected[i] === 1)).toEqual([2 * ranges + 7]);
      const scaled = detect(
        line.map((x) => x * 2 ** -60),
        ranges,
        options,
      );
      expect(scaled.detected).toEqual(found.detected);
    }
    // By definition at one place: the mean of cells 0 … 5 and 9 … 18.
    const expected = times(ranges, (i) => i).filter((i) => Math.abs(i - 7) > guardCells);
    const near = expected.filter((i) => i < 7).length < 8 ? expected.slice(0, 16) : expected;
    const { thresholds, factor } = caCfar(line, ranges, options);
    expect(thresholds[7]).toBeCloseTo((factor * near.reduce((s, i) => s + line[i], 0)) / 16, 10);
  });

  it("refuses numbers that are not powers", () => {
    refuse(() => caCfar([1, Number.NaN, 1], 3, { falseAlarm: 0.1, cells: 1, guardCells: 0 }), /^power\[1\]/);
    refuse(() => caCfar([1, 2, 3], 2, { falseAlarm: 0.1 }), /^power\.length/);
    refuse(() => caCfar(power, ranges, { falseAlarm: 2, cells, guardCells }), /^falseAlarm/);
    refuse(() => osCfar(power, ranges, { falseAlarm: 0.1, cells, guardCells, rank: 17 }), /^rank/);
    refuse(() => osCfar(power, ranges, { falseAlarm: 0.1, cells: 17, guardCells }), /^training\.cells/);
  });
});
