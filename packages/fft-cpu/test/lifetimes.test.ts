/**
 * Tests events at the wrong moment: loading while work runs, disposal and deaths of workers in between, modules that do not load, early
 * frees.
 */
import { type Kernel, layout, open } from "@dechirp/core";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createHeap, type Heap } from "../src/heap.ts";
import { cpu } from "../src/index.ts";
import { createPool, type Pool, poolBytes } from "../src/pool.ts";
import { createQueue } from "../src/queue.ts";
import { workerStarter } from "../src/worker-host.ts";
import { assemble, type Bytes } from "./assemble.ts";
import { kill } from "./pool-support.ts";

/** Fields that all tasks of these tests share. */
const bare = { what: "test", uses: { reads: [], writes: [] }, prepare: () => {} };

const source = `
  export function one(argument: usize, start: u32, end: u32): void { for (let i = start; i < end; i++) store<f32>(load<u32>(argument) + 4 * usize(i), 1); }
  export function count(argument: usize, start: u32, end: u32): void { atomic.add<i64>(argument, i64(end) - i64(start)); }
  export function unitOne(argument: usize, start: u32, end: u32, unit: u32): void {
    if (unit == 1) { atomic.store<i32>(argument, 1); while (atomic.load<i32>(argument, 4) == 0) {} }
    else while (atomic.load<i32>(argument) == 0) {}
  }
`;
let shared: Bytes;
let another: Bytes;
const pools: Pool[] = [];
let heap: Heap;

beforeAll(async () => {
  shared = await assemble(source);
  another = await assemble("export function nothing(argument: usize, start: u32, end: u32): void {}");
});

afterEach(() => {
  vi.unstubAllGlobals();
  for (const pool of pools.splice(0)) pool.close();
});

async function pool(units: number): Promise<Pool> {
  heap = createHeap({ shared: true, maximumBytes: 2 ** 32, reservedBytes: 64 + poolBytes(units) });
  const made = await createPool(heap.memory, 64, units, createQueue(), workerStarter());
  pools.push(made);
  return made;
}

describe("the pool", () => {
  test("loads modules during tasks without losing any", async () => {
    const p = await pool(2);
    const module = await p.load(await WebAssembly.compile(shared));
    const argument = heap.allocate(64, "count");
    for (let round = 1; round <= 30; round++) {
      const extra = await WebAssembly.compile(another);
      const run = p.run({ ...bare, module, entry: "count", argument, items: 100, chunk: 3 }, [0, 1]);
      await Promise.all([run, p.load(extra)]);
      expect(new Int32Array(heap.memory.buffer, argument, 1)[0]).toBe(100 * round);
    }
  });

  test("settles loads when it is closed or when a worker dies", async () => {
    const p = await pool(2);
    const loading = p.load(await WebAssembly.compile(shared));
    await Promise.resolve();
    const gone = kill(p, 1);
    const module = await loading;
    // The worker may have answered before it died, and would then get a task.
    await gone;
    const argument = heap.allocate(64, "count");
    await p.run({ ...bare, module, entry: "count", argument, items: 9, chunk: 1 }, [0, 1]);
    expect(new Int32Array(heap.memory.buffer, argument, 1)[0]).toBe(9);
    const closing = expect(p.load(await WebAssembly.compile(another))).rejects.toMatchObject({ code: "disposed" });
    p.close();
    await closing;
  });

  test("settles a task whose first unit has finished when it is closed", async () => {
    const p = await pool(2);
    const module = await p.load(await WebAssembly.compile(shared));
    const argument = heap.allocate(64, "flags");
    const run = p.run({ ...bare, module, entry: "unitOne", argument, items: 2, chunk: 1 }, [0, 1]);
    const closed = expect(run).rejects.toMatchObject({ code: "disposed" });
    setTimeout(() => p.close(), 100);
    await closed;
  });

  test.each([2 ** 31 - 1, 2 ** 32 - 1])("runs %d items", async (items) => {
    const p = await pool(3);
    const module = await p.load(await WebAssembly.compile(shared));
    const argument = heap.allocate(64, "count");
    await p.run({ ...bare, module, entry: "count", argument, items, chunk: 2 ** 27 }, [0, 1, 2]);
    expect(new BigInt64Array(heap.memory.buffer, argument, 1)[0]).toBe(BigInt(items));
  });

  test("works without Atomics.waitAsync", async () => {
    const { waitAsync } = Atomics as unknown as { waitAsync: unknown };
    Object.defineProperty(Atomics, "waitAsync", { value: undefined, configurable: true, writable: true });
    try {
      const p = await pool(2);
      const module = await p.load(await WebAssembly.compile(shared));
      const argument = heap.allocate(64, "count");
      await p.run({ ...bare, module, entry: "count", argument, items: 50, chunk: 1 }, [0, 1]);
      expect(new Int32Array(heap.memory.buffer, argument, 1)[0]).toBe(50);
    } finally {
      Object.defineProperty(Atomics, "waitAsync", { value: waitAsync, configurable: true, writable: true });
    }
  });
});

test("a module that does not load makes only its plan fail", async () => {
  using device = await open(cpu({ workers: 2 }));
  const shape = layout("f32", [100_000]);
  using out = device.alloc(shape);
  const kernel = (bytes: Bytes, entry: string): Kernel => ({
    op: "kernel",
    name: entry,
    ports: { out: { access: "write", layout: shape } },
    items: 100_000,
    elementwise: true,
    reference: () => {},
    wasm: { plain: bytes, shared: bytes, entry, precision: "f32" },
  });
  // (module (import "other" "f" (func)))
  const unlinked = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 2, 11, 1, 5, 111, 116, 104, 101, 114, 1, 102, 0, 0]);
  expect(WebAssembly.validate(unlinked)).toBe(true);
  for (const bad of [unlinked, new Uint8Array([1, 2, 3])]) {
    await expect(device.plan(kernel(bad, "f"))).rejects.toMatchObject({ code: "compile" });
  }
  await expect(device.plan(kernel(shared, "missing"))).rejects.toMatchObject({ code: "compile" });
  using sound = await device.plan(kernel(shared, "one"));
  await sound.run({ out }, { units: [0, 1] }).done;
  expect((await out.read()).every((v) => v === 1)).toBe(true);
});

test("an array that is disposed while a write to it waits keeps its memory until then", async () => {
  // On one thread all wait in one queue: a short run of the array, a long one of others, the write.
  using device = await open(cpu({ workers: 1, kernels: "js" }));
  const [short, long] = [layout("c64", [1, 8]), layout("c64", [400, 1000])];
  const plans = [short, long].map((of) => device.plan({ op: "fft", layout: of, axis: 1, inverse: false }));
  const [brief, slow] = await Promise.all(plans);
  const [gone, out, from, to] = [short, short, long, long].map((of) => device.alloc(of));
  const done = brief.run({ in: gone, out }).done;
  slow.run({ in: from, out: to });
  gone.write(new Float32Array(16).fill(7));
  gone[Symbol.dispose]();
  await done;
  using next = device.alloc(short);
  await device.ready();
  expect(await next.read()).toEqual(new Float32Array(16));
});

test("planning settles while the device is disposed", async () => {
  const device = await open(cpu({ workers: 2 }));
  const shape = layout("f32", [10]);
  const planned = device.plan({
    op: "kernel",
    name: "one",
    ports: { out: { access: "write", layout: shape } },
    items: 10,
    elementwise: true,
    reference: () => {},
    wasm: { plain: shared, shared, entry: "one", precision: "f32" },
  });
  const refused = expect(planned).rejects.toMatchObject({ code: "disposed" });
  device[Symbol.dispose]();
  await refused;
});

test.each([1, 2])("a write that is queued when its array is disposed reaches no other array (%d units)", async (units) => {
  using device = await open(cpu({ workers: units }));
  const shape = layout("c64", [64, 4096]);
  using plan = await device.plan({ op: "fft", layout: shape, axis: 1, inverse: false }, { inPlace: true });
  using busy = device.alloc(shape);
  const small = layout("f32", [1000]);
  const before = device.alloc(small);
  plan.run({ in: busy, out: busy });
  before.write(new Float32Array(1000).fill(7));
  before[Symbol.dispose]();
  using after = device.alloc(small);
  expect((await after.read()).every((v) => v === 0)).toBe(true);
});

test("if workers die before they start, the device is single-threaded and says so", async () => {
  vi.resetModules();
  vi.doMock("../src/worker-host.ts", () => ({
    workerStarter: () => () => {
      const worker = { post: () => {}, onMessage: () => {}, onExit: () => {}, ref() {}, unref() {}, terminate() {} };
      setTimeout(() => worker.onExit(), 1);
      return worker;
    },
  }));
  try {
    const { cpu: lonely } = await import("../src/index.ts");
    using device = await open(lonely({ workers: 2 }));
    expect(device.units).toBe(1);
    expect(device.info.notes).toEqual(["single-threaded: this host does not let workers start"]);
    const shape = layout("c64", [4, 64]);
    using plan = await device.plan({ op: "fft", layout: shape, axis: 1, inverse: false }, { inPlace: true });
    using array = device.alloc(shape);
    array.write(new Float32Array(512).fill(1));
    await plan.run({ in: array, out: array }).done;
    expect(Array.from(await array.read({ start: 0, count: 2 }))).toEqual([64, 64, 0, 0]);
  } finally {
    vi.doUnmock("../src/worker-host.ts");
    vi.resetModules();
  }
});

test.each([1, 2])("a square matrix is transposed in place (%d units)", async (units) => {
  using device = await open(cpu({ workers: units }));
  const m = 130;
  const shape = layout("f32", [m, m]);
  using plan = await device.plan({ op: "transpose", layout: shape, permutation: [1, 0] }, { inPlace: true });
  using array = device.alloc(shape);
  array.write(Float32Array.from({ length: m * m }, (_, i) => i));
  await plan.run({ in: array, out: array }).done;
  expect(await array.read()).toEqual(Float32Array.from({ length: m * m }, (_, i) => (i % m) * m + Math.floor(i / m)));
});

test("if the host reserves fewer addresses, the device has less memory", () => {
  const { Memory } = WebAssembly;
  class Poor extends Memory {
    constructor(options: WebAssembly.MemoryDescriptor) {
      if ((options.maximum ?? 0) > 16_384) throw new RangeError("could not allocate memory");
      super(options);
    }
  }
  vi.stubGlobal("WebAssembly", { ...globalNames(), Memory: Poor });
  const poor = createHeap({ shared: true, maximumBytes: 2 ** 32 });
  expect(() => poor.allocate(2 ** 30, "large")).toThrowError(expect.objectContaining({ code: "limit" }));
  expect(poor.allocate(2 ** 20, "small")).toBeGreaterThan(0);
});

const globalNames = (): object =>
  Object.fromEntries(Object.getOwnPropertyNames(WebAssembly).map((name) => [name, (WebAssembly as never)[name]]));
