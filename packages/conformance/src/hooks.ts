/**
 * Checks load and store hooks, fused and lowered, against the definition: other element types and shapes at the sources, several sources,
 * uniforms, real and integer results with saturation, on every kind of transform.
 */
import { type Layout, layout, type Op, type TransformOp, type TypedArrayOf } from "@dechirp/core";
import { close, isTrue } from "./assert.ts";
import { transformed } from "./definition.ts";
import { check, type Kit, suite } from "./kit.ts";
import { random, randomArray } from "./random.ts";
import { c64, runOp } from "./run.ts";
import { detect, integersTimesGain, quantized, shiftedTable, weighted } from "./samples.ts";
import { correct } from "./tolerance.ts";

type Inputs = Readonly<Record<string, TypedArrayOf>>;

/** Runs `op` fused and lowered, and calls `expect` with each result. */
async function bothWays(
  kit: Kit,
  op: Op,
  inputs: Inputs,
  uniforms: Record<string, number>,
  expect: (out: TypedArrayOf, text: string) => void,
): Promise<void> {
  for (const fuse of [true, false]) {
    const { out, text } = await runOp(kit.device, op, inputs, { fuse, uniforms });
    expect(out, text);
  }
}

/** The values that `integersTimesGain` loads, in float32 like every transform's input. */
function gained(raw: TypedArrayOf, gain: TypedArrayOf, extent: number): Float32Array {
  return Float32Array.from(raw, (v, i) => v * gain[Math.floor(i / (2 * extent))]);
}

/**
 * Whether `out` is `value` rounded to nearest, ties away from zero, and saturated. A value within `slack` of a tie may be rounded either
 * way.
 */
function isRounded(actual: number, value: number, low: number, high: number, slack: number): boolean {
  const fit = (v: number): number => Math.min(Math.max(Math.sign(v) * Math.round(Math.abs(v)), low), high);
  return actual >= fit(value - slack) && actual <= fit(value + slack);
}

const shape = (lines: number, n: number): Layout<"c64"> => c64(lines, n);

/** Checks loads and stores of transforms against their references. */
export const hooks = suite("hooks", [
  check("load: 8- and 16-bit I/Q times a gain per line, padded and kept in part", async (kit) => {
    for (const raw of ["ci8", "ci16"] as const) {
      for (const [lines, extent, n] of [
        [5, 24, 32],
        [11, 40, 40],
        [3, 50, 30],
      ]) {
        const load = integersTimesGain(lines, extent, raw);
        const source = random(n);
        const data = { raw: randomArray(load.sources["raw"], source), gain: randomArray(load.sources["gain"], source) };
        const x = gained(data.raw, data.gain, extent);
        const bare = { op: "fft", layout: shape(lines, extent), axis: 1, n, inverse: false } as const;
        for (const keep of [undefined, [2, n - 5] as const]) {
          const plain: TransformOp = keep ? { ...bare, keep } : bare;
          await bothWays(kit, { ...plain, load }, data, {}, (out, text) => close(out, transformed(plain, x), correct(n, "c64", 3), text));
        }
      }
    }
  }),
  check("load: a shared table, shifted by a uniform, along either axis", async (kit) => {
    const [lines, n, length] = [6, 30, 19];
    const load = shiftedTable(length);
    const table = randomArray(load.sources["table"], random(3));
    for (const shift of [0, 7, -40]) {
      const scale = 1.5;
      const x = Float32Array.from({ length: 2 * lines * n }, (_, i) => {
        const at = (((((i >> 1) % n) + shift) % length) + length) % length;
        return table[2 * at + (i & 1)] * scale;
      });
      for (const axis of [0, 1]) {
        const bare = { op: "fft", layout: shape(lines, n), axis, inverse: axis === 0 } as const;
        await bothWays(kit, { ...bare, load }, { table }, { shift, scale }, (out, text) =>
          close(out, transformed(bare, x), correct(n, "c64", 3), text),
        );
      }
    }
  }),
  check("load and store on spectral-filter and filter-inverse", async (kit) => {
    const [lines, extent, n] = [4, 27, 48];
    const load = integersTimesGain(lines, extent);
    const keep = [5, 20] as const;
    const source = random(8);
    const weight = randomArray(layout("f32", [keep[1]]), source);
    const data = {
      raw: randomArray(load.sources["raw"], source),
      gain: randomArray(load.sources["gain"], source),
      h: randomArray(c64(n), source),
      weight,
    };
    const x = gained(data.raw, data.gain, extent);
    for (const op of ["spectral-filter", "filter-inverse"] as const) {
      const bare = { op, layout: shape(lines, extent), axis: 1, n, h: "line", keep } as const;
      const plain = transformed(bare, x, data.h);
      const expected = plain.map((v, i) => v * weight[(i >> 1) % keep[1]]);
      await bothWays(kit, { ...bare, load, store: weighted(keep[1]) }, data, {}, (out, text) =>
        close(out, expected, 2 * correct(n, "c64", 5), text),
      );
    }
  }),
  check("store: detection to floats", async (kit) => {
    for (const axis of [0, 1]) {
      const bare = { op: "fft", layout: shape(12, 18), axis, inverse: false } as const;
      const x = randomArray(bare.layout, random(axis));
      const y = transformed(bare, x);
      const expected = Float64Array.from({ length: 12 * 18 }, (_, e) => (y[2 * e] ** 2 + y[2 * e + 1] ** 2) * 0.25);
      // |y|² doubles the relative error, and large values count more.
      await bothWays(kit, { ...bare, store: detect("f32") }, { in: x }, { level: 0.25 }, (out, text) =>
        close(out, expected, 4 * correct(18, "c64"), text),
      );
    }
  }),
  check("store: detection to bytes saturates", async (kit) => {
    const bare = { op: "fft", layout: shape(9, 32), axis: 1, inverse: false } as const;
    const x = randomArray(bare.layout, random(6));
    const y = transformed(bare, x);
    const level = 40;
    await bothWays(kit, { ...bare, store: detect("u8") }, { in: x }, { level }, (out, text) => {
      let saturated = 0;
      for (let e = 0; e < out.length; e++) {
        const value = (y[2 * e] ** 2 + y[2 * e + 1] ** 2) * level;
        if (value > 256) saturated += 1;
        isTrue(isRounded(out[e], value, 0, 255, 1e-3), `${text}: ${value} stored as ${out[e]}`);
      }
      isTrue(saturated > 0 && saturated < out.length / 2, "the data saturates some of the bytes");
    });
  }),
  check("store: complex integers round and saturate on both sides", async (kit) => {
    for (const [dtype, high] of [
      ["ci8", 127],
      ["ci16", 32767],
    ] as const) {
      const bare = { op: "fft", layout: shape(7, 20), axis: 1, inverse: true } as const;
      const x = randomArray(bare.layout, random(high));
      const y = transformed(bare, x);
      const level = 12 * high; // y has a standard deviation of about 0.06
      await bothWays(kit, { ...bare, store: quantized(dtype) }, { in: x }, { level }, (out, text) => {
        const slack = high * 12 * correct(20, "c64");
        for (let i = 0; i < out.length; i++)
          isTrue(isRounded(out[i], y[i] * level, -high - 1, high, slack), `${text}: ${y[i] * level} stored as ${out[i]}`);
        isTrue(out.includes(high as never) && out.includes((-high - 1) as never), "the data saturates on both sides");
      });
    }
  }),
  check("hooks on real transforms", async (kit) => {
    const [lines, n] = [5, 30];
    const load = integersTimesGain(lines, n, "ci16");
    const source = random(12);
    const data = { raw: randomArray(load.sources["raw"], source), gain: randomArray(load.sources["gain"], source) };
    const x = gained(data.raw, data.gain, n).filter((_, i) => i % 2 === 0); // a real transform takes the real part
    const forward = { op: "real-fft", layout: layout("f32", [lines, n]), axis: 1, inverse: false } as const;
    await bothWays(kit, { ...forward, load }, data, {}, (out, text) => close(out, transformed(forward, x), correct(n, "c64", 3), text));
    const inverse = { op: "real-fft", layout: shape(lines, 16), axis: 1, n, inverse: true } as const;
    const spectrum = randomArray(inverse.layout, source);
    const expected = transformed(inverse, spectrum).map((v) => v * v * 4);
    await bothWays(kit, { ...inverse, store: detect("f32") }, { in: spectrum }, { level: 4 }, (out, text) =>
      close(out, expected, 4 * correct(n, "c64", 2), text),
    );
  }),
  check("load and store together, uniforms of both, integers in and integers out", async (kit) => {
    const [lines, n] = [3, 64];
    const load = shiftedTable(n);
    const bare = { op: "fft", layout: shape(lines, n), axis: 1, inverse: true } as const;
    const table = randomArray(load.sources["table"], random(1));
    const uniforms = { shift: 5, scale: 2, level: 8000 };
    const x = Float32Array.from({ length: 2 * lines * n }, (_, i) => table[2 * ((((i >> 1) % n) + 5) % n) + (i & 1)] * 2);
    const y = transformed(bare, x);
    await bothWays(kit, { ...bare, load, store: detect("u8") }, { table }, uniforms, (out, text) => {
      for (let e = 0; e < out.length; e++) {
        const value = (y[2 * e] ** 2 + y[2 * e + 1] ** 2) * uniforms.level;
        isTrue(isRounded(out[e], value, 0, 255, 1e-2), `${text}: ${value} stored as ${out[e]}`);
      }
    });
  }),
]);
