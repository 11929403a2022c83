/** Checks multiply, transpose and convert against their definitions: every permutation, every pair of element types, saturation. */
import { type DType, dtypes, layout, type Op, scalarCount, type TypedArrayOf, typedArray } from "@dechirp/core";
import { close, equal, identical } from "./assert.ts";
import { product } from "./definition.ts";
import { check, type Kit, suite } from "./kit.ts";
import { random, randomArray } from "./random.ts";
import { complexTypes, runOp } from "./run.ts";
import { epsilonOf } from "./tolerance.ts";

const permutations = (axes: readonly number[]): number[][] =>
  axes.length === 0 ? [[]] : axes.flatMap((axis) => permutations(axes.filter((a) => a !== axis)).map((rest) => [axis, ...rest]));

function transposed(data: TypedArrayOf, shape: readonly number[], permutation: readonly number[], components: number): number[] {
  const strides = shape.map((_, a) => shape.slice(a + 1).reduce((p, e) => p * e, components));
  let places = [0];
  for (const axis of permutation) places = places.flatMap((p) => Array.from({ length: shape[axis] }, (_, i) => p + i * strides[axis]));
  return places.flatMap((p) => Array.from(data.subarray(p, p + components)));
}

/**
 * The value as `to` stores it: integers are rounded to nearest, ties away from zero, and saturated, NaN becomes 0; floats are unchanged.
 */
function converted(value: number, to: DType): number {
  if (dtypes[to].float) return dtypes[to].array === Float32Array ? Math.fround(value) : value;
  if (Number.isNaN(value)) return 0;
  const bits = 8 * dtypes[to].array.BYTES_PER_ELEMENT;
  const low = to.startsWith("u") ? 0 : -(2 ** (bits - 1));
  const high = to.startsWith("u") ? 2 ** bits - 1 : 2 ** (bits - 1) - 1;
  const whole = Math.floor(Math.abs(value));
  const rounded = Math.sign(value) * (Math.abs(value) - whole >= 0.5 ? whole + 1 : whole);
  return Math.max(low, Math.min(high, rounded));
}

const awkward = [
  0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 0.49, -0.49, 127.4, 127.5, -128.5, -129, 254.5, 255.5, 32767.5, -32768.5, 65536, -65536, 1e10, -1e10,
];
const notFinite = [Number.NaN, Infinity, -Infinity];

const filtered: readonly (readonly [shape: readonly number[], axis: number])[] = [
  [[40], 0],
  [[5, 12], 0],
  [[5, 12], 1],
  [[3, 7, 4], 1],
  [[2, 3, 4, 5], 3],
];

const typesOf = (kit: Kit, complex: boolean): DType[] =>
  (Object.keys(dtypes) as DType[]).filter(
    (d) => d !== "cf16" && kit.device.limits.dtypes.includes(d) && (dtypes[d].components === 2) === complex,
  );

/** Checks the ops that are neither transforms nor kernels: multiply, transpose, convert. */
export const arrays = suite("arrays", [
  check("multiply by a line and by an array, any axis", async (kit) => {
    for (const dtype of complexTypes(kit.device)) {
      for (const [shape, axis] of filtered) {
        const source = random(axis);
        const shaped = layout(dtype, shape);
        const x = randomArray(shaped, source);
        const inners = shape.slice(axis + 1).reduce((p, e) => p * e, 1);
        for (const h of ["line", "all"] as const) {
          const filter = randomArray(h === "line" ? layout(dtype, [shape[axis]]) : shaped, source);
          const spread =
            h === "all" ? filter : Float64Array.from(x, (_, i) => filter[2 * (Math.floor((i >> 1) / inners) % shape[axis]) + (i & 1)]);
          const op: Op = { op: "multiply", layout: shaped, axis, h };
          // Three roundings on the longest path, each of at most half a unit.
          for (const inPlace of [false, true]) {
            close(
              (await runOp(kit.device, op, { in: x, h: filter }, { inPlace })).out,
              product(x, spread),
              1.5 * epsilonOf(dtype),
              `h=${h} of ${dtype}[${shape}] axis ${axis}`,
            );
          }
        }
      }
    }
  }),
  check("transpose: every permutation of up to 4 axes", async (kit) => {
    for (const shape of [[7], [5, 9], [33, 70], [3, 4, 5], [2, 3, 4, 5]]) {
      for (const permutation of permutations(shape.map((_, axis) => axis))) {
        const x = randomArray(layout("c64", shape), random(shape.length));
        const { out } = await runOp(kit.device, { op: "transpose", layout: layout("c64", shape), permutation }, { in: x });
        identical(out, transposed(x, shape, permutation, 2), `[${shape}] by ${permutation}`);
      }
    }
  }),
  check("transpose: every element type", async (kit) => {
    for (const dtype of [...typesOf(kit, false), ...typesOf(kit, true)]) {
      const x = randomArray(layout(dtype, [6, 11]), random(2));
      const { out } = await runOp(kit.device, { op: "transpose", layout: layout(dtype, [6, 11]), permutation: [1, 0] }, { in: x });
      identical(out, transposed(x, [6, 11], [1, 0], dtypes[dtype].components), dtype);
    }
  }),
  check("convert: every pair of element types", async (kit) => {
    for (const complex of [false, true]) {
      for (const from of typesOf(kit, complex)) {
        for (const to of typesOf(kit, complex)) {
          const shape = layout(from, [4, 9]);
          const x = randomArray(shape, random(1));
          const { out } = await runOp(kit.device, { op: "convert", layout: shape, to }, { in: x });
          identical(
            out,
            Array.from(x, (v) => converted(v, to)),
            `${from} to ${to}`,
          );
        }
      }
    }
  }),
  check("convert: saturates, rounds ties away from zero, NaN becomes 0", async (kit) => {
    for (const from of ["f32", "c64"] as const) {
      for (const to of typesOf(kit, from === "c64")) {
        const values = [...awkward, ...notFinite];
        const shape = layout(from, [values.length]);
        const x = typedArray(from, scalarCount(shape));
        values.forEach((v, i) => x.fill(v, (i * x.length) / values.length, ((i + 1) * x.length) / values.length));
        const { out } = await runOp(kit.device, { op: "convert", layout: shape, to }, { in: x });
        identical(
          out,
          Array.from(x, (v) => converted(v, to)),
          `${from} to ${to}`,
        );
      }
    }
  }),
  check("convert: scaled", async (kit) => {
    const shape = layout("ci16", [50]);
    const x = randomArray(shape, random(5));
    const toFloat = await runOp(kit.device, { op: "convert", layout: shape, to: "c64", scale: 2 ** -15 }, { in: x });
    identical(
      toFloat.out,
      Array.from(x, (v) => v * 2 ** -15),
      "ci16 to c64",
    );
    const back = await runOp(kit.device, { op: "convert", layout: layout("c64", [50]), to: "ci16", scale: 2 ** 15 }, { in: toFloat.out });
    identical(back.out, Array.from(x), "and back");
    equal(back.out.constructor.name, "Int16Array", "type of what is read");
  }),
]);
