/**
 * `createDevice` makes a device from a backend's driver. It adds everything that is the same for all backends: checks, lifetimes, the
 * order of work and lowering. buffers.ts and plans.ts do most of it.
 */
import { createBuffers, createMemoryMeter } from "./buffers.ts";
import type { Device } from "./device.ts";
import type { Driver, Storage } from "./driver.ts";
import { RadarError } from "./errors.ts";
import { createPlans } from "./plans.ts";

/** Makes the device of a driver. Disposing of the device disposes of all its buffers and plans. */
export function createDevice<S extends Storage>(driver: Driver<S>): Device {
  const { id } = driver;
  let state: "open" | "disposed" | RadarError = "open";
  driver.lost.then((error) => {
    if (state === "open") state = error;
  });
  const assertOpen = (): void => {
    if (state === "disposed") throw new RadarError("disposed", `device ${id} was disposed`, { device: id });
    if (state !== "open") throw new RadarError("device-lost", state.message, { device: id }, state);
  };
  const meter = createMemoryMeter();
  const buffers = createBuffers(driver, meter, assertOpen);
  const plans = createPlans(driver, buffers, meter, assertOpen);
  const device: Device = {
    id,
    info: driver.info,
    limits: driver.limits,
    units: driver.units,
    lost: driver.lost,
    alloc: buffers.alloc,
    plan: (op, options) => plans.plan(device, op, options),
    async ready() {
      assertOpen();
      const queued = [...plans.running];
      await driver.ready();
      await Promise.all(queued);
    },
    memory: () => ({ buffers: buffers.live.size, bytes: meter.bytes, peakBytes: meter.peakBytes, plans: plans.live.size }),
    [Symbol.dispose]() {
      if (state === "disposed") return;
      for (const plan of [...plans.live]) plan[Symbol.dispose]();
      for (const buffer of [...buffers.live]) buffer[Symbol.dispose]();
      state = "disposed";
      driver.close();
    },
  };
  return device;
}
