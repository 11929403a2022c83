/**
 * The domain-free kernels that core's lowerings are made of, by reference. A backend usually has better rows for these;
 * they say what those rows must compute.
 */
import { type ComplexDType, complexOf, type DType, dtypes, elementCount, type Layout, type RealDType, realOf, withAxis } from "./layout.ts";
import { requireSynchronous } from "./listener.ts";
import type { Convert, Kernel, Load, Multiply, Ports, Store, Transpose } from "./op.ts";
import { filterLayout, sourcePorts } from "./ports.ts";
import type { ArrayView } from "./view.ts";
import { wgslFloat, wgslIndex, wgslLoaded, wgslStored, wgslZero } from "./wgsl.ts";

/** An array seen along one axis: element (outer, i, inner) is at (outer·extent + i)·inners + inner. */
export interface AxisView {
  readonly outers: number;
  readonly extent: number;
  readonly inners: number;
}

/** The lines of an array along an axis. */
export function axisView(layout: Layout, axis: number): AxisView {
  const product = (from: number, to: number): number => layout.shape.slice(from, to).reduce((a, b) => a * b, 1);
  return { outers: product(0, axis), extent: layout.shape[axis], inners: product(axis + 1, layout.shape.length) };
}

/** Index vector of a flat index, written into `at`. */
export function unravel(index: number, shape: readonly number[], at: number[]): void {
  let rest = index;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    at[axis] = rest % shape[axis];
    rest = Math.floor(rest / shape[axis]);
  }
}

/** y[i] = x[start + i] along `axis` for i < extent, zero where x ends. */
export function resizeKernel(layout: Layout, axis: number, start: number, extent: number): Kernel {
  const output = withAxis(layout, axis, extent);
  const from = axisView(layout, axis);
  return mapKernel(
    `resize axis=${axis} ${start}+${extent}`,
    layout,
    output,
    (input, out, e) => {
      const inner = e % from.inners;
      const line = Math.floor(e / from.inners);
      const i = (line % extent) + start;
      const outer = Math.floor(line / extent);
      const s = (outer * from.extent + i) * from.inners + inner;
      if (i < from.extent) out.set(e, input.re(s), input.im(s));
      else out.set(e, 0);
    },
    resizeText(from, start, extent, layout.dtype, "load_in(s)"),
  );
}

const resizeText = ({ extent: from, inners }: AxisView, start: number, extent: number, dtype: DType, value: string): string => `
let line = item / ${inners}u;
let i = line % ${extent}u + ${start}u;
let s = (line / ${extent}u * ${from}u + i) * ${inners}u + item % ${inners}u;
if (i < ${from}u) { store_out(item, ${value}); } else { store_out(item, ${wgslZero(dtype)}); }`;

/** A real array as a complex one, zero-padded or cropped to `n` along `axis`. */
export function toComplexKernel(layout: Layout<RealDType>, axis: number, n: number): Kernel {
  const kernel = resizeKernel(layout, axis, 0, n);
  const output: Layout = { dtype: complexOf(layout.dtype), shape: kernel.ports["out"].layout.shape };
  const text = resizeText(axisView(layout, axis), 0, n, output.dtype, "vec2f(load_in(s), 0.0)");
  return {
    ...kernel,
    name: `to-complex axis=${axis} n=${n}`,
    ports: { in: kernel.ports["in"], out: { access: "write", layout: output } },
    wgsl: (_constants, _limits, toolkit) => toolkit.items(text),
  };
}

/** The full spectrum of a real line of length n from bins 0 … ⌊n/2⌋, zero where the half spectrum ends. */
export function hermitianKernel(layout: Layout<ComplexDType>, axis: number, n: number): Kernel {
  const from = axisView(layout, axis);
  const text = `
let line = item / ${from.inners}u;
let k = line % ${n}u;
let bin = min(k, ${n}u - k);
if (bin >= ${from.extent}u) { store_out(item, vec2f()); return; }
var value = load_in((line / ${n}u * ${from.extent}u + bin) * ${from.inners}u + item % ${from.inners}u);
if (bin == 0u || 2u * bin == ${n}u) { value.y = 0.0; } else if (k != bin) { value.y = -value.y; }
store_out(item, value);`;
  const one = (input: ArrayView, out: ArrayView, e: number): void => {
    const inner = e % from.inners;
    const line = Math.floor(e / from.inners);
    const k = line % n;
    const bin = Math.min(k, n - k);
    const s = (Math.floor(line / n) * from.extent + bin) * from.inners + inner;
    const selfMirrored = bin === 0 || 2 * bin === n;
    if (bin >= from.extent) out.set(e, 0);
    else out.set(e, input.re(s), selfMirrored ? 0 : k === bin ? input.im(s) : -input.im(s));
  };
  return mapKernel(`hermitian axis=${axis} n=${n}`, layout, withAxis(layout, axis, n), one, text);
}

export function realPartKernel(layout: Layout<ComplexDType>): Kernel {
  const output: Layout = { dtype: realOf(layout.dtype), shape: layout.shape };
  return mapKernel("real-part", layout, output, (input, out, e) => out.set(e, input.re(e)), "store_out(item, load_in(item).x);");
}

export function multiplyKernel(op: Multiply): Kernel {
  const { extent, inners } = axisView(op.layout, op.axis);
  const ports: Ports = {
    in: { access: "read", layout: op.layout },
    h: { access: "read", layout: filterLayout(op.layout, op.axis, extent, op.h) },
    out: { access: "write", layout: op.layout },
  };
  return {
    op: "kernel",
    name: `multiply h=${op.h}`,
    flops: 6 * elementCount(op.layout),
    ports,
    items: elementCount(op.layout),
    elementwise: true,
    wgsl: (_constants, _limits, toolkit) =>
      toolkit.items(`store_out(item, cmul(load_in(item), load_h(${op.h === "all" ? "item" : `item / ${inners}u % ${extent}u`})));`),
    reference({ in: x, h, out }, _uniforms, start, end) {
      for (let e = start; e < end; e++) {
        const f = op.h === "all" ? e : Math.floor(e / inners) % extent;
        const [a, b, c, d] = [x.re(e), x.im(e), h.re(f), h.im(f)];
        out.set(e, a * c - b * d, a * d + b * c);
      }
    },
  };
}

export function transposeKernel(op: Transpose): Kernel {
  const shape = op.permutation.map((axis) => op.layout.shape[axis]);
  const strides = op.layout.shape.map((_, axis) => op.layout.shape.slice(axis + 1).reduce((a, b) => a * b, 1));
  const at: number[] = [];
  const text = `
let at = ${wgslIndex("item", shape)};
store_out(item, load_in(${op.permutation.map((axis, i) => `at[${i}] * ${strides[axis]}u`).join(" + ")}));`;
  return mapKernel(
    `transpose ${op.permutation.join(",")}`,
    op.layout,
    { dtype: op.layout.dtype, shape },
    (input, out, e) => {
      unravel(e, shape, at);
      const s = op.permutation.reduce((sum, axis, i) => sum + at[i] * strides[axis], 0);
      out.set(e, input.re(s), input.im(s));
    },
    text,
  );
}

export function convertKernel(op: Convert): Kernel {
  const scale = op.scale ?? 1;
  const exact = op.layout.dtype === op.to && scale === 1;
  const text = `
let value = ${wgslFloat(scale)} * ${wgslLoaded(op.layout.dtype, "load_in(item)")};
store_out(item, ${wgslStored(op.to, "value")});`;
  const kernel = mapKernel(
    `convert ${op.to}`,
    op.layout,
    { dtype: op.to, shape: op.layout.shape },
    (input, out, e) => out.set(e, input.re(e) * scale, input.im(e) * scale),
    exact ? "store_out(item, load_in(item));" : text,
  );
  return { ...kernel, elementwise: true };
}

/**
 * A hook as a kernel of its own. A load computes the transform's input, an array of `layout`; a store maps the results of that layout (port
 * `result`) to the output.
 */
export function hookKernel(end: "load" | "store", hook: Load | Store, layout: Layout): Kernel {
  const { shape } = layout;
  const result: Ports | undefined = end === "store" ? { result: { access: "read", layout } } : undefined;
  const dtype = "dtype" in hook ? hook.dtype : layout.dtype;
  const { name, constants, uniforms } = hook;
  return {
    op: "kernel",
    name: `${end}:${name}`,
    ...(constants && { constants }),
    ...(uniforms && { uniforms }),
    ports: { ...sourcePorts(hook), ...result, out: { access: "write", layout: { dtype, shape } } },
    items: elementCount(layout),
    wgsl(_constants, _limits, toolkit) {
      const code = toolkit.hook(end, hook, shape.length);
      if (code === undefined) return undefined;
      const value = result ? `, ${wgslLoaded(layout.dtype, "load_result(item)")}` : "";
      return toolkit.items(
        `let value = dechirp_${end}(${wgslIndex("item", shape)}${value});\nstore_out(item, ${wgslStored(dtype, "value")});`,
        code,
      );
    },
    reference({ out, result, ...sources }, uniforms, start, end) {
      const at: number[] = [];
      for (let e = start; e < end; e++) {
        unravel(e, shape, at);
        const [re, im] = requireSynchronous(
          result
            ? (hook as Store).reference(at, [result.re(e), result.im(e)], sources, uniforms)
            : (hook as Load).reference(at, sources, uniforms),
          `${name}.reference`,
        );
        out.set(e, re, im);
      }
    },
  };
}

/** A kernel with one input, whose items are the elements of its output; `text` is the same in WGSL for element `item`. */
function mapKernel(
  name: string,
  input: Layout,
  output: Layout,
  one: (input: ArrayView, out: ArrayView, element: number) => void,
  text: string,
): Kernel {
  return {
    op: "kernel",
    name,
    flops: elementCount(output) * (dtypes[output.dtype].components - 1),
    ports: { in: { access: "read", layout: input }, out: { access: "write", layout: output } },
    items: elementCount(output),
    wgsl: (_constants, _limits, toolkit) => toolkit.items(text),
    reference({ in: x, out }, _uniforms, start, end) {
      for (let e = start; e < end; e++) one(x, out, e);
    },
  };
}
