/** WebGPU devices as a caller may pass them, for tests that observe, break or lose the device. */
import { type Device, type Kernel, type Layout, layout, open, type WgslKernel, type WgslToolkit } from "@dechirp/core";
import { afterEach, beforeEach } from "vitest";
import { create } from "webgpu";
import { gpu } from "../src/index.ts";

/** Started once and kept, as it must outlive everything that is made with it (adapter.ts says why). */
let started: GPU | undefined;

export async function adapterOf(): Promise<GPUAdapter> {
  started ??= create([]);
  const adapter = await started.requestAdapter();
  if (!adapter) throw new Error("no adapter");
  return adapter;
}

export async function rawDevice(): Promise<GPUDevice> {
  const adapter = await adapterOf();
  return adapter.requestDevice({ requiredFeatures: adapter.features.has("timestamp-query") ? ["timestamp-query"] : [] });
}

/** Opens a device on a new WebGPU device before every test, passes both to `take`, and ends both afterwards. */
export function openForEach(take: (device: Device, raw: GPUDevice) => void): void {
  let [device, raw]: [Device?, GPUDevice?] = [];
  beforeEach(async () => {
    raw = await rawDevice();
    device = await open(gpu({ device: raw }));
    take(device, raw);
  });
  afterEach(() => {
    device?.[Symbol.dispose]();
    raw?.destroy();
  });
}

/** Makes the allocation of every buffer with this label fail for lack of memory. */
export function refuse(device: GPUDevice, label: string): void {
  const make = device.createBuffer.bind(device);
  device.createBuffer = (descriptor) =>
    make(descriptor.label === label ? { ...descriptor, size: 4 * Math.ceil(device.limits.maxBufferSize / 4) + 4 } : descriptor);
}

/** Counts the calls of a method. */
export function counted<K extends string>(object: { [key in K]: (...args: never[]) => unknown }, name: K): () => number {
  const method = object[name].bind(object) as (...args: never[]) => unknown;
  let calls = 0;
  object[name] = (...args: never[]) => {
    calls += 1;
    return method(...args);
  };
  return () => calls;
}

/** An elementwise kernel `in` → `out` in WGSL, whose reference throws. */
export const inWgsl = (name: string, shapes: { in: Layout; out: Layout }, body: string, more: Partial<Kernel> = {}): Kernel => ({
  op: "kernel",
  name,
  items: shapes.in.shape.reduce((a, b) => a * b, 1),
  elementwise: true,
  ports: { in: { access: "read", layout: shapes.in }, out: { access: "write", layout: shapes.out } },
  reference: () => {
    throw new Error(`${name} is for the GPU`);
  },
  wgsl: (_constants, _limits, toolkit: WgslToolkit): WgslKernel => toolkit.items(body),
  ...more,
});

/** out = in + add, for arrays of f32. */
export const adding = (length: number): Kernel => {
  const shape = layout("f32", [length]);
  return inWgsl("adding", { in: shape, out: shape }, "store_out(item, load_in(item) + uniforms.add);", { uniforms: { add: "f32" } });
};

/** A promise that is awaited later, so that an earlier rejection is not reported as unhandled. */
export function later<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
