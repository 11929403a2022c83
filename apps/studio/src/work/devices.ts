/** Opens devices in a worker, and says what they are. */
import { type Device, open, RadarError } from "@dechirp/core";

/** Which device computes. */
export type DeviceName = "cpu" | "gpu";

/** What the page shows of an open device. */
export interface DeviceFacts {
  readonly name: DeviceName;
  readonly description: string;
  /** Whether a software adapter stands in for a graphics card. */
  readonly isSoftware: boolean;
  /** Units that compute at the same time, such as threads. */
  readonly units: number;
  /** What is slower here, and why. */
  readonly notes: readonly string[];
}

/** Workers of the processor are files of this site, as content security policies demand. */
const startWorker = (): Worker => new Worker(new URL("@dechirp/fft-cpu/worker", import.meta.url), { type: "module", name: "cpu" });

/** Opens a device; its backend is loaded then. Rejects with `no-backend` and a sentence for the user if there is none of this kind. */
export async function openDevice(name: DeviceName): Promise<Device> {
  if (name === "cpu") {
    const { cpu } = await import("@dechirp/fft-cpu");
    return open(cpu({ startWorker }));
  }
  if (!("gpu" in navigator)) throw new RadarError("no-backend", "this browser has no WebGPU; choose the processor");
  const { gpu } = await import("@dechirp/fft-gpu");
  return open(gpu());
}

/** What the page shows of a device. */
export const factsOf = (name: DeviceName, device: Device): DeviceFacts => ({
  name,
  description: device.info.description,
  isSoftware: device.info.software === true,
  units: device.units,
  notes: device.info.notes,
});
