/**
 * Tests corner turns in WASM, with WASM hooks on both sides: the numbers of the same op without a corner turn, bit for bit, in the other
 * order. Hooks trap if a run leaves a row of the last axis; their references throw, so that only the WASM forms can have computed the
 * results.
 */

import { random, randomArray } from "@dechirp/conformance";
import {
  type DType,
  dtypes,
  type Layout,
  type Load,
  layout,
  open,
  portsOf,
  type Store,
  type TransformOp,
  type TypedArrayOf,
  withAxis,
} from "@dechirp/core";
import { beforeAll, describe, expect, test } from "vitest";
import { cpu } from "../src/index.ts";
import { assembleBoth } from "./assemble.ts";

const source = `
  // Words: x, columns. Multiplies elements by their row's index plus one.
  export function rowTimes(argument: usize, start: u32, count: u32, out: usize): void {
    const x: usize = load<u32>(argument), columns = u32(load<f32>(argument, 4));
    const row = start / columns;
    if ((start + count - 1) / columns != row) unreachable();
    for (let i: u32 = 0; i < 2 * count; i++) store<f32>(out + 4 * i, load<f32>(x + 4 * (2 * start + i)) * f32(row + 1));
  }
  // Words: weight, columns. Multiplies the real part by the element's weight.
  function weighted(argument: usize, start: u32, count: u32, i: u32, x: usize): f32 {
    const columns = u32(load<f32>(argument, 4));
    if ((start + count - 1) / columns != start / columns) unreachable();
    return load<f32>(x + 8 * i) * load<f32>(load<u32>(argument) + 4 * (start + i));
  }
  export function c64(argument: usize, start: u32, count: u32, x: usize, out: usize): void {
    for (let i: u32 = 0; i < count; i++) {
      store<f32>(out + 8 * i, weighted(argument, start, count, i, x));
      store<f32>(out + 8 * i, load<f32>(x + 8 * i, 4), 4);
    }
  }
  export function f32s(argument: usize, start: u32, count: u32, x: usize, out: usize): void {
    for (let i: u32 = 0; i < count; i++) store<f32>(out + 4 * i, weighted(argument, start, count, i, x));
  }
  export function i16s(argument: usize, start: u32, count: u32, x: usize, out: usize): void {
    for (let i: u32 = 0; i < count; i++) store<i16>(out + 2 * i, i16(i32(f32(16384) * weighted(argument, start, count, i, x))));
  }
  export function u8s(argument: usize, start: u32, count: u32, x: usize, out: usize): void {
    for (let i: u32 = 0; i < count; i++) store<u8>(out + i, u8(i32(f32(16384) * weighted(argument, start, count, i, x))));
  }
  export function c128(argument: usize, start: u32, count: u32, x: usize, out: usize): void {
    for (let i: u32 = 0; i < 2 * count; i++) store<f64>(out + 8 * i, f64(load<f32>(x + 4 * i)));
  }
`;
let modules: Awaited<ReturnType<typeof assembleBoth>>;
const stores = { c64: "c64", f32: "f32s", i16: "i16s", u8: "u8s", c128: "c128" } as const;

beforeAll(async () => {
  modules = await assembleBoth(source);
});

const noReference = (): never => {
  throw new Error("computed by reference");
};

const last = (shape: readonly number[]): number => shape[shape.length - 1];

const rowTimes = (x: Layout): Load => ({
  name: "row times",
  constants: { columns: last(x.shape) },
  sources: { x },
  wasm: { ...modules, entry: "rowTimes", precision: "f32" },
  reference: noReference,
});

const weighted = (dtype: keyof typeof stores, shape: readonly number[]): Store => ({
  name: `weighted ${dtype}`,
  dtype,
  constants: { columns: last(shape) },
  sources: { weight: layout("f32", shape) },
  wasm: { ...modules, entry: stores[dtype], precision: "f32" },
  reference: noReference,
});

/** The array with its last two axes exchanged, computed element by element. */
function turnedOf(x: TypedArrayOf, dtype: DType, shape: readonly number[]): TypedArrayOf {
  const parts = dtypes[dtype].components;
  const [rows, columns] = shape.slice(-2);
  const y = x.slice();
  for (let i = 0; i < x.length; i++) {
    const [e, part] = [Math.floor(i / parts), i % parts];
    const [outer, row, column] = [Math.floor(e / (rows * columns)), Math.floor(e / columns) % rows, e % columns];
    y[((outer * columns + column) * rows + row) * parts + part] = x[i];
  }
  return y;
}

type Case = readonly [shape: readonly number[], axis: number, n: number, keep: readonly [number, number]];

/** Several tiles and a partial one, odd numbers of lines, one line, one column, outer axes, four lines at once. */
const cases: readonly Case[] = [
  [[150, 24], 1, 32, [3, 21]],
  [[7, 40], 1, 64, [0, 64]],
  [[2, 70, 12], 2, 13, [1, 11]],
  [[1, 24], 1, 24, [0, 24]],
  [[40, 150], 0, 48, [5, 37]],
  [[2, 30, 71], 1, 35, [0, 35]],
  [[24, 1], 0, 24, [2, 20]],
];

describe.each([1, 2])("on %d units", (units) => {
  test.each(cases)("%j along axis %d, n = %d, keep %j", async (shape, axis, n, keep) => {
    using device = await open(cpu({ workers: units }));
    const source = random(31);
    const input = layout("c64", shape);
    const resultShape = withAxis(input, axis, keep[1]).shape;
    const filterShape = withAxis(input, axis, n).shape;
    const arrays: Record<string, TypedArrayOf> = {
      x: randomArray(input, source),
      weight: randomArray(layout("f32", resultShape), source),
    };
    const run = async (op: TransformOp): Promise<{ text: string; result: TypedArrayOf }> => {
      using plan = await device.plan(op);
      const { out: written, ...read } = portsOf(op);
      using out = device.alloc(written.layout);
      const bound = Object.entries(read).map(([name, port]) => {
        const buffer = device.alloc(port.layout);
        buffer.write(arrays[name === "in" ? "x" : name]);
        return [name, buffer] as const;
      });
      await plan.run({ ...Object.fromEntries(bound), out }).done;
      const result = await out.read();
      for (const [, buffer] of bound) buffer[Symbol.dispose]();
      return { text: plan.text, result };
    };
    const common = { layout: input, axis, n, keep };
    for (const load of [undefined, rowTimes(input)]) {
      for (const dtype of [undefined, "c64", "f32", "i16", "u8"] as const) {
        const hooks = { ...(load && { load }), ...(dtype && { store: weighted(dtype, resultShape) }) };
        for (const h of ["line", "all"] as const) {
          arrays["h"] = randomArray(layout("c64", h === "line" ? [n] : filterShape), source);
          const ops: readonly TransformOp[] = [
            { op: "fft", inverse: h === "all", ...common, ...hooks },
            { op: "spectral-filter", h, ...common, ...hooks },
            { op: "filter-inverse", h, ...common, ...hooks },
          ];
          for (const op of ops) {
            const [straight, turned] = [await run(op), await run({ ...op, cornerTurn: true })];
            expect(straight.text).toMatch(new RegExp(`^\\(${op.op}/wasm`));
            expect(turned.text).toMatch(new RegExp(`^\\(${op.op}/wasm`));
            const expected = turnedOf(straight.result, dtype ?? "c64", resultShape);
            expect(Buffer.compare(bytesOf(turned.result), bytesOf(expected)), turned.text).toBe(0);
            expect(new Set(expected).size, turned.text).toBeGreaterThan(Math.min(60, expected.length / 4));
          }
        }
      }
    }
  });
});

const bytesOf = ({ buffer, byteOffset, byteLength }: TypedArrayOf): Buffer => Buffer.from(buffer, byteOffset, byteLength);

test("results of sixteen bytes, real lines, other axes and in-place squares are lowered", async () => {
  using device = await open(cpu({ workers: 1 }));
  const shape = [6, 8, 8];
  const fft = { op: "fft", layout: layout("c64", shape), axis: 2, inverse: false, cornerTurn: true } as const;
  const text = async (op: TransformOp, inPlace = false): Promise<string> => {
    using plan = await device.plan(op, { inPlace });
    return plan.text;
  };
  expect(await text(fft)).toMatch(/^\(fft\/wasm .* corner-turned rows\)$/);
  expect(await text({ ...fft, axis: 1 })).toMatch(/^\(fft\/wasm .* corner-turned columns\)$/);
  const lowered = /^\(fft\/lowered .*\(transpose\/wasm/;
  expect(await text({ ...fft, axis: 0 })).toMatch(lowered);
  expect(await text(fft, true)).toMatch(lowered);
  expect(await text({ ...fft, store: weighted("c128", shape) })).toMatch(lowered);
  expect(await text({ op: "real-fft", layout: layout("f32", shape), axis: 2, inverse: false, cornerTurn: true })).toMatch(
    /^\(real-fft\/lowered/,
  );
});
