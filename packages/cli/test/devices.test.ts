/** Which device `auto` takes: with a GPU, without one, with one made of software, and for work of every size. */
import { type Backend, type Device, type DeviceInfo, open, RadarError } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { afterEach, describe, expect, it, vi } from "vitest";
import { checkDevice, openDevice } from "../src/devices.ts";

const state: { backend: Backend; opens: number; disposed: number } = { backend: cpu({ units: 1 }), opens: 0, disposed: 0 };
vi.mock("@dechirp/fft-gpu", () => ({ gpu: () => state.backend, crossoverBytes: 1000 }));

/** A device that says it is a GPU. */
const pretend = (info: Partial<DeviceInfo>): Backend => ({
  id: "gpu",
  contract: 1,
  open: async () => {
    state.opens += 1;
    const inner: Device = await open(cpu({ units: 1 }));
    return {
      ...inner,
      id: "gpu",
      info: { description: "a GPU", notes: [], ...info },
      [Symbol.dispose]() {
        state.disposed += 1;
        inner[Symbol.dispose]();
      },
    } as Device;
  },
});

const failing = (error: Error): Backend => ({ id: "gpu", contract: 1, open: () => Promise.reject(error) });

afterEach(() => {
  state.opens = 0;
  state.disposed = 0;
});

describe("--device auto", () => {
  it("takes the GPU for work that is worth it", async () => {
    state.backend = pretend({});
    using taken = await openDevice("auto", 1000);
    expect(taken.device.id).toBe("gpu");
    expect(taken.why).toContain("gpu chosen");
  });

  it("takes the processor for less, without opening the GPU", async () => {
    state.backend = pretend({});
    using taken = await openDevice("auto", 999);
    expect([taken.device.id, state.opens]).toEqual(["cpu", 0]);
    expect(taken.why).toContain("999 bytes");
  });

  it("takes the processor instead of a GPU made of software, which it closes again", async () => {
    state.backend = pretend({ software: true, description: "llvmpipe" });
    using taken = await openDevice("auto", 1e9);
    expect([taken.device.id, state.opens, state.disposed]).toEqual(["cpu", 1, 1]);
    expect(taken.why).toContain("llvmpipe");
  });

  it("takes the processor where no GPU opens, and says why", async () => {
    state.backend = failing(new RadarError("no-backend", "no WebGPU adapter here"));
    using taken = await openDevice("auto", 1e9);
    expect(taken.device.id).toBe("cpu");
    expect(taken.why).toContain("no WebGPU adapter here");
  });

  it("hides no other failure", async () => {
    state.backend = failing(new TypeError("a defect"));
    await expect(openDevice("auto", 1e9)).rejects.toThrow();
    using named = await openDevice("cpu", 1e9);
    expect([named.device.id, named.why]).toEqual(["cpu", undefined]);
  });

  it("is one of the names", () => {
    expect(() => checkDevice("auto")).not.toThrow();
    expect(() => checkDevice("tpu")).toThrow("cpu, gpu, auto");
  });
});
