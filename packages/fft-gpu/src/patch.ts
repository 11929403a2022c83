/** Writes parts of a word by a dispatch of one invocation, as copies move whole words only. */
import { computeStage } from "./flags.ts";
import type { Batch, Commands } from "./pass.ts";
import type { Pipeline } from "./pipelines.ts";

const code = `struct Patch { word: u32, mask: u32, value: u32, unused: u32 }
@group(0) @binding(0) var<storage, read_write> words: array<u32>;
@group(0) @binding(1) var<uniform> patch_: Patch;
@compute @workgroup_size(1)
fn main() { words[patch_.word] = (words[patch_.word] & ~patch_.mask) | (patch_.value & patch_.mask); }`;

/** Writes parts of words. */
export class Patcher {
  readonly #gpu: GPUDevice;
  readonly #commands: Commands;
  #made: Pipeline | undefined;

  constructor(gpu: GPUDevice, commands: Commands) {
    this.#gpu = gpu;
    this.#commands = commands;
  }

  /** Replaces the bits of `mask` in a word by those of `value`. */
  patch(buffer: GPUBuffer, word: number, mask: number, value: number): Batch {
    this.#made ??= this.#make();
    const { pipeline, layout } = this.#made;
    const group = this.#gpu.createBindGroup({
      layout,
      entries: [
        { binding: 0, resource: { buffer } },
        { binding: 1, resource: { buffer: this.#commands.uniformRing, size: 16 } },
      ],
    });
    return this.#commands.dispatch({ pipeline, group, uniforms: Uint32Array.of(word, mask, value, 0), groups: [1, 1, 1] });
  }

  #make(): Pipeline {
    const gpu = this.#gpu;
    const layout = gpu.createBindGroupLayout({
      entries: [
        { binding: 0, visibility: computeStage, buffer: { type: "storage" } },
        { binding: 1, visibility: computeStage, buffer: { type: "uniform", hasDynamicOffset: true, minBindingSize: 16 } },
      ],
    });
    const module = gpu.createShaderModule({ code, label: "patch" });
    gpu.pushErrorScope("validation");
    gpu.pushErrorScope("internal");
    const pipeline = gpu.createComputePipeline({
      layout: gpu.createPipelineLayout({ bindGroupLayouts: [layout] }),
      compute: { module, entryPoint: "main" },
    });
    // If the pipeline is invalid, the device refuses the commands that use it, and the next call makes a new one.
    Promise.all([gpu.popErrorScope(), gpu.popErrorScope()]).then(
      (errors) => {
        if (errors.some((error) => error !== null)) this.#made = undefined;
      },
      () => {},
    );
    return { pipeline, layout };
  }
}
