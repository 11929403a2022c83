/** Tests arrays: transfers in pieces and their order, arrays that are freed while commands are recorded, and missing memory. */
import { random, randomArray } from "@dechirp/conformance";
import { type Buffer, type Device, layout, open } from "@dechirp/core";
import { beforeEach, describe, expect, it } from "vitest";
import { gpu } from "../src/index.ts";
import { adding, counted, later, openForEach, refuse } from "./raw-device.ts";

const millions = layout("f32", [5 * 2 ** 20]); // 20 MiB, which is three pieces
const ramp = (length: number, from: number): Float32Array => Float32Array.from({ length }, (_, i) => from + i);

let device: Device;
let raw: GPUDevice;
openForEach((opened, on) => {
  [device, raw] = [opened, on];
});

/** The first index at which two arrays differ, or -1. `toEqual` takes seconds for millions of numbers. */
const firstDifference = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  if (a.length !== b.length) return Math.min(a.length, b.length);
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return i;
  return -1;
};

describe("transfers in pieces", () => {
  it("copy the data at the call, and reuse the same memory", async () => {
    const buffer = device.alloc(millions);
    for (let round = 0; round < 3; round++) {
      const data = ramp(millions.shape[0], round);
      buffer.write(data);
      data.fill(-1);
      expect(firstDifference(await buffer.read(), ramp(millions.shape[0], round))).toBe(-1);
    }
  });

  it("continue when staging memory is used up: 320 MiB at once", async () => {
    const buffer = device.alloc(millions);
    for (let round = 0; round < 16; round++) buffer.write(ramp(millions.shape[0], round));
    expect(firstDifference(await buffer.read(), ramp(millions.shape[0], 15))).toBe(-1);
  });

  it("begin and end at any element", async () => {
    const bytes = layout("i8", [2 ** 24 + 9]);
    const buffer = device.alloc(bytes);
    const content = randomArray(bytes, random(1));
    buffer.write(content);
    for (const [start, count] of [
      [3, 2 ** 24 + 1],
      [2 ** 23 - 1, 3],
      [1, 2 ** 23],
    ]) {
      const part = randomArray(layout("i8", [count]), random(start));
      buffer.write(part, start);
      content.set(part, start);
      expect(firstDifference(await buffer.read({ start, count }), part)).toBe(-1);
    }
    expect(firstDifference(await buffer.read(), content)).toBe(-1);
  });

  it("a read returns the data at the time of the call, whatever is written meanwhile", async () => {
    const [length] = millions.shape;
    using plan = await device.plan(adding(length), { inPlace: true });
    const buffer = device.alloc(millions);
    buffer.write(ramp(length, 0));
    const reads = [buffer.read()];
    plan.run({ in: buffer, out: buffer }, { uniforms: { add: 1 } });
    reads.push(buffer.read(), buffer.read());
    const later = ramp(length, 2);
    buffer.write(later);
    later.fill(-1);
    reads.push(buffer.read());
    for (const [i, expected] of [0, 1, 1, 2].entries())
      expect(firstDifference(await reads[i], ramp(length, expected)), `read ${i}`).toBe(-1);
  });

  it("other work goes on during a long read", async () => {
    const large = device.alloc(layout("f32", [16 * 2 ** 20]));
    using plan = await device.plan(adding(64), { inPlace: true });
    const small = device.alloc(layout("f32", [64]));
    const order: string[] = [];
    const read = large.read().then(() => order.push("read"));
    const run = plan.run({ in: small, out: small }, { uniforms: { add: 1 } }).done.then(() => order.push("run"));
    await Promise.all([read, run]);
    expect(order).toEqual(["run", "read"]);
  });

  it("a long read of an array that is disposed meanwhile is complete", async () => {
    const buffer = device.alloc(millions);
    buffer.write(ramp(millions.shape[0], 7));
    const read = buffer.read();
    buffer[Symbol.dispose]();
    expect(firstDifference(await read, ramp(millions.shape[0], 7))).toBe(-1);
    expect(device.memory().buffers).toBe(0);
  });
});

describe("arrays that are freed", () => {
  const small = layout("f32", [64]);

  it.each(["at once", "behind the host's work"])("after a write that is only recorded, %s, affect no other array", async (when) => {
    using plan = await device.plan(adding(64), { inPlace: true });
    using host = await device.plan({ ...adding(64), name: "on the host", wgsl: () => undefined, reference: () => {} });
    const [kept, other] = [device.alloc(small), device.alloc(small)];
    const freed: Buffer = device.alloc(small);
    kept.write(ramp(64, 0));
    if (when !== "at once") host.run({ in: kept, out: other }, { uniforms: { add: 0 } });
    const run = plan.run({ in: kept, out: kept }, { uniforms: { add: 1 } });
    freed.write(ramp(64, 9));
    freed[Symbol.dispose]();
    await run.done;
    expect(await kept.read()).toEqual(ramp(64, 1));
  });

  it("belong to plans too: temporaries are counted and freed with the plan", async () => {
    using passes = await open(gpu({ device: raw, planning: { longestPass: 16 } }));
    const shape = layout("c64", [2, 256]);
    const plan = await passes.plan({ op: "fft", layout: shape, axis: 1, inverse: false });
    expect(plan.text).not.toContain("one-pass");
    expect(passes.memory()).toMatchObject({ buffers: 0, plans: 1 });
    expect(passes.memory().bytes).toBe(2 * 256 * 8);
    plan[Symbol.dispose]();
    expect(passes.memory()).toMatchObject({ buffers: 0, plans: 0, bytes: 0 });
  });
});

describe("an array without memory", () => {
  const none = "as if there were no memory";
  beforeEach(() => refuse(raw, none));

  it("makes everything that uses it fail, and nothing else", async () => {
    const [length] = millions.shape;
    using plan = await device.plan(adding(length));
    const [good, out] = [device.alloc(millions), device.alloc(millions)];
    const bad = device.alloc(millions, none);
    const uniforms = { add: 1 };
    good.write(ramp(length, 0));
    const before = plan.run({ in: good, out }, { uniforms });
    const reading = plan.run({ in: bad, out }, { uniforms });
    bad.write(ramp(length, 0));
    const writing = plan.run({ in: good, out: bad }, { uniforms });
    const read = later(bad.read());
    const after = plan.run({ in: good, out }, { uniforms });
    const outRead = later(out.read());
    const missing = { code: "out-of-memory", message: expect.stringContaining(none) };
    await expect(reading.done).rejects.toMatchObject(missing);
    await expect(writing.done).rejects.toMatchObject(missing);
    await expect(read).rejects.toMatchObject(missing);
    await before.done;
    await after.done;
    expect(firstDifference(await outRead, ramp(length, 1))).toBe(-1);
    // Also after the failure is known:
    bad.write(ramp(length, 0));
    await expect(plan.run({ in: bad, out }, { uniforms }).done).rejects.toMatchObject(missing);
    await expect(bad.read()).rejects.toMatchObject(missing);
    await plan.run({ in: good, out }, { uniforms }).done;
    bad[Symbol.dispose]();
    await device.ready();
  });

  it("returns its bytes", async () => {
    const bad = device.alloc(layout("f32", [64]), none);
    await expect(bad.read()).rejects.toMatchObject({ code: "out-of-memory" });
    bad[Symbol.dispose]();
    expect(device.memory()).toMatchObject({ buffers: 0, bytes: 0 });
  });
});

it("a long read needs only a few buffers, and the next one reuses them", async () => {
  const made = counted(raw, "createBuffer");
  const large = device.alloc(layout("f32", [20 * 2 ** 20])); // 80 MiB, which is ten pieces
  const before = made();
  for (let i = 0; i < 3; i++) await large.read();
  expect(made() - before).toBeLessThanOrEqual(4);
});

/** Counts the buffers with a label that are made and destroyed. `spoil` is called with each. */
function watched(label: string, spoil: (buffer: GPUBuffer, nth: number) => void): { made: number; destroyed: number } {
  const counts = { made: 0, destroyed: 0 };
  const make = raw.createBuffer.bind(raw);
  raw.createBuffer = (descriptor) => {
    const buffer = make(descriptor);
    if (descriptor.label !== label) return buffer;
    counts.made += 1;
    const destroy = buffer.destroy.bind(buffer);
    buffer.destroy = () => {
      counts.destroyed += 1;
      destroy();
    };
    spoil(buffer, counts.made);
    return buffer;
  };
  return counts;
}

it("an array of two segments, one of which can't be made, leaves no buffers", () => {
  const counts = watched("halves", (_, nth) => {
    if (nth === 2) throw new RangeError("no memory");
  });
  const two = layout("f32", [raw.limits.maxStorageBufferBindingSize / 4 + 1]);
  expect(() => device.alloc(two, "halves")).toThrowError(expect.objectContaining({ code: "out-of-memory" }));
  expect(counts.made - counts.destroyed).toBe(1); // the second one, which was never returned
  expect(device.memory()).toMatchObject({ buffers: 0, bytes: 0 });
});

it("frees staging memory that can't be mapped again", async () => {
  const counts = watched("upload", (buffer) => {
    buffer.mapAsync = () => Promise.reject(new Error("not again"));
  });
  const buffer = device.alloc(millions);
  for (let round = 1; round <= 2; round++) {
    buffer.write(ramp(millions.shape[0], round));
    expect(firstDifference(await buffer.read(), ramp(millions.shape[0], round))).toBe(-1);
    expect(counts.made).toBe(3 * round);
    await expect.poll(() => counts.destroyed).toBe(3 * round);
  }
});

it("tables that the device refuses make the runs of their plan fail, and the next plan has new ones", async () => {
  let isRefusing = true;
  const encoder = raw.createCommandEncoder.bind(raw);
  raw.createCommandEncoder = () => {
    const made = encoder();
    const copy = made.copyBufferToBuffer.bind(made) as (...args: readonly unknown[]) => undefined;
    // Beyond the end of any buffer.
    made.copyBufferToBuffer = (...args: readonly unknown[]) => copy(...args.slice(0, 4), isRefusing ? 2 ** 40 : args[4]);
    return made;
  };
  const line = layout("c64", [1, 100_003]); // a convolution, with tables of some hundred kilobytes
  const op = { op: "fft", layout: line, axis: 1, inverse: false } as const;
  using refused = await device.plan(op);
  await device.ready();
  isRefusing = false;
  const [x, y] = [device.alloc(line), device.alloc(line)];
  x.write(Float32Array.of(1, 0));
  const bindings = { in: x, out: y };
  for (let round = 0; round < 2; round++) await expect(refused.run(bindings).done).rejects.toMatchObject({ code: "failed" });
  using plan = await device.plan(op);
  await plan.run(bindings).done;
  // The transform of a unit impulse is 1 everywhere.
  const squares = (await y.read()).map((v, i) => (v - (i % 2 === 0 ? 1 : 0)) ** 2);
  const error = Math.sqrt(squares.reduce((sum, v) => sum + v, 0) / line.shape[1]);
  expect(error).toBeLessThan(0.8 * 2 ** -23 * Math.sqrt(Math.log2(line.shape[1])));
});
