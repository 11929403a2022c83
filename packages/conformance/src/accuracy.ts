/**
 * The accuracy gate: relative L2 error against the definition in float64, pooled over at least 1,000 random lines (as many
 * as make 2²⁰ elements where lines are longer than 4096), at most what tolerance.ts derives. Of each line some random bins
 * are computed by definition, 8,000 in all, fewer of long lines: a pooled error is known to
 * 1 %, to 9 % at n = 2²⁰.
 */
import {
  type ComplexDType,
  type Device,
  type Layout,
  layout,
  type Op,
  resultLayout,
  type TransformOp,
  type TypedArrayOf,
} from "@dechirp/core";
import { fail, identical } from "./assert.ts";
import { dft, dftBins, product, range } from "./definition.ts";
import { check, type Kit, suite } from "./kit.ts";
import { random, randomArray, type TestRandom } from "./random.ts";
import { complexTypes, type OpResult, runOp } from "./run.ts";
import { longLengths, shortLengths } from "./sizes.ts";
import { filterGate, gate, gateFloat64, halfFilterGate, realGate } from "./tolerance.ts";

const rowsFor = (n: number, kit: Kit): number => (n <= 4096 ? (kit.sizes === "full" ? 1000 : 300) : Math.ceil(2 ** 20 / n));
/** Bins of each of `rows` lines of `n`: 8,000 in all, fewer (32 at least) where that would be more than 2²³ terms of definition. */
const binsFor = (rows: number, n: number): number => Math.ceil(Math.max(32, Math.min(8000, 2 ** 23 / n)) / rows);

const gatedLengths = (kit: Kit): number[] =>
  [...shortLengths(kit.sizes), ...(kit.sizes === "full" ? longLengths(kit.sizes) : [243, 256, 1000, 1024])].filter(
    (n) => n <= kit.device.limits.maxTransformLength,
  );

/** Errors pooled over many lines. */
interface Pool {
  error: number;
  energy: number;
  worst: number;
  largest: number;
}

function addTo(pool: Pool, actual: number, expected: number): void {
  const d = Math.abs(actual - expected);
  pool.error += d * d;
  pool.energy += expected * expected;
  pool.worst = Math.max(d, pool.worst);
  pool.largest = Math.max(pool.largest, Math.abs(expected));
}

/**
 * L2 within `allowed`, and L∞ (against the largest value) within 4 times that: of m Gaussian errors as large as the mean
 * the largest is √(2·ln m) times it, 4.3 for 10⁴, and the largest value is as many times the mean value.
 */
function expectWithin(pool: Pool, allowed: number, what: string): void {
  const l2 = pool.error === 0 ? 0 : Math.sqrt(pool.error / pool.energy);
  const max = pool.worst === 0 ? 0 : pool.worst / pool.largest;
  if (!(l2 <= allowed)) fail(`${what}: pooled relative L2 error ${l2.toExponential(3)}, the gate is ${allowed.toExponential(3)}`);
  if (!(max <= 4 * allowed)) fail(`${what}: relative L∞ error ${max.toExponential(3)}, the gate is ${(4 * allowed).toExponential(3)}`);
}

interface Gated {
  readonly op: TransformOp;
  readonly rows: number;
  readonly inputs: Readonly<Record<string, TypedArrayOf>>;
  /** Elements `bins` of the result of one row. */
  expected(row: number, bins: readonly number[]): Float64Array;
  allowed(plan: OpResult): number;
}

async function expectGate(device: Device, source: TestRandom, { op, rows, inputs, expected, allowed }: Gated): Promise<void> {
  const ran = await runOp(device, op, inputs);
  const { out, text } = ran;
  const result = resultLayout(op);
  const extent = result.shape[1];
  const components = out.length / (rows * extent);
  const wanted = binsFor(rows, extent);
  const pool: Pool = { error: 0, energy: 0, worst: 0, largest: 0 };
  for (let row = 0; row < rows; row++) {
    const bins = extent <= wanted ? range(0, extent) : range(0, wanted).map(() => source.integer(0, extent - 1));
    const values = expected(row, bins);
    bins.forEach((bin, b) => {
      for (let part = 0; part < components; part++) addTo(pool, out[components * (row * extent + bin) + part], values[2 * b + part]);
    });
  }
  expectWithin(pool, allowed(ran), `${text}, ${rows} lines`);
}

const rowsOf = (data: TypedArrayOf, length: number) => (row: number) => data.subarray(row * length, (row + 1) * length) as TypedArrayOf;

async function complexGate(kit: Kit, dtype: ComplexDType, n: number, inverse: boolean): Promise<void> {
  const source = random(n + (inverse ? 1e6 : 0));
  const rows = dtype === "c64" ? rowsFor(n, kit) : 8;
  const op = { op: "fft", layout: layout(dtype, [rows, n]), axis: 1, inverse } as const;
  const x = randomArray(op.layout, source);
  if (n === 1) return identical((await runOp(kit.device, op, { in: x })).out, x, "n = 1 is exact");
  const row = rowsOf(x, 2 * n);
  await expectGate(kit.device, source, {
    op,
    rows,
    inputs: { in: x },
    expected: (r, bins) => dftBins(row(r), n, bins, inverse),
    allowed: (plan) => (dtype === "c64" ? gate(n, plan) : gateFloat64(n, plan)),
  });
}

/** A filter of unit magnitude, exact to half a unit: the error of its own rounding is the reference's as well. */
function phases(n: number, source: TestRandom): Float32Array {
  const h = new Float32Array(2 * n);
  for (let k = 0; k < n; k++) {
    const angle = 2 * Math.PI * source.next();
    h[2 * k] = Math.cos(angle);
    h[2 * k + 1] = Math.sin(angle);
  }
  return h;
}

/** Lengths of gates whose reference costs n² a line. */
const filterLengths = (kit: Kit): number[] => (kit.sizes === "full" ? [8, 60, 64, 97, 128, 250, 256] : [8, 60, 64, 97]);

async function filterGates(kit: Kit, kind: "spectral-filter" | "filter-inverse", n: number): Promise<void> {
  const source = random(n);
  const rows = kit.sizes === "full" ? 1000 : 300;
  const shape: Layout<"c64"> = layout("c64", [rows, n]);
  const x = randomArray(shape, source);
  const h = phases(n, source);
  const row = rowsOf(x, 2 * n);
  await expectGate(kit.device, source, {
    op: { op: kind, layout: shape, axis: 1, h: "line" } as Op as TransformOp,
    rows,
    inputs: { in: x, h },
    expected: (r, bins) => dftBins(product(kind === "spectral-filter" ? dft(row(r), n, false) : row(r), h), n, bins, true),
    allowed: (plan) => (kind === "spectral-filter" ? filterGate(n, plan) : halfFilterGate(n, plan)),
  });
}

async function realGates(kit: Kit, n: number): Promise<void> {
  const source = random(n);
  const rows = rowsFor(n, kit);
  const shape = layout("f32", [rows, n]);
  const x = randomArray(shape, source);
  const row = rowsOf(x, n);
  await expectGate(kit.device, source, {
    op: { op: "real-fft", layout: shape, axis: 1, inverse: false },
    rows,
    inputs: { in: x },
    expected(r, bins) {
      const line = new Float64Array(2 * n);
      row(r).forEach((v, i) => {
        line[2 * i] = v;
      });
      return dftBins(line, n, bins, false);
    },
    allowed: (plan) => realGate(n, plan),
  });
}

/** Errors of transforms against float64, within 0.4·ε·√log₂n, or 0.8 through a convolution. */
export const accuracy = suite("accuracy", [
  check("c64 forward: 0.4·ε·√log₂n, 0.8 through a convolution", async (kit) => {
    for (const n of gatedLengths(kit)) await complexGate(kit, "c64", n, false);
  }),
  check("c64 inverse", async (kit) => {
    for (const n of gatedLengths(kit)) if (n <= 128 || n === 1009 || n === 4096) await complexGate(kit, "c64", n, true);
  }),
  check("c128, where the device has it", async (kit) => {
    if (!complexTypes(kit.device).includes("c128")) return;
    for (const n of gatedLengths(kit)) for (const inverse of [false, true]) if (n <= 20_000) await complexGate(kit, "c128", n, inverse);
  }),
  check("spectral-filter with unit phases: √2 of the gate and a product", async (kit) => {
    for (const n of filterLengths(kit)) await filterGates(kit, "spectral-filter", n);
  }),
  check("filter-inverse with unit phases: the gate and a product", async (kit) => {
    for (const n of filterLengths(kit)) await filterGates(kit, "filter-inverse", n);
  }),
  check("real forward: the gate and a split", async (kit) => {
    for (const n of gatedLengths(kit)) if (n <= 128 || (n <= 4100 && n % 2 === 0)) await realGates(kit, n);
  }),
]);
