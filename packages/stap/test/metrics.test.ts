/** Metrics against their definitions on matrices and cubes without any symmetry that could hide a sign. */
import { describe, expect, it } from "vitest";
import {
  adaptiveLoss,
  amfFalseAlarm,
  angleDopplerResponse,
  binCycles,
  type Cube,
  choleskyFactor,
  clutterPatches,
  conditionNumber,
  conditionReport,
  covarianceReference,
  cubeOrders,
  dopplerReference,
  efaGeometry,
  efaSpaceTimeWeights,
  efaTransform,
  filterSinr,
  filterSinrLossDb,
  improvementFactorDb,
  kronecker,
  minimumDetectableVelocity,
  nearestBin,
  optimumSinrLossDb,
  solveHermitian,
  transformCovariance,
  transformVector,
  uniformSteering,
  usableDopplerFraction,
  wardExample,
} from "../src/index.ts";
import { quadraticForm } from "../src/metrics/loss.ts";
import { at, type C, epsilon, flat, inner, mul, noise, positive, refuse, relativeError, sum, times } from "./helpers.ts";

const n = 7;
const r = positive(n, n + 2, 3, 0.2);
const [w, v] = [noise(n, 4), noise(n, 5)];
const power = ([re, im]: C): number => re * re + im * im;
const product = (x: ArrayLike<number>): Float64Array => flat(times(n, (i) => sum(times(n, (k) => mul(at(r, i * n + k), at(x, k))))));

describe("losses", () => {
  it("agree with their definitions", () => {
    const left = inner(w, product(w))[0];
    expect(quadraticForm(r, w) / left).toBeCloseTo(1, 13);
    const sinr = power(inner(w, v)) / left;
    expect(filterSinr(w, r, v) / sinr).toBeCloseTo(1, 13);
    expect(filterSinrLossDb(w, r, v)).toBeCloseTo(10 * Math.log10(sinr / inner(v, v)[0]), 12);
    const trace = times(n, (i) => r[2 * (i * n + i)]).reduce((a, b) => a + b);
    expect(improvementFactorDb(w, r, v)).toBeCloseTo(10 * Math.log10((sinr * trace) / n), 12);
  });

  it("have the optimum weights as their best", () => {
    const factor = choleskyFactor(r, n);
    const best = solveHermitian(r, n, v);
    expect(filterSinrLossDb(best, r, v)).toBeCloseTo(optimumSinrLossDb(factor, v), 11);
    expect(adaptiveLoss(best, r, factor, v)).toBeCloseTo(1, 12);
    const rho = adaptiveLoss(w, r, factor, v);
    expect(10 * Math.log10(rho)).toBeCloseTo(filterSinrLossDb(w, r, v) - optimumSinrLossDb(factor, v), 11);
    expect(rho).toBeLessThan(1);
  });

  it("refuse lengths that do not fit", () => {
    refuse(() => quadraticForm(r, noise(6, 1)), /^r\.length must be 72/);
    refuse(() => filterSinr(w, r, noise(6, 1)), /^w\.length/);
    refuse(() => transformCovariance(r, noise(6, 1), n), /^transform\.length/);
    refuse(() => transformVector(v, noise(6, 1)), /^transform\.length/);
  });
});

describe("transforms", () => {
  it("of covariances are FᴴRF, of vectors Fᴴv", () => {
    const f = noise(3 * n, 8);
    const columns = times(3, (i) => f.subarray(2 * n * i, 2 * n * (i + 1)));
    const expected = flat(times(9, (e) => inner(columns[Math.floor(e / 3)], product(columns[e % 3]))));
    expect(relativeError(transformCovariance(r, f, n), expected)).toBeLessThan(64 * epsilon);
    expect(relativeError(transformVector(v, f), flat(columns.map((c) => inner(c, v))))).toBeLessThan(64 * epsilon);
  });

  it.each([false, true])("of the algorithm are its Doppler stage, centred %s", (centred) => {
    const sizes = { channels: 2, pulses: 5, ranges: 4 };
    const cube: Cube = { ...sizes, data: noise(40, 9), order: cubeOrders.paper };
    const geometry = efaGeometry({
      ...sizes,
      steeringVectors: 1,
      dopplerBins: 7,
      temporalTaps: 3,
      window: [0.2, 0.9, 1, 0.7, 0.4],
      centred,
      training: { kind: "own" },
      loading: 1,
    });
    const x = dopplerReference(cube, geometry);
    for (const bin of [0, 3, 6]) {
      const transform = efaTransform(geometry, bin);
      for (const l of [0, 3]) {
        const snapshot = flat(times(10, (i) => at(cube.data, i * 4 + l)));
        const expected = flat(times(6, (i) => at(x.data, (Math.floor(i / 3) * 7 + ((bin - 1 + (i % 3) + 7) % 7)) * 4 + l)));
        expect(relativeError(transformVector(snapshot, transform), expected)).toBeLessThan(64 * epsilon);
        // wᴴ(Fᴴx) = (Fw)ᴴx
        const weights = noise(6, 10);
        const [direct, spaceTime] = [inner(weights, expected), inner(efaSpaceTimeWeights(geometry, bin, weights), snapshot)];
        expect(Math.hypot(direct[0] - spaceTime[0], direct[1] - spaceTime[1])).toBeLessThan(1000 * epsilon);
      }
    }
    refuse(() => efaTransform(geometry, 7), /^bin/);
    refuse(() => efaSpaceTimeWeights(geometry, 0, noise(5, 1)), /^w\.length/);
  });
});

it("bins have frequencies from −½ to ½, and frequencies their bins", () => {
  const sizes = { channels: 1, pulses: 4, ranges: 3, steeringVectors: 1, blockRanges: 1, temporalTaps: 1 };
  const cycles = (dopplerBins: number, centred: boolean): number[] => {
    const geometry = efaGeometry({ ...sizes, dopplerBins, centred });
    const each = times(dopplerBins, (bin) => binCycles(geometry, bin));
    for (const [bin, f] of each.entries())
      for (const turns of [-2, 0, 5]) expect(nearestBin(geometry, f + turns + 0.2 / dopplerBins)).toBe(bin);
    return each;
  };
  expect(cycles(4, false)).toEqual([0, 0.25, -0.5, -0.25]);
  expect(cycles(4, true)).toEqual([-0.5, -0.25, 0, 0.25]);
  expect(cycles(5, false)).toEqual([0, 0.2, 0.4, -0.4, -0.2]);
  expect(cycles(5, true)).toEqual([-0.4, -0.2, 0, 0.2, 0.4]);
});

it("the angle-Doppler response is |wᴴ(a ⊗ b)|² at every point", () => {
  const weights = noise(12, 20);
  const spatial = times(4, (i) => noise(3, 30 + i));
  const dopplerCycles = [-0.4, 0.05, 0.3];
  const { data, rows, columns } = angleDopplerResponse(weights, 3, 4, { spatial, dopplerCycles });
  expect([rows, columns]).toEqual([4, 3]);
  const expected = times(12, (i) => power(inner(weights, kronecker(spatial[Math.floor(i / 3)], uniformSteering(4, dopplerCycles[i % 3])))));
  expect(relativeError(data, expected)).toBeLessThan(100 * epsilon);
  refuse(() => angleDopplerResponse(weights, 3, 5, { spatial, dopplerCycles }), /^w\.length/);
  refuse(() => angleDopplerResponse(weights, 3, 4, { spatial: [], dopplerCycles }), /^grid/);
  refuse(() => angleDopplerResponse(weights, 3, 4, { spatial: [noise(2, 1)], dopplerCycles }), /^grid\.spatial\[0\]\.length/);
});

it("usable Doppler and least velocity are read on lines between points", () => {
  // A notch at 10 Hz: −5 dB is crossed at 5 and at 20 Hz, −2 dB at 2 and at 26.
  const [hz, loss] = [[-30, 0, 10, 30, 90].map(Number), [0, 0, -10, 0, 0]];
  expect(usableDopplerFraction(hz, loss, -5)).toBeCloseTo((120 - 15) / 120, 14);
  expect(usableDopplerFraction(hz, loss, -2)).toBeCloseTo((120 - 24) / 120, 14);
  expect(minimumDetectableVelocity(hz, loss, -5, 0.5, 10)).toBeCloseTo((0.5 * 10) / 2, 14);
  expect(minimumDetectableVelocity(hz, loss, -2, 0.5, 10)).toBeCloseTo((0.5 * 16) / 2, 14);
  expect(minimumDetectableVelocity(hz, loss, -5, 0.5, -30)).toBe(0);
  expect(minimumDetectableVelocity([0, 1], [-9, -9], -5, 0.5)).toBe(Number.POSITIVE_INFINITY);
});

it("the condition report is of the loaded covariances, and says where the worst is", () => {
  const sizes = { channels: 2, pulses: 4, ranges: 40 };
  const data = noise(2 * 4 * 40, 50);
  // A strong source at zero Doppler in ranges 10 to 19.
  for (let i = 0; i < 8; i++) for (let l = 10; l < 20; l++) data[2 * (i * 40 + l)] += 100;
  const geometry = efaGeometry({
    ...sizes,
    steeringVectors: 1,
    blockRanges: 10,
    temporalTaps: 1,
    training: { kind: "own" },
    loading: 1e-3,
  });
  const x = dopplerReference({ ...sizes, data, order: cubeOrders.paper }, geometry);
  const report = conditionReport(x, geometry);
  const conditions = times(16, (i) => {
    const one = covarianceReference(x, geometry).slice(8 * i, 8 * (i + 1));
    const load = (1e-3 * (one[0] + one[6])) / 2;
    one[0] += load;
    one[6] += load;
    return conditionNumber(one, 2);
  }).sort((a, b) => a - b);
  expect(report.worst).toEqual({ group: 1, bin: 0 });
  expect(report).toMatchObject({ order: 2, fewestCells: 10, mostCells: 10, matrices: 16, singular: 0 });
  expect(report.leastCondition).toBe(conditions[0]);
  expect(report.medianCondition).toBe(conditions[8]);
  expect(report.mostCondition).toBe(conditions[15]);
  expect(report.expectedLossDb).toBeCloseTo(10 * Math.log10(10 / 11), 12);
});

it("a beam that is steered has its clutter where it looks", () => {
  const scenario = { ...wardExample, transmitAzimuthRadians: 0.4 };
  const { powers } = clutterPatches(scenario);
  // Half a beamwidth of 1/9 and the element pattern's pull towards broadside; patches are a degree apart.
  const azimuths = times(361, (k) => -Math.PI + (2 * Math.PI * k) / 360);
  expect(Math.abs(azimuths[powers.indexOf(Math.max(...powers))] - 0.4)).toBeLessThan(Math.PI / 180);
  // By definition at one patch, up to what all patches share.
  const gain = (azimuth: number): number => {
    const element = Math.cos(azimuth) ** 2 * (Math.cos(azimuth) < 0 ? 1e-3 : 1);
    return (
      power(
        sum(
          times(
            18,
            (m): C => [
              Math.cos(Math.PI * m * (Math.sin(azimuth) - Math.sin(0.4))),
              Math.sin(Math.PI * m * (Math.sin(azimuth) - Math.sin(0.4))),
            ],
          ),
        ),
      ) *
      element ** 2
    );
  };
  for (const k of [30, 100, 260]) expect(powers[k] / powers[203] / (gain(azimuths[k]) / gain(azimuths[203]))).toBeCloseTo(1, 10);
});

it("false alarms of the adaptive matched filter are right by direct integration, for few cells and many", () => {
  for (const [order, cells, threshold] of [
    [2, 2, 3],
    [12, 24, 20],
    [54, 160, 40],
    [40, 5000, 9],
  ]) {
    // ρ ~ Beta(a, b): the midpoint rule on ρ itself, in logarithms.
    const [a, b] = [cells + 2 - order, order - 1];
    const points = 400_000;
    const low = Math.max(0, a / (a + b) - 15 * Math.sqrt((a * b) / (a + b) ** 3));
    const logs = (rho: number): number => (a - 1) * Math.log(rho) + (b - 1) * Math.log1p(-rho);
    const mode = a + b > 2 ? (a - 1) / (a + b - 2) : 0.5;
    const top = logs(Math.min(1 - 1e-12, Math.max(1e-12, mode)));
    let [total, weight] = [0, 0];
    for (let i = 0; i < points; i++) {
      const rho = low + ((1 - low) * (i + 0.5)) / points;
      const density = Math.exp(logs(rho) - top);
      weight += density;
      total += density * (1 + (rho * threshold) / cells) ** -(cells - order + 1);
    }
    expect(amfFalseAlarm(threshold, order, cells) / (total / weight)).toBeCloseTo(1, 6);
  }
});
