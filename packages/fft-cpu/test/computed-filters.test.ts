/**
 * Tests computed filters in WASM: the numbers of the same op with the filter's values in an array, bit for bit, alone and with hooks in WASM
 * on both sides. Hooks trap if a run leaves a row of the last axis; their references throw, so that only the WASM forms can have
 * computed the results. Also tests which rule takes a filter whose hook has no WASM form.
 */

import { random, randomArray, type TestRandom } from "@dechirp/conformance";
import { type Layout, type Load, layout, open, portsOf, type Store, type TransformOp, type TypedArrayOf, withAxis } from "@dechirp/core";
import { beforeAll, describe, expect, test } from "vitest";
import { cpu } from "../src/index.ts";
import { assembleBoth } from "./assemble.ts";

const source = `
  // Words: values, signs, level (f32), shift (i32), columns (f32).
  export function filter(argument: usize, start: u32, count: u32, out: usize): void {
    const values: usize = load<u32>(argument) + 8 * usize(start), signs: usize = load<u32>(argument, 4);
    const level = load<f32>(argument, 8), shift = load<i32>(argument, 12), columns = u32(load<f32>(argument, 16));
    check(columns, start, count);
    const row = start / columns;
    const sign: f32 = (load<u32>(signs + 4 * usize(row)) + shift) & 1 ? -1 : 1;
    for (let i: usize = 0; i < usize(count); i++) {
      store<f32>(out + 8 * i, level * load<f32>(values + 8 * i));
      store<f32>(out + 8 * i, sign * load<f32>(values + 8 * i, 4), 4);
    }
  }
  function check(columns: u32, start: u32, count: u32): void {
    if ((start + count - 1) / columns != start / columns) unreachable();
  }
  // Words: x, columns (f32).
  export function copied(argument: usize, start: u32, count: u32, out: usize): void {
    check(u32(load<f32>(argument, 4)), start, count);
    memory.copy(out, load<u32>(argument) + 8 * usize(start), 8 * usize(count));
  }
  // Words: gain (f32), columns (f32).
  export function raised(argument: usize, start: u32, count: u32, x: usize, out: usize): void {
    check(u32(load<f32>(argument, 4)), start, count);
    for (let i: usize = 0; i < 2 * usize(count); i++) store<f32>(out + 4 * i, load<f32>(argument) * load<f32>(x + 4 * i));
  }
`;
let modules: Awaited<ReturnType<typeof assembleBoth>>;

beforeAll(async () => {
  modules = await assembleBoth(source);
});

const noReference = (): never => {
  throw new Error("computed by reference");
};

const filterOf = ({ shape }: Layout): Load => ({
  name: "signed",
  uniforms: { level: "f32", shift: "i32" },
  constants: { columns: columnsOf(shape) },
  sources: { values: layout("c64", shape), signs: layout("u32", [rowsOf(shape)]) },
  wasm: { ...modules, entry: "filter", precision: "f32" },
  reference: noReference,
});
const copied = (x: Layout): Load => ({
  name: "copied",
  constants: { columns: columnsOf(x.shape) },
  sources: { x },
  wasm: { ...modules, entry: "copied", precision: "f32" },
  reference: noReference,
});
const raised = (columns: number): Store => ({
  name: "raised",
  constants: { columns },
  dtype: "c64",
  uniforms: { gain: "f32" },
  sources: {},
  wasm: { ...modules, entry: "raised", precision: "f32" },
  reference: noReference,
});

const columnsOf = (shape: readonly number[]): number => shape[shape.length - 1];
const rowsOf = (shape: readonly number[]): number => shape.slice(0, -1).reduce((a, b) => a * b, 1);

/** Data of the filter's sources, and the filter's values in single precision. */
function dataOf(spectrum: Layout<"c64">, { level, shift }: Uniforms, of: TestRandom): Readonly<Record<string, TypedArrayOf>> {
  const values = randomArray(spectrum, of);
  const signs = randomArray(layout("u32", [rowsOf(spectrum.shape)]), of);
  const columns = columnsOf(spectrum.shape);
  const h = values.map((v, i) => (i % 2 === 0 ? v * level : (signs[Math.floor(i / 2 / columns)] + shift) % 2 === 0 ? v : -v));
  return { values, signs, h };
}

interface Uniforms {
  readonly level: number;
  readonly shift: number;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: TypedArrayOf): Buffer => Buffer.from(buffer, byteOffset, byteLength);

type Case = readonly [shape: readonly number[], axis: number, n: number, keep: readonly [number, number] | undefined];

/**
 * Several tiles and a partial one, numbers of lines that are no multiple of a batch, one line, one column, axes before the last
 * two, lines transformed
 * one at a time, four at a time and as convolutions, and more than a page of work memory.
 */
const cases: readonly Case[] = [
  [[150, 24], 1, 32, [3, 21]],
  [[7, 40], 1, 64, undefined],
  [[5, 128], 1, 128, undefined],
  [[6, 100], 1, 97, undefined],
  [[1, 24], 1, 24, undefined],
  [[2, 70, 12], 2, 13, [1, 11]],
  [[40, 150], 0, 48, [5, 37]],
  [[2, 30, 71], 1, 35, undefined],
  [[3, 4, 5], 0, 16, undefined],
  [[5, 9, 21], 0, 8, [1, 6]],
  [[3, 5, 2, 70], 1, 8, [1, 6]],
  [[6, 2, 1], 0, 6, undefined],
  [[24, 1], 0, 24, [2, 20]],
  [[53, 37], 0, 53, undefined],
  [[3, 8192], 1, 8192, undefined],
  [[3, 5003], 1, 5003, undefined],
  [[4096, 21], 0, 5000, [100, 3000]],
];

describe.each([1, 2])("on %d units", (units) => {
  test.each(cases)("%j along axis %d, n = %d, keep %j", async (shape, axis, n, keep) => {
    using device = await open(cpu({ workers: units }));
    const of = random(n);
    const input = layout("c64", shape);
    const spectrum = withAxis(input, axis, n);
    const x = randomArray(input, of);
    const filterUniforms = { level: 0.75, shift: -3 };
    const data = dataOf(spectrum, filterUniforms, of);
    const run = async (op: TransformOp, uniforms: Record<string, number>): Promise<{ text: string; result: TypedArrayOf }> => {
      using plan = await device.plan(op);
      const { out: written, ...read } = portsOf(op);
      using out = device.alloc(written.layout);
      const bound = Object.entries(read).map(([name, port]) => {
        const buffer = device.alloc(port.layout);
        buffer.write(name === "in" || name === "x" ? x : data[name]);
        return [name, buffer] as const;
      });
      await plan.run({ ...Object.fromEntries(bound), out }, { uniforms }).done;
      const result = await out.read();
      for (const [, buffer] of bound) buffer[Symbol.dispose]();
      return { text: plan.text, result };
    };
    for (const op of ["spectral-filter", "filter-inverse"] as const) {
      for (const cornerTurn of shape.length > 1 && axis >= shape.length - 2 ? [false, true] : [false]) {
        const [load, store] = [copied(input), raised(columnsOf(withAxis(input, axis, keep?.[1] ?? n).shape))];
        for (const hooks of [{}, { load }, { store }, { load, store }]) {
          const common = { op, layout: input, axis, n, ...(keep && { keep }), ...(cornerTurn && { cornerTurn }), ...hooks };
          const gain = "store" in hooks ? { gain: 3 } : {};
          const computed = await run({ ...common, h: filterOf(spectrum) }, { ...filterUniforms, ...gain });
          const expected = await run({ ...common, h: "all" }, gain);
          expect(computed.text).toMatch(new RegExp(`^\\(${op}/wasm .* h=signed`));
          expect(Buffer.compare(bytesOf(computed.result), bytesOf(expected.result)), computed.text).toBe(0);
          expect(new Set(expected.result).size).toBeGreaterThan(Math.min(60, expected.result.length / 4));
        }
      }
    }
  });
});

test("a hook without a WASM form and double precision go by reference; unfused plans are lowered", async () => {
  using device = await open(cpu({ workers: 1 }));
  const text = async (op: TransformOp): Promise<string> => {
    using plan = await device.plan(op);
    return plan.text;
  };
  const { wasm: _, ...byReference } = filterOf(layout("c64", [4, 64]));
  const op = { op: "spectral-filter", layout: layout("c64", [4, 64]), axis: 1 } as const;
  expect(await text({ ...op, h: byReference })).toMatch(/^\(spectral-filter\/lines .* h=signed by reference\)$/);
  expect(await text({ ...op, h: byReference, store: raised(64) })).toMatch(/h=signed by reference store=raised by reference\)$/);
  const double = { ...op, layout: layout("c128", [4, 64]) } as const;
  expect(await text({ ...double, h: filterOf(double.layout) })).toMatch(/^\(spectral-filter\/lines .* f64 .* h=signed by reference\)$/);
  using unfused = await device.plan({ ...op, h: filterOf(op.layout) }, { fuse: false });
  expect(unfused.text).toMatch(/^\(spectral-filter\/lowered .*kernel\/reference multiply h=signed/);
});
