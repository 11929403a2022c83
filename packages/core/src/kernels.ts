/** Lines of an array along an axis, and index vectors. */
import type { Layout } from "./layout.ts";

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
