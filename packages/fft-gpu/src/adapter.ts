/**
 * Opens a WebGPU device from options: through Node's `webgpu` package or the browser's `navigator.gpu`, an adapter, and its limits.
 */
import { inputError, messageOf, RadarError } from "@dechirp/core";
import { checkFields, type FieldsOf } from "@dechirp/core/internal";
import { cardOf, isSoftware, type Places, wordsOf } from "./adapter-info.ts";
import type { NodeProcess } from "./dawn.ts";
import type { AdapterChoice, AdapterTest, GpuOptions } from "./options.ts";
import type { SubgroupMatrix } from "./variants.ts";
import type { Wisdom } from "./wisdom.ts";

/** An opened device. `owned` says whether this backend must destroy it. */
export interface Opened {
  readonly gpu: GPUDevice;
  readonly owned: boolean;
  readonly description: string;
  readonly notes: readonly string[];
  readonly software: boolean;
  /** All that the adapter says of itself, by which wisdom is kept. */
  readonly card: string;
  /** A checked copy of the option. */
  readonly wisdom: Wisdom | undefined;
  /** Language features of WGSL, if they are known. */
  readonly language: ReadonlySet<string>;
  /** The products of matrices that its subgroups compute. */
  readonly matrices: readonly SubgroupMatrix[];
}

/** The limits that are requested, each at the adapter's maximum. */
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

/**
 * Instances of Dawn by flags. Each is started once and kept. Workaround: the object that `create()` returns is not kept alive by its
 * devices, buffers and pending promises, and the process crashes if it is collected before any of them (webgpu 0.6.2, Node 20, Linux:
 * reproduced by disposing of a device while buffers are being mapped, then collecting garbage). Delete this when that is fixed.
 */
const started = new Map<string, GPU>();

const noBackend = (message: string, cause?: unknown): RadarError => new RadarError("no-backend", message, { backend: "gpu" }, cause);

/** Opens a device. Throws `input` for bad options and `no-backend` if there is no device. */
export async function openAdapter(options: GpuOptions): Promise<Opened> {
  checkOptions(options);
  if (options.variants) (await import("./variant-checks.ts")).checkVariants(options.variants);
  const wisdom = options.wisdom && (await import("./wisdom-checks.ts")).checkedWisdom(options.wisdom);
  if (options.device) {
    const given = options.device as GPUDevice;
    // If the device is already lost, its promise has settled and wins the race.
    const lost = await Promise.race([given.lost, Promise.resolve()]);
    if (lost) throw noBackend(`the given device is lost: ${lost.message || lost.reason}`);
    return { ...describe(given, undefined, options, pageInstance()), wisdom };
  }
  const { adapter, instance } = await adapterOf(options);
  const all = options.limits !== "default";
  const asked = Object.values(options.variants ?? {}).flatMap(({ features = [] }) => features);
  const features = [...new Set<string>([...wantedFeatures, ...asked])].filter((feature) =>
    adapter.features.has(feature),
  ) as GPUFeatureName[];
  const requiredLimits = all ? Object.fromEntries(wantedLimits.map((name) => [name, adapter.limits[name]])) : {};
  let device: GPUDevice;
  try {
    device = await adapter.requestDevice({ label: "dechirp", requiredFeatures: features, requiredLimits });
  } catch (error) {
    throw noBackend(`the adapter refused to open a device: ${messageOf(error)}`, error);
  }
  return { ...describe(device, adapter, options, instance), wisdom };
}

const fieldsOfOptions: FieldsOf<GpuOptions> = {
  device: true,
  adapter: true,
  powerPreference: true,
  limits: true,
  maxBindingBytes: true,
  dawnFlags: true,
  unsafe: true,
  variants: "object",
  scratch: true,
  effort: true,
  wisdom: "object",
  planning: true,
};

function checkOptions(options: GpuOptions): void {
  checkFields(options, fieldsOfOptions, "the options of gpu");
  const { device, adapter, maxBindingBytes, limits, powerPreference, dawnFlags, unsafe, scratch, effort } = options;
  if (device !== undefined && typeof (device as Partial<GPUDevice> | null)?.createBuffer !== "function")
    throw inputError("device", "a GPUDevice", device);
  if (adapter !== undefined && !(typeof adapter === "function" || (typeof adapter === "object" && adapter !== null)))
    throw inputError("adapter", "facts of an adapter, a function of them or a GPUAdapter", adapter);
  if (powerPreference !== undefined && powerPreference !== "low-power" && powerPreference !== "high-performance")
    throw inputError("powerPreference", "low-power or high-performance", powerPreference);
  if (dawnFlags !== undefined && !(Array.isArray(dawnFlags) && dawnFlags.every((flag) => typeof flag === "string")))
    throw inputError("dawnFlags", "an array of strings", dawnFlags);
  if (unsafe !== undefined && !(Array.isArray(unsafe) && unsafe.every((name) => typeof name === "string" && /^\w+$/.test(name))))
    throw inputError("unsafe", "an array of names of Dawn's features", unsafe);
  if (maxBindingBytes !== undefined && !(Number.isFinite(maxBindingBytes) && maxBindingBytes >= 1024))
    throw inputError("maxBindingBytes", "a number of at least 1024", maxBindingBytes);
  if (scratch !== undefined && scratch !== "f32" && scratch !== "f16") throw inputError("scratch", "f32 or f16", scratch);
  if (effort !== undefined && effort !== "estimate" && effort !== "measure") throw inputError("effort", "estimate or measure", effort);
  if (limits !== undefined && limits !== "adapter" && limits !== "default") throw inputError("limits", "adapter or default", limits);
}

/** The adapter that the options ask for, and the instance that it comes from, if that is known. */
async function adapterOf(options: GpuOptions): Promise<{ readonly adapter: GPUAdapter; readonly instance: GPU | undefined }> {
  const { adapter: asked, powerPreference = "high-performance" } = options;
  if (typeof (asked as Partial<GPUAdapter> | undefined)?.requestDevice === "function")
    return { adapter: asked as GPUAdapter, instance: pageInstance() };
  const choice = asked as AdapterChoice | AdapterTest | undefined;
  const choosing = choice && (await import("./adapter-choice.ts"));
  if (choosing) choosing.checkChoice(choice);
  const places = await placesOf(options);
  if (choosing) return choosing.chooseAdapter(choice, places, powerPreference);
  return { adapter: await request(places.instance, powerPreference), instance: places.instance };
}

async function placesOf(options: GpuOptions): Promise<Places> {
  const host = globalThis as { process?: NodeProcess };
  const page = pageInstance();
  if (page) return { instance: page };
  if (!host.process?.versions?.node) throw noBackend("this browser has no WebGPU, or this page is not a secure context");
  let dawn: { create(flags: string[]): GPU };
  // A variable, so that bundlers for browsers do not include the package.
  const name = "webgpu";
  try {
    dawn = await import(/* @vite-ignore */ name);
  } catch (error) {
    throw noBackend("WebGPU in Node comes from the package webgpu, which could not be loaded: npm install webgpu", error);
  }
  // Pages never need it.
  const { dawnFlagsOf, missingVulkan } = await import("./dawn.ts");
  const flags = dawnFlagsOf(options);
  if (!started.has(JSON.stringify(flags))) {
    const missing = await missingVulkan(host.process, () => import.meta.resolve(name), flags);
    if (missing) throw noBackend(`no WebGPU adapter: ${missing}`);
  }
  const start = (all: readonly string[]): GPU => {
    const key = JSON.stringify(all);
    try {
      const instance = started.get(key) ?? dawn.create([...all]);
      started.set(key, instance);
      return instance;
    } catch (error) {
      throw noBackend(`WebGPU could not be started: ${messageOf(error)}`, error);
    }
  };
  const instance = start(flags);
  // A caller who names an adapter in a flag leaves no choice.
  if (flags.some((flag) => flag.startsWith("adapter="))) return { instance };
  return { instance, named: (adapter) => start([...flags, `adapter=${adapter}`]) };
}

async function request(instance: GPU, powerPreference: GPUPowerPreference): Promise<GPUAdapter> {
  let adapter: GPUAdapter | null;
  try {
    adapter = await instance.requestAdapter({ powerPreference });
  } catch (error) {
    throw noBackend(`no WebGPU adapter: ${messageOf(error)}`, error);
  }
  if (!adapter) throw noBackend("no WebGPU adapter: this machine has no GPU driver that WebGPU can use");
  return adapter;
}

/** WebGPU of a page. Undefined in Node. */
const pageInstance = (): GPU | undefined => (globalThis as { navigator?: { gpu?: GPU } }).navigator?.gpu;

function describe(gpu: GPUDevice, adapter: GPUAdapter | undefined, options: GpuOptions, instance: GPU | undefined): Omit<Opened, "wisdom"> {
  const info = (gpu as { adapterInfo?: GPUAdapterInfo }).adapterInfo ?? adapter?.info;
  // The device's own list is empty in webgpu 0.6.2.
  const { subgroupMatrixConfigs = [] } = (adapter?.info ?? info ?? {}) as { subgroupMatrixConfigs?: Iterable<SubgroupMatrix> };
  const words = wordsOf(info);
  const software = isSoftware(info);
  return {
    gpu,
    owned: gpu !== options.device,
    software,
    card: cardOf(info),
    language: new Set(instance?.wgslLanguageFeatures ?? []),
    matrices: Array.from(subgroupMatrixConfigs),
    description: `WebGPU: ${words.length > 0 ? words.join(", ") : "unnamed adapter"}`,
    notes: [
      ...(software ? ["a software adapter: the CPU does the GPU's work, slowly"] : []),
      ...(options.limits === "default" ? ["WebGPU's default limits: long lines take more passes"] : []),
      ...(options.unsafe?.length ? [`unsafe features of Dawn: ${options.unsafe.join(", ")}`] : []),
    ],
  };
}
