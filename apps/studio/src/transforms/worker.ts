/** Measures transforms on the devices of this browser, in a worker. Devices stay open for the next measurement. */
import { type Device, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { expose } from "comlink";
import { type DeviceFacts, type DeviceName, factsOf, openDevice } from "../work/devices.ts";
import "../work/wire.ts";
import { type Measured, measureTransforms } from "./measure.ts";
import type { TransformChoices } from "./problem.ts";

const devices = new Map<DeviceName, Promise<Device>>();
let reference: Promise<Device> | undefined;

/** The device that computes in float64, for references. */
function float64(): Promise<Device> {
  reference ??= open(cpu({ workers: 1, kernels: "js" }));
  return reference;
}

/** The open device of a name. It is opened again after it was lost, or if it did not open. */
async function deviceOf(name: DeviceName): Promise<Device> {
  const known = devices.get(name);
  if (known) return known;
  const opening = openDevice(name);
  devices.set(name, opening);
  const forget = (): void => {
    if (devices.get(name) === opening) devices.delete(name);
  };
  const device = await opening.catch((error: unknown) => {
    forget();
    throw error;
  });
  void device.lost.then(forget);
  return device;
}

/** The smallest step of the host's clock, in microseconds. */
function clockStep(): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 20; i++) {
    const start = performance.now();
    let next = start;
    while (next === start) next = performance.now();
    least = Math.min(least, next - start);
  }
  return 1000 * least;
}

/** What was measured on a device, which it was, and how coarse the host's clock is. */
export interface DeviceMeasured extends Measured {
  readonly device: DeviceFacts;
  /** Microseconds. */
  readonly clockStep: number;
}

const api = {
  /** Measures on one device. Rejects with `no-backend`, `device-lost`, `input` and `aborted`. */
  async measure(
    name: DeviceName,
    choices: TransformChoices,
    seconds: number,
    signal: AbortSignal,
    onProgress: (what: string, share: number) => void,
  ): Promise<DeviceMeasured> {
    onProgress("opening the device", 0);
    const device = await deviceOf(name);
    const measured = await measureTransforms(device, choices, { seconds, signal, onProgress, float64: await float64() });
    return { ...measured, device: factsOf(name, device), clockStep: clockStep() };
  },
};

export type TransformsApi = typeof api;

expose(api);
