/**
 * The lowering of reductions to kernels with float64 references, and what backends need to know of their arrays. Planning loads this file
 * when an op needs it. Elements are reduced in blocks, so that no item is long, and in pairs, so that rounding errors grow with the
 * logarithm of their number.
 */
import { dtypes, elementCount, isComplex, type Layout } from "../layout.ts";
import { programOf } from "../lower.ts";
import type { Program } from "../program.ts";
import type { ArrayView } from "../view.ts";
import type { Kernel } from "./kernel.ts";
import { type Histogram, histogramRow, type Reduce, reduceRow } from "./reduce.ts";
import { fail, type LoweredStep, type Ports, read, step } from "./row.ts";
import type { Op } from "./table.ts";
import { hookStep, sameNames } from "./transform.ts";

/** Throws `layout`, naming the field, unless the element type and the options fit what is computed. The row has checked the rest. */
export function checkReduction(op: Reduce | Histogram): void {
  const { layout, load } = op;
  const { dtype } = layout;
  const mayBeComplex = op.op === "reduce" && op.what !== "max" && op.what !== "argmax";
  const types = `${load ? "f32 or f64" : "real, but not u32"}${mayBeComplex ? ", or complex" : ""}`;
  if (dtype === "u32" || (!mayBeComplex && isComplex(dtype)) || (load && !["f32", "f64", "c64", "c128"].includes(dtype)))
    fail("layout.dtype", types, dtype);
  if (op.op === "reduce") {
    if (op.conjugate && op.what !== "product") fail("conjugate", "absent except for product", op.conjugate);
    return;
  }
  const isDouble = dtype === "f64";
  const round = isDouble ? Number : Math.fround;
  const precision = isDouble ? "float64" : "float32";
  const { bins, low, high } = op;
  for (const [name, edge] of Object.entries({ low, high }))
    if (edge !== undefined && !Number.isFinite(round(edge))) fail(name, `a finite number of ${precision}`, edge);
  if (low === undefined || high === undefined) return;
  if (!(round(high) > round(low))) fail("high", `a number above low, ${low}`, high);
  // Devices may take numbers below the smallest normal one for 0.
  const { scale } = binning(op, low, high);
  if (!(scale >= (isDouble ? 2 ** -1022 : 2 ** -126) && scale < Number.POSITIVE_INFINITY))
    fail("high", `neither too far from low, ${low}, nor too close to it, for ${bins} bins in ${precision}`, high);
}

/** A run of axes of an array, which are counted as one. */
export interface AxisRun {
  /** Number of its indices. */
  readonly extent: number;
  /** Distance in elements from one index to the next. */
  readonly stride: number;
}

/**
 * The axes of an array, those that remain and those that are reduced, in their order. Adjacent axes of one kind are one run, and axes of
 * extent 1 are left out.
 */
export interface ReducedAxes {
  readonly kept: readonly AxisRun[];
  readonly reduced: readonly AxisRun[];
  /** Number of results. */
  readonly outputs: number;
  /** Number of elements that are reduced to one. */
  readonly count: number;
  /** Whether neighbouring elements are reduced to one, rather than to neighbouring results. */
  readonly rows: boolean;
}

/** The axes of a reduction. */
export function reducedAxes({ layout: { shape }, axes }: Pick<Reduce, "layout" | "axes">): ReducedAxes {
  const runs: (AxisRun & { readonly isReduced: boolean })[] = [];
  let stride = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const extent = shape[axis];
    const isReduced = axes.includes(axis);
    const [first] = runs;
    if (extent > 1 && first?.isReduced === isReduced) runs[0] = { ...first, extent: first.extent * extent };
    else if (extent > 1) runs.unshift({ extent, stride, isReduced });
    stride *= extent;
  }
  const of = (wanted: boolean) =>
    runs.filter(({ isReduced }) => isReduced === wanted).map(({ extent, stride }): AxisRun => ({ extent, stride }));
  const size = (list: readonly AxisRun[]): number => list.reduce((product, { extent }) => product * extent, 1);
  const [kept, reduced] = [of(false), of(true)];
  return { kept, reduced, outputs: size(kept), count: size(reduced), rows: runs.at(-1)?.isReduced ?? true };
}

/** The place of the index among `runs`, in elements. */
export function elementPlace(runs: readonly AxisRun[], index: number): number {
  let [rest, place] = [index, 0];
  for (let i = runs.length - 1; i >= 0; i--) {
    const { extent, stride } = runs[i];
    place += (rest % extent) * stride;
    rest = Math.floor(rest / extent);
  }
  return place;
}

/** Elements that a reference reduces at a time, at least, and results that it combines. */
const blockLength = 4096;
/** Elements that are added one after the other. Sums of them are added in pairs. */
const leafLength = 8;

/** The sum of term(from) … term(to − 1), which are complex numbers, in pairs. The result is in `out`. */
function addInPairs(term: (r: number, out: Float64Array) => void, from: number, to: number, out: Float64Array): void {
  let [re, im] = [0, 0];
  if (to - from <= leafLength) {
    for (let r = from; r < to; r++) {
      term(r, out);
      re += out[0];
      im += out[1];
    }
  } else {
    const middle = from + leafLength * Math.ceil((to - from) / 2 / leafLength);
    addInPairs(term, from, middle, out);
    [re, im] = out;
    addInPairs(term, middle, to, out);
    re += out[0];
    im += out[1];
  }
  out[0] = re;
  out[1] = im;
}

/** The first largest of value(from) … value(to − 1), where NaN counts as −∞, and its argument. */
function largest(value: (r: number) => number, from: number, to: number): readonly [value: number, at: number] {
  let [most, at] = [-Infinity, from];
  for (let r = from; r < to; r++) {
    const x = value(r);
    if (x > most) [most, at] = [x, r];
  }
  return [most, at];
}

/** Computes one term of a sum, from the elements at place `e` of the arrays. */
type Term = (x: ArrayView, by: ArrayView, e: number, out: Float64Array) => void;

/** The terms of sums. The imaginary parts of real arrays are not multiplied, because ∞·0 is NaN. */
function termOf({ what, conjugate, layout }: Reduce): Term {
  const isReal = dtypes[layout.dtype].components === 1;
  const sign = conjugate ? -1 : 1;
  return (x, by, e, out) => {
    const [a, b] = [x.re(e), x.im(e)];
    out[0] = a;
    out[1] = b;
    if (what === "sum") return;
    out[1] = 0;
    if (what === "sum of squares") out[0] = a * a + b * b;
    else if (isReal) out[0] = a * by.re(e);
    else {
      const [c, d] = [by.re(e), sign * by.im(e)];
      out[0] = a * c - b * d;
      out[1] = a * d + b * c;
    }
  };
}

const write = (layout: Layout) => ({ access: "write", layout }) as const;

/** A reduction without hooks as kernels. The blocks' results, and their places for argmax, are between them. */
function reduceSteps(op: Reduce): readonly LoweredStep[] {
  const { what, layout } = op;
  const { kept, reduced, outputs, count } = reducedAxes(op);
  const { out, ...inputs } = reduceRow.ports(op);
  const own = Object.fromEntries(Object.keys(inputs).map((name) => [name, name]));
  const isSum = what !== "max" && what !== "argmax";
  const length = Math.max(blockLength, Math.ceil(Math.sqrt(count)));
  const blocks = Math.ceil(count / length);
  const term = termOf(op);
  const partial: Layout = {
    dtype: what !== "argmax" ? out.layout.dtype : layout.dtype === "f64" ? "f64" : "f32",
    shape: [outputs, blocks],
  };
  const places: Layout = { dtype: "u32", shape: partial.shape };
  const sum = new Float64Array(2);
  const first = (ports: Ports): Kernel => ({
    op: "kernel",
    name: `${what} of blocks`,
    flops: reduceRow.flops(op),
    ports: { ...inputs, ...ports },
    items: outputs * blocks,
    reference({ in: x, by, out, value, index }, _uniforms, start, end) {
      for (let item = start; item < end; item++) {
        const base = elementPlace(kept, Math.floor(item / blocks));
        const from = (item % blocks) * length;
        const to = Math.min(from + length, count);
        if (isSum) {
          addInPairs((r, sum) => term(x, by, base + elementPlace(reduced, r), sum), from, to, sum);
          (out ?? value).set(item, sum[0], sum[1]);
        } else {
          const [most, at] = largest((r) => x.re(base + elementPlace(reduced, r)), from, to);
          (what === "max" ? (out ?? value) : value)?.set(item, most);
          (what === "argmax" ? (out ?? index) : undefined)?.set(item, at);
        }
      }
    },
  });
  if (blocks === 1) return [step("reduce", first({ out }), { ...own, out: "out" })];
  const isPlace = what === "argmax";
  const second: Kernel = {
    op: "kernel",
    name: `${what} of the blocks' results`,
    ports: { value: read(partial), ...(isPlace && { index: read(places) }), out },
    items: outputs,
    reference({ value, index, out }, _uniforms, start, end) {
      for (let item = start; item < end; item++) {
        const base = item * blocks;
        if (isSum) {
          addInPairs(
            (r, sum) => {
              sum[0] = value.re(base + r);
              sum[1] = value.im(base + r);
            },
            0,
            blocks,
            sum,
          );
          out.set(item, sum[0], sum[1]);
        } else {
          const [most, block] = largest((r) => value.re(base + r), 0, blocks);
          out.set(item, isPlace ? index.re(base + block) : most);
        }
      }
    },
  };
  const between = { value: "value", ...(isPlace && { index: "index" }) };
  return [
    step("blocks", first({ value: write(partial), ...(isPlace && { index: write(places) }) }), {
      ...own,
      ...between,
    }),
    step("results", second, { ...between, out: "out" }),
  ];
}

/** What decides a value's bin: ⌊(x − low)·scale⌋, within the bins, computed in the precision of `round`. */
export function binning({ bins, layout }: Histogram, low: number, high: number) {
  const round = layout.dtype === "f64" ? (x: number): number => x : Math.fround;
  const first = round(low);
  return { low: first, scale: round(bins / round(round(high) - first)), round };
}

/** Items of a histogram's first kernel: each counts a part of the array. */
const mostParts = 64;

function histogramSteps(op: Histogram): readonly LoweredStep[] {
  const { bins, layout } = op;
  const total = elementCount(layout);
  const parts = Math.min(mostParts, Math.ceil(total / blockLength));
  const length = Math.ceil(total / parts);
  const counts: Layout = { dtype: "u32", shape: [parts, bins] };
  const count: Kernel = {
    op: "kernel",
    name: "counts of parts",
    uniforms: histogramRow.uniforms?.(op) ?? {},
    ports: { in: read(layout), counts: write(counts) },
    items: parts,
    reference({ in: x, counts }, given, start, end) {
      const { low, scale, round } = binning(op, op.low ?? given["low"], op.high ?? given["high"]);
      for (let part = start; part < end; part++) {
        const own = new Uint32Array(bins);
        for (let e = part * length; e < Math.min(total, (part + 1) * length); e++) {
          const at = round(round(x.re(e) - low) * scale);
          if (!Number.isNaN(at)) own[Math.max(0, Math.min(bins - 1, Math.floor(at)))]++;
        }
        own.forEach((n, bin) => counts.set(part * bins + bin, n));
      }
    },
  };
  const add: Kernel = {
    op: "kernel",
    name: "sums of counts",
    ports: { counts: read(counts), out: write({ dtype: "u32", shape: [bins] }) },
    items: bins,
    reference({ counts, out }, _uniforms, start, end) {
      for (let bin = start; bin < end; bin++) {
        let sum = 0;
        for (let part = 0; part < parts; part++) sum += counts.re(part * bins + bin);
        out.set(bin, sum);
      }
    },
  };
  return [step("counts", count, { in: "in", counts: "counts" }), step("sums", add, { counts: "counts", out: "out" })];
}

/**
 * A reduction as a program of simpler ops: a load becomes an op before it, and a reduction without one becomes kernels. Undefined for any
 * other op.
 */
export function lowerReduction(op: Op): Program | undefined {
  if (op.op !== "reduce" && op.op !== "histogram") return undefined;
  const { load, ...bare } = op;
  if (!load) return programOf(op, op.op === "reduce" ? reduceSteps(op) : histogramSteps(op));
  const by = op.op === "reduce" && op.what === "product" && { by: "by" };
  return programOf(op, [
    step(`load ${load.name}`, hookStep("load", load, op.layout), { ...sameNames(load.sources), out: "in" }),
    step(op.op, bare, { in: "in", ...by, out: "out" }),
  ]);
}
