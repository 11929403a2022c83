/**
 * Tests devices that are lost or disposed: everything that waits rejects with the reason, nothing hangs, and another device can be opened.
 */
import { type Buffer, type Device, type Kernel, layout, open, type Plan } from "@dechirp/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { gpu, timeOnDevice } from "../src/index.ts";
import { adding, rawDevice } from "./raw-device.ts";

const length = 2 ** 20;
const shape = layout("f32", [length]);
const uniforms = { add: 1 };
const onHost: Kernel = { ...adding(length), name: "on the host", wgsl: () => undefined, reference: () => {} };

let device: Device;
let raw: GPUDevice;
/** Uncaptured errors of WebGPU. */
let uncaught: string[];
let plan: Plan;
let host: Plan;
let a: Buffer<"f32">;
let b: Buffer<"f32">;
beforeEach(async () => {
  raw = await rawDevice();
  uncaught = [];
  raw.addEventListener("uncapturederror", (event) => uncaught.push(event.error.message));
  device = await open(gpu({ device: raw }));
  [plan, host] = [await device.plan(adding(length)), await device.plan(onHost)];
  [a, b] = [device.alloc(shape), device.alloc(shape)];
  await plan.run({ in: a, out: b }, { uniforms }).done;
});
afterEach(async () => {
  device[Symbol.dispose]();
  await new Promise((resolve) => setTimeout(resolve, 5)); // for the ends of uploads and reads
  raw.destroy();
  expect(uncaught).toEqual([]);
});

/** Starts everything that can wait. */
const busy = (): Record<string, Promise<unknown>> => {
  const long = device.alloc(layout("f32", [10 * length])); // 40 MiB, which is read in pieces
  long.write(new Float32Array(10 * length));
  return {
    run: plan.run({ in: a, out: b }, { uniforms }).done,
    read: b.read(),
    "short read": b.read({ start: 1, count: 3 }),
    "long read": long.read(),
    "run on the host": host.run({ in: b, out: a }, { uniforms }).done,
    "run behind the host's": plan.run({ in: a, out: b }, { uniforms }).done,
    "read behind the host's": b.read(),
    time: timeOnDevice(device, () => void plan.run({ in: a, out: b }, { uniforms })),
    ready: device.ready(),
  };
};

/** How each ends. If one has not ended after a minute, the test fails. */
const outcomes = async (waiting: Record<string, Promise<unknown>>): Promise<Record<string, unknown>> => {
  const ends = await Promise.allSettled(Object.values(waiting));
  return Object.fromEntries(
    Object.keys(waiting).map((name, i) => [name, ends[i].status === "rejected" ? (ends[i].reason.code ?? ends[i].reason) : "done"]),
  );
};
const allEnd = (waiting: Record<string, unknown>, code: string): Record<string, string> =>
  Object.fromEntries(Object.keys(waiting).map((name) => [name, code]));

const moments: [string, () => Promise<void>][] = [
  ["at once", async () => {}],
  [
    "after the section",
    async () => {
      for (let i = 0; i < 5; i++) await Promise.resolve();
    },
  ],
  ["a turn later", () => new Promise((resolve) => setTimeout(resolve))],
];

describe("a lost device", () => {
  it.each(moments)("%s: everything that waits rejects with device-lost", async (when, moment) => {
    const waiting = busy();
    await moment();
    raw.destroy();
    const ends = await outcomes(waiting);
    // What had finished stays finished.
    if (when === "a turn later") for (const end of Object.values(ends)) expect(["device-lost", "done"]).toContain(end);
    else expect(ends).toEqual(allEnd(ends, "device-lost"));
    expect(await device.lost).toMatchObject({ code: "device-lost", fields: { device: "gpu", reason: "destroyed" } });
  });

  it("throws device-lost from then on, and another can be opened", async () => {
    raw.destroy();
    await device.lost;
    const lost = expect.objectContaining({ code: "device-lost" });
    expect(() => device.alloc(shape)).toThrow(lost);
    expect(() => a.write(new Float32Array(3))).toThrow(lost);
    expect(() => plan.run({ in: a, out: b }, { uniforms })).toThrow(lost);
    await expect(a.read()).rejects.toMatchObject({ code: "device-lost" });
    await expect(device.plan(adding(7))).rejects.toMatchObject({ code: "device-lost" });
    await expect(device.ready()).rejects.toMatchObject({ code: "device-lost" });
    device[Symbol.dispose]();
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0, bytes: 0 });
    using next = await open(gpu());
    using buffer = next.alloc(layout("f32", [2]));
    buffer.write(Float32Array.of(1, 2));
    expect(await buffer.read()).toEqual(Float32Array.of(1, 2));
  });

  it("accepts writes, runs and reads before the loss is reported, and none of them succeeds", async () => {
    raw.destroy();
    a.write(new Float32Array(length).fill(3));
    a.write(new Float32Array(3), 1);
    const late = { run: plan.run({ in: a, out: b }, { uniforms }).done, read: b.read(), alloc: device.alloc(shape).read() };
    expect(await outcomes(late)).toEqual(allEnd(late, "device-lost"));
  });

  it("during planning reports the loss and not an error of the text", async () => {
    const planning = {
      one: device.plan(adding(11)),
      two: device.plan({ op: "fft", layout: layout("c64", [64]), axis: 0, inverse: false }),
    };
    raw.destroy();
    expect(await outcomes(planning)).toEqual(allEnd(planning, "device-lost"));
  });
});

describe("a device that is disposed of", () => {
  it.each(moments)("%s: everything that waits rejects with disposed, and the caller's WebGPU device stays open", async (when, moment) => {
    const waiting = busy();
    await moment();
    device[Symbol.dispose]();
    const ends = await outcomes(waiting);
    if (when === "a turn later") for (const end of Object.values(ends)) expect(["disposed", "done"]).toContain(end);
    else expect(ends).toEqual(allEnd(ends, "disposed"));
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0, bytes: 0 });
    using next = await open(gpu({ device: raw }));
    using buffer = next.alloc(layout("f32", [2]));
    buffer.write(Float32Array.of(1, 2));
    expect(await buffer.read()).toEqual(Float32Array.of(1, 2));
  });
});
