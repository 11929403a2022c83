/** `transform` of core on the device: complex and real arrays along any axes, both ways, against the definition. */
import { elementCount, type Layout, layout, realOf, transform, withAxis } from "@dechirp/core";
import { close, rejects } from "./assert.ts";
import { transformed } from "./definition.ts";
import { check, suite } from "./kit.ts";
import { random, randomArray, type TestRandom } from "./random.ts";
import { complexTypes } from "./run.ts";
import { correct } from "./tolerance.ts";

type Numbers = Float32Array | Float64Array;

/** Different axes of `rank`, at least one, in any order. */
function someAxes(rank: number, source: TestRandom): number[] {
  const axes = Array.from({ length: rank }, (_, axis) => axis);
  for (let i = rank - 1; i > 0; i--) {
    const j = source.integer(0, i);
    [axes[i], axes[j]] = [axes[j], axes[i]];
  }
  return axes.slice(0, source.integer(1, rank));
}

/** Complex transforms along `axes`, one after the other, in float64. */
const alongAll = (data: ArrayLike<number>, shape: readonly number[], axes: readonly number[], inverse: boolean): Float64Array =>
  axes.reduce<Float64Array>(
    (values, axis) => transformed({ op: "fft", layout: layout("c128", shape), axis, inverse }, values),
    Float64Array.from(data),
  );

/** `transform` against the definition. */
export const oneCall = suite("one call", [
  check("complex arrays, any axes, both ways", async ({ device, sizes }) => {
    const source = random(2020);
    for (let round = 0; round < (sizes === "full" ? 24 : 8); round++) {
      const shape = Array.from({ length: source.integer(1, 4) }, () => source.integer(1, 12));
      const axes = someAxes(shape.length, source);
      const inverse = round % 2 === 1;
      for (const dtype of complexTypes(device)) {
        const x = randomArray(layout(dtype, shape), source) as Numbers;
        const y = await transform(device, x, { shape, axes, inverse });
        close(y, alongAll(x, shape, axes, inverse), correct(12 ** axes.length, dtype, axes.length), `${dtype} [${shape}] along ${axes}`);
      }
    }
  }),
  check("real arrays, any axes, there and back", async ({ device, sizes }) => {
    const source = random(2021);
    for (let round = 0; round < (sizes === "full" ? 24 : 8); round++) {
      const shape = Array.from({ length: source.integer(1, 3) }, () => source.integer(1, 12));
      const axes = someAxes(shape.length, source);
      const last = axes[axes.length - 1];
      for (const dtype of complexTypes(device)) {
        const reals: Layout = layout(realOf(dtype), shape);
        const x = randomArray(reals, source) as Numbers;
        const tolerance = correct(12 ** axes.length, dtype, axes.length + 1);
        const what = `${reals.dtype} [${shape}] along ${axes}`;
        const y = await transform(device, x, { shape, axes });
        const half = withAxis(layout("c128", shape), last, Math.floor(shape[last] / 2) + 1);
        const halved = transformed({ op: "real-fft", layout: layout("f64", shape), axis: last, inverse: false }, Float64Array.from(x));
        close(y, alongAll(halved, half.shape, axes.slice(0, -1), false), tolerance, what);
        close(await transform(device, y, { shape, axes, inverse: true, real: true }), x, 2 * tolerance, `${what}, back`);
      }
    }
  }),
  check("all axes are the default; a real array as a complex one by its length", async ({ device }) => {
    const shape = [4, 6];
    const source = random(5);
    const x = randomArray(layout("c64", shape), source);
    const wanted = alongAll(x, shape, [0, 1], false);
    close(await transform(device, x, { shape }), wanted, correct(24, "c64", 2), "no axes given");
    const real = randomArray(layout("f32", shape), source);
    const complex = Float32Array.from({ length: 2 * elementCount(layout("f32", shape)) }, (_, i) => (i % 2 === 0 ? real[i / 2] : 0));
    const all = alongAll(complex, shape, [1], false);
    const half = Float64Array.from({ length: 2 * 4 * 4 }, (_, i) => all[Math.floor(i / 8) * 12 + (i % 8)]);
    close(await transform(device, real, { shape, axes: [1] }), half, correct(6, "c64", 2), "real by its length");
  }),
  check("wrong data, shapes and axes are refused by name", async ({ device }) => {
    const x = new Float32Array(48);
    for (const [what, data, options] of [
      ["a length", new Float32Array(47), { shape: [4, 6] }],
      ["an array of integers", new Int16Array(48), { shape: [4, 6] }],
      ["no shape", x, {}],
      ["an empty shape", x, { shape: [] }],
      ["half an element", x, { shape: [4.5, 6] }],
      ["an axis too many", x, { shape: [4, 6], axes: [2] }],
      ["an axis twice", x, { shape: [4, 6], axes: [1, 1] }],
      ["no axis", x, { shape: [4, 6], axes: [] }],
      ["a misspelt option", x, { shape: [4, 6], axis: 1 }],
      ["a real inverse of a whole spectrum", x, { shape: [4, 6], inverse: true, real: true }],
    ] as const)
      await rejects(transform(device, data as never, options as never), "input", what);
  }),
]);
