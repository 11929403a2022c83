/**
 * How far a device's sine and cosine are off. WGSL guarantees 2⁻¹¹ for arguments from −π to π, which is too little for phases of radar, but most GPUs have
 * units that are far more accurate and faster than a polynomial. So kernels that ask (`Kernel.measured`) are told the error of the device at hand.
 */
import { RadarError } from "@dechirp/core";
import { allocated, firstLine } from "./allocation.ts";
import { computeStage, mapMode, usage } from "./flags.ts";
import { orAborted } from "./or-aborted.ts";

/** Arguments from −π to π that are tried. Units interpolate in tables of at most some hundred entries. */
const tried = 16_384;
const perGroup = 64;

const code = `@group(0) @binding(0) var<storage, read_write> found: array<vec4f>;
@compute @workgroup_size(${perGroup})
fn main(@builtin(global_invocation_id) id: vec3u) {
  let x = ${2 * Math.PI} * ((f32(id.x) + 0.5) * ${1 / tried} - 0.5);
  found[id.x] = vec4f(x, sin(x), cos(x), 0.0);
}`;

/** The largest error of a device's sine and cosine, measured when it is wanted for the first time, and again if that failed. */
export class SineError {
  readonly #gpu: GPUDevice;
  #measuring: Promise<number> | undefined;

  constructor(gpu: GPUDevice) {
    this.#gpu = gpu;
  }

  /** The error. Throws in the cases of `sineErrorOf`, and `aborted` if the signal fires first: the measurement goes on for others. */
  measured(signal: AbortSignal | undefined, what: string): Promise<number> {
    const measuring = this.#measuring ?? sineErrorOf(this.#gpu);
    this.#measuring = measuring;
    const forget = (): void => {
      if (this.#measuring === measuring) this.#measuring = undefined;
    };
    measuring.then((error) => {
      if (error === Number.POSITIVE_INFINITY) forget();
    }, forget);
    return orAborted(measuring, signal, what);
  }
}

/**
 * The largest absolute error of `sin(x)` and `cos(x)` for |x| ≤ π. Infinite if the results are no numbers, or if the device is lost. Throws `out-of-memory` or
 * `compile` if the device refuses, as the plan that asks would have other bits otherwise.
 */
async function sineErrorOf(gpu: GPUDevice): Promise<number> {
  const made = await pipelineOf(gpu);
  const size = 16 * tried;
  const bufferOf = (flags: number) => allocated(gpu, "an array of sines", size, () => gpu.createBuffer({ size, usage: flags }));
  const buffers = [bufferOf(usage.storage | usage.copySource), bufferOf(usage.mapRead | usage.copyTarget)];
  try {
    for (const { refused } of buffers) {
      const failure = await refused;
      if (failure) throw failure;
    }
    const [found, copy] = buffers.map((buffer) => buffer.made);
    gpu.pushErrorScope("validation");
    const commands = gpu.createCommandEncoder();
    const pass = commands.beginComputePass();
    pass.setPipeline(made.pipeline);
    pass.setBindGroup(0, gpu.createBindGroup({ layout: made.layout, entries: [{ binding: 0, resource: { buffer: found } }] }));
    pass.dispatchWorkgroups(tried / perGroup);
    pass.end();
    commands.copyBufferToBuffer(found, 0, copy, 0, size);
    gpu.queue.submit([commands.finish()]);
    const scope = gpu.popErrorScope().catch(() => null);
    const isMapped = await copy.mapAsync(mapMode.read).then(
      () => true,
      () => false,
    );
    const refused = await scope;
    if (refused) throw refusal(refused);
    return isMapped ? largestError(new Float32Array(copy.getMappedRange())) : Number.POSITIVE_INFINITY;
  } finally {
    for (const buffer of buffers) buffer.made.destroy();
  }
}

const refusal = (error: unknown): RadarError =>
  new RadarError(
    "compile",
    `the device refuses to measure its sine: ${firstLine(error)}`,
    { what: "the measurement of sines", code },
    error,
  );

/** The kernel. */
async function pipelineOf(gpu: GPUDevice): Promise<{ readonly pipeline: GPUComputePipeline; readonly layout: GPUBindGroupLayout }> {
  gpu.pushErrorScope("validation");
  const layout = gpu.createBindGroupLayout({ entries: [{ binding: 0, visibility: computeStage, buffer: { type: "storage" } }] });
  const pending = gpu.createComputePipelineAsync({
    layout: gpu.createPipelineLayout({ bindGroupLayouts: [layout] }),
    compute: { module: gpu.createShaderModule({ code }), entryPoint: "main" },
  });
  const scope = gpu.popErrorScope().catch(() => null);
  const pipeline = await pending.catch((error: unknown) => {
    throw refusal(error);
  });
  const refused = await scope;
  if (refused) throw refusal(refused);
  return { pipeline, layout };
}

/** The largest error of lists of x, sin x, cos x and a number that is not used. Infinite if one is not a number, or if arguments do not fill the range. */
export function largestError(found: Float32Array): number {
  let error = 0;
  for (let i = 0; i < found.length; i += 4) {
    const [x, sine, cosine] = found.subarray(i, i + 3);
    error = Math.max(error, Math.abs(sine - Math.sin(x)), Math.abs(cosine - Math.cos(x)));
  }
  const reach = Math.PI * (1 - 2 / (found.length / 4));
  const filled = found[0] <= -reach && found[found.length - 4] >= reach;
  return filled && error >= 0 ? error : Number.POSITIVE_INFINITY;
}
