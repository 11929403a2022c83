/** The devices that the command line knows, by name. A backend's package is loaded when its name is used. */
import type { Backend, Device } from "@dechirp/core";
import { argumentError } from "./errors.ts";

interface KnownDevice {
  readonly title: string;
  load(): Promise<Backend>;
}

export const devices: Readonly<Record<string, KnownDevice>> = {
  cpu: { title: "the processor, all cores", load: async () => (await import("@dechirp/fft-cpu")).cpu() },
  gpu: { title: "the GPU, through WebGPU", load: async () => (await import("@dechirp/fft-gpu")).gpu() },
};

export const deviceNames = (): string => Object.keys(devices).join(", ");

/** Throws `argument` for a name that is not in the table. */
export function checkDevice(name: string): void {
  if (!Object.hasOwn(devices, name)) throw argumentError("--device", `one of ${deviceNames()}`, name);
}

/** Opens the device of that name. Throws `argument` for an unknown one and `no-backend` where it does not open. */
export async function openDevice(name: string): Promise<Device> {
  checkDevice(name);
  const { open } = await import("@dechirp/core");
  return open(await devices[name].load());
}
