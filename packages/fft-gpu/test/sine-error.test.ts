/** Tests the measurement of a device's sine and cosine, and that kernels that ask are told of it. */
import { type Device, type Kernel, layout, type WgslLimits } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import { largestError } from "../src/sine-error.ts";
import { inWgsl, openForEach } from "./raw-device.ts";

/** Lists as the device makes them: x, sin x, cos x and a number that is not used. `change` may spoil them. */
function measured(change: (found: Float32Array) => void = () => {}, count = 1024): Float32Array {
  const found = new Float32Array(4 * count);
  for (let i = 0; i < count; i++) {
    const x = Math.fround(2 * Math.PI * ((i + 0.5) / count - 0.5));
    found.set([x, Math.sin(x), Math.cos(x), 0], 4 * i);
  }
  change(found);
  return found;
}

describe("the largest error", () => {
  it("is that of float32, or of the worst sine or cosine", () => {
    expect(largestError(measured())).toBeLessThan(2 ** -24);
    for (const place of [1, 2, 4 * 777 + 1, 4 * 1023 + 2])
      expect(
        largestError(
          measured((found) => {
            found[place]! += 3e-5;
          }),
        ),
      ).toBeCloseTo(3e-5, 7);
  });

  it("is infinite for numbers that are none, and for arguments that do not fill the range", () => {
    const spoiled = (at: number, value: number) =>
      largestError(
        measured((found) => {
          found[at] = value;
        }),
      );
    expect(spoiled(4 * 500 + 1, Number.NaN)).toBe(Number.POSITIVE_INFINITY);
    expect(spoiled(2, Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY);
    expect(largestError(new Float32Array(4096))).toBe(Number.POSITIVE_INFINITY);
    expect(largestError(measured().subarray(0, 2048))).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("kernels", () => {
  let device: Device;
  let raw: GPUDevice;
  openForEach((opened, on) => {
    [device, raw] = [opened, on];
  });

  /** A kernel that keeps the limits that it is given. */
  function asking(measured: Kernel["measured"], given: WgslLimits[]): Kernel {
    const shape = layout("f32", [64]);
    const kernel = inWgsl("sines", { in: shape, out: shape }, "store_out(item, sin(load_in(item)));");
    return {
      ...kernel,
      ...(measured && { measured }),
      wgsl: (constants, limits, toolkit) => {
        given.push(limits);
        return kernel.wgsl?.(constants, limits, toolkit);
      },
    };
  }

  it("that ask are told the error, which is measured once", async () => {
    let pipelines = 0;
    const make = raw.createComputePipelineAsync.bind(raw);
    raw.createComputePipelineAsync = (descriptor) => {
      pipelines++;
      return make(descriptor);
    };
    const given: WgslLimits[] = [];
    for (const _ of [1, 2, 3]) (await device.plan(asking(["sineError"], given)))[Symbol.dispose]();
    expect(given).toHaveLength(3);
    const [{ sineError }] = given as [WgslLimits];
    // WGSL guarantees 2⁻¹¹.
    expect(sineError).toBeLessThanOrEqual(2 ** -11);
    expect(given.every((one) => one.sineError === sineError)).toBe(true);
    // The kernel's own, which is compiled once, and the measurement.
    expect(pipelines).toBe(2);
  });

  it("that do not ask are not", async () => {
    const given: WgslLimits[] = [];
    (await device.plan(asking(undefined, given)))[Symbol.dispose]();
    expect(given.map((one) => "sineError" in one)).toEqual([false]);
  });

  it("do not compile if the device refuses the measurement, and do later", async () => {
    const make = raw.createComputePipelineAsync.bind(raw);
    raw.createComputePipelineAsync = () => Promise.reject(new Error("no pipeline"));
    const given: WgslLimits[] = [];
    await expect(device.plan(asking(["sineError"], given))).rejects.toMatchObject({ code: "compile" });
    raw.createComputePipelineAsync = make;
    (await device.plan(asking(["sineError"], given)))[Symbol.dispose]();
    expect(given.map(({ sineError }) => sineError! <= 2 ** -11)).toEqual([true]);
  });

  it("are refused without memory, and planned when there is some", async () => {
    const uncaught: string[] = [];
    raw.addEventListener("uncapturederror", (event) => uncaught.push(event.error.message));
    const make = raw.createBuffer.bind(raw);
    raw.createBuffer = (descriptor) => make({ ...descriptor, size: 4 * Math.ceil(raw.limits.maxBufferSize / 4) + 4 });
    const given: WgslLimits[] = [];
    await expect(device.plan(asking(["sineError"], given))).rejects.toMatchObject({ code: "out-of-memory" });
    raw.createBuffer = make;
    (await device.plan(asking(["sineError"], given)))[Symbol.dispose]();
    expect(given.map(({ sineError }) => sineError! <= 2 ** -11)).toEqual([true]);
    expect(uncaught).toEqual([]);
  });

  it("are aborted while the device is measured, which goes on for others", async () => {
    const make = raw.createComputePipelineAsync.bind(raw);
    let go = (): void => {};
    const wait = new Promise<void>((resolve) => {
      go = resolve;
    });
    raw.createComputePipelineAsync = async (descriptor) => {
      await wait;
      return make(descriptor);
    };
    const given: WgslLimits[] = [];
    const stop = new AbortController();
    const aborted = device.plan(asking(["sineError"], given), { signal: stop.signal });
    const other = device.plan(asking(["sineError"], given));
    stop.abort();
    await expect(aborted).rejects.toMatchObject({ code: "aborted" });
    expect(given).toEqual([]);
    go();
    (await other)[Symbol.dispose]();
    expect(given).toHaveLength(1);
  });
});
