/**
 * Checks stores and maps that add to what an array holds: transforms of every kind, with padding, kept ranges and corner turns, against
 * the definition; element types; several runs in a row; programs; and what is refused.
 */
import {
  type DType,
  dtypes,
  evaluate,
  fft,
  type Layout,
  layout,
  type Op,
  portsOf,
  program,
  type Store,
  scalarCount,
  type TransformOp,
  type TypedArrayOf,
  typedArray,
  withAxis,
} from "@dechirp/core";
import { lower } from "@dechirp/core/backend";
import { compare, profileProgram } from "@dechirp/core/compare";
import { accumulate, load, map, plus, store, times } from "@dechirp/core/expression";
import { close, equal, identical, isTrue, rejects, throws } from "./assert.ts";
import { type AnyTransform, transformed } from "./definition.ts";
import { check, type Kit, suite } from "./kit.ts";
import { random, randomArray } from "./random.ts";
import { c64, complexTypes, marked, runOp, upload } from "./run.ts";
import { correct, epsilonOf } from "./tolerance.ts";

/** The layout of what a transform without hooks and corner turn writes. */
function resultOf({ cornerTurn: _, ...op }: AnyTransform): Layout {
  return portsOf(op as Op)["out"].layout;
}

/** An array of `layout` with its last two axes exchanged. */
function turned(data: ArrayLike<number>, { dtype, shape }: Layout): Float64Array {
  const parts = dtypes[dtype].components;
  const [rows, columns] = shape.slice(-2);
  return Float64Array.from(data, (_, i) => {
    const [matrix, e, part] = [Math.floor(i / (parts * rows * columns)), Math.floor(i / parts) % (rows * columns), i % parts];
    return data[parts * (matrix * rows * columns + (e % rows) * columns + Math.floor(e / rows)) + part];
  });
}

/** Fails unless op, fused, not fused and lowered, adds its results times `scale` to the array at `out`. */
async function adds(kit: Kit, plain: AnyTransform, scale: number, seed: number): Promise<void> {
  const source = random(seed);
  const result = resultOf(plain);
  const op = { ...plain, store: accumulate(result, seed % 2 === 0 ? { scale } : { scale: "level" }) } as TransformOp;
  const uniforms = seed % 2 === 0 ? {} : { level: scale };
  const ports = portsOf(op);
  equal(ports["out"].access, "update", "access of out");
  const { cornerTurn, ...straight } = plain;
  const inputs = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, randomArray(port.layout, source)]));
  const added = transformed(straight as AnyTransform, inputs["in"], inputs["h"]);
  const ordered = cornerTurn ? turned(added, result) : added;
  const expected = Float64Array.from(ordered, (v, i) => inputs["out"][i] + scale * v);
  const length = Math.max(plain.n ?? 1, ...plain.layout.shape);
  // A kept range may have less energy than its share.
  const whole = plain.keep ? transformed({ ...straight, keep: undefined } as unknown as AnyTransform, inputs["in"], inputs["h"]) : added;
  const rms = (x: ArrayLike<number>): number => Math.sqrt(Array.from(x).reduce((sum, v) => sum + v * v, 0) / x.length);
  const tolerance = (correct(length, plain.layout.dtype, 3) * Math.abs(scale) * rms(whole)) / rms(expected) + epsilonOf(plain.layout.dtype);
  for (const fuse of [true, false]) {
    const { out, text } = await runOp(kit.device, op, inputs, { fuse, uniforms });
    close(out, expected, tolerance, text);
  }
  const lowered = lower(op);
  isTrue(lowered !== undefined, "a transform with a store has a lowering");
  if (lowered) close((await evaluate(lowered, kit.device, inputs, { uniforms, fuse: false }))["out"], expected, tolerance, "the lowering");
}

const shapes = [
  [[5, 16], 1, {}],
  [[16, 5], 0, {}],
  [[3, 10, 7], 1, { n: 16, keep: [2, 11] }],
  [[40], 0, { n: 64 }],
  [[4, 97], 1, {}],
  [[6, 60], 1, { n: 48, keep: [4, 30] }],
  [[2, 8, 8], 2, {}],
  [[2, 8, 6], 0, {}],
] as const;

/** Adds x to `total` in a map. */
const addition = (shape: readonly number[], dtype: DType, from: DType = dtype) =>
  map({ shape, sources: { x: layout(from, shape), total: layout(dtype, shape) }, outputs: { total: dtype } }, "total + x");

/** Checks accumulating stores and maps. */
export const accumulation = suite("accumulation", [
  check("fft, forward and inverse, with and without a corner turn", async (kit) => {
    let seed = 1;
    for (const dtype of complexTypes(kit.device))
      for (const [shape, axis, more] of shapes)
        for (const inverse of [false, true])
          for (const cornerTurn of [false, true]) {
            if (cornerTurn && shape.length < 2) continue;
            await adds(kit, { op: "fft", layout: layout(dtype, shape), axis, inverse, ...more, cornerTurn }, 0.75, seed++);
          }
  }),
  check("filters", async (kit) => {
    let seed = 1;
    for (const op of ["spectral-filter", "filter-inverse"] as const)
      for (const h of ["line", "all"] as const)
        for (const [shape, axis, more] of shapes.slice(0, 5))
          for (const cornerTurn of shape.length > 1 ? [false, true] : [false])
            await adds(kit, { op, layout: c64(...shape), axis, h, ...more, cornerTurn }, -0.5, seed++);
  }),
  check("real lines and half spectra", async (kit) => {
    let seed = 1;
    for (const cornerTurn of [false, true]) {
      for (const [shape, axis, more] of [
        [[6, 20], 1, {}],
        [[20, 6], 0, { keep: [1, 7] }],
        [[6, 15], 1, {}],
      ] as const)
        await adds(kit, { op: "real-fft", layout: layout("f32", shape), axis, inverse: false, ...more, cornerTurn }, 2, seed++);
      await adds(kit, { op: "real-fft", layout: c64(6, 11), axis: 1, inverse: true, cornerTurn }, 2, seed++);
      await adds(kit, { op: "real-fft", layout: c64(11, 6), axis: 0, inverse: true, n: 21, cornerTurn }, 2, seed++);
    }
  }),
  check("lines of several passes, and many lines", async (kit) => {
    for (const [shape, axis] of kit.sizes === "full"
      ? ([
          [[2, 2 ** 13], 1],
          [[2 ** 13, 2], 0],
          [[700, 32], 1],
          [[32, 700], 0],
        ] as const)
      : ([[[70, 32], 1]] as const))
      for (const cornerTurn of [false, true])
        await adds(kit, { op: "fft", layout: c64(...shape), axis, inverse: false, cornerTurn }, 1 / Math.sqrt(shape[axis]), 2);
  }),
  check("with a load, and a store that also reads other sources", async (kit) => {
    const shape = [6, 24] as const;
    const lines = c64(...shape);
    const x = load({ layout: lines, sources: { raw: layout("ci8", shape), gain: layout("f32", [6]) } }, "raw * gain[i0]");
    const power = store(
      { layout: lines, dtype: "f32", sources: { out: layout("f32", shape), weight: layout("f32", [24]) } },
      "out + re(value * conj(value)) * weight[i1]",
    );
    const source = random(5);
    const raw = randomArray(layout("ci8", shape), source);
    const gain = randomArray(layout("f32", [6]), source);
    const weight = randomArray(layout("f32", [24]), source).map(Math.abs);
    const before = randomArray(layout("f32", shape), source).map((v) => 1e6 * Math.abs(v));
    const loaded = Float64Array.from(raw, (v, i) => v * gain[Math.floor(i / 48)]);
    const spectra = transformed({ op: "fft", layout: lines, axis: 1, inverse: false }, loaded);
    const expected = Float64Array.from(before, (v, e) => v + (spectra[2 * e] ** 2 + spectra[2 * e + 1] ** 2) * weight[e % 24]);
    for (const cornerTurn of [false, true])
      for (const fuse of [true, false]) {
        const op = { ...fft(lines, { axis: 1, cornerTurn, load: x, store: power }) };
        const out = cornerTurn ? Float32Array.from(turned(before, layout("f32", shape))) : before;
        const ran = await runOp(kit.device, op, { raw, gain, weight, out }, { fuse });
        close(ran.out, cornerTurn ? turned(expected, layout("f32", shape)) : expected, 2 * correct(24, "c64", 4), ran.text);
      }
  }),
  check("every element type, rounded and saturated", async (kit) => {
    const [lines, n] = [7, 9];
    const all = (Object.keys(dtypes) as DType[]).filter((d) => d !== "u32" && d !== "cf16" && kit.device.limits.dtypes.includes(d));
    for (const dtype of all) {
      const double = dtype === "f64" || dtype === "c128";
      const shape = layout(double ? "c128" : "c64", [lines, n]);
      const source = random(dtype.length);
      const x = randomArray(shape, source).map((v) => 60 * v) as TypedArrayOf<"c64">;
      const target = { dtype, shape: [lines, n] };
      const out = randomArray(target, source);
      const spectra = transformed({ op: "fft", layout: shape, axis: 1, inverse: false }, x);
      const { components, float, array } = dtypes[dtype];
      const sums = Float64Array.from(out, (v, i) => v + spectra[components === 2 ? i : 2 * i]);
      const ran = await runOp(kit.device, fft(shape, { axis: 1, store: accumulate(target) }), { in: x, out });
      if (float) {
        close(ran.out, sums, correct(n, shape.dtype, 3), dtype);
        continue;
      }
      const bits = 8 * array.BYTES_PER_ELEMENT;
      const [low, high] = dtype.startsWith("u") ? [0, 2 ** bits - 1] : [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1];
      for (const [i, sum] of sums.entries()) {
        const wanted = Math.max(low, Math.min(high, sum));
        // Half a unit of rounding, and the error of float32 before it.
        isTrue(Math.abs(ran.out[i] - wanted) <= 0.5 + 1e-3, `${dtype}: number ${i} must be near ${wanted}, got ${ran.out[i]}`);
      }
    }
  }),
  check("several runs in a row, without waiting", async ({ device }) => {
    const shape = c64(12, 30);
    for (const fuse of [true, false]) {
      using plan = await device.plan(fft(shape, { axis: 1, cornerTurn: true, store: accumulate(shape) }), { fuse });
      const source = random(9);
      const looks = Array.from({ length: 4 }, () => randomArray(shape, source));
      using sum = device.alloc(c64(30, 12));
      using look = device.alloc(shape);
      for (const x of looks) {
        look.write(x);
        plan.run({ in: look, out: sum });
      }
      const expected = new Float64Array(2 * 12 * 30);
      for (const x of looks)
        turned(transformed({ op: "fft", layout: shape, axis: 1, inverse: false }, x), shape).forEach((v, i) => {
          expected[i] += v;
        });
      close(await sum.read(), expected, correct(30, "c64", 2), plan.text);
    }
  }),
  check("maps: the previous value, the results of other outputs do not change it", async (kit) => {
    for (const [dtype, from] of [
      ["c64", "c64"],
      ["f32", "f32"],
      ["f32", "i16"],
      ["i16", "i16"],
      ["u8", "u8"],
      ["ci16", "ci8"],
      ["u32", "u32"],
    ] as const) {
      const shape = [13, 21];
      const x = randomArray(layout(from, shape), random(3));
      const total = randomArray(layout(dtype, shape), random(4));
      const { outputs } = await runOp(kit.device, addition(shape, dtype, from), { x, total });
      const array = typedArray(dtype, total.length);
      const wide = dtype === "u32";
      const { float } = dtypes[dtype];
      const bits = 8 * array.BYTES_PER_ELEMENT;
      const [low, high] = dtype.startsWith("u") ? [0, 2 ** bits - 1] : [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1];
      // u32 wraps, floats round, other integers saturate.
      const one = (v: number): number => (float ? Math.fround(v) : wide ? v % 2 ** 32 : Math.max(low, Math.min(high, v)));
      identical(
        outputs["total"],
        Array.from(total, (v, i) => one(v + x[i])),
        `${dtype} += ${from}`,
      );
    }
    const pair = [layout("f32", [40, 3]), layout("f32", [40, 3])] as const;
    const swap = map({ shape: [40, 3], sources: { a: pair[0], b: pair[1] }, outputs: { a: "f32", b: "f32" } }, ({ at, a, b }) => ({
      a: plus(b(at), 1),
      b: times(a(at), 2),
    }));
    const [a, b] = [randomArray(pair[0], random(7)), randomArray(pair[1], random(8))];
    const { outputs } = await runOp(kit.device, swap, { a, b });
    identical(
      outputs["a"],
      b.map((v) => v + 1),
      "a from b",
    );
    identical(
      outputs["b"],
      a.map((v) => v * 2),
      "b from a",
    );
  }),
  check("programs: the array is an input and an output", async (kit) => {
    const lines = c64(6, 32);
    const looks = program({
      name: "looks",
      inputs: { a: lines, b: lines, sum: lines },
      steps: [
        { name: "first", op: fft(lines, { axis: 1, store: accumulate(lines) }), bind: { in: "a", out: "sum" } },
        {
          name: "second",
          op: fft(lines, { axis: 1, inverse: true, store: accumulate(lines, { scale: 4 }) }),
          bind: { in: "b", out: "sum" },
        },
        { name: "third", op: addition(lines.shape, "c64"), bind: { x: "a", total: "sum" } },
      ],
      outputs: ["sum"],
    });
    const source = random(11);
    const inputs = { a: randomArray(lines, source), b: randomArray(lines, source), sum: randomArray(lines, source) };
    const there = transformed({ op: "fft", layout: lines, axis: 1, inverse: false }, inputs.a);
    const back = transformed({ op: "fft", layout: lines, axis: 1, inverse: true }, inputs.b);
    const expected = there.map((v, i) => inputs.sum[i] + v + 4 * back[i] + inputs.a[i]);
    for (const fuse of [true, false]) {
      const { sum }: { readonly sum: Float32Array } = await evaluate(looks, kit.device, inputs, { fuse });
      close(sum, expected, correct(32, "c64", 4), fuse ? "fused" : "not fused");
    }
    using other = await kit.open();
    const { stages, first } = await compare(looks, kit.device, other, inputs);
    equal([stages.length, first], [3, undefined], "stages of a comparison with an equal device");
    const profile = await profileProgram(looks, kit.device, inputs, { runs: 1 });
    equal(profile.stages.length, 3, "stages of a profile");
  }),
  check("refuses what would read elements that are overwritten", async ({ device }) => {
    const lines = c64(4, 8);
    const op = fft(lines, { axis: 1, store: accumulate(lines) });
    await rejects(device.plan(op, { inPlace: true }), "layout", "an accumulating store in place");
    const add = map({ shape: [4, 8], sources: { in: lines, out: lines }, outputs: { out: "c64" } }, "out + in");
    await rejects(device.plan(add, { inPlace: true }), "layout", "an accumulating map in place");
    using plan = await device.plan(add);
    using x = upload(device, lines, marked(lines));
    throws(() => plan.run({ in: x, out: x }), "layout", "one array as in and out", "in");
    const at = store({ layout: lines, dtype: "c64", sources: { out: lines } }, "value + out[i0, 7 - i1]");
    await rejects(device.plan(fft(lines, { axis: 1, store: at })), "layout", "an element at another index");
    const short = withAxis(lines, 1, 7);
    const narrow = store({ layout: lines, dtype: "c64", sources: { out: short } }, "value + out[i0, i1]");
    await rejects(device.plan(fft(lines, { axis: 1, store: narrow })), "layout", "a source out of another shape");
    const half: Store = { ...accumulate(lines), dtype: "f32" };
    await rejects(device.plan(fft(lines, { axis: 1, store: half })), "layout", "a source out of another type");
    const code: Store = { name: "code", dtype: "c64", sources: { out: lines }, reference: (_at, value) => value };
    await rejects(device.plan(fft(lines, { axis: 1, store: code })), "layout", "a source out of a reference");
    await rejects(
      device.plan({
        ...add,
        expression: {
          nodes: [
            ["i32", 0],
            ["load", "out", 0, 0],
          ],
          results: [1],
        },
      } as Op),
      "layout",
      "a map",
    );
    throws(() => accumulate(layout("u32", [4])), "layout", "u32", "u32");
    equal(scalarCount(lines), 64, "numbers");
  }),
]);
