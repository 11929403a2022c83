/** Tests commands: how few submissions runs take, the order of all that is queued, and that failures reach their owners. */
import { type Device, type Kernel, layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { describe, expect, it } from "vitest";
import { generatedKernels, timeOnDevice } from "../src/index.ts";
import { adding, counted, later, openForEach } from "./raw-device.ts";

const shape = layout("f32", [64]);
const all = (value: number): Float32Array => new Float32Array(64).fill(value);
const uniforms = { add: 1 };

/** out = in + add by the reference, on the host. */
const onHost: Kernel = {
  ...adding(64),
  name: "on the host",
  wgsl: () => undefined,
  reference(ports, { add }, start, end) {
    for (let i = start; i < end; i++) ports["out"].set(i, ports["in"].re(i) + add);
  },
};

let device: Device;
let raw: GPUDevice;
openForEach((opened, on) => {
  [device, raw] = [opened, on];
});

describe("reads", () => {
  it("do not wait for host work that writes other arrays, and wait for what writes theirs", async () => {
    using host = await device.plan({
      ...onHost,
      reference: (ports, values, start, end) => {
        for (const begin = performance.now(); performance.now() - begin < 30; );
        onHost.reference(ports, values, start, end);
      },
    });
    using plan = await device.plan(adding(64));
    const [a, b, c, d] = Array.from({ length: 4 }, () => device.alloc(shape));
    a.write(all(1));
    await device.ready();
    const order: string[] = [];
    const noted = async (name: string, promise: Promise<unknown>) => {
      const value = await promise;
      order.push(name);
      return value;
    };
    // c waits for b, which the host computes.
    const end = noted("host", host.run({ in: a, out: b }, { uniforms }).done);
    plan.run({ in: b, out: c }, { uniforms });
    const reads = [noted("c", c.read()), noted("b", b.read()), noted("a", a.read()), noted("d", d.read())];
    expect(await Promise.all(reads)).toEqual([all(3), all(2), all(1), all(0)]);
    await end;
    expect(order.slice(0, 2).sort()).toEqual(["a", "d"]);
  });

  it("that wait for host work fill as much of memory that grows as it had before", async () => {
    using host = await device.plan(onHost);
    const [a, b] = [device.alloc(shape), device.alloc(shape)];
    a.write(all(1));
    const memory = Reflect.construct(ArrayBuffer, [4 * 32, { maxByteLength: 4 * 96 }]) as ArrayBuffer & { resize(bytes: number): void };
    const target = new Float32Array(memory);
    const end = host.run({ in: a, out: b }, { uniforms }).done;
    const read = b.readInto(target);
    memory.resize(4 * 96);
    await read;
    await end;
    expect(target).toEqual(Float32Array.from({ length: 96 }, (_, i) => (i < 32 ? 2 : 0)));
  });
});

describe("small reads", () => {
  it("make few buffers, one after the other and at the same time, and many do not stay", async () => {
    using buffer = device.alloc(layout("f32", [1000]));
    const values = Float32Array.from({ length: 1000 }, (_, i) => i);
    buffer.write(values);
    const make = raw.createBuffer.bind(raw);
    let [made, ended] = [0, 0];
    raw.createBuffer = (descriptor) => {
      const one = make(descriptor);
      if (descriptor.label !== "download") return one;
      made += 1;
      const destroy = one.destroy.bind(one);
      one.destroy = () => {
        ended += 1;
        destroy();
      };
      return one;
    };
    for (let i = 0; i < 50; i++) expect(await buffer.read({ start: i, count: 900 })).toEqual(values.subarray(i, i + 900));
    expect(made).toBe(1);
    const reads = await Promise.all(Array.from({ length: 20 }, (_, i) => buffer.read({ start: i, count: 900 })));
    for (const [i, read] of reads.entries()) expect(read).toEqual(values.subarray(i, i + 900));
    expect(made).toBe(20);
    await device.ready();
    expect(ended).toBe(16);
    raw.createBuffer = make;
  });
});

describe("parts", () => {
  it("that begin at the same place share a bind group", async () => {
    using plan = await device.plan(adding(64));
    using from = device.alloc(layout("f32", [6 * 64]));
    using to = device.alloc(shape);
    await device.ready();
    const groups = counted(raw, "createBindGroup");
    for (let i = 0; i < 12; i++) plan.run({ in: from.part(64 * (i % 3), 64), out: to }, { uniforms });
    await device.ready();
    expect(groups()).toBe(3);
  });
});

describe("runs", () => {
  it("are submitted together, a thousand of one section in four submissions", async () => {
    using plan = await device.plan(adding(64), { inPlace: true });
    using buffer = device.alloc(shape);
    await buffer.read();
    const submissions = counted(raw.queue, "submit");
    const groups = counted(raw, "createBindGroup");
    for (let i = 0; i < 1000; i++) plan.run({ in: buffer, out: buffer }, { uniforms });
    const read = buffer.read();
    await read;
    expect(submissions()).toBeLessThanOrEqual(5);
    expect(groups()).toBe(1);
    expect(await read).toEqual(all(1000));
  });

  it("are submitted at the end of a section, awaited or not", async () => {
    using plan = await device.plan(adding(64), { inPlace: true });
    using buffer = device.alloc(shape);
    await device.ready();
    const submissions = counted(raw.queue, "submit");
    plan.run({ in: buffer, out: buffer }, { uniforms });
    expect(submissions()).toBe(0);
    await Promise.resolve();
    await Promise.resolve();
    expect(submissions()).toBe(1);
  });

  it("with a signal are submitted one by one, two ahead of the device, and an abort stops the rest", async () => {
    using plan = await device.plan(adding(64), { inPlace: true });
    using buffer = device.alloc(shape);
    await buffer.read();
    const submissions = counted(raw.queue, "submit");
    const controller = new AbortController();
    const options = { uniforms, signal: controller.signal };
    const runs = Array.from({ length: 20 }, () => plan.run({ in: buffer, out: buffer }, options).done);
    const ends = runs.map((run) =>
      run.then(
        () => "done",
        (error: { code?: string }) => error.code,
      ),
    );
    expect(submissions()).toBe(2);
    await runs[0];
    controller.abort();
    const settled = await Promise.all(ends);
    expect(settled.filter((end) => end === "aborted").length).toBeGreaterThanOrEqual(15);
    expect(submissions()).toBeLessThanOrEqual(5);
    plan.run({ in: buffer, out: buffer }, { uniforms });
    await expect(buffer.read()).rejects.toMatchObject({ code: "aborted" }); // it was to be computed from the result of an aborted run
    buffer.write(all(1));
    expect(await buffer.read()).toEqual(all(1));
  });

  it("have their own uniforms, however many there are", async () => {
    using plan = await device.plan(adding(64), { inPlace: true });
    using buffer = device.alloc(shape);
    let sum = 0;
    const reads: Promise<Float32Array>[] = [];
    const expected: number[] = [];
    for (let i = 0; i < 600; i++) {
      plan.run({ in: buffer, out: buffer }, { uniforms: { add: i } });
      sum += i;
      if (i % 97 === 0) {
        reads.push(buffer.read());
        expected.push(sum);
      }
    }
    for (const [i, read] of reads.entries()) expect(await read).toEqual(all(expected[i]));
    expect(await buffer.read()).toEqual(all(sum));
  });

  it("and writes of any size keep their order", async () => {
    const long = layout("f32", [2 ** 18]); // through staging memory; the other one through the queue
    using plan = await device.plan(adding(long.shape[0]));
    using from = device.alloc(long);
    const outs = Array.from({ length: 4 }, () => device.alloc(long));
    const reads: Promise<Float32Array>[] = [];
    outs.forEach((out, i) => {
      from.write(new Float32Array(long.shape[0]).fill(10 * i));
      from.write(Float32Array.of(100 * i), 1);
      plan.run({ in: from, out }, { uniforms });
      reads.push(out.read());
    });
    for (const [i, read] of reads.entries()) {
      const data = await read;
      expect([data[0], data[1], data[2], data.at(-1)]).toEqual([10 * i + 1, 100 * i + 1, 10 * i + 1, 10 * i + 1]);
    }
  });

  it("on the host keep their order with those on the device", async () => {
    using there = await device.plan(adding(64), { inPlace: true });
    using here = await device.plan(onHost);
    expect(here.text).toContain("kernel/host");
    using a = device.alloc(shape);
    using b = device.alloc(shape);
    const reads: Promise<Float32Array>[] = [];
    for (let i = 0; i < 3; i++) {
      there.run({ in: a, out: a }, { uniforms: { add: 1 } });
      here.run({ in: a, out: b }, { uniforms: { add: 100 } });
      a.write(all(10 * (i + 1)));
      there.run({ in: b, out: b }, { uniforms: { add: 1000 } });
      reads.push(b.read(), a.read());
    }
    const seen = await Promise.all(reads);
    expect(seen.map((data) => data[63])).toEqual([1101, 10, 1111, 20, 1121, 30]);
  });

  it("that go on without end on the host do not delay a wait for those before", async () => {
    using here = await device.plan(onHost, { inPlace: true });
    using a = device.alloc(shape);
    a.write(all(0));
    let [runs, isOver] = [0, false];
    // There is always one that waits behind the one that runs.
    const next = async (): Promise<void> => {
      while (!isOver && runs < 1000) await here.run({ in: a, out: a }, { uniforms }).done.then(() => void runs++);
    };
    const both = [next(), next()];
    await device.ready();
    await timeOnDevice(device, () => {});
    isOver = true;
    await Promise.all(both);
    expect(runs).toBeLessThan(20);
    expect(await a.read()).toEqual(all(runs));
  });

  it("that are aborted before their turn do not run", async () => {
    using there = await device.plan(adding(64), { inPlace: true });
    using here = await device.plan(onHost);
    using a = device.alloc(shape);
    using b = device.alloc(shape);
    const controller = new AbortController();
    const held = here.run({ in: a, out: b }, { uniforms });
    const aborted = there.run({ in: a, out: a }, { uniforms, signal: controller.signal });
    const early = here.run({ in: b, out: a }, { uniforms, signal: AbortSignal.abort() });
    controller.abort();
    await held.done;
    await expect(aborted.done).rejects.toMatchObject({ code: "aborted" });
    await expect(early.done).rejects.toMatchObject({ code: "aborted" });
    a.write(all(3));
    there.run({ in: a, out: a }, { uniforms });
    expect(await a.read()).toEqual(all(4));
  });
});

describe("commands that the device refuses", () => {
  it("make the runs and reads of their submission fail; the next one succeeds", async () => {
    const made: GPUBuffer[] = [];
    const make = raw.createBuffer.bind(raw);
    raw.createBuffer = (descriptor) => {
      const buffer = make(descriptor);
      if (descriptor.label === "breaks") made.push(buffer);
      return buffer;
    };
    using plan = await device.plan(adding(64));
    using good = device.alloc(shape);
    using bad = device.alloc(shape, "breaks");
    good.write(all(5));
    await device.ready();
    made[0].destroy();
    const run = plan.run({ in: good, out: bad }, { uniforms });
    const read = later(bad.read());
    await expect(run.done).rejects.toMatchObject({ code: "failed", message: expect.stringContaining("refused") });
    await expect(read).rejects.toMatchObject({ code: "failed" });
    await device.ready();
    using out = device.alloc(shape);
    await plan.run({ in: good, out }, { uniforms }).done;
    expect(await out.read()).toEqual(all(6));
  });

  it("never return wrong data from a read", async () => {
    // Of a size that no read had before, so that a new buffer is made for it.
    const many = layout("f32", [3000]);
    const fives = new Float32Array(3000).fill(5);
    using good = device.alloc(many);
    good.write(fives);
    const make = raw.createBuffer.bind(raw);
    let copy: GPUBuffer | undefined;
    raw.createBuffer = (descriptor) => {
      const buffer = make(descriptor.label === "download" ? { ...descriptor, usage: 1 } : descriptor); // nothing may be copied into it
      if (descriptor.label === "download") copy = buffer;
      return buffer;
    };
    await expect(good.read()).rejects.toMatchObject({ code: "failed" });
    expect(copy).toBeDefined();
    raw.createBuffer = make;
    expect(await good.read()).toEqual(fives);
  });
});

describe("generatedKernels", () => {
  it("returns the WGSL of the plans that are made meanwhile, once each, also if it is compiled already", async () => {
    using before = await device.plan(adding(64));
    const plans: { readonly text: string; [Symbol.dispose](): void }[] = [before];
    const kernels = await generatedKernels(device, async () => {
      for (const size of [64, 64, 128]) plans.push(await device.plan(adding(size)));
    });
    using after = await device.plan(adding(256));
    expect(kernels.map(({ plan }) => plan)).toEqual([plans[1].text, plans[3].text]);
    for (const { code, entry } of kernels) expect(code).toMatch(new RegExp(`@compute[^]*fn ${entry}\\(`));
    expect(kernels.some(({ code }) => code.includes("256u"))).toBe(false);
    expect(after.text).toContain("kernel");
    for (const plan of plans) plan[Symbol.dispose]();
  });

  it("is empty for other devices, and rejects with what the work rejects with", async () => {
    using host = await open(cpu({ workers: 1 }));
    expect(await generatedKernels(host, async () => (await host.plan(onHost))[Symbol.dispose]())).toEqual([]);
    const reason = new Error("no");
    await expect(generatedKernels(device, () => Promise.reject(reason))).rejects.toBe(reason);
  });
});

describe("timeOnDevice", () => {
  it("returns the GPU time of what is queued, and more for more work", async () => {
    const large = layout("f32", [2 ** 17]);
    using plan = await device.plan(adding(large.shape[0]), { inPlace: true });
    using buffer = device.alloc(large);
    const time = (runs: number) =>
      timeOnDevice(device, () => {
        for (let i = 0; i < runs; i++) plan.run({ in: buffer, out: buffer }, { uniforms });
      });
    await time(1);
    const [few, many] = [await time(2), await time(100)];
    if (!raw.features.has("timestamp-query")) {
      expect([few, many]).toEqual([undefined, undefined]);
      return;
    }
    expect(many).toBeGreaterThan(few as number);
    expect((await buffer.read())[7]).toBe(103);
  });

  it("waits for work on the host first", async () => {
    using here = await device.plan(onHost);
    using there = await device.plan(adding(64), { inPlace: true });
    using a = device.alloc(shape);
    using b = device.alloc(shape);
    here.run({ in: a, out: b }, { uniforms });
    await timeOnDevice(device, () => void there.run({ in: b, out: b }, { uniforms }));
    expect(await b.read()).toEqual(all(2));
  });

  it("returns undefined if the device is not a GPU, and runs the work", async () => {
    using host = await open(cpu({ workers: 1 }));
    using plan = await host.plan({ op: "convert", layout: shape, to: "f32", scale: 2 });
    using a = host.alloc(shape);
    using b = host.alloc(shape);
    a.write(all(4));
    expect(await timeOnDevice(host, () => void plan.run({ in: a, out: b }))).toBeUndefined();
    expect(b.view?.()).toEqual(all(8));
  });
});
