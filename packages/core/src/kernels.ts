/**
 * Helpers for the kernels of core's lowerings: lines along an axis, index vectors, and kernels that compute one output element from one
 * input.
 */
import { dtypes, elementCount, type Layout } from "./layout.ts";
import type { Kernel } from "./ops/kernel.ts";
import { inOut } from "./ops/row.ts";
import type { ArrayView } from "./view.ts";

/** An array as lines along one axis. Element (outer, i, inner) is at flat index (outer·extent + i)·inners + inner. */
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

/** Converts a flat index to an index vector, which it writes to `at`. */
export function unravel(index: number, shape: readonly number[], at: number[]): void {
  let rest = index;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    at[axis] = rest % shape[axis];
    rest = Math.floor(rest / shape[axis]);
  }
}

/**
 * Makes a kernel with one input whose items are the elements of its output. `one` computes an element in float64, and `text` is WGSL that
 * computes element `item`.
 */
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
