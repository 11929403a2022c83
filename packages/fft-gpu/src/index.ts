/**
 * The WebGPU backend: `await open(gpu())`, in Node through the package `webgpu` and in browsers. It transforms lines of any size along any
 * axis in as few passes over memory as the device allows, fuses filters and hooks, and runs kernels in WGSL.
 */
import { type Backend, type Device, inputError, maxTransformLength, RadarError } from "@dechirp/core";
import { asRadarError, createDevice, requireSynchronous } from "@dechirp/core/backend";
import { gpuDTypes } from "./accessors.ts";
import { openAdapter } from "./adapter.ts";
import { Engine } from "./engine.ts";
import { fftRules } from "./fft-rules.ts";
import { kernelRules } from "./kernel-rules.ts";
import type { GpuOptions } from "./options.ts";
import { reduceRules } from "./reduce-rules.ts";
import { transposeRules } from "./transpose-rules.ts";
import { KnownPlans, type Wisdom } from "./wisdom.ts";

export { preferredDevice, type WorkSize } from "./crossover.ts";
export type { AdapterChoice, AdapterFacts, AdapterTest, CallersAdapter, GpuOptions } from "./options.ts";
export type { Unmet, Variant, VariantLimits, Variants } from "./variants.ts";
export type { Preferences, Wisdom } from "./wisdom.ts";

/** Returns the WebGPU backend as a value for `open`. Opening throws `no-backend` if there is no WebGPU and `input` for bad options. */
export function gpu(options: GpuOptions = {}): Backend {
  return { id: "gpu", contract: 1, open: () => openGpu(options) };
}

const engines = new WeakMap<Device, Engine>();

async function openGpu(options: GpuOptions): Promise<Device> {
  const { gpu: device, owned, description, notes, software, card, wisdom, language, matrices } = await openAdapter(options);
  const { maxStorageBufferBindingSize, maxBufferSize, maxStorageBuffersPerShaderStage } = device.limits;
  const most = Math.min(maxStorageBufferBindingSize, maxBufferSize, options.maxBindingBytes ?? Number.POSITIVE_INFINITY);
  const segmentBytes = 2 ** Math.floor(Math.log2(most));
  const { planning, scratch } = options;
  let engine: Engine;
  try {
    engine = new Engine(device, {
      segmentBytes,
      language,
      matrices,
      unsafe: !!options.unsafe?.length,
      planning: { ...(scratch && { scratch }), ...planning },
      known: new KnownPlans(card, wisdom),
    });
    const none = await engine.commands.allocated;
    if (none) throw none;
  } catch (error) {
    if (owned) device.destroy();
    throw error;
  }
  const lost = new Promise<RadarError>((resolve) => {
    device.lost.then((info) => {
      const error = new RadarError("device-lost", `the GPU device was lost: ${info.message || info.reason}`, {
        device: "gpu",
        reason: info.reason,
      });
      if (engine.ended()) return;
      engine.end(error);
      resolve(error);
    });
  });
  const made = createDevice({
    id: "gpu",
    info: { description, notes, software },
    limits: {
      // An op with one input and one output array must be able to bind both.
      maxBufferBytes: segmentBytes * Math.max(1, Math.floor(maxStorageBuffersPerShaderStage / 2)),
      maxTransformLength: Math.min(maxTransformLength, 2 ** 24),
      // One binding is reserved for twiddle factors.
      kernelArrays: { count: maxStorageBuffersPerShaderStage - 1, bytes: segmentBytes },
      dtypes: gpuDTypes,
      partAlignment: device.limits.minStorageBufferOffsetAlignment,
    },
    units: 1,
    ...(options.variants && { variants: Object.keys(options.variants) }),
    rules: [...fftRules(engine, options), ...transposeRules(engine), ...reduceRules(engine), ...kernelRules(engine)],
    lost,
    allocate: (layout, label) => engine.allocate(layout, label),
    part: (whole, start, layout, label) => whole.part(start, layout, label),
    ready: () => engine.idle(),
    close() {
      engine.end(new RadarError("disposed", "device gpu was disposed", { device: "gpu" }));
      if (owned) device.destroy();
    },
  });
  engines.set(made, engine);
  return made;
}

/**
 * Measures the GPU time in milliseconds of everything that `work` queues on `device` before it returns, from the first dispatch to the end
 * of the last. Everything goes into one submission. Resolves with undefined if the device is not a GPU or has no clock. Throws `input` for
 * bad arguments, and `failed` if `work` throws or returns a promise, with that exception as its cause.
 */
export async function timeOnDevice(device: Device, work: () => void): Promise<number | undefined> {
  if (typeof device?.ready !== "function") throw inputError("device", "a device", device);
  if (typeof work !== "function") throw inputError("work", "a function", work);
  const called = (): void => {
    try {
      requireSynchronous(work(), "work");
    } catch (error) {
      throw asRadarError(error, "work");
    }
  };
  const engine = engines.get(device);
  if (engine) {
    // After the work on the host before it, which would be outside the measured time.
    return engine.timeline.record(() => engine.commands.time(called));
  }
  called();
  await device.ready();
  return undefined;
}

/**
 * Everything that is known of fast plans on `device`: what planning with `effort: "measure"` has found, and the wisdom that `gpu` was given. Store it
 * as JSON, and open the device with it the next time. Throws `input` if `device` is not a device. A device that is not a GPU knows nothing.
 */
export function wisdomOf(device: Device): Wisdom {
  if (typeof device?.ready !== "function") throw inputError("device", "a device", device);
  return engines.get(device)?.known.all() ?? new KnownPlans("").all();
}

/** A kernel that the backend has made for a plan. */
export interface GeneratedKernel {
  /** The text of the plan that it is a part of, as `Plan.text` has it. */
  readonly plan: string;
  /** The WGSL that is compiled: declarations, hooks and the kernel itself. */
  readonly code: string;
  /** Name of the entry point. */
  readonly entry: string;
}

/**
 * The WGSL of all plans that are made on `device` until `work` settles, in order, for people who want to read what runs. Each kernel is there
 * once. The list is empty if the device is not a GPU. Rejects with what `work` rejects with, and with `input` for bad arguments.
 */
export async function generatedKernels(device: Device, work: () => Promise<unknown>): Promise<readonly GeneratedKernel[]> {
  if (typeof device?.ready !== "function") throw inputError("device", "a device", device);
  if (typeof work !== "function") throw inputError("work", "a function", work);
  const listeners = engines.get(device)?.pipelines.listeners;
  const found = new Map<string, GeneratedKernel>();
  const note: Parameters<NonNullable<typeof listeners>["add"]>[0] = ({ code, entry }, plan) => {
    const key = `${entry}\n${code}`;
    if (!found.has(key)) found.set(key, { plan, code, entry });
  };
  listeners?.add(note);
  try {
    await work();
  } finally {
    listeners?.delete(note);
  }
  return [...found.values()];
}
