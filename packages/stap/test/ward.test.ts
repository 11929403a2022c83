/** Ward's scenario: the optimum filter and EFA with the covariance known, against reference values. */
import { wavelengthMeters, windowSamples } from "@dechirp/radar";
import { beforeAll, describe, expect, it } from "vitest";
import {
  angleDopplerResponse,
  brennanRank,
  choleskyFactor,
  clutterPatches,
  clutterSlope,
  clutterToNoise,
  drawCube,
  efaGeometry,
  efaSpaceTimeWeights,
  efaSteering,
  efaTransform,
  filterSinrLossDb,
  hermitianEigenvalues,
  improvementFactorDb,
  interferenceCovariance,
  jammerToNoise,
  kronecker,
  minimumDetectableVelocity,
  numericalRank,
  optimumSinrLossDb,
  patchCovariance,
  transformCovariance,
  transformVector,
  uniformSteering,
  usableDopplerFraction,
  type WardScenario,
  wardExample,
  wardJammers,
} from "../src/index.ts";
import { choleskySolve, inverseQuadratic } from "../src/solve.ts";
import { at, type C, conj, epsilon, inner, mul, refuse, relativeError, sum, times } from "./helpers.ts";

const order = 18 * 18;
const db = (x: number): number => 10 * Math.log10(x);
/** A target at broadside. */
const steering = (hz: number): Float64Array => kronecker(uniformSteering(18, 0), uniformSteering(18, hz / 300));
/** Half a unit of the last printed digit. */
const printed = 0.005;

// Worked out independently for the report's example, β = 1.
const frequenciesHz = [0, 5, 10, 15, 20, 30, 50, 75, 100, 150];
const spreads = [
  { spread: 0, loss: [-67.25, -8.65, -3.61, -1.59, -0.84, -0.45, -0.19, -0.1, -0.07, -0.06], udsf: 0.945, mdv: [2.83, 1.17] },
  { spread: 0.2, loss: [-66.28, -34.87, -20.57, -12.25, -7.07, -2.22, -0.74, -0.36, -0.22, -0.14], udsf: 0.848, mdv: [7.66, 5.16] },
  { spread: 0.5, loss: [-65.9, -47.61, -29.65, -19, -11.94, -4.22, -1.13, -0.5, -0.32, -0.21], udsf: 0.812, mdv: [9.49, 6.66] },
];

describe.each(spreads)("the optimum filter, clutter spread $spread m/s", ({ spread, loss, udsf, mdv }) => {
  let factor: Float64Array;
  beforeAll(() => {
    factor = choleskyFactor(interferenceCovariance({ ...wardExample, clutterSpreadMetersPerSecond: spread }), order);
  });

  it("loses the reference values", () => {
    for (const [i, hz] of frequenciesHz.entries()) {
      expect(Math.abs(optimumSinrLossDb(factor, steering(hz)) - loss[i]), `${hz} Hz`).toBeLessThan(printed);
    }
  });

  it("leaves the reference values of usable Doppler and least velocity, which were read on a grid of half a hertz", () => {
    const grid = times(601, (i) => -150 + i / 2);
    const curve = grid.map((hz) => optimumSinrLossDb(factor, steering(hz)));
    // Lines between points are at most one point away on each of the two edges.
    expect(Math.abs(usableDopplerFraction(grid, curve, -5) - udsf)).toBeLessThan(2 / 600 + 0.0005);
    for (const [i, threshold] of [-5, -12].entries()) {
      const least = minimumDetectableVelocity(grid, curve, threshold, wavelengthMeters(wardExample));
      expect(least).toBeLessThanOrEqual(mdv[i] + printed);
      expect(least).toBeGreaterThan(mdv[i] - printed - 0.25 * wavelengthMeters(wardExample));
    }
  });
});

describe("EFA with the covariance known", () => {
  let covariance: Float64Array;
  let factor: Float64Array;
  beforeAll(() => {
    covariance = interferenceCovariance(wardExample);
    factor = choleskyFactor(covariance, order);
  });
  const geometryOf = (temporalTaps: number, window?: Float64Array) =>
    efaGeometry({
      channels: 18,
      pulses: 18,
      ranges: 1,
      steeringVectors: 1,
      temporalTaps,
      training: { kind: "own" },
      loading: 1,
      ...(window && { window }),
    });
  const efaLossDb = (temporalTaps: number, bin: number, window?: Float64Array): number => {
    const transform = efaTransform(geometryOf(temporalTaps, window), bin);
    const known = transformCovariance(covariance, transform, order);
    const v = transformVector(steering((300 * bin) / 18), transform);
    return db(inverseQuadratic(choleskyFactor(known, 18 * temporalTaps), 18 * temporalTaps, v) / order);
  };

  it.each([
    ["T = 1", 1, undefined, [-53.7, -47.8, -44.5, -38.6], 0.05],
    ["T = 3", 3, undefined, [-1.66, -1.16, -1.44, -1.73], printed],
    ["T = 5", 5, undefined, [-1.44, -0.48, -0.51, -0.92], printed],
    ["T = 3, Chebyshev 30 dB", 3, -30, [-2.21, -2.82, -2.89, -2.46], printed],
  ] as const)("loses the reference values, %s", (_, taps, sidelobes, expected, tolerance) => {
    const window = sidelobes && windowSamples({ kind: "chebyshev", sidelobeDb: sidelobes }, 18);
    for (const [i, bin] of [1, 2, 3, 9].entries()) expect(Math.abs(efaLossDb(taps, bin, window) - expected[i])).toBeLessThan(tolerance);
  });

  it("loses less with more taps, and never less than the optimum", () => {
    for (const bin of times(18, (k) => k)) {
      const optimum = optimumSinrLossDb(factor, steering((300 * bin) / 18));
      const losses = [1, 3, 5].map((taps) => efaLossDb(taps, bin));
      // Snapshots with more taps hold those with fewer; all bins hold everything.
      expect(losses[0]).toBeLessThan(losses[1]);
      expect(losses[1]).toBeLessThan(losses[2]);
      expect(losses[2]).toBeLessThan(optimum);
    }
    // All taps: the optimum itself, to the condition of 10⁷.
    for (const bin of [0, 4])
      expect(Math.abs(efaLossDb(18, bin) - optimumSinrLossDb(factor, steering((300 * bin) / 18)))).toBeLessThan(1e-6);
  });

  it("has the same loss by its weights over channels and pulses, with a notch on the ridge", () => {
    const bin = 3;
    const geometry = geometryOf(3);
    const transform = efaTransform(geometry, bin);
    const known = choleskyFactor(transformCovariance(covariance, transform, order), 54);
    const target = steering((300 * bin) / 18);
    const v = transformVector(target, transform);
    // A target in the middle of the bin has these steering vectors.
    expect(relativeError(v, efaSteering(geometry, [uniformSteering(18, 0)]))).toBeLessThan(1000 * epsilon);
    const w = efaSpaceTimeWeights(geometry, bin, choleskySolve(known, 54, v));
    expect(Math.abs(filterSinrLossDb(w, covariance, target) - efaLossDb(3, bin))).toBeLessThan(1e-6);
    // IF = SINR loss × M·N × (clutter + noise) of an element and pulse.
    expect(improvementFactorDb(w, covariance, target)).toBeCloseTo(efaLossDb(3, bin) + db(order * (1 + clutterToNoise(wardExample))), 6);
    const dopplers = times(18, (k) => (k - 9) / 18);
    const { data, rows, columns } = angleDopplerResponse(w, 18, 18, {
      spatial: dopplers.map((f) => uniformSteering(18, f)),
      dopplerCycles: dopplers,
    });
    const peak = data[9 * columns + 9 + bin];
    expect(peak).toBeCloseTo(inner(w, target)[0] ** 2 + inner(w, target)[1] ** 2, 6);
    // Clutter has ω = ϑ: what is left of the strongest must be below the noise that the whole filter lets through.
    const noise = inner(w, w)[0];
    for (let k = 5; k < 14; k++) expect(data[k * rows + k] * 10).toBeLessThan(noise * order);
  });
});

describe("the scenario", () => {
  it("has the reference clutter-to-noise ratio and ridge", () => {
    expect(Math.abs(db(clutterToNoise(wardExample)) - 46.65)).toBeLessThan(printed);
    expect(clutterSlope(wardExample)).toBeCloseTo(1, 14);
    const { spatialCycles, dopplerCycles } = clutterPatches({
      ...wardExample,
      velocityMetersPerSecond: 2 * wardExample.velocityMetersPerSecond,
    });
    for (let k = 0; k < 361; k += 17) expect(dopplerCycles[k]).toBeCloseTo(2 * spatialCycles[k], 14);
    // Crab changes the ridge into an ellipse: broadside clutter has the Doppler frequency of directions at the crab angle.
    const crabbed = clutterPatches({ ...wardExample, crabRadians: 0.1 });
    const psi = Math.asin(9 / 130);
    expect(crabbed.dopplerCycles[180]).toBeCloseTo(0.5 * Math.cos(psi) * Math.sin(0.1), 14);
    // S·g·λ²/((4π)²R²·L·N₀) with g = 14 dB·cos²φ.
    const lambda = wavelengthMeters(wardExample);
    const expected =
      (1e-3 * 10 ** 1.4 * Math.cos((40 * Math.PI) / 180) ** 2 * lambda ** 2) /
      ((4 * Math.PI * 370e3) ** 2 * 10 ** 0.4 * 1.380649e-23 * 290 * 10 ** 0.3);
    expect(jammerToNoise(wardExample, wardJammers[0]) / expected).toBeCloseTo(1, 12);
  });

  // Eigenvalues within 60 dB of the largest for patches of equal power; and above the noise with the radar's own.
  it.each([
    [0.6, 28, 34, 31],
    [1, 35, 35, 35],
    [2, 52, 52, 52],
    [2.83, 66, 71, 67],
    [3, 69, 69, 69],
  ])("has the rank that Brennan's rule says, β = %f", (beta, rule, rank, aboveNoise) => {
    const scenario = { ...wardExample, velocityMetersPerSecond: beta * wardExample.velocityMetersPerSecond };
    expect(brennanRank(18, 18, beta)).toBe(rule);
    const uniform = { ...clutterPatches(scenario), powers: new Float64Array(361).fill(1) };
    const values = hermitianEigenvalues(patchCovariance(uniform, 18, 18), order);
    expect(numericalRank(values, -60)).toBe(rank);
    // For integer slopes the rule is exact: the next eigenvalue is rounding.
    if (Number.isInteger(beta)) expect(Math.abs(values[rank])).toBeLessThan(order * epsilon * values[0]);
    const weighted = hermitianEigenvalues(interferenceCovariance(scenario), order);
    expect(weighted.filter((x) => x > 2).length).toBe(aboveNoise);
  });

  it.each([
    [6, 12, 3],
    [10, 6, 2],
    [8, 10, 1],
  ])("has that rank with %i channels and %i pulses, β = %i", (channels, pulses, beta) => {
    const scenario = { ...wardExample, velocityMetersPerSecond: beta * wardExample.velocityMetersPerSecond };
    const uniform = { ...clutterPatches(scenario), powers: new Float64Array(361).fill(1) };
    const values = hermitianEigenvalues(patchCovariance(uniform, channels, pulses), channels * pulses);
    const rank = brennanRank(channels, pulses, beta);
    expect(numericalRank(values, -100)).toBe(rank);
    expect(Math.abs(values[rank])).toBeLessThan(channels * pulses * epsilon * values[0]);
  });

  const small: WardScenario = {
    ...wardExample,
    channels: 3,
    pulses: 4,
    patches: 19,
    clutterSpreadMetersPerSecond: 0.3,
    crabRadians: 0.2,
    jammers: wardJammers,
  };

  it("has the covariance that its patches, jammers and noise have by definition", () => {
    const { spatialCycles, dopplerCycles, powers } = clutterPatches(small);
    const lambda = wavelengthMeters(small);
    const waves = times(19, (k) => kronecker(uniformSteering(3, spatialCycles[k]), uniformSteering(4, dopplerCycles[k])));
    const jammers = wardJammers.map((j) => [uniformSteering(3, 0.5 * Math.sin(j.azimuthRadians)), jammerToNoise(small, j)] as const);
    const expected = times(144, (e): C => {
      const [i, j] = [Math.floor(e / 12), e % 12];
      const apart = (i % 4) - (j % 4);
      const correlation = Math.exp(-(((4 * Math.PI * 0.3 * apart) / (300 * lambda)) ** 2) / 2);
      const clutter = sum(waves.map((v, k) => mul(mul(at(v, i), conj(at(v, j))), [powers[k] * correlation, 0])));
      const [mi, mj] = [Math.floor(i / 4), Math.floor(j / 4)];
      const barrage = apart === 0 ? sum(jammers.map(([a, xi]) => mul(mul(at(a, mi), conj(at(a, mj))), [xi, 0]))) : ([0, 0] as const);
      return sum([clutter, barrage, i === j ? [1, 0] : [0, 0]]);
    });
    expect(relativeError(interferenceCovariance(small), expected.flat())).toBeLessThan(100 * epsilon);
  });

  it("draws cubes of that covariance, the same for the same seed, with targets in their places", () => {
    const covariance = interferenceCovariance(small);
    const options = { channels: 3, pulses: 4, ranges: 20_000, seed: 3 };
    const { data } = drawCube(covariance, options);
    for (const [i, j] of [
      [0, 0],
      [5, 2],
      [11, 3],
    ]) {
      const rows = [i, j].map((row) => data.subarray(2 * row * 20_000, 2 * (row + 1) * 20_000));
      const [re, im] = inner(rows[1], rows[0]);
      const [expected, pi, pj] = [at(covariance, 12 * i + j), covariance[26 * i], covariance[26 * j]];
      // Each part of the mean of x_i·x_j* has a variance of at most p_i·p_j/L: four of its roots.
      const tolerance = 4 * Math.sqrt((pi * pj) / 20_000);
      expect(Math.abs(re / 20_000 - expected[0])).toBeLessThan(tolerance);
      expect(Math.abs(im / 20_000 - expected[1])).toBeLessThan(tolerance);
    }
    const few = drawCube(covariance, { ...options, ranges: 7 });
    for (let i = 0; i < 12; i++) expect(few.data.subarray(14 * i, 14 * i + 14)).toEqual(data.subarray(40_000 * i, 40_000 * i + 14));
    expect(drawCube(covariance, { ...options, ranges: 7, seed: 4 }).data).not.toEqual(few.data);
    const target = { range: 5, spatialCycles: 0.1, dopplerCycles: -0.2, snrDb: 20, phaseRadians: 1 };
    const withTarget = drawCube(covariance, { ...options, ranges: 7, targets: [target] });
    const difference = withTarget.data.map((x, i) => x - few.data[i]);
    const v = kronecker(uniformSteering(3, 0.1), uniformSteering(4, -0.2));
    for (let i = 0; i < 12; i++) {
      const [re, im] = mul(at(v, i), [10 * Math.cos(1), 10 * Math.sin(1)]);
      // The sum lost digits to clutter of 20 dB or more above the target.
      expect(Math.hypot(difference[2 * (7 * i + 5)] - re, difference[2 * (7 * i + 5) + 1] - im)).toBeLessThan(1e-10);
      expect(difference[2 * (7 * i + 4)]).toBe(0);
    }
  });

  it("is refused by the name of the wrong field", () => {
    refuse(() => clutterPatches({ ...wardExample, channels: 5000 }), /^scenario\.channels/);
    refuse(() => clutterPatches({ ...wardExample, pulses: 228 }), /^scenario\.pulses must be an integer from 1 to 227/);
    refuse(() => clutterPatches({ ...wardExample, heightMeters: 131e3 }), /^scenario\.heightMeters/);
    refuse(() => clutterPatches({ ...wardExample, prfHz: Number.NaN }), /^scenario\.prfHz/);
    refuse(
      () => interferenceCovariance({ ...wardExample, jammers: [{ ...wardJammers[0], rangeMeters: 0 }] }),
      /^scenario\.jammers\[0\]\.rangeMeters/,
    );
    refuse(() => drawCube(new Float64Array(8), { channels: 1, pulses: 2, ranges: 4, seed: 1 }), /positive definite/);
    refuse(() => drawCube(new Float64Array(8), { channels: 1, pulses: 2, ranges: 1e12, seed: 1 }), /^ranges/);
    refuse(() => usableDopplerFraction([0, 0], [0, 0], -5), /^frequenciesHz\[1\]/);
    refuse(() => minimumDetectableVelocity([0, 1], [0, Number.NaN], -5, 1), /^lossDb\[1\]/);
  });
});
