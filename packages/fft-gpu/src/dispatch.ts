/**
 * What a plan on the GPU is made of, as data: dispatches of WGSL over named arrays. Generators and rules make these, the
 * engine (engine.ts) turns them into pipelines, bindings and commands. Nothing here knows a GPU object.
 */
import type { Access, Cost, Layout, Op, Uniforms, UniformTypes } from "@dechirp/core";

/** A constant array on the device (twiddle factors, chirps), made once for every key and shared by the plans that use it. */
export interface TableSpec {
  readonly key: string;
  readonly layout: Layout;
  /** Called at most once for as long as any plan uses the table. Yields between pieces of about a millisecond. */
  make(): Generator<void, Float32Array | Uint32Array>;
}

export interface ArrayUse {
  readonly from: { readonly port: string } | { readonly temporary: number } | { readonly table: TableSpec };
  readonly layout: Layout;
  readonly access: Access;
  /**
   * Two adjacent elements at once, and no other way: `load2_NAME` and `store2_NAME` take the index of the first, an even one, and
   * a vec4f. For c64 arrays with an even number of elements.
   */
  readonly pairs?: boolean;
  /** The other array of the dispatch through whose binding this one is read. Both are one array; nothing is bound for this one. */
  readonly alias?: string;
}

export interface Dispatch {
  /** WGSL without bindings: arrays through `load_NAME` and `store_NAME` (core's WgslKernel says of what types). */
  readonly code: string;
  readonly entry: string;
  readonly arrays: Readonly<Record<string, ArrayUse>>;
  /** Members of `uniforms`, besides the keys of `fixed`; given by the run. */
  readonly uniforms?: UniformTypes;
  /** Members of `uniforms` known when planned, all u32. Not part of the text: dispatches that differ here alone share a pipeline. */
  readonly fixed?: Uniforms;
  readonly groups: readonly [x: number, y: number, z: number];
}

export interface BodySpec {
  readonly op: Op;
  readonly text: string;
  readonly cost: Cost;
  /** Whether a convolution computes the transform. */
  readonly convolved?: true;
  /** Run in order. */
  readonly dispatches: readonly Dispatch[];
  /** Arrays that belong to the plan, by number; contents do not outlive a run. */
  readonly temporaries?: readonly Layout[];
}

/** Workgroups that one dimension of a dispatch may have, on every device. */
export const groupsPerDimension = 65_535;

/**
 * Any number of workgroups as a grid, and the WGSL expression of a workgroup's number from `group_id` (the builtin
 * `workgroup_id`). Numbers beyond `count` occur: the code returns where `group >= count`.
 */
export function spread(count: number): { readonly groups: readonly [number, number, number]; readonly index: string } {
  if (count <= groupsPerDimension) return { groups: [count, 1, 1], index: "group_id.x" };
  const y = Math.ceil(count / groupsPerDimension);
  const x = Math.ceil(count / y);
  return { groups: [x, y, 1], index: `(group_id.y * ${x}u + group_id.x)` };
}
