/** Arrays: transfers in pieces and their order, what is freed while commands are recorded, and memory that there is not. */
import { random, randomArray } from "@dechirp/conformance";
import { type Buffer, type Device, layout, open } from "@dechirp/core";
import { beforeEach, describe, expect, it } from "vitest";
import { gpu } from "../src/index.ts";
import { adding, counted, later, openForEach, refuse } from "./raw-device.ts";

const millions = layout("f32", [5 * 2 ** 20]); // 20 MiB: three pieces
const ramp = (length: number, from: number): Float32Array => Float32Array.from({ length }, (_, i) => from + i);

let device: Device;
let raw: GPUDevice;
openForEach((opened, on) => {
  [device, raw] = [opened, on];
});

/** Where two arrays differ first; -1 where they are the same. `toEqual` of millions of numbers takes seconds. */
const firstDifference = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  if (a.length !== b.length) return Math.min(a.length, b.length);
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return i;
  return -1;
};

describe("transfers in pieces", () => {
  it("take the data as it is at the call, and again through the same memory", async () => {
    const buffer = device.alloc(millions);
    for (let round = 0; round < 3; round++) {
      const data = ramp(millions.shape[0], round);
      buffer.write(data);
      data.fill(-1);
      expect(firstDifference(await buffer.read(), ramp(millions.shape[0], round))).toBe(-1);
    }
  });

  it("go on where staging memory ends: 320 MiB at once", async () => {
    const buffer = device.alloc(millions);
    for (let round = 0; round < 16; round++) buffer.write(ramp(millions.shape[0], round));
    expect(firstDifference(await buffer.read(), ramp(millions.shape[0], 15))).toBe(-1);
  });

  it("begin and end anywhere", async () => {
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

  it("a read has what was there when it was asked for, whatever is written while it lasts", async () => {
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

  it("a long read does not keep the device from other work", async () => {
    const large = device.alloc(layout("f32", [16 * 2 ** 20]));
    using plan = await device.plan(adding(64), { inPlace: true });
    const small = device.alloc(layout("f32", [64]));
    const order: string[] = [];
    const read = large.read().then(() => order.push("read"));
    const run = plan.run({ in: small, out: small }, { uniforms: { add: 1 } }).done.then(() => order.push("run"));
    await Promise.all([read, run]);
    expect(order).toEqual(["run", "read"]);
  });

  it("a long read of an array that is disposed of meanwhile is whole", async () => {
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

  it.each(["at once", "behind the host's work"])("after a write that is only recorded, %s, spoil nothing", async (when) => {
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

  it("belong to plans too: temporaries are counted and go with the plan", async () => {
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

describe("an array that there is no memory for", () => {
  const none = "as if there were no memory";
  beforeEach(() => refuse(raw, none));

  it("fails whatever uses it, and nothing else", async () => {
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
    // And when it is known:
    bad.write(ramp(length, 0));
    await expect(plan.run({ in: bad, out }, { uniforms }).done).rejects.toMatchObject(missing);
    await expect(bad.read()).rejects.toMatchObject(missing);
    await plan.run({ in: good, out }, { uniforms }).done;
    bad[Symbol.dispose]();
    await device.ready();
  });

  it("gives its bytes back", async () => {
    const bad = device.alloc(layout("f32", [64]), none);
    await expect(bad.read()).rejects.toMatchObject({ code: "out-of-memory" });
    bad[Symbol.dispose]();
    expect(device.memory()).toMatchObject({ buffers: 0, bytes: 0 });
  });
});

it("a long read makes do with a few buffers, and so does the next", async () => {
  const made = counted(raw, "createBuffer");
  const large = device.alloc(layout("f32", [20 * 2 ** 20])); // 80 MiB: ten pieces
  const before = made();
  for (let i = 0; i < 3; i++) await large.read();
  expect(made() - before).toBeLessThanOrEqual(4);
});

/** Counts the buffers of a label, made and destroyed; `spoil` is told of each. */
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

it("an array of two segments, one of which can't be made, leaves neither", () => {
  const counts = watched("halves", (_, nth) => {
    if (nth === 2) throw new RangeError("no memory");
  });
  const two = layout("f32", [raw.limits.maxStorageBufferBindingSize / 4 + 1]);
  expect(() => device.alloc(two, "halves")).toThrowError(expect.objectContaining({ code: "out-of-memory" }));
  expect(counts.made - counts.destroyed).toBe(1); // the second, which its maker never handed over
  expect(device.memory()).toMatchObject({ buffers: 0, bytes: 0 });
});

it("staging memory that can't be mapped again is let go", async () => {
  const counts = watched("upload", (buffer) => {
    buffer.mapAsync = () => Promise.reject(new Error("not again"));
  });
  const buffer = device.alloc(millions);
  for (let round = 1; round <= 2; round++) {
    buffer.write(ramp(millions.shape[0], round));
    expect(firstDifference(await buffer.read(), ramp(millions.shape[0], round))).toBe(-1);
    expect(counts.made).toBe(3 * round);
    await expect.poll(() => counts.destroyed, { timeout: 60_000 }).toBe(3 * round);
  }
});

it("tables that the device refuses fail the runs of their plan, and the next plan has its own", async () => {
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
  // The transform of a unit impulse is one everywhere.
  const squares = (await y.read()).map((v, i) => (v - (i % 2 === 0 ? 1 : 0)) ** 2);
  const error = Math.sqrt(squares.reduce((sum, v) => sum + v, 0) / line.shape[1]);
  expect(error).toBeLessThan(0.8 * 2 ** -23 * Math.sqrt(Math.log2(line.shape[1])));
});
