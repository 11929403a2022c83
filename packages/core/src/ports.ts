/**
 * What follows from an op's data: its ports, its transform length, its text and its one-pass cost. Pure functions over a
 * valid op (validate.ts says what is valid); written once here so that no backend works them out again.
 */
import {
  byteLength,
  type ComplexDType,
  complexOf,
  elementCount,
  formatLayout,
  isComplex,
  type Layout,
  type RealDType,
  realOf,
  withAxis,
} from "./layout.ts";
import type { Cost, Fft, FilterInverse, Kernel, Load, Op, Port, Ports, RealFft, SpectralFilter, Store, UniformTypes } from "./op.ts";

export type TransformOp = Fft | RealFft | SpectralFilter | FilterInverse;

/** Whether an operation is a transform, which hooks attach to. */
export const isTransform = (op: Op): op is TransformOp =>
  op.op === "fft" || op.op === "real-fft" || op.op === "spectral-filter" || op.op === "filter-inverse";

/** Length of a transform: for an inverse real-fft the length of the real line. */
export function transformLength(op: TransformOp): number {
  const extent = op.layout.shape[op.axis];
  return op.n ?? (op.op === "real-fft" && op.inverse ? 2 * (extent - 1) : extent);
}

/** Layout that a transform yields before `keep` and `store`. */
export function transformLayout(op: TransformOp): Layout {
  const n = transformLength(op);
  if (op.op !== "real-fft") return withAxis(op.layout, op.axis, n);
  const dtype = op.inverse ? realOf(op.layout.dtype as ComplexDType) : complexOf(op.layout.dtype as RealDType);
  return withAxis({ dtype, shape: op.layout.shape }, op.axis, op.inverse ? n : Math.floor(n / 2) + 1);
}

/** Layout of a transform's results after `keep` and before `store` and the corner turn of `turned`: that of a store's indices. */
export function keptLayout(op: TransformOp): Layout {
  const full = transformLayout(op);
  return op.keep ? withAxis(full, op.axis, op.keep[1]) : full;
}

/** A layout with its last two axes exchanged. */
export const cornerTurnedLayout = <D extends Layout["dtype"]>({ dtype, shape }: Layout<D>): Layout<D> => ({
  dtype,
  shape: [...shape.slice(0, -2), shape[shape.length - 1], shape[shape.length - 2]],
});

/** Layout of a filter `h` over the transformed lines. */
export function filterLayout(layout: Layout, axis: number, n: number, h: "line" | "all"): Layout {
  return h === "line" ? { dtype: layout.dtype, shape: [n] } : withAxis(layout, axis, n);
}

/** Every port of an op, by name. */
export function portsOf(op: Op): Ports {
  switch (op.op) {
    case "kernel":
      return op.ports;
    case "multiply":
      return inOut(op.layout, op.layout, { h: read(filterLayout(op.layout, op.axis, op.layout.shape[op.axis], op.h)) });
    case "transpose":
      return inOut(op.layout, { dtype: op.layout.dtype, shape: op.permutation.map((axis) => op.layout.shape[axis]) });
    case "convert":
      return inOut(op.layout, { dtype: op.to, shape: op.layout.shape });
    default: {
      const ports: Record<string, Port> = op.load ? sourcePorts(op.load) : { in: read(op.layout) };
      if (op.op === "spectral-filter" || op.op === "filter-inverse") {
        ports["h"] = read(filterLayout(op.layout, op.axis, transformLength(op), op.h));
      }
      if (op.store) Object.assign(ports, sourcePorts(op.store));
      const result = keptLayout(op);
      const stored = op.store ? { dtype: op.store.dtype, shape: result.shape } : result;
      ports["out"] = { access: "write", layout: op.cornerTurn ? cornerTurnedLayout(stored) : stored };
      return ports;
    }
  }
}

/** Layout of the array that an op writes to its port `out`: after `keep`, `store`, the corner turn of `turned`, a permutation, a conversion. */
export const resultLayout = (op: Exclude<Op, Kernel>): Layout => portsOf(op)["out"].layout;

const read = (layout: Layout): Port => ({ access: "read", layout });
const inOut = (input: Layout, output: Layout, more: Record<string, Port> = {}): Ports => ({
  in: read(input),
  ...more,
  out: { access: "write", layout: output },
});
export const sourcePorts = (hook: Load | Store): Record<string, Port> =>
  Object.fromEntries(Object.entries(hook.sources).map(([name, layout]) => [name, read(layout)]));

/** Uniforms that a run of the op must give. */
export function uniformsOf(op: Op): UniformTypes {
  if (op.op === "kernel") return op.uniforms ?? {};
  return isTransform(op) ? { ...op.load?.uniforms, ...op.store?.uniforms } : {};
}

/** A line of text that says what the op is: `fft c64[1536, 2048] axis=1 n=4096`. */
export function formatOp(op: Op): string {
  if (op.op === "kernel") return `kernel ${op.name}`;
  const words = [op.op, formatLayout(op.layout)];
  if (isTransform(op)) {
    words.push(`axis=${op.axis}`, `n=${transformLength(op)}`);
    if ("inverse" in op && op.inverse) words.push("inverse");
    if ("h" in op) words.push(`h=${op.h}`);
    if (op.keep) words.push(`keep=${op.keep.join("+")}`);
    if (op.cornerTurn) words.push("turned");
    return `${words.join(" ")}${hooksText(op)}`;
  }
  if (op.op === "multiply") words.push(`axis=${op.axis}`, `h=${op.h}`);
  if (op.op === "transpose") words.push(`permutation=${op.permutation.join(",")}`);
  if (op.op === "convert") words.push(`to=${op.to}`);
  return words.join(" ");
}

/** A transform's hooks as its texts name them, ` load=gain store=power`; `how` goes behind each name. */
export const hooksText = ({ load, store }: TransformOp, how = ""): string =>
  Object.entries({ load, store })
    .map(([end, hook]) => (hook ? ` ${end}=${hook.name}${how}` : ""))
    .join("");

/** Cost of the op done in one pass over memory; flops by the 5·n·log₂n convention of benchFFT, half for real lines. */
export function onePassCost(op: Op): Cost {
  const moved = Object.values(portsOf(op)).reduce((sum, port) => sum + byteLength(port.layout) * (port.access === "update" ? 2 : 1), 0);
  return { flops: flopsOf(op), bytes: moved, passes: 1 };
}

function flopsOf(op: Op): number {
  if (op.op === "kernel") return op.flops ?? 0;
  if (op.op === "transpose") return 0;
  if (op.op === "convert") return elementCount(op.layout) * (isComplex(op.layout.dtype) ? 2 : 1);
  if (op.op === "multiply") return 6 * elementCount(op.layout);
  const n = transformLength(op);
  const lines = elementCount(op.layout) / op.layout.shape[op.axis];
  const transform = 5 * n * Math.log2(Math.max(n, 2));
  const perLine = {
    fft: transform,
    "real-fft": transform / 2,
    "spectral-filter": 2 * transform + 6 * n,
    "filter-inverse": transform + 6 * n,
  }[op.op];
  return lines * perLine;
}

/** The cost of one after the other. */
export const addCosts = (costs: readonly Cost[]): Cost =>
  costs.reduce((a, b) => ({ flops: a.flops + b.flops, bytes: a.bytes + b.bytes, passes: a.passes + b.passes }), {
    flops: 0,
    bytes: 0,
    passes: 0,
  });
