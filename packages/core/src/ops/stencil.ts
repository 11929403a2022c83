/** Stencils: results for every element from the windows around it, over the last one or two axes. */
import type { Expression } from "../expression/nodes.ts";
import type { UniformTypes } from "../hooks.ts";
import type { DType, Layout } from "../layout.ts";
import { mapLowering, mapRow, mapSamples } from "./map.ts";
import type { OpLowering, OpRow } from "./row.ts";

/** The cells beyond the ends of an axis: zeros, copies of the nearest cell, or the cells of the other end (the index modulo the extent). */
export type Boundary = "zero" | "clamp" | "wrap";

/** Offsets from the own index along an axis: all from the first to the last, both included. */
export type Offsets = readonly [first: number, last: number];

/** A window around the element that is computed. Its value is the sum of its cells. */
export interface StencilWindow {
  /** The number of the image that it is over: of a result of `centres`. */
  readonly of: number;
  /** The offsets of its cells along the axis before the last, and along the last axis. */
  readonly rows: Offsets;
  readonly columns: Offsets;
  /** Cells that do not count, within the window and smaller than it. Default: none. */
  readonly hole?: { readonly rows: Offsets; readonly columns: Offsets };
}

/**
 * Computes every output at each index vector of `shape` from windows over images. An image has `shape`, and each of its elements is
 * computed by an expression of the sources, most often one element of a source. Ports: the sources, and the outputs, which all have
 * `shape`. `stencil` of `@dechirp/core/stencil` makes such ops. `MapOp` says how devices compute expressions and round results. A sum is
 * within (rows + columns of its window)·ε of the sum of its cells' magnitudes, and depends on no other cells.
 */
export interface Stencil {
  readonly op: "stencil";
  /** Name for messages and plan texts. */
  readonly name: string;
  /** Extents of the indices, and of every output. */
  readonly shape: readonly number[];
  /** Layouts of the arrays that are read, by the name of their port. They may have any shape. */
  readonly sources: Readonly<Record<string, Layout>>;
  /** Element types of the arrays that are written, by the name of their port. */
  readonly outputs: Readonly<Record<string, DType>>;
  /** Names and types of the values that every run must pass. Default: none. */
  readonly uniforms?: UniformTypes;
  /** What is beyond the ends of the last axis, or of the last two axes. There are windows over these axes only. */
  readonly boundary: readonly [columns: Boundary] | readonly [rows: Boundary, columns: Boundary];
  /** The images, as results of an expression of the sources. They are real or complex. */
  readonly centres: Expression;
  /** The windows by name. `expression` reads their values as elements of sources of these names, at the own index only. */
  readonly windows: Readonly<Record<string, StencilWindow>>;
  /** What is computed of windows and sources, with a result for each output, in their order. */
  readonly expression: Expression;
}

/** The row of `stencil`: that of `map`, with more fields. The windows and images are checked when the op is planned (expression/stencil.ts). */
export const stencilRow: OpRow<Stencil> = {
  ...(mapRow as OpRow<never>),
  fields: {
    op: true,
    name: true,
    shape: true,
    sources: "object",
    outputs: "object",
    uniforms: "object",
    expression: "object",
    boundary: true,
    centres: true,
    windows: true,
  },
  canOverwrite: () => false,
};

/** Stencils become kernels when they are planned (expression/stencil.ts). */
export const stencilLowering = mapLowering as unknown as OpLowering<Stencil>;

/** A small sample: the sum of a ring around each element, less a neighbour. */
export const stencilSamples = (): readonly Stencil[] => {
  const [sample] = mapSamples();
  const { nodes } = sample.expression;
  const own = nodes.slice(0, 2);
  return [
    {
      ...{ op: "stencil", name: "ring", shape: sample.shape, sources: sample.sources, outputs: { out: "c64" }, boundary: ["wrap", "zero"] },
      centres: { nodes: nodes.slice(0, 3), results: [2] },
      windows: {
        ring: { of: 0, rows: [-2, 2], columns: [-3, 3], hole: { rows: [-1, 1], columns: [-1, 1] } },
        left: { of: 0, rows: [0, 0], columns: [-1, -1] },
      },
      expression: { nodes: [...own, ["load", "ring", 0, 1], ["load", "left", 0, 1], ["sub", 2, 3]], results: [4] },
    },
  ];
};
