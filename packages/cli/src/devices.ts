/**
 * The devices that the command line knows, by name, and the choice among them that `auto` makes. A backend's package is
 * loaded when its name is used.
 */
import { type Backend, type Device, isRadarError } from "@dechirp/core";
import { argumentError } from "./errors.ts";

interface KnownDevice {
  readonly title: string;
  load(): Promise<Backend>;
}

export const devices: Readonly<Record<string, KnownDevice>> = {
  cpu: { title: "the processor, all cores", load: async () => (await import("@dechirp/fft-cpu")).cpu() },
  gpu: { title: "the GPU, through WebGPU", load: async () => (await import("@dechirp/fft-gpu")).gpu() },
};

/** The GPU where there is one and the work is worth it, else the processor. */
const automatic = "auto";

export const deviceNames = (): string => [...Object.keys(devices), automatic].join(", ");

/** A device, and why it is this one where nobody named it. */
export interface OpenedDevice extends Disposable {
  readonly device: Device;
  readonly why?: string;
}

const opened = (device: Device, why?: string): OpenedDevice => ({
  device,
  ...(why !== undefined && { why }),
  [Symbol.dispose]: () => device[Symbol.dispose](),
});

/** Throws `argument` for a name that is not in the table. */
export function checkDevice(name: string): void {
  if (name !== automatic && !Object.hasOwn(devices, name)) throw argumentError("--device", `one of ${deviceNames()}`, name);
}

/**
 * Opens the device of that name, or for `auto` the better one for work on `bytes` of input. Throws `argument` for an unknown
 * one and `no-backend` where it does not open.
 */
export async function openDevice(name: string, bytes: number): Promise<OpenedDevice> {
  checkDevice(name);
  const { open } = await import("@dechirp/core");
  const openKnown = async (known: string): Promise<Device> => open(await devices[known].load());
  if (name !== automatic) return opened(await openKnown(name));
  const { crossoverBytes } = await import("@dechirp/fft-gpu");
  if (bytes < crossoverBytes)
    return opened(
      await openKnown("cpu"),
      `cpu chosen: ${bytes} bytes of input are less than the ${crossoverBytes} from which on a GPU gains`,
    );
  try {
    const gpu = await openKnown("gpu");
    if (!gpu.info.software) return opened(gpu, "gpu chosen: enough work, and there is one");
    gpu[Symbol.dispose]();
    return opened(await openKnown("cpu"), `cpu chosen: the GPU is made of software (${gpu.info.description})`);
  } catch (error) {
    if (!isRadarError(error) || error.code !== "no-backend") throw error;
    return opened(await openKnown("cpu"), `cpu chosen: ${error.message}`);
  }
}
