/**
 * Tests that runs without a common array, plan and unit overlap, that others never do, and that overlapping runs give the bits of
 * sequential ones. Kernels detect other runs by atomics in an array that they declare as read only.
 */
import { random, randomArray } from "@dechirp/conformance";
import { type Device, type Buffer as DeviceBuffer, type Kernel, layout, type Op, open, type Plan, type TypedArrayOf } from "@dechirp/core";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { cpu } from "../src/index.ts";
import { assemble, type Bytes } from "./assemble.ts";

const source = `
  // Detects whether another run is in this function at the same time. It waits for one for up to patience turns. It counts runs.
  // Words: flags, out, patience. Flags: number of runs in this function, whether there were ever two.
  export function enter(argument: usize, start: u32, end: u32): void {
    const flags: usize = load<u32>(argument), out: usize = load<u32>(argument, 4), patience = load<u32>(argument, 8);
    let met = atomic.add<i32>(flags, 1) > 0;
    for (let i: u32 = 0; i < patience && !met; i++) met = atomic.load<i32>(flags) > 1 || atomic.load<i32>(flags, 4) != 0;
    if (met) atomic.store<i32>(flags, 1, 4);
    store<f32>(out, load<f32>(out) + 1);
    atomic.sub<i32>(flags, 1);
  }
  // Reports that it has begun and waits until it is released. Words: flags, out, place, value.
  export function hold(argument: usize, start: u32, end: u32): void {
    const flags: usize = load<u32>(argument) + 8 * load<u32>(argument, 8);
    atomic.store<i32>(flags, 1);
    for (let i: i64 = 0; i < 0x1000000000 && atomic.load<i32>(flags, 4) == 0; i++) {} // a minute at most
    store<f32>(load<u32>(argument, 4), load<f32>(argument, 12));
  }
  // Writes a pattern to 64 KiB of work memory, waits like hold, and writes whether the pattern is still there. Words: as above, work, pitch.
  export function remember(argument: usize, start: u32, end: u32, unit: u32): void {
    const work: usize = load<u32>(argument, 16) + unit * load<u32>(argument, 20);
    for (let i: u32 = 0; i < 16384; i++) store<u32>(work + 4 * i, i * 2654435761);
    hold(argument, start, end);
    for (let i: u32 = 0; i < 16384; i++) if (load<u32>(work + 4 * i) != i * 2654435761) store<f32>(load<u32>(argument, 4), -1);
  }
`;
let bytes: Bytes;
beforeAll(async () => {
  bytes = await assemble(source);
});

const flagsShape = layout("u32", [64]);
const one = layout("f32", [1]);
const rejected = (code: string) => expect.objectContaining({ code });

const kernel = (entry: string, more: Partial<Kernel> = {}): Kernel => ({
  op: "kernel",
  name: entry,
  ports: { flags: { access: "read", layout: flagsShape }, out: { access: "update", layout: one } },
  items: 1,
  reference: () => {},
  wasm: { plain: bytes, shared: bytes, entry, precision: "f32" },
  ...more,
});
const entering = (): Kernel => kernel("enter", { uniforms: { patience: "u32" } });
const holding = (entry = "hold", workBytes = 0): Kernel =>
  kernel(entry, {
    uniforms: { place: "u32", value: "f32" },
    flops: 1e9, // estimated as too much for the caller's thread
    wasm: { plain: bytes, shared: bytes, entry, precision: "f32", workBytes },
  });

/** Runs of the kernel `hold`, each at a place of its own in `flags`. */
function holds(device: Device): {
  readonly flags: DeviceBuffer<"u32">;
  run(plan: Plan, out: DeviceBuffer<"f32">, place: number, units?: readonly number[], signal?: AbortSignal): Promise<void>;
  hasBegun(place: number): boolean;
  begun(place: number): Promise<void>;
  release(place: number): void;
} {
  const flags = device.alloc(flagsShape);
  const words = (): Uint32Array => {
    const view = flags.view?.();
    if (!view) throw new Error("arrays of the CPU have views");
    return view;
  };
  const hasBegun = (place: number): boolean => Atomics.load(words(), 2 * place) !== 0;
  return {
    flags,
    run: (plan, out, place, units = [place], signal) =>
      plan.run({ flags, out }, { units, uniforms: { place, value: place + 1 }, ...(signal && { signal }) }).done,
    hasBegun,
    async begun(place) {
      while (!hasBegun(place)) await new Promise((resolve) => setTimeout(resolve, 1));
    },
    release: (place) => void Atomics.store(words(), 2 * place + 1, 1),
  };
}

/** Enough turns to meet another run that is in progress, which takes seconds; and fewer turns, enough to detect one that must not be. */
const longPatience = 2 ** 31;
const shortPatience = 50_000;

describe("runs", () => {
  test("overlap if they share nothing", async () => {
    using device = await open(cpu({ workers: 2 }));
    using flags = device.alloc(flagsShape);
    const runs = [0, 1].map(async (unit) => {
      const plan = await device.plan(entering());
      const out = device.alloc(one);
      for (let i = 0; i < 5; i++) plan.run({ flags, out }, { units: [unit], uniforms: { patience: longPatience } });
      return out.read();
    });
    expect(await Promise.all(runs)).toEqual([Float32Array.of(5), Float32Array.of(5)]);
    expect((await flags.read())[1]).toBe(1);
  });

  test.each(["unit", "units", "array", "plan"])("never overlap if they share a %s", async (shared) => {
    using device = await open(cpu({ workers: 3 }));
    using flags = device.alloc(flagsShape);
    const plans = [await device.plan(entering()), await device.plan(entering())];
    const outs = [device.alloc(one), device.alloc(one)];
    if (shared === "plan") plans[1] = plans[0];
    if (shared === "array") outs[1] = outs[0];
    const units = {
      unit: [[1], [1]],
      units: [
        [0, 1],
        [2, 1],
      ],
    }[shared] ?? [[0], [1]];
    for (let i = 0; i < 60; i++) {
      const side = i % 2;
      plans[side].run({ flags, out: outs[side] }, { units: units[side], uniforms: { patience: shortPatience } });
    }
    const counts = await Promise.all(outs.map((out) => out.read()));
    expect(counts.map(([count]) => count)).toEqual(shared === "array" ? [60, 60] : [30, 30]);
    expect(Array.from((await flags.read()).subarray(0, 2))).toEqual([0, 0]);
  });

  test("pass runs that wait, which keep their order", async () => {
    using device = await open(cpu({ workers: 2 }));
    using first = await device.plan(holding());
    using second = await device.plan(holding());
    const { run, hasBegun, begun, release } = holds(device);
    const [a, b] = [device.alloc(one), device.alloc(one)];
    const order: string[] = [];
    const noted = (name: string, done: Promise<unknown>): Promise<void> => done.then(() => void order.push(name));
    const held = noted("held", run(first, a, 0));
    const sameArray = noted("same array", run(second, a, 2, [1]));
    const sameUnit = noted("same unit", run(second, b, 3, [1]));
    const read = a.read();
    await begun(0);
    // All but the first wait: one for the array, one for that one's unit and plan.
    for (const place of [2, 3]) release(place);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([2, 3].map(hasBegun)).toEqual([false, false]);
    expect(order).toEqual([]);
    release(0);
    await Promise.all([held, sameArray, sameUnit]);
    expect(order).toEqual(["held", "same array", "same unit"]);
    expect(Array.from(await read)).toEqual([3]);
  });

  test("wait for all units of earlier ones, even for units that had no work", async () => {
    using device = await open(cpu({ workers: 3 }));
    const plans = [await device.plan(holding()), await device.plan(holding())];
    const { run, hasBegun, begun, release } = holds(device);
    const outs = [device.alloc(one), device.alloc(one)];
    const first = run(plans[0], outs[0], 0, [0, 1]); // one item: at most one unit works
    const second = run(plans[1], outs[1], 1, [2, 1]);
    await begun(0);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(hasBegun(1)).toBe(false);
    for (const place of [0, 1]) release(place);
    await Promise.all([first, second]);
    expect((await Promise.all(outs.map((out) => out.read()))).flatMap((out) => [...out])).toEqual([1, 2]);
  });

  test("do not delay writes and reads of other arrays, nor other units", async () => {
    using device = await open(cpu({ workers: 2 }));
    using plan = await device.plan(holding());
    const shape = layout("c64", [64, 256]);
    using transform = await device.plan({ op: "fft", layout: shape, axis: 1, inverse: false }, { inPlace: true });
    using script = await device.plan({ op: "fft", layout: layout("c128", [4, 64]), axis: 1, inverse: false });
    const { run, begun, release } = holds(device);
    const [held, free] = [device.alloc(one), device.alloc(shape)];
    const [from, to] = [device.alloc(layout("c128", [4, 64])), device.alloc(layout("c128", [4, 64]))];
    let finished = false;
    const done = run(plan, held, 0).then(() => {
      finished = true;
    });
    await begun(0);
    held.write(Float32Array.of(9)); // waits for the run
    free.write(new Float32Array(2 * 64 * 256).fill(1));
    expect(free.view?.()[5]).toBe(1);
    await transform.run({ in: free, out: free }, { units: [1] }).done;
    expect((await free.read())[0]).toBe(256);
    await script.run({ in: from, out: to }).done;
    expect([finished, held.view?.()[0]]).toEqual([false, 0]);
    release(0);
    await done;
    expect(Array.from(await held.read())).toEqual([9]);
  });

  test("keep their place if they are aborted while they wait, and reads of their results fail", async () => {
    using device = await open(cpu({ workers: 2 }));
    const plans = await Promise.all([0, 1, 2].map(() => device.plan(holding())));
    const { run, hasBegun, begun, release } = holds(device);
    const [a, b] = [device.alloc(one), device.alloc(one)];
    const abort = new AbortController();
    const first = run(plans[0], a, 0);
    const aborted = expect(run(plans[1], b, 1, [0, 1], abort.signal)).rejects.toEqual(rejected("aborted"));
    const tainted = expect(b.read()).rejects.toEqual(rejected("aborted"));
    const last = run(plans[2], a, 2, [1]);
    await begun(0);
    abort.abort();
    release(2);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(hasBegun(2)).toBe(false);
    release(0);
    await Promise.all([first, aborted, tainted, last]);
    expect(Array.from(await a.read())).toEqual([3]);
    expect(hasBegun(1)).toBe(false);
  });

  test("all reject when the device is disposed, running and waiting ones", async () => {
    const device = await open(cpu({ workers: 2 }));
    const plans = await Promise.all([0, 1].map(() => device.plan(holding())));
    const { run, begun } = holds(device);
    const outs = [device.alloc(one), device.alloc(one)];
    const all = [0, 1, 0, 1].map((unit, i) => run(plans[unit], outs[unit], i, [unit]) as Promise<unknown>);
    all.push(run(plans[0], outs[1], 5, [0, 1]), outs[0].read(), outs[1].read(), device.ready());
    const outcomes = Promise.allSettled(all);
    await Promise.all([begun(0), begun(1)]);
    device[Symbol.dispose]();
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ status: "rejected", reason: { code: "disposed" } });
  });

  test("keep their work memory until they end, even if more is requested meanwhile", async () => {
    using device = await open(cpu({ workers: 2 }));
    using plan = await device.plan(holding("remember", 65_536));
    const { run, begun, release } = holds(device);
    const out = device.alloc(one);
    const done = run(plan, out, 0);
    await begun(0);
    const larger = await device.plan(
      kernel("enter", { wasm: { plain: bytes, shared: bytes, entry: "enter", precision: "f32", workBytes: 2 ** 20 } }),
    );
    const others = Array.from({ length: 12 }, () => device.alloc(layout("u8", [32_768]))); // zeroed, wherever they are
    release(0);
    await done;
    expect(Array.from(await out.read())).toEqual([1]);
    for (const { [Symbol.dispose]: dispose } of [larger, ...others]) dispose();
  });
});

test("modules are loaded although runs follow each other on all units", async () => {
  using device = await open(cpu({ workers: 2 }));
  const { flags } = holds(device);
  let loaded = false;
  const stream = async (unit: number): Promise<number> => {
    const plan = await device.plan(entering());
    const out = device.alloc(one);
    const runs: Promise<void>[] = [];
    let runsDone = 0;
    for (; !loaded && runsDone < 100_000; runsDone++) {
      while (runs.length < 4) runs.push(plan.run({ flags, out }, { units: [unit], uniforms: { patience: 0 } }).done);
      await runs.shift();
    }
    await Promise.all(runs);
    return runsDone;
  };
  const streams = Promise.all([stream(0), stream(1)]);
  for (let i = 0; i < 5; i++) {
    const module = await assemble(
      `export function f${i}(argument: usize, start: u32, end: u32): void { store<f32>(load<u32>(argument, 4), ${i}); }`,
    );
    const plan = await device.plan(kernel("f", { wasm: { plain: module, shared: module, entry: `f${i}`, precision: "f32" } }));
    const out = device.alloc(one);
    await plan.run({ flags, out }, { units: [i % 2] }).done;
    expect(Array.from(await out.read())).toEqual([i]);
  }
  loaded = true;
  for (const runsDone of await streams) expect(runsDone).toBeLessThan(100_000);
});

describe("any program", () => {
  const [lines, n] = [48, 64];
  const shape = layout("c64", [lines, n]);
  const arrays = 4;
  const unitSets = [undefined, [0], [1], [2], [0, 1], [2, 0], [1, 2]];
  const ops: Op[] = [
    { op: "fft", layout: shape, axis: 1, inverse: true },
    { op: "fft", layout: shape, axis: 0, inverse: true },
    { op: "multiply", layout: shape, axis: 1, h: "all" },
    { op: "spectral-filter", layout: shape, axis: 1, h: "all" },
    { op: "convert", layout: shape, to: "c64", scale: -0.5 },
    {
      op: "kernel",
      name: "swirl",
      ports: { in: { access: "read", layout: shape }, out: { access: "update", layout: shape } },
      items: lines * n,
      elementwise: true,
      reference({ in: x, out }, _, start, end) {
        for (let i = start; i < end; i++) out.set(i, out.im(i) - x.re(i) / 2, out.re(i) / 2 + x.im(i));
      },
    },
  ];
  const place = fc.nat(arrays - 1);
  const run = fc.record({
    kind: fc.constant("run" as const),
    op: fc.nat(ops.length - 1),
    fuse: fc.boolean(),
    from: place,
    h: place,
    to: place,
    units: fc.constantFrom(...unitSets),
  });
  const write = fc.record({ kind: fc.constant("write" as const), to: place, seed: fc.nat(1000), part: fc.boolean() });
  const read = fc.record({ kind: fc.constant("read" as const), from: place });
  const steps = fc.array(fc.oneof({ weight: 5, arbitrary: run }, write, read), { minLength: 1, maxLength: 30 });
  type Step =
    typeof run extends fc.Arbitrary<infer R>
      ? R | { kind: "write"; to: number; seed: number; part: boolean } | { kind: "read"; from: number }
      : never;

  const execute = async (
    device: Device,
    plans: readonly (readonly Plan[])[],
    program: readonly Step[],
    inTurn: boolean,
  ): Promise<TypedArrayOf[]> => {
    const buffers = Array.from({ length: arrays }, (_, i) => {
      const buffer = device.alloc(shape);
      buffer.write(randomArray(shape, random(i)));
      return buffer;
    });
    const results: Promise<TypedArrayOf>[] = [];
    for (const step of program) {
      if (step.kind === "read") results.push(buffers[step.from].read());
      if (step.kind === "write") {
        const data = randomArray(shape, random(step.seed));
        if (step.part) buffers[step.to].write(data.subarray(0, n), 3 * n);
        else buffers[step.to].write(data);
      }
      if (step.kind === "run") {
        // Another array, if the port may not share the array that is written.
        const from = step.from === step.to ? (step.from + 1) % arrays : step.from;
        const h = step.h === step.to ? (step.h + 1) % arrays : step.h;
        const plan = plans[Number(step.fuse)][step.op];
        const bindings = { in: buffers[from], out: buffers[step.to], ...("h" in plan.op && { h: buffers[h] }) };
        const { done } = plan.run(bindings, step.units && { units: step.units });
        if (inTurn) await done;
      }
      if (inTurn) await device.ready();
    }
    const all = await Promise.all([...results, ...buffers.map((buffer) => buffer.read())]);
    for (const buffer of buffers) buffer[Symbol.dispose]();
    return all;
  };

  const bitsOf = ({ buffer, byteOffset, byteLength }: TypedArrayOf): Buffer => Buffer.from(buffer, byteOffset, byteLength);

  test("gives the bits of sequential steps", async () => {
    using device = await open(cpu({ workers: 3 }));
    const plans = await Promise.all([false, true].map((fuse) => Promise.all(ops.map((op) => device.plan(op, { fuse })))));
    await fc.assert(
      fc.asyncProperty(steps, async (program) => {
        const expected = await execute(device, plans, program, true);
        const actual = await execute(device, plans, program, false);
        for (const [i, result] of actual.entries()) expect(bitsOf(result).equals(bitsOf(expected[i])), `result ${i}`).toBe(true);
      }),
      { numRuns: 100, seed: 11 },
    );
  });
});
