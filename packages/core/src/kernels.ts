/** Helpers for kernels that core's lowerings are made of: lines along an axis, index vectors, kernels that map element to element. */
import { dtypes, elementCount, type Layout } from "./layout.ts";
import type { Kernel } from "./ops/kernel.ts";
import { inOut } from "./ops/row.ts";
import type { ArrayView } from "./view.ts";

/** An array as lines along one axis: element (outer, i, inner) is at (outer·extent + i)·inners + inner. */
export interface AxisView {
  /** Product of the extents before the axis. */
  readonly outers: number;
  /** Extent of the axis. */
  readonly extent: number;
  /** Product of the extents after the axis. */
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

/** A kernel with one input, whose items are the elements of its output. `text` is WGSL that computes element `item`. */
export function mapKernel(
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
    ports: inOut(input, output),
    items: elementCount(output),
    wgsl: (_constants, _limits, toolkit) => toolkit.items(text),
    reference({ in: x, out }, _uniforms, start, end) {
      for (let e = start; e < end; e++) one(x, out, e);
    },
  };
}
