/**
 * The CPU backend: `await open(cpu())`. Transforms of any size, along any axis, in float32 (c64) and float64 (c128),
 * single-threaded and in plain JavaScript; every op's fused form; kernels by reference.
 */
import { type Backend, createDevice, type Device, maxTransformLength, RadarError } from "@dechirp/core";
import { allocateHostArray } from "./memory.ts";
import { createQueue } from "./queue.ts";
import { cpuRules } from "./rules.ts";

export interface CpuOptions {
  /** Bytes that one array may take; 4 GiB where left out. */
  readonly maxBufferBytes?: number;
}

/** The CPU backend as a value for `open`. It opens everywhere. */
export function cpu(options: CpuOptions = {}): Backend {
  return { id: "cpu", contract: 1, open: async () => openCpu(options) };
}

function openCpu(options: CpuOptions): Device {
  const maxBufferBytes = options.maxBufferBytes ?? 2 ** 32;
  if (!Number.isFinite(maxBufferBytes) || maxBufferBytes <= 0) {
    throw new RadarError("input", `maxBufferBytes must be a positive number, not ${maxBufferBytes}`, {
      field: "maxBufferBytes",
      actual: maxBufferBytes,
    });
  }
  const queue = createQueue();
  return createDevice({
    id: "cpu",
    info: { description: "JavaScript, fft.js rows, one thread", notes: ["single-threaded", "kernels and hooks run by reference"] },
    limits: { maxBufferBytes, maxTransformLength, dtypes: ["f32", "f64", "c64", "c128", "i8", "i16", "u8", "u32", "ci8", "ci16"] },
    units: 1,
    rules: cpuRules(queue),
    lost: new Promise(() => {}),
    allocate: (layout, label) => allocateHostArray(layout, label, queue),
    ready: () => queue.ready(),
    close: () => queue.close(),
  });
}
