/** Compiled dispatches, and the bind groups that connect them with the arrays of a run. */
import type { Uniforms, UniformTypes } from "@dechirp/core";
import { ignoringErrors } from "./allocation.ts";
import type { ArrayUse } from "./dispatch.ts";
import type { GpuArray } from "./memory.ts";
import { Commands } from "./pass.ts";
import type { Pipeline } from "./pipelines.ts";

/** A compiled dispatch, for one way of sharing. */
export interface Compiled {
  readonly pipeline: Pipeline;
  /** The array uses that are bound, in order. */
  readonly bound: readonly ArrayUse[];
  readonly uniforms: UniformTypes;
}

/** Packs the values of uniforms into the words of their struct. */
export function words(types: UniformTypes, values: Uniforms): Uint32Array {
  const names = Object.keys(types);
  const out = new Uint32Array(names.length);
  const floats = new Float32Array(out.buffer);
  names.forEach((name, i) => {
    if (types[name] === "f32") floats[i] = values[name];
    else out[i] = values[name];
  });
  return out;
}

const mostGroups = 64;

/** Bind groups by the bound arrays. They are cached, as making one takes longer than queueing a run. */
export class BindGroups {
  readonly #made = new Map<Compiled, Map<string, GPUBindGroup>>();
  readonly #commands: Commands;
  readonly #gpu: GPUDevice;
  readonly #temporaries: readonly GpuArray[];
  readonly #tables: ReadonlyMap<string, { readonly array: GpuArray }>;

  constructor(
    gpu: GPUDevice,
    commands: Commands,
    temporaries: readonly GpuArray[],
    tables: ReadonlyMap<string, { readonly array: GpuArray }>,
  ) {
    this.#gpu = gpu;
    this.#commands = commands;
    this.#temporaries = temporaries;
    this.#tables = tables;
  }

  get(compiled: Compiled, ports: Readonly<Record<string, GpuArray>>): GPUBindGroup {
    const { bound, pipeline, uniforms } = compiled;
    let made = this.#made.get(compiled);
    if (!made) {
      made = new Map();
      this.#made.set(compiled, made);
    }
    let key = "";
    for (const { from } of bound) if ("port" in from) key += `${ports[from.port].id},`;
    const known = made.get(key);
    if (known) return known;
    if (made.size >= mostGroups) made.clear();
    const entries: GPUBindGroupEntry[] = [];
    for (const { from } of bound) {
      const array =
        "port" in from
          ? ports[from.port]
          : "temporary" in from
            ? this.#temporaries[from.temporary]
            : (this.#tables.get(from.table.key) as { readonly array: GpuArray }).array;
      for (const resource of array.bindings) entries.push({ binding: entries.length, resource });
    }
    const count = Object.keys(uniforms).length;
    if (count > 0)
      entries.push({
        binding: entries.length,
        resource: { buffer: this.#commands.uniformRing, size: Commands.uniformBytes(count) },
      });
    const gpu = this.#gpu;
    const doubtful = bound.some(({ from }) => "port" in from && !ports[from.port].settled);
    const group = ignoringErrors(gpu, doubtful, () => gpu.createBindGroup({ layout: pipeline.layout, entries }));
    made.set(key, group);
    return group;
  }
}
