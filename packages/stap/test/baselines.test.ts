/** The baselines against their definitions, against each other, and on Ward's clutter. */
import { describe, expect, it } from "vitest";
import {
  adpcaReference,
  beamformerReference,
  beamspace,
  type Cube,
  clutterPatches,
  conditionReport,
  cubeOrders,
  dopplerReference,
  dpca,
  drawCube,
  efaFromDoppler,
  efaGeometry,
  efaReference,
  efaSteering,
  interferenceCovariance,
  jdlReference,
  kronecker,
  smiReference,
  type Training,
  uniformSteering,
  type WardScenario,
  wardExample,
} from "../src/index.ts";
import { dotH, solveByPivoting } from "./efa-definition.ts";
import { add, at, type C, conj, epsilon, flat, inner, mul, noise, refuse, relativeError, times, turn } from "./helpers.ts";

const sizes = { channels: 3, pulses: 5, ranges: 48 };
const cube: Cube = { ...sizes, data: noise(3 * 5 * 48, 1), order: cubeOrders.paper };
const training: Training = { kind: "sliding", guardCells: 2 };

/** wᴴx/(wᴴv) by definition of snapshots s(l), trained on all cells more than two away. */
function filtered(s: (l: number) => C[], v: readonly C[], l: number): C {
  const cells = times(48, (k) => k).filter((k) => Math.abs(k - l) > 2);
  const r: C[][] = v.map(() => v.map((): C => [0, 0]));
  for (const cell of cells) {
    const x = s(cell);
    for (let i = 0; i < v.length; i++) for (let j = 0; j < v.length; j++) r[i][j] = add(r[i][j], mul(x[i], conj(x[j])));
  }
  const w = solveByPivoting(
    r.map((row) => row.map(([re, im]): C => [re / cells.length, im / cells.length])),
    v,
  );
  const [re, im] = dotH(w, s(l));
  const [gain] = dotH(w, v);
  return [re / gain, im / gain];
}
const sample = (m: number, t: number, l: number): C => at(cube.data, (m * 5 + t) * 48 + l);
// Fifteen unknowns with conditions below a thousand.
const tolerance = 15 * 1e3 * 8 * epsilon;

it("the joint-domain filter agrees with its definition, in any order of axes", () => {
  const v = noise(2 * 15, 2);
  const y = smiReference(cube, v, { training, output: "complex" });
  for (let p = 0; p < 2; p++) {
    const vector = times(15, (i) => at(v, p * 15 + i));
    for (const l of [0, 20, 47]) {
      const [re, im] = filtered((k) => times(15, (i) => sample(Math.floor(i / 5), i % 5, k)), vector, l);
      expect(Math.abs(y[2 * (p * 48 + l)] - re)).toBeLessThan(tolerance);
      expect(Math.abs(y[2 * (p * 48 + l) + 1] - im)).toBeLessThan(tolerance);
    }
  }
});

it("ADPCA filters two or three pulses at a time", () => {
  const spatial = noise(2 * 3, 3);
  for (const [subPulses, weights] of [
    [2, [1, -1]],
    [3, [1, -2, 1]],
  ] as const) {
    const out = adpcaReference(cube, spatial, { training, subPulses });
    expect([out.channels, out.pulses, out.ranges]).toEqual([2, 6 - subPulses, 48]);
    for (const [p, t, l] of [
      [0, 0, 5],
      [1, 5 - subPulses, 40],
    ]) {
      const g = times(3, (m) => weights.map((weight): C => mul(at(spatial, p * 3 + m), [weight, 0]))).flat();
      const expected = filtered((k) => times(3, (m) => times(subPulses, (i) => sample(m, t + i, k))).flat(), g, l);
      const found = at(out.data, (p * out.pulses + t) * 48 + l);
      for (const part of [0, 1]) expect(Math.abs(found[part] - expected[part])).toBeLessThan(tolerance);
    }
  }
});

it("JDL is EFA on beams: with as many independent beams as channels they agree", () => {
  const beams = times(3, (i) => noise(3, 40 + i));
  const a = uniformSteering(3, 0.1);
  const options = { training, dopplerBins: 6, window: [0.5, 1, 1, 1, 0.5] };
  const jdl = jdlReference(cube, a, beams, options);
  const geometry = efaGeometry({ ...sizes, ...options, steeringVectors: 1 });
  const x = dopplerReference(cube, geometry);
  const efa = efaFromDoppler(x, efaSteering(geometry, [a]), geometry);
  expect(jdl.shape).toEqual([1, 6, 48]);
  const conditions = [x, beamspace(x, beams)].map((each) => conditionReport(each, geometry).mostCondition);
  expect(relativeError(jdl.data, efa.data)).toBeLessThan(64 * 9 * Math.max(...conditions) * epsilon);
  // Fewer beams: a matrix of 2·3, by definition X̃(i) = b_iᴴX.
  const two = beamspace(x, beams.slice(0, 2));
  expect([two.channels, two.bins]).toEqual([2, 6]);
  const expected = inner(beams[1], flat(times(3, (m) => at(x.data, (m * 6 + 4) * 48 + 7))));
  const found = at(two.data, (1 * 6 + 4) * 48 + 7);
  for (const part of [0, 1]) expect(Math.abs(found[part] - expected[part])).toBeLessThan(100 * epsilon);
  expect(jdlReference(cube, a, beams.slice(0, 2), options, [3]).shape).toEqual([1, 1, 48]);
});

it("the beamformer is |vᴴx|²/(vᴴv), whatever the training", () => {
  const geometry = efaGeometry({ ...sizes, steeringVectors: 2, temporalTaps: 1, training });
  const x = dopplerReference(cube, geometry);
  const v = noise(2 * 3, 6);
  const y = beamformerReference(x, v, geometry);
  for (const [p, n, l] of [
    [0, 0, 0],
    [1, 4, 47],
  ]) {
    const one = v.subarray(6 * p, 6 * p + 6);
    const z = inner(one, flat(times(3, (m) => at(x.data, (m * 5 + n) * 48 + l))));
    expect(y.data[(p * 5 + n) * 48 + l] / ((z[0] ** 2 + z[1] ** 2) / inner(one, one)[0])).toBeCloseTo(1, 12);
  }
});

describe("on Ward's clutter", () => {
  const scenario: WardScenario = { ...wardExample, channels: 6, pulses: 8, patches: 121 };
  const covariance = interferenceCovariance(scenario);
  const target = { range: 60, spatialCycles: 0, dopplerCycles: 2 / 8, snrDb: 3 };
  const scene = drawCube(covariance, { channels: 6, pulses: 8, ranges: 400, seed: 12, targets: [target] });
  const a = uniformSteering(6, 0);
  const bin = 2;
  /** Power of the target's cell over the mean of all others more than 2 away, in dB. */
  const contrast = (line: ArrayLike<number>): number => {
    const others = times(400, (l) => l).filter((l) => Math.abs(l - 60) > 2);
    return 10 * Math.log10(line[60] / (others.reduce((s, l) => s + line[l], 0) / others.length));
  };
  const lines = (): Record<string, number> => {
    const options = { training, steeringVectors: 1 } as const;
    const efa = (temporalTaps: number): Float64Array => {
      const geometry = efaGeometry({ channels: 6, pulses: 8, ranges: 400, ...options, temporalTaps });
      return efaReference(scene, efaSteering(geometry, [a]), { ...options, temporalTaps }, [bin]).data;
    };
    const pulsed = (canceller: Cube, spatial: ArrayLike<number>): Float64Array => {
      const { channels, pulses, ranges } = canceller;
      const geometry = efaGeometry({ channels, pulses, ranges, ...options, dopplerBins: 8, temporalTaps: 1 });
      return beamformerReference(dopplerReference(canceller, geometry), Float64Array.from(spatial), geometry, [bin]).data;
    };
    const factored = efaGeometry({ channels: 6, pulses: 8, ranges: 400, ...options, temporalTaps: 1 });
    return {
      joint: contrast(smiReference(scene, kronecker(a, uniformSteering(8, bin / 8)), { training })),
      efa3: contrast(efa(3)),
      factored: contrast(efa(1)),
      jdl: contrast(
        jdlReference(
          scene,
          a,
          [-1, 0, 1].map((k) => uniformSteering(6, k / 6)),
          { training },
          [bin],
        ).data,
      ),
      adpca: contrast(pulsed(adpcaReference(scene, a, { training }), [1, 0])),
      dpca: contrast(pulsed(dpca(scene), uniformSteering(5, 0))),
      beamformer: contrast(beamformerReference(dopplerReference(scene, factored), efaSteering(factored, [a]), factored, [bin]).data),
    };
  };

  it("every adaptive method shows a target that the beamformer has buried", () => {
    const found = lines();
    // 3 dB in an element and pulse are 19.8 dB after 48 of them; clutter is 40 dB and more above the noise.
    expect(found.beamformer).toBeLessThan(3);
    // Half the loss and fluctuation that noise on a target of 19.8 dB and 395 cells for 48 unknowns allow.
    for (const method of ["joint", "efa3", "jdl", "adpca", "dpca"]) expect(found[method], method).toBeGreaterThan(10);
    // One tap cannot follow a ridge.
    expect(found.factored).toBeLessThan(found.efa3);
  });

  it("DPCA cancels a ridge of slope 1 to rounding, and of slope 2 with elements two apart", () => {
    for (const displacement of [1, 2]) {
      const { spatialCycles, dopplerCycles } = clutterPatches({
        ...scenario,
        velocityMetersPerSecond: displacement * wardExample.velocityMetersPerSecond,
      });
      const data = new Float64Array(2 * 48);
      for (let k = 0; k < 121; k++)
        for (let i = 0; i < 48; i++) {
          const [re, im] = turn(spatialCycles[k] * Math.floor(i / 8) + dopplerCycles[k] * (i % 8) + 0.137 * k * k);
          data[2 * i] += re;
          data[2 * i + 1] += im;
        }
      const out = dpca({ data, channels: 6, pulses: 8, ranges: 1, order: cubeOrders.paper }, displacement);
      expect([out.channels, out.pulses]).toEqual([6 - displacement, 7]);
      // 121 terms of 1, phases known to 2π·20·ε.
      expect(Math.max(...out.data.map(Math.abs))).toBeLessThan(121 * 2 * Math.PI * 20 * 121 * epsilon);
    }
  });
});

it("bad input is refused by name", () => {
  refuse(() => smiReference(cube, noise(14, 1), { training }), /^steering\.length must be 30/, "steering.length");
  refuse(
    () => smiReference(cube, noise(15, 1), { training: { kind: "own" }, blockRanges: 8 }),
    /^training of ranges 0 to 7 must have at least 15 cells/,
  );
  refuse(() => smiReference({ ...cube, data: cube.data.slice().fill(Number.NaN, 9, 10) }, noise(15, 1)), /^cube\.data\[9\]/);
  refuse(() => smiReference(cube, new Float64Array(30), { training }), /^steering\[0\] must be a vector that is not all zeros/);
  refuse(() => dpca(cube, 3), /^displacement/);
  refuse(() => adpcaReference(cube, noise(4, 1), { training }), /^spatial\.length/);
  refuse(() => adpcaReference(cube, noise(3, 1), { training, subPulses: 4 as never }), /^subPulses/);
  refuse(() => jdlReference(cube, noise(3, 1), [], { training }), /^beams/);
  refuse(() => jdlReference(cube, noise(2, 1), [noise(3, 1)], { training }), /^spatial\.length/);
  refuse(() => jdlReference(cube, noise(3, 1), [noise(2, 1)], { training }), /^beams\[0\]\.length/);
  // Data without noise: a covariance of rank 1, which more cells do not change.
  const flatCube = { ...cube, data: cube.data.map((_, i) => (i % 2 === 0 ? 1 : 0)) };
  refuse(() => smiReference(flatCube, noise(15, 1), { training }), /^covariance of group 0 must be positive definite/, "covariance");
  expect(smiReference(flatCube, noise(15, 1), { training, loading: 1e-3 }).every(Number.isFinite)).toBe(true);
});
