/**
 * The roofline: a WGSL kernel that copies 16 bytes per invocation from one buffer to another, on the same device and timed in the same way
 * as the others. It does not use the backend.
 */
import type { GpuContender } from "./rounds.ts";

const code = `
@group(0) @binding(0) var<storage, read> source: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> target_: array<vec4f>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.y * groups.x * 256u + id.x;
  if (i < arrayLength(&source)) { target_[i] = source[i]; }
}`;

const usage = { mapRead: 1, copySource: 4, copyTarget: 8, storage: 128, queryResolve: 512 } as const;

/** Copies `data`, rounded down to whole 16 bytes. */
export async function copyContender(gpu: GPUDevice, data: Float32Array): Promise<GpuContender> {
  const bytes = 16 * Math.floor(data.length / 4);
  const buffer = (size: number, flags: number): GPUBuffer => gpu.createBuffer({ size, usage: flags });
  const from = buffer(bytes, usage.storage | usage.copyTarget);
  const to = buffer(bytes, usage.storage | usage.copySource);
  gpu.queue.writeBuffer(from, 0, data as Float32Array<ArrayBuffer>, 0, bytes / 4);
  const pipeline = await gpu.createComputePipelineAsync({
    layout: "auto",
    compute: { module: gpu.createShaderModule({ code }), entryPoint: "main" },
  });
  const group = gpu.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [from, to].map((one, binding) => ({ binding, resource: { buffer: one } })),
  });
  const queries = gpu.createQuerySet({ type: "timestamp", count: 2 });
  const resolved = buffer(16, usage.queryResolve | usage.copySource);
  const stamps = buffer(16, usage.mapRead | usage.copyTarget);
  const groups = Math.ceil(bytes / 16 / 256);
  const rows = Math.ceil(groups / 65_535);
  const record = (encoder: GPUCommandEncoder, runs: number, descriptor: GPUComputePassDescriptor): void => {
    const pass = encoder.beginComputePass(descriptor);
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    for (let r = 0; r < runs; r++) pass.dispatchWorkgroups(Math.ceil(groups / rows), rows);
    pass.end();
  };
  return {
    name: "copy",
    kind: "copy",
    bytes: 2 * bytes,
    flops: 0,
    async sample(runs) {
      const before = gpu.createCommandEncoder();
      record(before, Math.min(5, runs), {});
      gpu.queue.submit([before.finish()]);
      const encoder = gpu.createCommandEncoder();
      record(encoder, runs, { timestampWrites: { querySet: queries, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 } });
      encoder.resolveQuerySet(queries, 0, 2, resolved, 0);
      encoder.copyBufferToBuffer(resolved, 0, stamps, 0, 16);
      gpu.queue.submit([encoder.finish()]);
      await stamps.mapAsync(1);
      const [begin, end] = new BigUint64Array(stamps.getMappedRange());
      const milliseconds = Number(end - begin) / 1e6 / runs;
      stamps.unmap();
      return milliseconds;
    },
    async error() {
      // The last 64 KiB show whether all invocations ran.
      const size = Math.min(bytes, 2 ** 16);
      const read = buffer(size, usage.mapRead | usage.copyTarget);
      const encoder = gpu.createCommandEncoder();
      encoder.copyBufferToBuffer(to, bytes - size, read, 0, size);
      gpu.queue.submit([encoder.finish()]);
      await read.mapAsync(1);
      const copied = new Float32Array(read.getMappedRange());
      const start = (bytes - size) / 4;
      const same = copied.every((value, i) => value === data[start + i]);
      read.destroy();
      return same ? 0 : Number.POSITIVE_INFINITY;
    },
    dispose() {
      for (const one of [from, to, resolved, stamps]) one.destroy();
      queries.destroy();
    },
  };
}
