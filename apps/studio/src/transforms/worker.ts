/** Measures transforms on the devices of this browser, in a worker. Devices stay open for the next measurement. */
import { type Device, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { expose } from "comlink";
import { type DeviceFacts, type DeviceName, factsOf } from "../work/devices.ts";
import { keptDevice } from "../work/kept-devices.ts";
import { listening, type OnAdvance } from "../work/listening.ts";
import "../work/wire.ts";
import { type Measured, measureTransforms } from "./measure.ts";
import type { TransformChoices } from "./problem.ts";

let reference: Promise<Device> | undefined;

/** The device that computes in float64, for references. */
function float64(): Promise<Device> {
  reference ??= open(cpu({ workers: 1, kernels: "js" }));
  return reference;
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
  measure: (
    name: DeviceName,
    choices: TransformChoices,
    seconds: number,
    signal: AbortSignal,
    listener: OnAdvance,
  ): Promise<DeviceMeasured> =>
    listening(listener, async (onProgress) => {
      onProgress("opening the device", 0);
      const device = await keptDevice(name);
      const measured = await measureTransforms(device, choices, { seconds, signal, onProgress, float64: await float64() });
      return { ...measured, device: factsOf(name, device), clockStep: clockStep() };
    }),
};

export type TransformsApi = typeof api;

expose(api);
