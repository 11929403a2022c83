/** The worker pool with a tiny module of its own: every item once, chosen units only, failures and ends. */
import asc from "assemblyscript/asc";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { createHeap, type Heap } from "../src/heap.ts";
import { createPool, type Pool, poolBytes, type Task } from "../src/pool.ts";
import { createQueue } from "../src/queue.ts";

const source = `
  // Marks items with how often they were done, slowly enough that all units get some.
  export function mark(argument: usize, start: i32, end: i32): void {
    for (let i = start; i < end; i++) {
      let x: i32 = i;
      for (let k = 0; k < 20000; k++) x = x * 1664525 + 1013904223;
      atomic.add<i32>(argument + 4 * usize(i), 1 + (x & 0));
    }
  }
  export function trap(argument: usize, start: i32, end: i32): void { if (end > 50) unreachable(); }
  export function forever(argument: usize, start: i32, end: i32): void { while (atomic.load<i32>(argument) == 0) {} }
`;
let module: WebAssembly.Module;
let heap: Heap;
const pools: Pool[] = [];

beforeAll(async () => {
  let bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  const flags = [
    "-O1",
    "--runtime",
    "stub",
    "--importMemory",
    "--sharedMemory",
    "--initialMemory",
    "1",
    "--maximumMemory",
    "65536",
    "--enable",
    "threads",
  ];
  const { error, stderr } = await asc.main(["in.ts", ...flags, "--outFile", "out.wasm"], {
    readFile: (name) => (name === "in.ts" ? source : null),
    writeFile: (name, contents) => {
      if (name === "out.wasm") bytes = contents as Uint8Array<ArrayBuffer>;
    },
    listFiles: () => [],
  });
  if (error) throw new Error(String(stderr));
  module = new WebAssembly.Module(bytes);
});

afterEach(() => {
  for (const pool of pools.splice(0)) pool.close();
});

async function pool(units: number): Promise<{ pool: Pool; number: number }> {
  heap = createHeap({ shared: true, maximumBytes: 2 ** 32, reservedBytes: 64 + poolBytes(units) });
  const made = await createPool(heap.memory, 64, units, createQueue());
  pools.push(made);
  return { pool: made, number: await made.load(module) };
}

const task = (number: number, argument: number, more: Partial<Task> = {}): Task => ({
  what: "test",
  uses: { reads: [], writes: [] },
  prepare: () => {},
  module: number,
  entry: "mark",
  argument,
  items: 1000,
  chunk: 7,
  ...more,
});

describe("the pool", () => {
  test("does every item once, on any choice of units, many times over", async () => {
    const { pool: p, number } = await pool(3);
    const argument = heap.allocate(4000, "marks");
    const marks = new Int32Array(heap.memory.buffer, argument, 1000);
    const choices = [[0], [1], [2], [0, 1], [2, 0], [0, 1, 2]];
    for (let round = 1; round <= 30; round++) {
      await p.run(task(number, argument, { chunk: 1 + (round % 9) }), choices[round % choices.length]);
      expect(marks.every((v) => v === round)).toBe(true);
    }
  });

  test("says that a kernel trapped, and goes on", async () => {
    const { pool: p, number } = await pool(2);
    const argument = heap.allocate(4000, "marks");
    await expect(p.run(task(number, argument, { entry: "trap" }), [0, 1])).rejects.toMatchObject({ code: "failed" });
    await p.run(task(number, argument), [0, 1]);
    expect(new Int32Array(heap.memory.buffer, argument, 1000).every((v) => v === 1)).toBe(true);
  });

  test("stops at an abort", async () => {
    const { pool: p, number } = await pool(2);
    const argument = heap.allocate(4 * 200_000, "marks");
    const abort = new AbortController();
    const run = p.run(task(number, argument, { items: 200_000, chunk: 1, signal: abort.signal }), [0, 1]);
    setTimeout(() => abort.abort(), 20);
    await expect(run).rejects.toMatchObject({ code: "aborted" });
    const marks = new Int32Array(heap.memory.buffer, argument, 200_000);
    expect(marks.at(-1)).toBe(0);
  });

  test("replaces a worker that dies, whose run fails", async () => {
    const { pool: p, number } = await pool(2);
    const argument = heap.allocate(4000, "marks");
    const run = p.run(task(number, argument, { entry: "forever", items: 2, chunk: 1 }), [0, 1]);
    const failed = expect(run).rejects.toMatchObject({ code: "failed" });
    setTimeout(() => {
      p.killForTest(0);
      setTimeout(() => Atomics.store(new Int32Array(heap.memory.buffer, argument, 1), 0, 1), 50);
    }, 50);
    await failed;
    new Int32Array(heap.memory.buffer, argument, 1000).fill(0);
    await p.run(task(number, argument), [0, 1]);
    expect(new Int32Array(heap.memory.buffer, argument, 1000).every((v) => v === 1)).toBe(true);
  });

  test("ends what runs when it is closed", async () => {
    const { pool: p, number } = await pool(1);
    const argument = heap.allocate(4000, "marks");
    const run = p.run(task(number, argument, { entry: "forever", items: 1 }), [0]);
    setTimeout(() => p.close(), 20);
    await expect(run).rejects.toMatchObject({ code: "disposed" });
    await expect(p.run(task(number, argument), [0])).rejects.toMatchObject({ code: "disposed" });
  });
});
