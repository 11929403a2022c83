/**
 * From options to a WebGPU device: Node's `webgpu` package or the browser's `navigator.gpu`, the adapter, its limits. What
 * `create()` returns has to stay reachable for as long as a device of it lives and no longer: it hangs on the device.
 */
import { inputError, RadarError } from "@dechirp/core";
import type { GpuOptions } from "./options.ts";

export interface Opened {
  readonly gpu: GPUDevice;
  readonly owned: boolean;
  readonly description: string;
  readonly notes: readonly string[];
}

/** What is asked of the adapter, all that it has of each. */
const wantedLimits = [
  "maxStorageBufferBindingSize",
  "maxBufferSize",
  "maxComputeWorkgroupStorageSize",
  "maxComputeInvocationsPerWorkgroup",
  "maxComputeWorkgroupSizeX",
  "maxComputeWorkgroupSizeY",
  "maxStorageBuffersPerShaderStage",
] as const;
const wantedFeatures = ["subgroups", "timestamp-query", "shader-f16"] as const;

/** What `create()` returned, by device: reachable just as long as the device is. */
const instances = new WeakMap<GPUDevice, unknown>();

const noBackend = (message: string, cause?: unknown): RadarError => new RadarError("no-backend", message, { backend: "gpu" }, cause);

export async function openAdapter(options: GpuOptions): Promise<Opened> {
  checkOptions(options);
  if (options.device) return describe(options.device as GPUDevice, undefined, options, false);
  const instance = options.adapter ? undefined : await instanceOf(options);
  const adapter = (options.adapter as GPUAdapter | undefined) ?? (await request(instance as GPU, options));
  const all = options.limits !== "default";
  const features = wantedFeatures.filter((feature) => adapter.features.has(feature));
  const requiredLimits = all ? Object.fromEntries(wantedLimits.map((name) => [name, adapter.limits[name]])) : {};
  let device: GPUDevice;
  try {
    device = await adapter.requestDevice({ label: "dechirp", requiredFeatures: features, requiredLimits });
  } catch (error) {
    throw noBackend(`the adapter gives no device: ${(error as Error).message}`, error);
  }
  instances.set(device, instance);
  return describe(device, adapter, options, true);
}

function checkOptions({ maxBindingBytes, limits }: GpuOptions): void {
  if (maxBindingBytes !== undefined && !(Number.isFinite(maxBindingBytes) && maxBindingBytes >= 1024))
    throw inputError("maxBindingBytes", "a number of at least 1024", maxBindingBytes);
  if (limits !== undefined && limits !== "adapter" && limits !== "default") throw inputError("limits", "adapter or default", limits);
}

async function instanceOf(options: GpuOptions): Promise<GPU> {
  const host = globalThis as { navigator?: { gpu?: GPU }; process?: { versions?: { node?: string } } };
  if (!host.process?.versions?.node) {
    if (host.navigator?.gpu) return host.navigator.gpu;
    throw noBackend("this browser has no WebGPU, or this page is no secure context");
  }
  let dawn: { create(flags: string[]): GPU };
  try {
    // Named apart so that bundlers for browsers leave it alone.
    const name = "webgpu";
    dawn = await import(/* @vite-ignore */ name);
  } catch (error) {
    throw noBackend("WebGPU in Node comes from the package webgpu, which could not be loaded: npm install webgpu", error);
  }
  return dawn.create([...(options.dawnFlags ?? [])]);
}

async function request(instance: GPU, { powerPreference }: GpuOptions): Promise<GPUAdapter> {
  let adapter: GPUAdapter | null;
  try {
    adapter = await instance.requestAdapter({ powerPreference: powerPreference ?? "high-performance" });
  } catch (error) {
    throw noBackend(`no WebGPU adapter: ${(error as Error).message}`, error);
  }
  if (!adapter) throw noBackend("no WebGPU adapter: this machine has no GPU driver that WebGPU can use");
  return adapter;
}

function describe(gpu: GPUDevice, adapter: GPUAdapter | undefined, options: GpuOptions, owned: boolean): Opened {
  const info = (gpu as { adapterInfo?: GPUAdapterInfo }).adapterInfo ?? adapter?.info;
  const words = [info?.description || info?.device, info?.vendor, info?.architecture].filter((word) => word);
  const software = /llvmpipe|lavapipe|swiftshader/i.test(words.join(" "));
  return {
    gpu,
    owned,
    description: `WebGPU: ${words.length > 0 ? words.join(", ") : "unnamed adapter"}`,
    notes: [
      ...(software ? ["a software adapter: the processor does the GPU's work, slowly"] : []),
      ...(options.limits === "default" ? ["WebGPU's default limits: long lines take more passes"] : []),
    ],
  };
}
