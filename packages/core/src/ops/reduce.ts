/**
 * Reductions: sums, maxima and their places along any axes. This file has what describing and checking them takes; their lowering and
 * what backends need are in reductions.ts.
 */
import type { Load } from "../hooks.ts";
import { type DType, elementCount, formatLayout, isComplex, isWhole, type Layout, layout } from "../layout.ts";
import { fail, type OpLowering, type OpRow, type Ports, read, type WithOutputType } from "./row.ts";
import { checkHook, hooksText, sourcePorts } from "./transform.ts";

const kinds = ["sum", "sum of squares", "product", "max", "argmax"] as const;

/** What a reduction computes of the elements. */
export type Reduction = (typeof kinds)[number];

/**
 * Reduces an array along some axes:
 *
 * - `sum`: Σx.
 * - `sum of squares`: Σ|x|², which is real.
 * - `product`: Σx·y, or Σx·y* with `conjugate`. y is an array of the same layout.
 * - `max`: the largest element.
 * - `argmax`: the flat index, among the elements that are reduced to one, of the first largest. For one axis, it is the index along it.
 *
 * `max` and `argmax` take real elements and count NaN as −∞. So the largest of NaN only is −∞, at index 0. Sums treat NaN and infinities
 * as additions do.
 *
 * Ports: `in` of `layout`, or with a load the hook's sources; for `product` also `by` of `layout`; and `out`. It has the axes that remain, or
 * is of shape [1]. Results are f64 or c128 if `layout` is, u32 for `argmax`, else f32 or c64. u32 elements are refused; a load can read them
 * as real numbers.
 *
 * Results are the same bits on every run on the same device. A device adds in a fixed order of blocks: the error of a sum of n terms is at
 * most (2·log₂n + 24)·ε/2 times the sum of their magnitudes, where ε = 2⁻²³ for float32 results and 2⁻⁵² for float64 ones.
 */
export interface Reduce {
  readonly op: "reduce";
  readonly layout: Layout;
  readonly what: Reduction;
  /** The axes along which elements are reduced, in any order. At least one. */
  readonly axes: readonly number[];
  /** Whether `product` conjugates the elements of `by`. Default: false. */
  readonly conjugate?: boolean;
  /** Computes the elements of `layout`, which must be f32, f64, c64 or c128. Default: they are read from `in`. */
  readonly load?: Load;
}

/**
 * Counts real values in `bins` equal bins between `low` and `high`. Smaller values, and −∞, count in the first bin, and larger ones in the
 * last. NaN counts nowhere. Ports: `in` of `layout`, or with a load the hook's sources, and `out`, u32 of shape [bins].
 *
 * The bin of x is ⌊(x − low)·s⌋ with s = bins / (high − low). Every operation is rounded to float32, or to float64 if `layout` is f64. A GPU
 * may divide less exactly if `low` or `high` is a uniform, so values close to the edge of a bin may then count in its neighbour. Edges for
 * which s is 0 or infinite are refused. As uniforms they are not, and like those in the wrong order they give counts that mean nothing.
 */
export interface Histogram {
  readonly op: "histogram";
  readonly layout: Layout;
  /** Number of bins, 1 to 65536. */
  readonly bins: number;
  /** Lower edge of the first bin. Default: each run passes it as the uniform `low`, an f32. */
  readonly low?: number;
  /** Upper edge of the last bin, larger than `low`. Default: each run passes it as the uniform `high`, an f32. */
  readonly high?: number;
  /** Computes the values, for a `layout` of f32 or f64. Default: they are read from `in`. */
  readonly load?: Load;
}

/** The element type of the results. */
type ReducedType<D extends DType, W extends Reduction> = W extends "argmax"
  ? "u32"
  : D extends "f64" | "c128"
    ? W extends "sum of squares"
      ? "f64"
      : D
    : W extends "sum of squares"
      ? "f32"
      : D extends "c64" | "ci8" | "ci16" | "cf16"
        ? "c64"
        : "f32";

/**
 * Makes an op that reduces an array: `reduce(layout("c64", [64, 1024]), { what: "sum of squares", axes: [1] })`. `axes` defaults to all.
 * Nothing is checked here; `program` and `Device.plan` check ops.
 */
export const reduce = <D extends DType, W extends Reduction>(
  layout: Layout<D>,
  { axes = layout.shape.map((_, axis) => axis), ...rest }: { readonly what: W } & Partial<Pick<Reduce, "axes" | "conjugate" | "load">>,
): Reduce & WithOutputType<ReducedType<D, W>> => ({ op: "reduce", layout, axes, ...rest });

/**
 * Makes an op that counts values: `histogram(layout("f32", [64, 1024]), { bins: 256, low: 0, high: 10 })`. Nothing is checked here;
 * `program` and `Device.plan` check ops.
 */
export const histogram = (layout: Layout, options: Omit<Histogram, "op" | "layout">): Histogram & WithOutputType<"u32"> => ({
  op: "histogram",
  layout,
  ...options,
});

type WithLoad = Pick<Reduce, "layout" | "load">;

/** Ports and uniforms of a reduction have these names, so a load has others. */
function checkLoad({ layout, load }: WithLoad): void {
  const taken = new Set(["in", "by", "out", "low", "high"]);
  if (load) checkHook(load, "load", layout, { sources: taken, uniforms: taken });
}

const inputs = ({ load, layout }: WithLoad): Ports => (load ? sourcePorts(load) : { in: read(layout) });

const outputType = ({ what, layout: { dtype } }: Reduce): DType => {
  const isDouble = dtype === "f64" || dtype === "c128";
  if (what === "argmax") return "u32";
  if (isComplex(dtype) && what !== "sum of squares") return isDouble ? "c128" : "c64";
  return isDouble ? "f64" : "f32";
};

/** The row of `reduce`. Planning checks more (`checkReduction` in reductions.ts). */
export const reduceRow: OpRow<Reduce> = {
  fields: { op: true, layout: true, what: true, axes: true, conjugate: "boolean", load: "object" },
  check(op) {
    const { what, axes, layout } = op;
    if (!kinds.includes(what)) fail("what", kinds.join(", "), what);
    const last = layout.shape.length - 1;
    if (!Array.isArray(axes) || !axes.length || ![...axes].every((axis, i) => isWhole(axis, 0, last) && axes.indexOf(axis) === i))
      fail("axes", `different integers from 0 to ${last}`, axes);
    checkLoad(op);
  },
  ports(op) {
    const shape = op.layout.shape.filter((_, axis) => !op.axes.includes(axis));
    return {
      ...inputs(op),
      ...(op.what === "product" && { by: read(op.layout) }),
      out: { access: "write", layout: layout(outputType(op), shape.length ? shape : [1]) },
    };
  },
  uniforms: (op) => op.load?.uniforms ?? {},
  text: (op) => `reduce ${op.what} ${formatLayout(op.layout)} axes=${op.axes}${hooksText(op)}`,
  flops: ({ layout }) => 2 * elementCount(layout),
  canOverwrite: () => false,
};

/** The row of `histogram`. Planning checks more, too. */
export const histogramRow: OpRow<Histogram> = {
  fields: { op: true, layout: true, bins: true, low: "number", high: "number", load: "object" },
  check(op) {
    if (!isWhole(op.bins, 1, 65_536)) fail("bins", "an integer from 1 to 65536", op.bins);
    checkLoad(op);
  },
  ports: (op) => ({ ...inputs(op), out: { access: "write", layout: layout("u32", [op.bins]) } }),
  uniforms: (op) => ({
    ...op.load?.uniforms,
    ...(op.low === undefined && { low: "f32" }),
    ...(op.high === undefined && { high: "f32" }),
  }),
  text: (op) => `histogram ${formatLayout(op.layout)} bins=${op.bins}${hooksText(op)}`,
  flops: ({ layout }) => 2 * elementCount(layout),
  canOverwrite: () => false,
};

/** Reductions are lowered by code that planning loads (reductions.ts). */
export const reduceLowering: OpLowering<Reduce | Histogram> = () => undefined;

/** Small samples of `reduce`. */
export const reduceSamples = (): readonly Reduce[] => [
  reduce(layout("c64", [3, 8]), { what: "sum", axes: [1] }),
  reduce(layout("f32", [3, 8]), { what: "sum of squares" }),
  reduce(layout("c64", [3, 5, 4]), { what: "product", axes: [0, 2], conjugate: true }),
  reduce(layout("f32", [5, 4]), { what: "max", axes: [0] }),
  reduce(layout("i16", [2, 3, 4]), { what: "argmax", axes: [2, 1] }),
  reduce(layout("f32", [3, 8]), {
    what: "sum",
    axes: [0],
    load: {
      name: "weighted",
      uniforms: { scale: "f32" },
      sources: { x: layout("f32", [3, 8]) },
      expression: {
        nodes: [
          ["index", 0],
          ["index", 1],
          ["load", "x", 0, 1],
          ["uniform", "scale"],
          ["mul", 2, 3],
        ],
        results: [4],
      },
    },
  }),
];

/** Small samples of `histogram`. */
export const histogramSamples = (): readonly Histogram[] => [
  histogram(layout("f32", [3, 8]), { bins: 5, low: -0.5, high: 0.5 }),
  histogram(layout("i8", [21]), { bins: 16, high: 128 }),
];
