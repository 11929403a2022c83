/** Keeps devices open in a worker, each until it is lost. */
import type { Device } from "@dechirp/core";
import { type DeviceName, openDevice } from "./devices.ts";

const devices = new Map<DeviceName, Promise<Device>>();

/** The open device of a name. It is opened again after it was lost, or if it did not open. Rejects as `openDevice` does. */
export function keptDevice(name: DeviceName): Promise<Device> {
  const known = devices.get(name);
  if (known) return known;
  const opening = openDevice(name);
  devices.set(name, opening);
  const forget = (): void => {
    if (devices.get(name) === opening) devices.delete(name);
  };
  opening.then(({ lost }) => lost.then(forget), forget);
  return opening;
}
