/**
 * Checks `reduce` and `histogram` against their definitions: random shapes, axes and element types, loads, ties, infinities, NaN, extents
 * of one and primes, and arrays that are large enough for two passes. Sums are compared with the error that core promises.
 */
import {
  type DType,
  dtypes,
  elementCount,
  formatOp,
  type Histogram,
  isRadarError,
  type Layout,
  type Load,
  layout,
  type Reduce,
  type Reduction,
  type TypedArrayOf,
  typedArray,
} from "@dechirp/core";
import { load } from "@dechirp/core/expression";
import { histogram, percentileOf, reduce } from "@dechirp/core/reduce";
import { equal, identical, isTrue, rejects } from "./assert.ts";
import { check, type Kit, suite } from "./kit.ts";
import { random, randomArray, type TestRandom } from "./random.ts";
import { expectedOf, within } from "./reduced.ts";
import { runOp } from "./run.ts";

type Whats = readonly Reduction[];
const sums: Whats = ["sum", "sum of squares", "product"];
const all: Whats = [...sums, "max", "argmax"];

async function reduces(kit: Kit, op: Reduce, x: TypedArrayOf, y?: TypedArrayOf): Promise<void> {
  const { out, text } = await runOp(kit.device, op, { in: x, ...(op.what === "product" && { by: y ?? x }) });
  within(out, expectedOf(op, x, y), `${formatOp(op)} as ${text}`);
}

/** Small integers: sums of them are exact, and the largest occurs often. */
function ties(shaped: Layout, source: TestRandom): TypedArrayOf {
  const data = typedArray(shaped.dtype, elementCount(shaped) * dtypes[shaped.dtype].components);
  for (let i = 0; i < data.length; i++) data[i] = source.integer(0, 3);
  return data;
}

const typesOf = ({ device }: Kit): readonly DType[] => device.limits.dtypes.filter((dtype) => dtype !== "u32" && dtype !== "cf16");
const isComplex = (dtype: DType): boolean => dtypes[dtype].components === 2;
const fits = (what: Reduction, dtype: DType): boolean => sums.includes(what) || !isComplex(dtype);

/** All lists of axes of an array of `rank`. */
const axesOf = (rank: number): number[][] =>
  Array.from({ length: 2 ** rank - 1 }, (_, set) => [...Array(rank).keys()].filter((axis) => ((set + 1) >> axis) & 1));

/** 2 times the source at the index with its axes reversed, as an expression. */
const turned = ({ dtype, shape }: Layout): Load =>
  load(
    { name: "turned", layout: { dtype, shape }, sources: { x: { dtype, shape: [...shape].reverse() } } },
    `2 * x[${shape.map((_, axis) => `i${axis}`).reverse()}]`,
  );

/** The bin of each value by definition, in float32. */
function counted({ bins, low = 0, high = 0, layout: { dtype } }: Histogram, x: ArrayLike<number>): number[] {
  const f = dtype === "f64" ? (v: number) => v : Math.fround;
  const scale = f(bins / f(f(high) - f(low)));
  const counts = Array<number>(bins).fill(0);
  for (let i = 0; i < x.length; i++) {
    const at = f(f(x[i] - f(low)) * scale);
    if (!Number.isNaN(at)) counts[at < 0 ? 0 : at >= bins ? bins - 1 : Math.floor(at)]++;
  }
  return counts;
}

async function counts(kit: Kit, op: Histogram, x: TypedArrayOf): Promise<void> {
  const { out, text } = await runOp(kit.device, op, { in: x });
  identical(out, counted(op, x), `${formatOp(op)} as ${text}`);
}

/** Checks reductions and histograms. */
export const reductions = suite("reductions", [
  check("every element type, along the first, the last and all axes", async (kit) => {
    for (const dtype of typesOf(kit)) {
      for (const axes of [[0], [1], [0, 1]]) {
        const shaped = layout(dtype, [9, 20]);
        const source = random(axes.length);
        const [x, y] = [randomArray(shaped, source), randomArray(shaped, source)];
        // Devices that compile slowly need not compile every reduction for every type.
        const whats = kit.sizes === "full" || dtypes[dtype].float ? all : (["sum", "argmax"] as const);
        for (const what of whats) if (fits(what, dtype)) await reduces(kit, reduce(shaped, { what, axes }), x, y);
        if (isComplex(dtype)) await reduces(kit, reduce(shaped, { what: "product", axes, conjugate: true }), x, y);
      }
    }
  }),
  check("every set of axes", async (kit) => {
    for (const shape of [
      [6, 4, 3, 8],
      [3, 1, 7, 2],
    ]) {
      for (const axes of axesOf(4)) {
        for (const dtype of ["f32", "c64"] as const) {
          const shaped = layout(dtype, shape);
          const what = dtype === "c64" ? "product" : random(axes.length).pick(["sum", "argmax"] as const);
          await reduces(kit, reduce(shaped, { what, axes: [...axes].reverse() }), ties(shaped, random(axes[0])));
        }
      }
    }
  }),
  check("random shapes, axes and types", async (kit) => {
    const source = random(91);
    for (let round = 0; round < (kit.sizes === "full" ? 60 : 16); round++) {
      const shape = Array.from({ length: source.integer(1, 4) }, () => source.integer(1, round % 3 === 0 ? 37 : 12));
      const dtype = source.pick(typesOf(kit));
      const what = source.pick(all.filter((w) => fits(w, dtype)));
      const axes = source.pick(axesOf(shape.length));
      const shaped = layout(dtype, shape);
      await reduces(kit, reduce(shaped, { what, axes }), randomArray(shaped, source), randomArray(shaped, source));
    }
  }),
  check("large enough for two passes", async (kit) => {
    // Whole blocks, and extents that leave rests everywhere.
    for (const [shape, axes] of [
      [[2 ** 19], [0]],
      [[300_007], [0]],
      [[3, 100_003], [1]],
      [[4096, 64], [0]],
      [[5003, 61], [0]],
      [[70_001, 2], [0]],
      [[2, 2500, 40], [1]],
      [
        [40, 3, 2049],
        [0, 2],
      ],
      [
        [2500, 3, 41],
        [0, 2],
      ],
      [
        [300, 20, 7, 6],
        [0, 2],
      ],
    ] as const) {
      for (const what of kit.sizes === "full" ? all : (["sum", "argmax"] as const)) {
        const shaped = layout(fits(what, "c64") && shape.length === 2 ? "c64" : "f32", shape);
        const x = randomArray(shaped, random(shape[0]));
        // All of one sign, so that errors add up.
        for (let i = 0; i < x.length; i++) x[i] += 0.75;
        await reduces(kit, reduce(shaped, { what, axes }), x);
      }
    }
  }),
  check("argmax is the first of equals, in any block", async (kit) => {
    for (const [shape, axes] of [
      [[100_000], [0]],
      [[3, 40_000], [1]],
      [[20_000, 12], [0]],
      [[20_000, 5], [0]],
      [
        [90, 4, 100],
        [0, 2],
      ],
    ] as const) {
      const shaped = layout("f32", shape);
      const source = random(shape[0]);
      await reduces(kit, reduce(shaped, { what: "argmax", axes }), ties(shaped, source));
      const sparse = typedArray("f32", elementCount(shaped)).fill(-3);
      for (let i = 0; i < 5; i++) sparse[source.integer(0, sparse.length - 1)] = 7;
      await reduces(kit, reduce(shaped, { what: "argmax", axes }), sparse);
    }
  }),
  check("infinities and NaN", async (kit) => {
    for (const dtype of typesOf(kit).filter((d) => d === "f32" || d === "f64")) {
      const shaped = layout(dtype, [8, 5]);
      const rows = [
        [NaN, 1, 3, NaN, 3],
        [NaN, NaN, NaN, NaN, NaN],
        [NaN, -Infinity, -Infinity, NaN, -Infinity],
        [1, Infinity, 2, Infinity, NaN],
        [-Infinity, -5, NaN, -4, -4],
        [-1, -2, -1, -3, -0.5],
        [-3e38, -Infinity, -2e38, -3e38, -2e38],
        [0, 0, 0, 0, 0],
      ];
      const x = typedArray(dtype, 40);
      x.set(rows.flat());
      const columns = typedArray(dtype, 40);
      for (const [r, row] of rows.entries()) for (const [c, value] of row.entries()) columns[c * 8 + r] = value;
      for (const what of ["max", "argmax"] as const) {
        await reduces(kit, reduce(shaped, { what, axes: [1] }), x);
        await reduces(kit, reduce(layout(dtype, [5, 8]), { what, axes: [0] }), columns);
      }
      const { out } = await runOp(kit.device, reduce(shaped, { what: "sum", axes: [1] }), { in: x });
      isTrue(Number.isNaN(out[0]) && Number.isNaN(out[3]), `sums with NaN are NaN: ${out}`);
      equal([out[5], out[7]], [-7.5, 0], "sums without");
      equal(`${out[6]}`, "-Infinity", "a sum with −∞");
    }
  }),
  check("the same bits on every run", async (kit) => {
    for (const [shape, axes] of [
      [[200_001], [0]],
      [[3001, 40], [0]],
      [[30, 5001], [1]],
    ] as const) {
      const shaped = layout("f32", shape);
      const x = randomArray(shaped, random(5));
      const [first, second] = [
        await runOp(kit.device, reduce(shaped, { what: "sum", axes }), { in: x }),
        await runOp(kit.device, reduce(shaped, { what: "sum", axes }), { in: x }),
      ];
      identical(second.out, first.out, first.text);
    }
  }),
  check("loads: expressions and references, with uniforms", async (kit) => {
    for (const [shape, axes] of [
      [[6, 35], [1]],
      [[6, 35], [0]],
      [
        [7, 3, 10],
        [0, 2],
      ],
      [
        [40, 1500],
        [0, 1],
      ],
      [[1500, 40], [0]],
    ] as const) {
      for (const dtype of typesOf(kit).filter((d) => dtypes[d].float)) {
        for (const what of kit.sizes === "full" ? all : (["product", "argmax"] as const)) {
          if (!fits(what, dtype)) continue;
          const shaped = layout(dtype, shape);
          const source = random(axes.length);
          const x = ties({ dtype, shape: [...shape].reverse() }, source);
          const by = randomArray(shaped, source);
          const op = reduce(shaped, { what, axes, load: turned(shaped) });
          const parts = dtypes[dtype].components;
          const strides = [...shape].reverse().map((_, axis, list) => list.slice(axis + 1).reduce((p, e) => p * e, 1));
          const at = shape.map(() => 0);
          const values = typedArray(dtype, x.length);
          for (let e = 0; e < x.length / parts; e++) {
            const from = at.reduce((sum, i, axis) => sum + i * strides[shape.length - 1 - axis], 0);
            for (let part = 0; part < parts; part++) values[e * parts + part] = 2 * x[from * parts + part];
            for (let axis = shape.length - 1; axis >= 0 && ++at[axis] === shape[axis]; axis--) at[axis] = 0;
          }
          for (const fuse of [true, false]) {
            const { out, text } = await runOp(kit.device, op, { x, ...(what === "product" && { by }) }, { fuse });
            within(out, expectedOf(op, values, by), text);
          }
        }
      }
    }
    const scaled: Load = {
      name: "scaled",
      uniforms: { gain: "f32" },
      sources: { x: layout("f32", [50]) },
      reference: ([i], { x }, { gain }) => [x.re(i) * gain, 0],
    };
    const x = randomArray(layout("f32", [50]), random(1));
    const op = reduce(layout("f32", [50]), { what: "sum", load: scaled });
    const { out, text } = await runOp(kit.device, op, { x }, { uniforms: { gain: 4 } });
    within(
      out,
      expectedOf(
        op,
        x.map((v) => 4 * v),
      ),
      text,
    );
  }),
  check("histograms: every number of bins, every real type", async (kit) => {
    const few = [1, 7, 256, 5000, 65_536];
    for (const bins of kit.sizes === "full" ? [...few, 2, 3, 64, 100, 1000, 4096] : few) {
      const shaped = layout("f32", [37, 271]);
      // Beyond both ends.
      const x = randomArray(shaped, random(bins)).map((v) => 1.3 * v);
      await counts(kit, histogram(shaped, { bins, low: -0.5, high: 0.5 }), x);
      await counts(kit, histogram(shaped, { bins, low: -0.3, high: 0.7 }), x);
    }
    for (const dtype of typesOf(kit).filter((d) => !isComplex(d))) {
      const shaped = layout(dtype, [1003]);
      await counts(kit, histogram(shaped, { bins: 50, low: -100, high: 156 }), randomArray(shaped, random(2)));
    }
  }),
  check("histograms: large, of equal values, of infinities and NaN, with a load", async (kit) => {
    const large = layout("f32", [512, 777]);
    const x = randomArray(large, random(3));
    for (const bins of [16, 512]) await counts(kit, histogram(large, { bins, low: -0.5, high: 0.5 }), x);
    await counts(kit, histogram(large, { bins: 300, low: 0, high: 3 }), typedArray("f32", elementCount(large)).fill(1.25));
    const odd = Float32Array.of(NaN, Infinity, -Infinity, 3e38, -3e38, 0, 0.5, 1, -0, NaN, 0.999);
    await counts(kit, histogram(layout("f32", [odd.length]), { bins: 8, low: 0, high: 1 }), odd);
    const shaped = layout("f32", [9, 14]);
    const source = ties({ dtype: "f32", shape: [14, 9] }, random(4));
    const op = histogram(shaped, { bins: 7, load: turned(shaped) });
    const { out, text } = await runOp(kit.device, op, { x: source }, { uniforms: { low: 0, high: 7 } });
    identical(
      out,
      counted(
        { ...op, low: 0, high: 7 },
        source.map((v) => 2 * v),
      ),
      text,
    );
  }),
  check("histograms in float64 have edges in float64", async (kit) => {
    if (!kit.device.limits.dtypes.includes("f64")) return;
    const shaped = layout("f64", [4]);
    const { out } = await runOp(kit.device, histogram(shaped, { bins: 2, low: 1, high: 1 + 2 ** -30 }), {
      in: Float64Array.of(0, 1, 1 + 2 ** -31, 2),
    });
    identical(out, Uint32Array.of(2, 2), "close edges");
    const far = await runOp(kit.device, histogram(shaped, { bins: 2, low: -1e300, high: 1e300 }), {
      in: Float64Array.of(-1e299, 1, 1e299, 0),
    });
    identical(far.outputs["out"], Uint32Array.of(1, 3), "edges beyond float32");
  }),
  check("percentiles of random values are within a bin", async (kit) => {
    const shaped = layout("f32", [10_001]);
    const x = randomArray(shaped, random(6));
    const { out } = await runOp(kit.device, histogram(shaped, { bins: 200, low: -0.5, high: 0.5 }), { in: x });
    const sorted = Float32Array.from(x).sort();
    for (const percent of [0, 1, 50, 99, 100]) {
      const exact = sorted[Math.round((percent / 100) * 10_000)];
      const error = Math.abs(percentileOf(out, -0.5, 0.5, percent) - exact);
      isTrue(error <= 1 / 200, `percentile ${percent} is off by ${error}`);
    }
  }),
  check("what is wrong is refused by name", async (kit) => {
    const f32 = layout("f32", [4, 6]);
    const wrong: readonly (readonly [op: Reduce | Histogram, field: string])[] = [
      [reduce(f32, { what: "mean" as never }), "what"],
      [reduce(f32, { what: "sum", axes: [] }), "axes"],
      [reduce(f32, { what: "sum", axes: [2] }), "axes"],
      [reduce(f32, { what: "sum", axes: [1, 1] }), "axes"],
      [reduce(f32, { what: "sum", conjugate: true }), "conjugate"],
      [reduce(layout("c64", [4]), { what: "max" }), "layout.dtype"],
      [reduce(layout("u32", [4]), { what: "sum" }), "layout.dtype"],
      [reduce(layout("i8", [4]), { what: "sum", load: turned(layout("i8", [4])) }), "layout.dtype"],
      [histogram(f32, { bins: 0, low: 0, high: 1 }), "bins"],
      [histogram(f32, { bins: 65_537, low: 0, high: 1 }), "bins"],
      [histogram(f32, { bins: 4, low: 1, high: 1 }), "high"],
      [histogram(f32, { bins: 4, low: NaN, high: 1 }), "low"],
      // The bins' width is infinite, or their number per unit of value is, or is 0 on a device without subnormal numbers.
      [histogram(f32, { bins: 4, low: -3e38, high: 3e38 }), "high"],
      [histogram(f32, { bins: 4, low: 0, high: 1e-45 }), "high"],
      [histogram(f32, { bins: 2, low: 0, high: 3e38 }), "high"],
      [histogram(f32, { bins: 4, low: 1, high: 1 + 2 ** -30 }), "high"],
      // biome-ignore lint/suspicious/noSparseArray: a hole is no axis.
      [reduce(f32, { what: "sum", axes: [, 0] as never }), "axes"],
      [histogram(layout("c64", [4]), { bins: 4, low: 0, high: 1 }), "layout.dtype"],
    ];
    for (const [op, field] of wrong) {
      const planned = kit.device.plan(op);
      await rejects(planned, "layout", field);
      await planned.catch((error: unknown) => equal(isRadarError(error) && error.fields["field"], field, "the field that is named"));
    }
  }),
]);
