/** EFA in float64 against its definition written out, by both solvers, in every output and order of axes. */
import { windowKinds, windowOfKind, windowSamples } from "@dechirp/radar";
import { describe, expect, it } from "vitest";
import {
  type AdaptiveOutput,
  type Cube,
  conditionReport,
  covarianceReference,
  cubeOrders,
  dopplerReference,
  type EfaOptions,
  efaGeometry,
  efaReference,
  efaSteering,
  reorderCube,
  smiReference,
  solveReference,
  type Training,
  uniformSteering,
  weightingReference,
  windowBin,
} from "../src/index.ts";
import { covarianceOf, type Definition, dopplerOf, filterOf } from "./efa-definition.ts";
import { at, type C, epsilon, flat, mul, noise, refuse, relativeError, times, turn } from "./helpers.ts";

const sizes = { channels: 2, pulses: 6, ranges: 24 };
const cube: Cube = { ...sizes, data: noise(2 * 6 * 24, 1), order: cubeOrders.paper };
const window = [0.3, 0.8, 1, 1, 0.7, 0.4];
const steeringVectors = 2;

/** What the definition needs of the options below. */
function definition(
  options: Omit<EfaOptions, "steeringVectors" | "channels" | "pulses" | "ranges">,
  cells: Definition["training"],
): Definition {
  return {
    ...sizes,
    bins: options.dopplerBins ?? sizes.pulses,
    taps: options.temporalTaps ?? 3,
    window: (options.window as number[] | undefined) ?? times(sizes.pulses, () => 1),
    centred: options.centred ?? false,
    loading: options.loading ?? 0,
    training: cells,
  };
}

const blockOf = (block: number, size: number, ranges: number): number[] =>
  times(ranges, (l) => l).filter((l) => Math.floor(l / size) === block);
const adjacentOf8 = (l: number): number[] =>
  [
    [1, 2],
    [0, 2],
    [0, 1],
  ][Math.floor(l / 8)].flatMap((b) => blockOf(b, 8, 24));
const chosen = (block: number, bin: number): number[] =>
  times(12, (i) => (5 * i + block + 7 * bin) % 24).filter((l, i, all) => all.indexOf(l) === i);

interface Case {
  readonly name: string;
  readonly options: Omit<EfaOptions, "steeringVectors" | "channels" | "pulses" | "ranges">;
  readonly cells: Definition["training"];
}
const cases: readonly Case[] = [
  { name: "adjacent blocks, T = 3", options: { blockRanges: 8 }, cells: adjacentOf8 },
  {
    name: "own block, zero padding, window, centred",
    options: { blockRanges: 12, dopplerBins: 9, window, centred: true, training: { kind: "own" } },
    cells: (l) => blockOf(Math.floor(l / 12), 12, 24),
  },
  { name: "T = 1", options: { temporalTaps: 1, blockRanges: 8, dopplerBins: 8 }, cells: adjacentOf8 },
  { name: "T = 5", options: { temporalTaps: 5, blockRanges: 8, window, loading: 0.1 }, cells: adjacentOf8 },
  { name: "T = N_D = 6, even", options: { temporalTaps: 6, blockRanges: 8, centred: true }, cells: adjacentOf8 },
  {
    name: "sliding with guards, loaded",
    options: { training: { kind: "sliding", guardCells: 2, cells: 10 }, loading: 0.01, dopplerBins: 8 },
    cells: (l) => {
      const allowed = times(24, (k) => k).filter((k) => Math.abs(k - l) > 2);
      const [below, above] = [allowed.filter((k) => k < l), allowed.filter((k) => k > l)];
      const high = Math.min(above.length, Math.max(5, 10 - below.length));
      return [...below.slice(below.length - (10 - high)), ...above.slice(0, high)];
    },
  },
  {
    name: "a last block that is shorter",
    options: { blockRanges: 10, training: { kind: "own" }, loading: 0.5 },
    cells: (l) => blockOf(Math.floor(l / 10), 10, 24),
  },
  {
    name: "chosen cells",
    options: { blockRanges: 8, training: { kind: "custom", cells: (b) => chosen(b, 0) } },
    cells: (l) => chosen(Math.floor(l / 8), 0),
  },
  {
    name: "cells chosen bin by bin",
    options: { blockRanges: 8, training: { kind: "custom", cells: chosen, perBin: true } },
    cells: (l, n) => chosen(Math.floor(l / 8), n),
  },
];

describe.each(cases)("EFA, $name", ({ options, cells }) => {
  const d = definition(options, cells);
  const order = d.channels * d.taps;
  const v = noise(steeringVectors * order, 9);
  const X = dopplerOf(cube.data, d);
  const all = { ...sizes, ...options, steeringVectors };
  const points = times(d.bins, (n) => times(24, (l) => [n, l] as const)).flat();

  it("transforms, trains and filters as defined, in every output and by both solvers", () => {
    const x = dopplerReference(cube, efaGeometry(all));
    const expectedX = flat(times(d.channels, (m) => points.map(([n, l]) => X(m, n, l))).flat());
    // A sum of N products and phases known to ε.
    expect(relativeError(x.data, expectedX)).toBeLessThan(4 * d.pulses * epsilon);

    const vectors = times(steeringVectors, (p) => times(order, (i) => at(v, p * order + i)));
    const filters = vectors.map((one) => points.map(([n, l]) => filterOf(X, d, one, l, n)));
    const wanted: Record<AdaptiveOutput, number[]> = {
      amf: filters.flat().map(({ y, gain }) => (y[0] ** 2 + y[1] ** 2) / gain),
      mvdr: filters.flat().map(({ y, gain }) => (y[0] ** 2 + y[1] ** 2) / gain ** 2),
      "paper-literal": filters.flat().map(({ y, gain }) => (y[0] ** 2 + y[1] ** 2) / Math.sqrt(gain)),
      complex: filters.flat().flatMap(({ y, gain }) => [y[0] / gain, y[1] / gain]),
    };
    // Both solutions have a backward error of n·ε; what comes out differs by the condition times that.
    const { mostCondition } = conditionReport(x, efaGeometry({ ...all, loading: d.loading }));
    const tolerance = 16 * order * mostCondition * epsilon;
    for (const solver of ["cholesky", "gauss-jordan"] as const) {
      for (const output of ["amf", "mvdr", "paper-literal", "complex"] as const) {
        const result = efaReference(cube, v, { ...options, steeringVectors, solver, output });
        expect(result.shape).toEqual([steeringVectors, d.bins, 24]);
        expect(relativeError(result.data, wanted[output])).toBeLessThan(tolerance);
      }
    }
  });

  it("shares products or does not, to the same last bit", () => {
    if ((options.training as { perBin?: boolean } | undefined)?.perBin) {
      expect(efaGeometry(all).shared).toBe(false);
      return;
    }
    const [shared, unshared] = (["sliding", "none"] as const).map((sharing) => {
      const geometry = efaGeometry({ ...all, sharing });
      expect(geometry.shared).toBe(sharing === "sliding");
      return covarianceReference(dopplerReference(cube, geometry), geometry);
    });
    expect(relativeError(shared, unshared)).toBe(0);
  });

  it("has stages that add up to the whole, and bins that can be chosen", () => {
    const geometry = efaGeometry(all);
    const x = dopplerReference(cube, geometry);
    const r = covarianceReference(x, geometry);
    const { groupRanges, groups } = geometry.sets;
    for (const [n, group] of [
      [0, 0],
      [d.bins - 1, groups - 1],
    ]) {
      const unloaded = covarianceOf(X, { ...d, loading: 0 }, group * groupRanges, n).flat();
      const size = 2 * order * order;
      const one = r.subarray((n * groups + group) * size, (n * groups + group + 1) * size);
      expect(relativeError(one, flat(unloaded))).toBeLessThan(64 * epsilon);
    }
    const whole = efaReference(cube, v, { ...options, steeringVectors });
    expect(weightingReference(x, solveReference(r, v, geometry), geometry)).toEqual(whole);
    const few = [d.bins - 1, 2];
    const part = efaReference(cube, v, { ...options, steeringVectors }, few);
    expect([part.shape, part.bins]).toEqual([[steeringVectors, 2, 24], few]);
    for (let p = 0; p < steeringVectors; p++)
      for (const [i, n] of few.entries())
        expect(part.data.subarray((p * 2 + i) * 24, (p * 2 + i + 1) * 24)).toEqual(
          whole.data.subarray((p * d.bins + n) * 24, (p * d.bins + n + 1) * 24),
        );
  });
});

it("the paper's sizes need 42 of 78 products", () => {
  const geometry = efaGeometry({ channels: 4, pulses: 128, ranges: 512, dopplerBins: 256, steeringVectors: 32 });
  expect([geometry.order, geometry.products, (geometry.order * (geometry.order + 1)) / 2]).toEqual([12, 42, 78]);
  expect([geometry.sets.groups, geometry.sets.groupRanges]).toEqual([16, 32]);
  // −1 wraps to N_D − 1, N_D to 0.
  expect(times(3, (tap) => windowBin(geometry, 0, tap))).toEqual([255, 0, 1]);
  expect(times(3, (tap) => windowBin(geometry, 255, tap))).toEqual([254, 255, 0]);
});

it("takes a cube in any order of its axes", () => {
  const options = { steeringVectors: 1, blockRanges: 8 };
  const v = noise(6, 4);
  const expected = efaReference(cube, v, options);
  for (const order of Object.values(cubeOrders)) expect(efaReference(reorderCube(cube, order), v, options)).toEqual(expected);
});

it("with as many taps as bins and pulses is the joint-domain filter", () => {
  const training: Training = { kind: "sliding", guardCells: 1 };
  const joint = { channels: 3, pulses: 5, ranges: 40 };
  const data: Cube = { ...joint, data: noise(3 * 5 * 40, 21), order: cubeOrders.paper };
  const weights = [0.4, 0.9, 1, 0.8, 0.5];
  const geometry = efaGeometry({ ...joint, steeringVectors: 1, temporalTaps: 5, training, window: weights });
  const a = uniformSteering(3, 0.13);
  const x = dopplerReference(data, geometry);
  const y = efaReference(data, efaSteering(geometry, [a]), { steeringVectors: 1, temporalTaps: 5, training, window: weights });
  const { mostCondition } = conditionReport(x, geometry);
  for (let n = 0; n < 5; n++) {
    const b = flat(times(5, (t) => turn((n * t) / 5)));
    const v = flat(times(15, (i) => mul(at(a, Math.floor(i / 5)), at(b, i % 5))));
    const expected = smiReference(data, v, { training });
    // A window, which is no zero, and a DFT are an invertible change of coordinates: 15 unknowns both, conditioned differently.
    expect(relativeError(y.data.subarray(40 * n, 40 * (n + 1)), expected)).toBeLessThan(64 * 15 * mostCondition * epsilon);
  }
});

describe("the adaptive matched filter", () => {
  const options = { steeringVectors: 1, blockRanges: 8, dopplerBins: 8 };
  const v = noise(6, 31);
  const expected = efaReference(cube, v, options).data;
  const scaled = (data: ArrayLike<number>, c: C): Float64Array => flat(times(data.length / 2, (i) => mul(at(data, i), c)));
  const tolerance = 1e4 * epsilon; // conditions of a few hundred, six unknowns

  it("does not depend on the scale of data or steering, which the paper's literal output does", () => {
    for (const c of [
      [1e-7, 0],
      [3, -4],
      [0, 2e9],
      [1e-120, 0],
      [1e120, 0],
    ] as const) {
      const louder = { ...cube, data: scaled(cube.data, c) };
      expect(relativeError(efaReference(louder, v, options).data, expected)).toBeLessThan(tolerance);
      expect(relativeError(efaReference(cube, scaled(v, c), options).data, expected)).toBeLessThan(tolerance);
      const literal = { ...options, output: "paper-literal" } as const;
      const factor = 1 / Math.hypot(...c);
      const unscaled = efaReference(cube, v, literal).data.map((y) => y * factor);
      expect(relativeError(efaReference(louder, v, literal).data, unscaled)).toBeLessThan(tolerance);
    }
  });

  it("does not change with a unitary mixing of channels that data and steering share", () => {
    const [c, s] = [Math.cos(0.7), Math.sin(0.7)];
    const phase = turn(0.21);
    const mix = (data: ArrayLike<number>, length: number): Float64Array => {
      const [one, two] = [0, 1].map((m) => times(length, (i) => at(data, m * length + i)));
      const first = one.map(([re, im], i): C => [c * re - s * two[i][0], c * im - s * two[i][1]]);
      const second = one.map(([re, im], i): C => mul([s * re + c * two[i][0], s * im + c * two[i][1]], phase));
      return flat([...first, ...second]);
    };
    const mixed = efaReference({ ...cube, data: mix(cube.data, 6 * 24) }, mix(v, 3), options).data;
    expect(relativeError(mixed, expected)).toBeLessThan(tolerance);
  });

  it("is |complex|² times vᴴR⁻¹v, and mvdr |complex|²", () => {
    const y = efaReference(cube, v, { ...options, output: "complex" }).data;
    const power = Float64Array.from(times(y.length / 2, (i) => at(y, i)[0] ** 2 + at(y, i)[1] ** 2));
    expect(relativeError(efaReference(cube, v, { ...options, output: "mvdr" }).data, power)).toBeLessThan(8 * epsilon);
  });

  it("takes any window of the table by its name", () => {
    for (const kind of windowKinds) {
      const named = windowOfKind(kind);
      expect(efaGeometry({ ...sizes, ...options, window: named }).window).toEqual(windowSamples(named, sizes.pulses));
    }
    refuse(() => efaGeometry({ ...sizes, ...options, window: { kind: "kaiser", beta: -1 } }), /^window\.beta must be/);
    refuse(() => efaGeometry({ ...sizes, ...options, window: { kind: "triangle" } as never }), /^window must be one of rect/);
  });

  it("keeps the strongest of all steering vectors and its index", () => {
    const many = { ...options, steeringVectors: 5 };
    const vs = noise(30, 32);
    const each = efaReference(cube, vs, many);
    const largest = efaReference(cube, vs, { ...many, maxOverSteering: true });
    expect(largest.shape).toEqual([8, 24]);
    for (let i = 0; i < 8 * 24; i++) {
      const column = times(5, (p) => each.data[p * 8 * 24 + i]);
      expect(largest.data[i]).toBe(Math.max(...column));
      expect(largest.strongest?.[i]).toBe(column.indexOf(Math.max(...column)));
    }
  });
});

describe("a target", () => {
  const scene = { channels: 4, pulses: 16, ranges: 96 };
  const bin = 5;
  const target = 40;
  const data = noise(4 * 16 * 96, 77);
  const a = uniformSteering(4, 0.2);
  for (let m = 0; m < 4; m++)
    for (let t = 0; t < 16; t++) {
      const [re, im] = mul(at(a, m), turn((bin * t) / 16));
      data[2 * ((m * 16 + t) * 96 + target)] += 30 * re;
      data[2 * ((m * 16 + t) * 96 + target) + 1] += 30 * im;
    }
  const run = (training: Training): Float64Array => {
    const options = { ...scene, steeringVectors: 1, training };
    const v = efaSteering(efaGeometry(options), [a]);
    return efaReference({ ...scene, data, order: cubeOrders.paper }, v, options).data;
  };

  it("stands out where it does not train, and suppresses itself where it does", () => {
    const adjacent = run({ kind: "adjacent" });
    const own = run({ kind: "own" });
    const place = bin * 96 + target;
    expect(adjacent.indexOf(Math.max(...adjacent))).toBe(place);
    // |vᴴR⁻¹x|² ≤ vᴴR⁻¹v·xᴴR⁻¹x, and xᴴR⁻¹x ≤ K where x·xᴴ/K is part of R: never above K, however strong the target.
    expect(own[place]).toBeLessThanOrEqual(32 * (1 + 100 * epsilon));
    // |α|²·vᴴR̂⁻¹v of noise of power 1 is 30²·64·K/G, G ~ Gamma(K − n + 1 = 53): six sigma up, K/G is 0.66. Noise on the target: 5 %.
    expect(adjacent[place]).toBeGreaterThan(30 ** 2 * 64 * 0.66 * 0.95);
  });

  it("on the first or last Doppler bin is seen through the wrap", () => {
    for (const edge of [0, 15]) {
      const line = Float64Array.from(data);
      for (let m = 0; m < 4; m++)
        for (let t = 0; t < 16; t++) {
          const [re, im] = turn(((edge + 0.4) * t) / 16);
          line[2 * ((m * 16 + t) * 96 + 10)] += 100 * re;
          line[2 * ((m * 16 + t) * 96 + 10) + 1] += 100 * im;
        }
      const options = { ...scene, steeringVectors: 1, training: { kind: "adjacent" } } as const;
      const geometry = efaGeometry(options);
      const x = dopplerReference({ ...scene, data: line, order: cubeOrders.paper }, geometry);
      // A line between bins 15 and 0 (or 0 and 1) is in both windows; their weights see it at tap 0 and 2 alike.
      const power = (n: number): number => at(x.data, n * 96 + 10)[0] ** 2 + at(x.data, n * 96 + 10)[1] ** 2;
      expect(power((edge + 1) % 16)).toBeGreaterThan(0.1 * power(edge));
      const v = efaSteering(geometry, [uniformSteering(4, 0)], 0.4);
      const y = efaReference({ ...scene, data: line, order: cubeOrders.paper }, v, options, [edge]).data;
      expect(y.indexOf(Math.max(...y))).toBe(10);
      // As above; three bins of a window hold sinc²(0.4) + sinc²(0.6) + sinc²(1.4) = 0.87 of a line 0.4 bins off.
      expect(y[10]).toBeGreaterThan(100 ** 2 * 64 * 0.66 * 0.87 * 0.95);
    }
  });
});
