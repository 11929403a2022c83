/**
 * How far a device's sine and cosine are off. WGSL guarantees 2⁻¹¹ for arguments from −π to π, which is too little for phases of radar, but most GPUs have
 * units that are far more accurate and faster than a polynomial. So kernels that ask (`Kernel.measured`) are told the error of the device at hand.
 */
import { computeStage, mapMode, usage } from "./flags.ts";

/** Arguments from −π to π that are tried. Units interpolate in tables of at most some hundred entries. */
const tried = 16_384;
const perGroup = 64;

const code = `@group(0) @binding(0) var<storage, read_write> found: array<vec4f>;
@compute @workgroup_size(${perGroup})
fn main(@builtin(global_invocation_id) id: vec3u) {
  let x = ${2 * Math.PI} * ((f32(id.x) + 0.5) * ${1 / tried} - 0.5);
  found[id.x] = vec4f(x, sin(x), cos(x), 0.0);
}`;

/**
 * The largest absolute error of `sin(x)` and `cos(x)` for |x| ≤ π. Infinite if it can't be measured, for example because the device is lost, so that callers
 * do without them.
 */
export async function sineErrorOf(gpu: GPUDevice): Promise<number> {
  const size = 16 * tried;
  const buffers: GPUBuffer[] = [];
  const bufferOf = (use: number): GPUBuffer => {
    const buffer = gpu.createBuffer({ size, usage: use });
    buffers.push(buffer);
    return buffer;
  };
  try {
    const layout = gpu.createBindGroupLayout({ entries: [{ binding: 0, visibility: computeStage, buffer: { type: "storage" } }] });
    const pipeline = await gpu.createComputePipelineAsync({
      layout: gpu.createPipelineLayout({ bindGroupLayouts: [layout] }),
      compute: { module: gpu.createShaderModule({ code }), entryPoint: "main" },
    });
    const [found, copy] = [bufferOf(usage.storage | usage.copySource), bufferOf(usage.mapRead | usage.copyTarget)];
    const commands = gpu.createCommandEncoder();
    const pass = commands.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, gpu.createBindGroup({ layout, entries: [{ binding: 0, resource: { buffer: found } }] }));
    pass.dispatchWorkgroups(tried / perGroup);
    pass.end();
    commands.copyBufferToBuffer(found, 0, copy, 0, size);
    gpu.queue.submit([commands.finish()]);
    await copy.mapAsync(mapMode.read);
    return largestError(new Float32Array(copy.getMappedRange()));
  } catch {
    return Number.POSITIVE_INFINITY;
  } finally {
    for (const buffer of buffers) buffer.destroy();
  }
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
