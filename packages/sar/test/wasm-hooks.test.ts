/** The load hooks' WebAssembly against their references in float64: any run, any edge, both kinds of memory. */
import { createRandom, type Layout, type Load, type RealDType, type TypedArrayOf, typedArray } from "@dechirp/core";
import {
  type GatherInterpolator,
  type InterpolatorSpec,
  interpolatorPolynomials,
  interpolatorTable,
  setLinePositions,
} from "@dechirp/radar/interpolation";
import { describe, expect, test } from "vitest";
import { backprojectionProgram } from "../src/backprojection/program.ts";
import { rangeDoppler, scenePresets } from "../src/index.ts";
import { migrationLoad } from "../src/range-doppler/azimuth.ts";
import { couplingLoad, rawLoad } from "../src/range-doppler/range.ts";
import { type Arrays, largestError, type PlacedHook, placeHook } from "./wasm-harness.ts";

/** Half a unit in the last place of numbers from 1 to 2. */
const u = 2 ** -24;
const phaseError = 1.2e-7;
const random = createRandom(20);
const below = (n: number): number => Math.floor(random.uniform() * n);
const normals = (n: number): Float32Array => Float32Array.from({ length: n }, () => random.gaussian());
const largest = (values: ArrayLike<number>): number => Array.from(values).reduce((most, v) => Math.max(most, Math.abs(v)), 0);

/** Runs within rows of `columns`: whole rows, each short length at row starts and ends, and random ones. */
function runsOf(rows: number, columns: number): [start: number, count: number][] {
  const runs: [number, number][] = [];
  for (let row = 0; row < rows; row++) runs.push([row * columns, columns]);
  for (let length = 1; length <= Math.min(9, columns); length++) {
    const row = below(rows);
    runs.push([row * columns, length], [(row + 1) * columns - length, length]);
  }
  for (let i = 0; i < 60; i++) {
    const column = below(columns);
    runs.push([below(rows) * columns + column, 1 + below(columns - column)]);
  }
  return runs;
}

/** Everything, row by row. */
function computed(hook: PlacedHook, rows: number, columns: number): Float32Array {
  const all = new Float32Array(2 * rows * columns);
  for (let row = 0; row < rows; row++) all.set(hook.run(row * columns, columns), 2 * row * columns);
  return all;
}

/** The same; throws where any other run gives other bits. */
function whole(hook: PlacedHook, rows: number, columns: number): Float32Array {
  const all = computed(hook, rows, columns);
  for (const [start, count] of runsOf(rows, columns)) {
    const expected = all.subarray(2 * start, 2 * (start + count));
    expect(Buffer.from(hook.run(start, count).buffer).equals(Buffer.from(expected.slice().buffer)), `${start} + ${count}`).toBe(true);
  }
  return all;
}

/** The hook with each of its arrays in turn at the memory's end, and on a shared memory: equal bits, within `tolerance`. */
function check(load: Load, rows: number, columns: number, arrays: Arrays, tolerance: number): void {
  const plain = placeHook(load, [rows, columns], arrays);
  const found = whole(plain, rows, columns);
  expect(largestError(found, plain.reference(0, rows * columns))).toBeLessThanOrEqual(tolerance);
  for (const last of Object.keys(load.sources)) {
    expect(whole(placeHook(load, [rows, columns], arrays, { last }), rows, columns)).toEqual(found);
  }
  expect(whole(placeHook(load, [rows, columns], arrays, { shared: true }), rows, columns)).toEqual(found);
}

/** Elements that are not finite are in the same places as the reference's, and all others have the bits of `clean`. */
function checkLocal(hook: PlacedHook, clean: Float32Array, rows: number, columns: number): number {
  const found = computed(hook, rows, columns);
  const expected = hook.reference(0, rows * columns);
  let broken = 0;
  for (let i = 0; i < rows * columns; i++) {
    const finite = Number.isFinite(expected[2 * i]) && Number.isFinite(expected[2 * i + 1]);
    expect(Number.isFinite(found[2 * i]) && Number.isFinite(found[2 * i + 1]), `element ${i}`).toBe(finite);
    if (finite) expect([found[2 * i], found[2 * i + 1]]).toEqual([clean[2 * i], clean[2 * i + 1]]);
    else broken++;
  }
  return broken;
}

describe("raw samples", () => {
  test.each([
    ["ci8", 37],
    ["ci8", 64],
    ["ci8", 1],
    ["ci16", 37],
    ["ci16", 2],
    ["c64", 37],
    ["c64", 5],
  ] as const)("%s in lines of %d are the reference's, rounded once", (dtype, samples) => {
    const lines = 6;
    const raw = typedArray(dtype, 2 * lines * samples);
    const span = dtype === "ci8" ? 256 : 65536;
    for (let i = 0; i < raw.length; i++) raw[i] = dtype === "c64" ? random.gaussian() : below(span) - span / 2;
    raw[0] = -span / 2;
    raw[raw.length - 1] = span / 2 - 1;
    const lineGain = normals(lines);
    const load = rawLoad({ dtype, shape: [lines, samples] }, { dtype: "f32", shape: [lines] });
    check(load, lines, samples, { raw, lineGain }, u * largest(raw) * largest(lineGain));
  });

  test("that are NaN do not spread", () => {
    const raw = normals(2 * 32);
    const lineGain = Float32Array.of(1.5);
    const load = rawLoad({ dtype: "c64", shape: [1, 32] }, { dtype: "f32", shape: [1] });
    const clean = placeHook(load, [1, 32], { raw, lineGain }).run(0, 32);
    raw.set([Number.NaN], 9);
    raw.set([Number.POSITIVE_INFINITY], 40);
    expect(checkLocal(placeHook(load, [1, 32], { raw, lineGain }), clean, 1, 32)).toBe(2);
  });
});

describe("coupling", () => {
  const layouts = (rows: number, n: number): [Layout, Layout] => [
    { dtype: "c64", shape: [rows, n] },
    { dtype: "f32", shape: [rows, 3] },
  ];

  // Up to 300 cycles: the reduction counts. Of re·c − im·s: |z|·√2·(phase error) at most, and three roundings.
  test.each([1, 2, 3, 7, 32, 45, 1000])("is the reference's for %d bins", (n) => {
    const rows = 8;
    const spectrum = normals(2 * rows * n);
    const coupling = normals(3 * rows).map((v) => 100 * v);
    coupling.fill(0, 0, 3);
    const magnitude = Math.SQRT2 * largest(spectrum);
    check(couplingLoad(...layouts(rows, n)), rows, n, { spectrum, coupling }, magnitude * (Math.SQRT2 * phaseError + 3 * u));
  });

  test("does not spread NaN", () => {
    const [spectrum, coupling] = [normals(2 * 43), normals(3)];
    const load = couplingLoad(...layouts(1, 43));
    const clean = placeHook(load, [1, 43], { spectrum, coupling }).run(0, 43);
    spectrum.set([Number.NaN], 6);
    spectrum.set([Number.NEGATIVE_INFINITY], 85);
    expect(checkLocal(placeHook(load, [1, 43], { spectrum, coupling }), clean, 1, 43)).toBe(2);
  });
});

interface Migration {
  readonly load: Load;
  readonly arrays: Arrays & { readonly doppler: Float32Array };
  /** Of the gather and the turn. */
  readonly tolerance: number;
}

/**
 * A migration hook on random samples: array [cells][rows]. `curves` are whole cells, fraction and slope of every row. The weights are a
 * table, `taps`, of `count` numbers each, or those of a kernel.
 */
function migrationOf(
  width: number,
  cells: number,
  curves: readonly number[][],
  taps: Float32Array,
  count: number,
  interpolator: GatherInterpolator = { taps: count, phases: taps.length / count - 1 },
): Migration {
  const rows = curves.length;
  const phases = taps.length / count - 1;
  const doppler = normals(2 * rows * width);
  const phase = Uint32Array.from({ length: 3 * rows }, (_, i) => (i >= 2 * rows ? random.uint32() >>> 16 : random.uint32()));
  [0xffffffff, 0xffffffff, 0xffff].forEach((word, column) => {
    phase[column * rows] = word;
  });
  let weights = 0;
  for (let q = 0; q <= phases; q++) {
    weights = Math.max(
      weights,
      taps.subarray(q * count, (q + 1) * count).reduce((sum, w) => sum + Math.abs(w), 0),
    );
  }
  // A weight is a + blend·(b − a): 4u of |a| + |b| at most for blend, difference, product and sum, of which rows sum to
  // 2·weights; the product and count sums add one u each. Then the turn. A polynomial has 2u for each of its coefficients.
  const perWeight = typeof interpolator === "object" && "polynomials" in interpolator ? 40 : 8;
  const magnitude = Math.SQRT2 * largest(doppler) * weights;
  const tolerance = magnitude * ((perWeight + 1 + count) * u + Math.SQRT2 * phaseError + 3 * u);
  const load = migrationLoad({ dtype: "c64", shape: [width, rows] }, cells, interpolator, bits);
  const migration = new Uint32Array(3 * rows);
  for (const [row, [whole, fraction, slope]] of curves.entries())
    setLinePositions(migration, { lines: rows, extent: cells, degree: 1, bits }, row, [whole + fraction, 1 + slope]);
  return { load, arrays: { doppler, migration, phase, ...("weights" in load.sources && { weights: taps }) }, tolerance };
}

/** Bits of the fractions of positions. */
const bits = 18;

const curves: readonly number[][] = [
  [0, 0, 0],
  [9, 0.25, 0.003],
  [-9, 0.999_999_94, 0],
  [3, 0, -1e-9],
  // Beyond its whole part, −1, this lies by exactly 1: the last row of taps, in full.
  [3, -1e-17, 0],
  [5, 0.1, 0.31],
  [40, 0.7, -0.4],
  [100, 0.3, -2.2],
  [-200, 0.5, 1.7],
  [1000, 0.5, 0.01],
  [-1e6, 0.5, 0.01],
  [1e9, 0.5, 60],
  [0, 0.5, 0.5],
];

/** Rows that take the same cells, beside ones that do not. */
const together = curves.flatMap((curve) => Array.from({ length: 7 }, () => curve));

describe("migration", () => {
  test.each([2, 4, 6, 8, 10, 16, 30, 32])("with %d taps is the reference's, also where the gather leaves the array", (count) => {
    for (const [width, cells, phases] of [
      [90, 83, 16],
      [40, 51, 1],
      [5, 14, 7],
    ]) {
      for (const rows of [curves, together]) {
        const { load, arrays, tolerance } = migrationOf(width, cells, rows, normals((phases + 1) * count), count);
        check(load, cells, rows.length, arrays, tolerance);
      }
    }
  });

  test.each([
    ["nearest", 2],
    [{ kind: "sinc", taps: 8, window: "kaiser" }, 8],
    [{ kind: "sinc", taps: 16, window: "knab" }, 16],
  ] as const satisfies [InterpolatorSpec, number][])("with the table and the polynomials of %j is the reference's", (spec, count) => {
    const kernel = interpolatorTable(spec, { oversampling: 1.2 });
    const taps = Float32Array.from(kernel.table);
    const polynomials = interpolatorPolynomials(kernel);
    const unlike = Array.from({ length: 40 }, () => [below(60) - 20, random.uniform(), (random.uniform() - 0.3) / 10]);
    // As they are: each row's curve is a little steeper, so that one cell after another is stepped over.
    const alike = Array.from({ length: 257 }, (_, row) => [12, 0.5, (row - 100) / 4000]);
    for (const rows of [unlike, alike])
      for (const interpolator of [undefined, polynomials ? { polynomials } : "nearest"] as const) {
        const { load, arrays, tolerance } = migrationOf(300, 60, rows, taps, count, interpolator);
        check(load, 60, rows.length, arrays, tolerance);
      }
  });

  test("gathers exactly zero from outside", () => {
    const away = [30, -40, 1e9, -1e9].map((cells) => [cells, 0, 0]);
    const { load, arrays } = migrationOf(20, 16, [...away, [600, 0, -30], [-600, 0, 30]], normals(24), 8);
    const hook = placeHook(load, [16, 6], arrays);
    for (let cell = 0; cell < 16; cell++) expect(largest(hook.run(cell * 6, 6)), `cell ${cell}`).toBe(0);
  });

  test.each([2, 8, 10])("spreads NaN only to cells whose %d taps read it, and within its row", (count) => {
    const rows = Array.from({ length: 6 }, () => [2, 0.3, 0.01]);
    const { load, arrays } = migrationOf(120, 110, rows, normals(17 * count), count);
    const clean = computed(placeHook(load, [110, 6], arrays), 110, 6);
    arrays.doppler.set([Number.NaN], 2 * (50 * 6 + 2));
    arrays.doppler.set([Number.POSITIVE_INFINITY], 2 * (100 * 6 + 5) + 1);
    expect(checkLocal(placeHook(load, [110, 6], arrays), clean, 110, 6)).toBe(2 * count);
  });

  // Single samples of 1: what comes out is the sine and cosine themselves, here of 2²⁰ phases that meet every quarter's edge.
  test("has sines and cosines to 1.2e-7", () => {
    const [rows, cells] = [65536, 16];
    const load = migrationLoad({ dtype: "c64", shape: [cells + 1, rows] }, cells, "nearest");
    const doppler = Float32Array.from({ length: 2 * rows * (cells + 1) }, (_, i) => 1 - (i % 2));
    const phase = new Uint32Array(3 * rows);
    for (let row = 0; row < rows; row++) {
      phase[row] = 65536 * row - 20;
      phase[rows + row] = 4097;
      phase[2 * rows + row] = 4369 * (row % 16);
    }
    const hook = placeHook(load, [cells, rows], { doppler, migration: new Uint32Array(3 * rows), phase });
    let worst = 0;
    for (let cell = 0; cell < cells; cell++) {
      const exact = new Float64Array(2 * rows);
      for (let row = 0; row < rows; row++) {
        const fraction = phase[row] + 4097 * cell + Math.floor((phase[2 * rows + row] * cell) / 65536);
        const angle = (2 * Math.PI * (fraction % 2 ** 32)) / 2 ** 32;
        exact.set([Math.cos(angle), Math.sin(angle)], 2 * row);
      }
      worst = Math.max(worst, largestError(hook.run(cell * rows, rows), exact));
    }
    expect(worst).toBeLessThanOrEqual(phaseError);
    // No 24-bit result can be better.
    expect(worst).toBeGreaterThan(u / 2);
  });
});

describe("frequencies of phase histories", () => {
  test.each([
    [16, 5, 0],
    [16, 5, 2],
    [64, 64, 32],
    [32, 31, 15],
    [8, 7, 7],
    [4, 2, 1],
  ])("%d bins of %d frequencies, shifted by %d, are the reference's, rounded once", (bins, count, shift) => {
    const pulses = 5;
    const weights = Float64Array.from(normals(count));
    const compression = { geometry: undefined as never, shift, weights };
    const shape = { nx: 8, ny: 8, tile: 8, pulses, bins, scheme: "tiles", sets: 1, blockTiles: 1, order: 2, sine: "native" } as const;
    const program = backprojectionProgram({ ...shape, window: { bins: 8, before: 2 } }, compression);
    const { load } = program.steps[0].op as { load: Load };
    const samples = normals(2 * pulses * count);
    const tolerance = largest(samples) * largest(weights) * 2 * u;
    check(load, pulses, bins, { samples, weights: Float32Array.from(weights) }, tolerance);
  });
});

describe("wasm", () => {
  const { radar } = scenePresets.quality;
  const small = { radar: { ...radar, dopplerCentroidHz: 700 }, lines: 64, samples: 1100, src: "doppler" } as const;
  const loadsOf = (params: Parameters<typeof rangeDoppler>[0]): Load[] =>
    rangeDoppler(params).steps.flatMap(({ op }) => ("load" in op && op.load ? [op.load] : []));

  test("is what a program in float32 has for its tuned load", () => {
    const loads = loadsOf({ ...small, rawType: "ci16" });
    expect(loads.map((load) => load.tuned?.wasm?.entry)).toEqual([undefined, "coupling", undefined]);
    const none = [undefined, undefined, undefined];
    expect(loadsOf({ ...small, rawType: "ci16", precision: "f64" }).map((load) => load.tuned?.wasm)).toEqual(none);
  });

  test("is left out if numbers do not fit it", () => {
    const shape = (dtype: RealDType | "c64", ...extents: number[]): Layout => ({ dtype, shape: extents });
    expect(couplingLoad(shape("c64", 2, 2 ** 24 + 1), shape("f32", 2, 3)).tuned?.wasm).toBeUndefined();
    expect(couplingLoad(shape("c64", 2, 64), shape("f64", 2, 3)).tuned?.wasm).toBeUndefined();
  });

  test("leaves the texts of migration out if cells do not fit them", () => {
    const polynomials = [
      [0, 1],
      [1, 0],
    ];
    const tunedOf = (cells: number, dtype: "c64" | "c128" | "cf16" = "c64"): unknown =>
      migrationLoad({ dtype, shape: [70_000, 2] }, cells, { polynomials }).tuned?.wgsl;
    expect(tunedOf(65_536)).toBeDefined();
    expect(tunedOf(65_536, "cf16")).toBeDefined();
    expect(tunedOf(65_537)).toBeUndefined();
    expect(tunedOf(64, "c128")).toBeUndefined();
  });

  test("images with a squinted program's own tables as the reference does", () => {
    const program = rangeDoppler(small);
    const load = program.steps.at(-1)?.op as { load: Load; layout: Layout };
    const [cells, rows] = load.layout.shape;
    const tables = Object.fromEntries(
      Object.keys(load.load.sources).flatMap((name) =>
        name === "doppler" ? [] : [[name, program.constants?.[name]?.data as TypedArrayOf]],
      ),
    );
    const doppler = normals(2 * rows * load.load.sources["doppler"].shape[0]);
    const hook = placeHook(load.load, [cells, rows], { ...tables, doppler });
    // 8 taps whose magnitudes sum to less than 3: as above.
    const tolerance = Math.SQRT2 * largest(doppler) * 3 * ((40 + 1 + 4 + 2) * u + Math.SQRT2 * phaseError + 3 * u);
    for (let cell = 0; cell < cells; cell += 5) {
      expect(largestError(hook.run(cell * rows, rows), hook.reference(cell * rows, rows))).toBeLessThanOrEqual(tolerance);
    }
  });
});
