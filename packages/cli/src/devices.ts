/**
 * The devices that the command line knows, by name, and the choice among them that `auto` makes for an image. A backend's
 * package is loaded when it is used; which transforms are worth a GPU is that package's affair.
 */
import { availableParallelism } from "node:os";
import { type Backend, type Device, isRadarError } from "@dechirp/core";
import type { Work } from "@dechirp/processor";
import { argumentError } from "./errors.ts";

interface KnownDevice {
  readonly title: string;
  /** `units`: workers, where the device has some. */
  load(units?: number): Promise<Backend>;
}

export const devices: Readonly<Record<string, KnownDevice>> = {
  cpu: {
    title: "the processor, all cores",
    load: async (units) => (await import("@dechirp/fft-cpu")).cpu(units === undefined ? {} : { workers: units }),
  },
  gpu: { title: "the GPU, through WebGPU", load: async () => (await import("@dechirp/fft-gpu")).gpu() },
};

/** The faster device for the work at hand, as far as measurements tell. */
const automatic = "auto";

export const deviceNames = (): string => [...Object.keys(devices), automatic].join(", ");

/** Workers that leave a core to the thread that hands out the work: what response times want. Two on a machine of two. */
export const workerUnits = (): number => Math.max(Math.min(2, availableParallelism()), Math.min(63, availableParallelism() - 1));

/** Throws `argument` for a name that is neither in the table nor `auto`. */
export function checkDevice(name: string): void {
  if (name !== automatic && !Object.hasOwn(devices, name)) throw argumentError("--device", `one of ${deviceNames()}`, name);
}

/**
 * Opens the device of a name in the table, a processor with so many workers where `units` are given. Throws `argument` for any other
 * name and `no-backend` where it does not open.
 */
export async function openDevice(name: string, units?: number): Promise<Device> {
  if (!Object.hasOwn(devices, name)) throw argumentError("--device", `one of ${Object.keys(devices).join(", ")}`, name);
  const { open } = await import("@dechirp/core");
  return open(await devices[name].load(units));
}

/** Opens what outputs are held against: float64 on this thread. Throws `no-backend`. */
export async function openReference(): Promise<Device> {
  const [{ open }, { cpu }] = await Promise.all([import("@dechirp/core"), import("@dechirp/fft-cpu")]);
  return open(cpu({ workers: 1, kernels: "js" }));
}

/** A device, and why it is this one where nobody named it. */
export interface Chosen {
  readonly device: Device;
  readonly why?: string;
}

/** Opens the device of a name; for `auto` the GPU, where there is one, and the processor. `units` and errors are those of `openDevice`. */
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

/** Where a command computes: one device where it was named, else whichever suits an image, each opened once. */
export interface Chooser extends Disposable {
  /** Throws `no-backend` where the processor does not open. The device stays the chooser's. */
  choose(work: Work): Promise<Chosen>;
}

/** Opens a device that was named at once, and none for `auto`. Throws `argument` and `no-backend` as `openDevice` does. */
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
          `the GPU's arrays end at ${megabytes(found.limits.maxBufferBytes)}, the work may need ${megabytes(work.largestBytes)}`,
        );
      return { device: found, why: `${amount} are worth a GPU` };
    },
    [Symbol.dispose]() {
      for (const device of held) device[Symbol.dispose]();
    },
  };
}

/** Range, Doppler, image. */
const imagePasses = 3;

/** What a core makes while a GPU opens and compiles, which takes it a second or two: 0.2 billion a second were measured. */
const backprojectionsOfCore = 2 ** 28;

/** The same of adaptive processing: 5 to 17 billion a second were measured. */
const operationsOfCore = 2 ** 33;

interface Weighed {
  readonly amount: string;
  readonly worthwhile: boolean;
  /** Whether plans are made for one image. */
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
  // Most commands make their plans for one image, whose passes lie between one write and one read.
  const how = work.repeated ? ({ data: "device", plans: "kept" } as const) : ({ plans: "fresh" } as const);
  const preferred = preferredDevice({ bytes: work.bytes, passes: imagePasses, ...how });
  return { amount: `${megabytes(work.bytes)} of samples`, worthwhile: preferred === "gpu", once: !work.repeated };
}

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toPrecision(3)} MiB`;

/** The GPU, or why there is none to be used: none opens, or what opens is the processor in disguise. */
async function openHardware(keep: (name: string) => Promise<Device>): Promise<Device | string> {
  try {
    const device = await keep("gpu");
    return device.info.software ? `the GPU is made of software (${device.info.description})` : device;
  } catch (error) {
    if (!isRadarError(error, "no-backend")) throw error;
    return error.message;
  }
}
