/**
 * Checks transforms with a corner turn against the definition: along either of the last two axes and along others, padded, kept in part,
 * filtered, with load and store hooks, and with even and odd numbers of lines.
 */
import { type Fft, layout, type TransformOp, type TypedArrayOf } from "@dechirp/core";
import { close } from "./assert.ts";
import { type AnyTransform, transformed } from "./definition.ts";
import { check, type Kit, suite } from "./kit.ts";
import { matches } from "./match.ts";
import { random, randomArray } from "./random.ts";
import { c64, complexTypes, runOp } from "./run.ts";
import { detect, integersTimesGain, weighted } from "./samples.ts";
import { correct } from "./tolerance.ts";

const fft = (shape: readonly number[], axis: number, more: Partial<Fft> = {}): Fft => ({
  op: "fft",
  layout: c64(...shape),
  axis,
  inverse: false,
  cornerTurn: true,
  ...more,
});

/** Runs `op` fused and lowered. Both results must be close to `expected`. */
async function bothClose(
  kit: Kit,
  op: TransformOp,
  inputs: Readonly<Record<string, TypedArrayOf>>,
  expected: ArrayLike<number>,
  tolerance: number,
): Promise<void> {
  for (const fuse of [true, false]) {
    const { out, text } = await runOp(kit.device, op, inputs, { fuse, uniforms: op.store?.uniforms ? { level: 2 } : {} });
    close(out, expected, tolerance, text);
  }
}

/** Checks transforms with a corner turn. */
export const cornerTurns = suite("corner turns", [
  check("along any axis, padded, kept in part", async (kit) => {
    for (const [shape, axis, more] of [
      [[6, 16], 1, {}],
      [[6, 16], 0, {}],
      [[16, 8], 0, { inverse: true }],
      [[3, 5, 12], 2, { n: 20, keep: [3, 9] }],
      [[3, 10, 7], 1, { n: 16, keep: [2, 11] }],
      [[4, 3, 6], 0, {}],
      [[1, 24], 1, {}],
      [[24, 1], 0, {}],
      [[8, 97], 1, { inverse: true }],
      [[8, 64], 1, { n: 40 }],
    ] as const) {
      for (const dtype of complexTypes(kit.device)) {
        await matches(kit, fft(shape, axis, { ...more, layout: layout(dtype, shape) }), axis);
      }
    }
  }),
  check("filters and real lines", async (kit) => {
    for (const op of ["spectral-filter", "filter-inverse"] as const) {
      for (const h of ["line", "all"] as const) {
        await matches(kit, { op, layout: c64(6, 20), axis: 1, n: 32, h, keep: [4, 20], cornerTurn: true }, 1);
        await matches(kit, { op, layout: c64(2, 30, 8), axis: 1, h, cornerTurn: true }, 2);
      }
    }
    await matches(kit, { op: "real-fft", layout: layout("f32", [6, 20]), axis: 1, inverse: false, cornerTurn: true }, 3);
    await matches(kit, { op: "real-fft", layout: c64(6, 11), axis: 1, inverse: true, cornerTurn: true }, 4);
  }),
  check("hooks get indices before the corner turn", async (kit) => {
    const [lines, extent, n] = [8, 27, 48];
    const load = integersTimesGain(lines, extent);
    const source = random(8);
    const data = { raw: randomArray(load.sources["raw"], source), gain: randomArray(load.sources["gain"], source) };
    const x = Float32Array.from(data.raw, (v, i) => v * data.gain[Math.floor(i / (2 * extent))]);
    const bare = { op: "fft", layout: c64(lines, extent), axis: 1, n, inverse: false } as const;
    const weight = randomArray(layout("f32", [n]), source);
    const weighed = (op: TransformOp): Float64Array => transformed(op as AnyTransform, x).map((v, i) => v * weight[(i >> 1) % n]);
    const straight = weighed(bare);
    const expected = straight.map((_, i) => {
      const e = i >> 1;
      return straight[2 * ((e % lines) * n + Math.floor(e / lines)) + (i & 1)];
    });
    await bothClose(kit, { ...bare, cornerTurn: true, load, store: weighted(n) }, { ...data, weight }, expected, 2 * correct(n, "c64", 3));
    // Along columns, with real results.
    const columns = { op: "fft", layout: c64(lines, extent), axis: 0, inverse: true, cornerTurn: true } as const;
    const power = transformed(columns, x);
    const detected = Float64Array.from({ length: lines * extent }, (_, e) => 2 * (power[2 * e] ** 2 + power[2 * e + 1] ** 2));
    await bothClose(kit, { ...columns, load, store: detect() }, data, detected, 4 * correct(lines, "c64", 3));
  }),
  check("a square array in place", async (kit) => {
    for (const axis of [0, 1]) await matches(kit, fft([16, 16], axis), axis, { inPlace: true });
  }),
  check("random shapes", async (kit) => {
    const source = random(44);
    for (let round = 0; round < (kit.sizes === "full" ? 16 : 4); round++) {
      const shape = Array.from({ length: source.integer(2, 4) }, () => source.integer(1, 12));
      const axis = source.integer(0, shape.length - 1);
      await matches(kit, fft(shape, axis, { n: source.integer(1, 40), inverse: round % 2 === 0 }), round);
    }
  }),
]);
