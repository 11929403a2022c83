/**
 * The devices of the command line by name, and how `auto` chooses between them. A backend's package is loaded only when it is used. The
 * GPU package decides which transforms are worth a GPU.
 */
import { availableParallelism } from "node:os";
import { type Backend, type Device, isRadarError, RadarError } from "@dechirp/core";
import type { GpuOptions } from "@dechirp/fft-gpu";
import type { Work } from "@dechirp/processor";
import { isCardName, ownCard } from "./cards/card.ts";
import { argumentError } from "./errors.ts";

/** A device that the command line knows. */
interface KnownDevice {
  readonly title: string;
  /** Loads the backend. `units` is the number of workers, if the device has workers. */
  load(units?: number): Promise<Backend>;
}

/** All devices by name. */
export const devices: Readonly<Record<string, KnownDevice>> = {
  cpu: {
    title: "the processor, all cores",
    load: async (units) => (await import("@dechirp/fft-cpu")).cpu(units === undefined ? {} : { workers: units }),
  },
  gpu: { title: "the GPU, through WebGPU", load: () => loadGpu({}) },
};

const loadGpu = async (options: GpuOptions): Promise<Backend> => (await import("@dechirp/fft-gpu")).gpu(options);

/**
 * The options that open the card `gpu:K` of this machine, if the name is one: an adapter in hardware of the card's vendor, as this process
 * sees no other card of the vendor. None for other names. Throws `argument` if there is no such card, and `no-backend` if the process sees
 * others, too.
 */
export function gpuOptionsOf(name: string): GpuOptions {
  if (!isCardName(name)) return {};
  const { vendor } = ownCard(name);
  return { adapter: { software: false, ...(vendor !== undefined && { vendor }) } };
}

/** Whether a name is that of the GPU or of a card. */
export const isGpu = (name: string): boolean => name === "gpu" || isCardName(name);

/** Chooses the faster device for the work at hand, judging by measurements. */
const automatic = "auto";

/** The values of --device, for messages and help texts. */
export const deviceNames = (): string => [...namedDevices(), automatic].join(", ");

/** The values of --device that name a device. */
const namedDevices = (): readonly string[] => [...Object.keys(devices), "gpu:K"];

/**
 * Number of workers that leaves one core to the thread that hands out the work, which keeps response times short. At least two, at most
 * 63.
 */
export const workerUnits = (): number => Math.max(Math.min(2, availableParallelism()), Math.min(63, availableParallelism() - 1));

/** Throws `argument` if a name is neither in the table nor `auto`. */
export function checkDevice(name: string): void {
  if (name !== automatic && !Object.hasOwn(devices, name) && !isCardName(name))
    throw argumentError("--device", `one of ${deviceNames()}`, name);
}

/**
 * Opens the device with a name of the table, or a card, with `units` workers if given. Throws `argument` for any other name, and `no-backend` if
 * the device does not open.
 */
export async function openDevice(name: string, units?: number): Promise<Device> {
  const { open } = await import("@dechirp/core");
  if (isCardName(name)) return open(await loadGpu(gpuOptionsOf(name)));
  if (!Object.hasOwn(devices, name)) throw argumentError("--device", `one of ${namedDevices().join(", ")}`, name);
  return open(await devices[name].load(units));
}

/** Opens the reference device with which outputs are compared: float64 on this thread. Throws `no-backend`. */
export async function openReference(): Promise<Device> {
  const [{ open }, { cpu }] = await Promise.all([import("@dechirp/core"), import("@dechirp/fft-cpu")]);
  return open(cpu({ workers: 1, kernels: "js" }));
}

/** A device, and why it was chosen if the user did not name it. */
export interface Chosen {
  readonly device: Device;
  readonly why?: string;
}

/** Opens the named device; for `auto` the processor, and the GPU if there is one. `units` and errors are those of `openDevice`. */
export async function openEvery(name: string, units?: number): Promise<Disposable & { readonly opened: readonly Chosen[] }> {
  checkDevice(name);
  const held: Device[] = [];
  const dispose = (): void => {
    for (const device of held.splice(0)) device[Symbol.dispose]();
  };
  const keep = async (known: string): Promise<Device> => {
    const device = await openDevice(known, units);
    held.push(device);
    return device;
  };
  if (name !== automatic) return { opened: [{ device: await keep(name) }], [Symbol.dispose]: dispose };
  const processor = await keep("cpu");
  const gpu = await openHardware(keep);
  const opened: readonly Chosen[] = typeof gpu === "string" ? [{ device: processor, why: gpu }] : [{ device: gpu }, { device: processor }];
  return { opened, [Symbol.dispose]: dispose };
}

/** Why experiments of GPUs are left out for this name of a device. Undefined if they are not. */
export async function whyNoGpu(name: string): Promise<string | undefined> {
  if (name !== automatic) return name === "cpu" ? "left out by --device cpu" : undefined;
  let opened: Device | undefined;
  try {
    const found = await openHardware(async (gpu) => {
      opened = await openDevice(gpu);
      return opened;
    });
    return typeof found === "string" ? found : undefined;
  } finally {
    opened?.[Symbol.dispose]();
  }
}

/**
 * Opens the GPU for an experiment that measures GPUs only: for `gpu` any, for `auto` one in hardware. Throws `no-backend` if there is none.
 */
export async function openOnlyGpu(name: string): Promise<Device> {
  const why = await whyNoGpu(name);
  if (why !== undefined) throw new RadarError("no-backend", `--device ${name} finds no GPU: ${why}`, { backend: "gpu" });
  return openDevice(isCardName(name) ? name : "gpu");
}

/**
 * Opens devices to measure kernels on: the GPU with all variants of the laboratory, then the processor, which every GPU is compared with.
 * For `auto` without a hardware GPU, and for `cpu`, `absent` says why there is no GPU. Throws `argument`, and `no-backend` if a device that
 * was named does not open.
 */
export async function openLaboratory(
  name: string,
): Promise<Disposable & { readonly opened: readonly Chosen[]; readonly absent: Readonly<Record<string, string>> }> {
  checkDevice(name);
  const [{ open }, { gpu }, { laboratory }] = await Promise.all([
    import("@dechirp/core"),
    import("@dechirp/fft-gpu"),
    import("@dechirp/fft-gpu/lab"),
  ]);
  const held: Device[] = [];
  const keep = (device: Device): Device => {
    held.push(device);
    return device;
  };
  const dispose = (): void => {
    for (const device of held.splice(0)) device[Symbol.dispose]();
  };
  try {
    const found =
      name === "cpu"
        ? "left out by --device cpu"
        : name === automatic
          ? await openHardware(async () => keep(await open(gpu(laboratory))))
          : keep(await open(gpu({ ...laboratory, ...gpuOptionsOf(name) })));
    const processor = keep(await openDevice("cpu"));
    const opened = [...(typeof found === "string" ? [] : [{ device: found }]), { device: processor }];
    return { opened, absent: typeof found === "string" ? { GPU: found } : {}, [Symbol.dispose]: dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}

/** Chooses devices for work: the one that the user named, or the one that suits each piece of work. Each device is opened only once. */
export interface Chooser extends Disposable {
  /** Chooses a device. It belongs to the chooser, which disposes of it. Throws `no-backend` if the processor does not open. */
  choose(work: Work): Promise<Chosen>;
}

/**
 * Creates a chooser. A named device is opened immediately; for `auto` none is. Throws `argument` and `no-backend` as `openDevice` does.
 */
export async function createChooser(name: string): Promise<Chooser> {
  checkDevice(name);
  if (name !== automatic) {
    const device = await openDevice(name);
    return { choose: async () => ({ device }), [Symbol.dispose]: () => device[Symbol.dispose]() };
  }
  const held: Device[] = [];
  const keep = async (known: string): Promise<Device> => {
    const device = await openDevice(known);
    held.push(device);
    return device;
  };
  let cpu: Promise<Device> | undefined;
  let gpu: Promise<Device | string> | undefined;
  const processor = async (why: string): Promise<Chosen> => {
    cpu ??= keep("cpu");
    return { device: await cpu, why };
  };
  return {
    async choose(work) {
      const { amount, worthwhile, once } = await weigh(work);
      if (!worthwhile) return processor(`${amount} are too few for a GPU${once ? ", which has to compile first" : ""}`);
      gpu ??= openHardware(keep);
      const found = await gpu;
      if (typeof found === "string") return processor(found);
      if (work.largestBytes > found.limits.maxBufferBytes)
        return processor(
          `the GPU's arrays are limited to ${megabytes(found.limits.maxBufferBytes)}, but the work may need ${megabytes(work.largestBytes)}`,
        );
      return { device: found, why: `${amount} are worth a GPU` };
    },
    [Symbol.dispose]() {
      for (const device of held) device[Symbol.dispose]();
    },
  };
}

/** Backprojections that a core does while a GPU opens and compiles, which takes a second or two. Measured: 0.2 billion per second. */
const backprojectionsOfCore = 2 ** 28;

/** Operations of adaptive processing that a core does in that time. Measured: 5 to 17 billion per second. */
const operationsOfCore = 2 ** 33;

/** Whether work is worth a GPU. */
interface Weighed {
  readonly amount: string;
  readonly worthwhile: boolean;
  /** Whether plans are used for one image only. */
  readonly once: boolean;
}

async function weigh(work: Work): Promise<Weighed> {
  if (work.kind === "backprojection") {
    const { backprojections } = work;
    const amount = `${(backprojections / 1e9).toPrecision(3)} billion backprojections`;
    return { amount, worthwhile: backprojections >= backprojectionsOfCore * availableParallelism(), once: true };
  }
  if (work.kind === "adaptive") {
    const { operations } = work;
    const amount = `${(operations / 1e9).toPrecision(3)} billion operations`;
    return { amount, worthwhile: operations >= operationsOfCore * availableParallelism(), once: true };
  }
  const { preferredDevice } = await import("@dechirp/fft-gpu");
  // Most commands make their plans for one image: one write, all passes, one read.
  const how = work.repeated ? ({ data: "device", plans: "kept" } as const) : ({ plans: "fresh" } as const);
  const preferred = preferredDevice({ bytes: work.bytes, ...how });
  return { amount: `${megabytes(work.bytes)} of samples`, worthwhile: preferred === "gpu", once: !work.repeated };
}

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toPrecision(3)} MiB`;

/** Opens the GPU. Returns why there is none if it does not open or is emulated on the processor. */
async function openHardware(keep: (name: string) => Promise<Device>): Promise<Device | string> {
  try {
    const device = await keep("gpu");
    return device.info.software ? `the GPU is emulated in software (${device.info.description})` : device;
  } catch (error) {
    if (!isRadarError(error, "no-backend")) throw error;
    return error.message;
  }
}
