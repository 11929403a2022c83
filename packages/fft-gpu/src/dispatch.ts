/**
 * The description of a plan on the GPU as data: dispatches of WGSL over named arrays. Generators and rules make these; engine.ts turns
 * them into pipelines, bindings and commands. Nothing here uses GPU objects.
 */
import type { Access, Cost, Layout, Op, Uniforms, UniformTypes } from "@dechirp/core";
import type { Choice } from "./shape.ts";

/** A constant array on the device, such as twiddle factors or a chirp. It is made once per key and shared by the plans that use it. */
export interface TableSpec {
  readonly key: string;
  readonly layout: Layout;
  /** Called at most once while any plan uses the table. Yields about every millisecond. */
  make(): Generator<void, Float32Array | Uint32Array | Uint16Array>;
}

/** An array that a dispatch uses: a port of the plan, a temporary or a table. */
export interface ArrayUse {
  readonly from: { readonly port: string } | { readonly temporary: number } | { readonly table: TableSpec };
  readonly layout: Layout;
  readonly access: Access;
  /**
   * Whether elements are accessed as vec4f only, by the index of the first. A vec4f holds two neighbours of a c64 array (`load2_NAME`,
   * `store2_NAME`), or four of an f32 array (`load4_NAME`, `store4_NAME`). The index and the number of elements must be multiples of that.
   */
  readonly pairs?: boolean;
  /** Whether the kernel adds to elements of a u32 array: `add_NAME(index, value)`, which many invocations may call for the same element. */
  readonly adds?: boolean;
  /** Whether the array, whose layout is cf16, is bound as `dechirp_NAME_0`, an array of f16, and has no accessors. For matrices of subgroups. */
  readonly halves?: boolean;
  /** Another array of the dispatch whose binding this one shares. Both are the same array, and this one has no binding of its own. */
  readonly alias?: string;
}

/** One dispatch of a kernel. */
export interface Dispatch {
  /** WGSL without bindings. It accesses arrays by `load_NAME` and `store_NAME` (core's WgslKernel describes their types). */
  readonly code: string;
  readonly entry: string;
  /** Extensions of WGSL that the code uses, besides `subgroups`. */
  readonly enables?: readonly string[];
  readonly arrays: Readonly<Record<string, ArrayUse>>;
  /** Members of `uniforms` that are given at each run, besides the keys of `fixed`. */
  readonly uniforms?: UniformTypes;
  /**
   * Members of `uniforms` that are known when planning, all u32. They are not part of the text, so dispatches that differ only here share
   * a pipeline.
   */
  readonly fixed?: Uniforms;
  readonly groups: readonly [x: number, y: number, z: number];
}

/** A plan as data. */
export interface BodySpec {
  readonly op: Op;
  readonly text: string;
  readonly cost: Cost;
  /** Whether a convolution computes the transform. */
  readonly convolved?: true;
  /** What the planner chose for a transform's lines. */
  readonly choice?: Choice;
  /** The dispatches, which run in order. */
  readonly dispatches: readonly Dispatch[];
  /** Layouts of the plan's temporary arrays, by number. Their contents are lost after a run. */
  readonly temporaries?: readonly Layout[];
}

/** The number of workgroups that every device allows in one dimension of a dispatch. */
export const groupsPerDimension = 65_535;

/**
 * Arranges `count` workgroups in a grid. `index` is the WGSL expression of a workgroup's number from `group_id` (the builtin
 * `workgroup_id`). The grid may have more workgroups than `count`, so the code must return if `group >= count`.
 */
export function spread(count: number): { readonly groups: readonly [number, number, number]; readonly index: string } {
  if (count <= groupsPerDimension) return { groups: [count, 1, 1], index: "group_id.x" };
  const y = Math.ceil(count / groupsPerDimension);
  const x = Math.ceil(count / y);
  return { groups: [x, y, 1], index: `(group_id.y * ${x}u + group_id.x)` };
}
