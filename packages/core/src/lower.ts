/**
 * Core's lowerings: the last rows of every backend's table. Each turns a composite op into a program of simpler ones, so
 * that no backend can miss an op that core can compose. What is left for a backend is the bare transform (`fft` without
 * hooks) and kernels. `lower` is pure; program.ts's `compile` plans the result.
 */

import {
  convertKernel,
  hermitianKernel,
  hookKernel,
  multiplyKernel,
  realPartKernel,
  resizeKernel,
  toComplexKernel,
  transposeKernel,
} from "./kernels.ts";
import { type ComplexDType, type Layout, withAxis } from "./layout.ts";
import type { Convert, Fft, FilterInverse, Kernel, Multiply, Op, RealFft, SpectralFilter, Transpose } from "./op.ts";
import { cornerTurnedLayout, isTransform, keptLayout, portsOf, type TransformOp, transformLayout, transformLength } from "./ports.ts";
import type { Program, Step } from "./program.ts";

/** The op as a program of simpler ops whose inputs and outputs are the op's ports, or nothing where there is none. */
export function lower(op: Op): Program | undefined {
  const steps =
    isTransform(op) && op.cornerTurn
      ? thenTurned(op)
      : isTransform(op) && (op.load || op.store)
        ? withoutHooks(op)
        : lowerings[op.op](op as never);
  if (!steps) return undefined;
  const ports = Object.entries(portsOf(op));
  const written = ports.filter(([, port]) => port.access === "write").map(([name]) => name);
  return {
    name: op.op,
    inputs: Object.fromEntries(ports.filter(([, port]) => port.access === "read").map(([name, port]) => [name, port.layout])),
    steps,
    outputs: written,
  };
}

type Lowering<T> = (op: T) => readonly Step[] | undefined;

const lowerings: {
  fft: Lowering<Fft>;
  "real-fft": Lowering<RealFft>;
  "spectral-filter": Lowering<SpectralFilter>;
  "filter-inverse": Lowering<FilterInverse>;
  multiply: Lowering<Multiply>;
  transpose: Lowering<Transpose>;
  convert: Lowering<Convert>;
  kernel: Lowering<Kernel>;
} = {
  fft(op) {
    const { n, keep, ...whole } = op;
    const length = transformLength(op);
    const padded = withAxis(op.layout, op.axis, length);
    if (length !== op.layout.shape[op.axis]) {
      return [
        step("resize", resizeKernel(op.layout, op.axis, 0, length), { in: "in", out: "padded" }),
        step("transform", { ...whole, layout: padded, ...(keep && { keep }) }, { in: "padded", out: "out" }),
      ];
    }
    if (!keep) return undefined;
    return [
      step("transform", { ...whole, layout: padded }, { in: "in", out: "full" }),
      step("keep", resizeKernel(padded, op.axis, keep[0], keep[1]), { in: "full", out: "out" }),
    ];
  },
  "real-fft"(op) {
    const n = transformLength(op);
    const half = Math.floor(n / 2) + 1;
    if (!op.inverse) {
      const complex = toComplexKernel(op.layout as Layout<"f32" | "f64">, op.axis, n);
      return [
        step("to complex", complex, { in: "in", out: "line" }),
        step("transform", { ...bare(op, complex.ports["out"].layout, false), keep: op.keep ?? [0, half] }, { in: "line", out: "out" }),
      ];
    }
    const full = hermitianKernel(op.layout as Layout<ComplexDType>, op.axis, n);
    const inverse = bare(op, full.ports["out"].layout, true);
    return [
      step("mirror", full, { in: "in", out: "full" }),
      step("transform", inverse, { in: "full", out: "complex" }),
      step("real part", realPartKernel(keptLayout(inverse) as Layout<ComplexDType>), { in: "complex", out: "out" }),
    ];
  },
  "spectral-filter"(op) {
    const n = transformLength(op);
    const spectrum = transformLayout(op) as Layout<ComplexDType>;
    return [
      step("transform", { op: "fft", layout: op.layout, axis: op.axis, n, inverse: false }, { in: "in", out: "spectrum" }),
      {
        ...step("filter", { op: "multiply", layout: spectrum, axis: op.axis, h: op.h }, { in: "spectrum", h: "h", out: "spectrum" }),
        inPlace: true,
      },
      step("inverse", bare(op, spectrum, true), { in: "spectrum", out: "out" }),
    ];
  },
  "filter-inverse"(op) {
    const n = transformLength(op);
    const spectrum = transformLayout(op) as Layout<ComplexDType>;
    const resize = n !== op.layout.shape[op.axis];
    const from = resize ? "resized" : "in";
    return [
      ...(resize ? [step("resize", resizeKernel(op.layout, op.axis, 0, n), { in: "in", out: "resized" })] : []),
      step("filter", { op: "multiply", layout: spectrum, axis: op.axis, h: op.h }, { in: from, h: "h", out: "filtered" }),
      step("inverse", bare(op, spectrum, true), { in: "filtered", out: "out" }),
    ];
  },
  multiply: (op) => [step("multiply", multiplyKernel(op), { in: "in", h: "h", out: "out" })],
  transpose: (op) => [step("transpose", transposeKernel(op), { in: "in", out: "out" })],
  convert: (op) => [step("convert", convertKernel(op), { in: "in", out: "out" })],
  kernel: () => undefined,
};

/** The transform of whole complex lines, of which the outputs are kept that `op` keeps. */
const bare = (op: TransformOp, layout: Layout, inverse: boolean): Fft => ({
  op: "fft",
  layout: layout as Layout<ComplexDType>,
  axis: op.axis,
  inverse,
  ...(op.keep && { keep: op.keep }),
});

/**
 * The transform with all that belongs to it, then the turn; or the turn first, where columns without hooks become rows by it,
 * which devices are quicker with.
 */
function thenTurned({ cornerTurn: _, ...op }: TransformOp): readonly Step[] {
  const { out, ...ports } = portsOf(op);
  const rank = op.layout.shape.length;
  const permutation = Array.from({ length: rank }, (_, axis) => (axis < rank - 2 ? axis : 2 * rank - 3 - axis));
  if (op.op === "fft" && op.axis === rank - 2 && !op.load && !op.store) {
    const rows = { ...op, layout: cornerTurnedLayout(op.layout), axis: rank - 1 };
    return [
      step("turn", { op: "transpose", layout: op.layout, permutation }, { in: "in", out: "turned" }),
      step("rows", rows, { in: "turned", out: "out" }),
    ];
  }
  return [
    step("straight", op, { ...Object.fromEntries(Object.keys(ports).map((name) => [name, name])), out: "straight" }),
    step("turn", { op: "transpose", layout: out.layout, permutation }, { in: "straight", out: "out" }),
  ];
}

/** Map kernel, bare transform, map kernel. */
function withoutHooks(op: TransformOp): readonly Step[] {
  const { load, store, ...hookless } = op;
  const loaded = load ? "loaded" : "in";
  const result = store ? "unstored" : "out";
  const steps: Step[] = [];
  if (load) steps.push(step(`load ${load.name}`, hookKernel("load", load, op.layout), { ...named(load.sources), out: "loaded" }));
  steps.push(step("transform", hookless as Op, { in: loaded, ...("h" in op && { h: "h" }), out: result }));
  if (store) {
    steps.push(
      step(`store ${store.name}`, hookKernel("store", store, keptLayout(op)), { ...named(store.sources), result: "unstored", out: "out" }),
    );
  }
  return steps;
}

const named = (sources: Readonly<Record<string, Layout>>): Record<string, string> =>
  Object.fromEntries(Object.keys(sources).map((name) => [name, name]));
const step = (name: string, op: Op, bind: Record<string, string>): Step => ({ name, op, bind });
