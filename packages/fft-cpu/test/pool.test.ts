/** Tests the worker pool with a small module: every item once, on the chosen units only, failures and disposal. */
import { getEventListeners } from "node:events";
import { Worker } from "node:worker_threads";
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { createHeap, type Heap } from "../src/heap.ts";
import { createPool, type Pool, poolBytes, type Task } from "../src/pool.ts";
import { createQueue } from "../src/queue.ts";
import { type HostWorker, hostOfNode, workerStarter } from "../src/worker-host.ts";
import { workerText } from "../src/worker-text.ts";
import { unitWords } from "../src/worker-words.ts";
import { assemble } from "./assemble.ts";

const source = `
  // Counts how often each item was processed, slowly enough that all units get some items.
  export function mark(argument: usize, start: i32, end: i32): void {
    for (let i = start; i < end; i++) {
      let x: i32 = i;
      for (let k = 0; k < 20000; k++) x = x * 1664525 + 1013904223;
      atomic.add<i32>(argument + 4 * usize(i), 1 + (x & 0));
    }
  }
  export function trap(argument: usize, start: i32, end: i32): void { if (end > 50) unreachable(); }
  export function forever(argument: usize, start: i32, end: i32): void { while (atomic.load<i32>(argument) == 0) {} }
  // Reports that it has begun, and on which unit, and waits to be released, for at most a minute; words: begun, released, unit.
  export function hold(argument: usize, start: i32, end: i32, unit: i32): void {
    atomic.store<i32>(argument, unit, 8);
    atomic.store<i32>(argument, 1);
    for (let i: i64 = 0; i < 0x1000000000 && atomic.load<i32>(argument, 4) == 0; i++) {}
  }
`;
let module: WebAssembly.Module;
let heap: Heap;
const pools: Pool[] = [];
const poolAddress = 64;

beforeAll(async () => {
  module = new WebAssembly.Module(await assemble(source));
});

afterEach(() => {
  for (const pool of pools.splice(0)) pool.close();
});

async function pool(units: number, starter = workerStarter()): Promise<{ pool: Pool; number: number }> {
  heap = createHeap({ shared: true, maximumBytes: 2 ** 32, reservedBytes: poolAddress + poolBytes(units) });
  const made = await createPool(heap.memory, poolAddress, units, createQueue(), starter);
  pools.push(made);
  return { pool: made, number: await made.load(module) };
}

/** A worker of Node that runs a program. */
const workerOf = (program: string): HostWorker => hostOfNode(new Worker(program, { eval: true, workerData: "@dechirp/fft-cpu" }));

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
  test("runs every item once, on any choice of units, many times", async () => {
    const { pool: p, number } = await pool(3);
    const argument = heap.allocate(4000, "marks");
    const marks = new Int32Array(heap.memory.buffer, argument, 1000);
    const choices = [[0], [1], [2], [0, 1], [2, 0], [0, 1, 2]];
    for (let round = 1; round <= 30; round++) {
      await p.run(task(number, argument, { chunk: 1 + (round % 9) }), choices[round % choices.length]);
      expect(marks.every((v) => v === round)).toBe(true);
    }
  });

  test("does not wait for a unit that has not begun when everything is done", async () => {
    // Every second unit is woken two seconds late, as by a system that gives it no processor.
    const late = `const wait = Atomics.wait;
      Atomics.wait = (...given) => {
        const result = wait(...given);
        wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000);
        return result;
      };`;
    let started = 0;
    const { pool: p, number } = await pool(2, () => workerOf((started++ % 2 === 1 ? late : "") + workerText));
    const argument = heap.allocate(4000, "marks");
    const marks = new Int32Array(heap.memory.buffer, argument, 1000);
    const start = performance.now();
    for (let round = 1; round <= 5; round++) {
      await p.run(task(number, argument), [0, 1]);
      expect(marks.every((v) => v === round)).toBe(true);
    }
    expect(performance.now() - start).toBeLessThan(5000);
    // It works on what it is given alone.
    await p.run(task(number, argument), [1]);
    expect(marks.every((v) => v === 6)).toBe(true);
  });

  test("reports that a kernel trapped, and works on", async () => {
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

  test("listens to a signal while it runs", async () => {
    const { pool: p, number } = await pool(1);
    const { signal } = new AbortController();
    const run = p.run(task(number, heap.allocate(4000, "marks"), { signal }), [0]);
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    await run;
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("stops if a worker dies", async () => {
    const { pool: p, number } = await pool(2);
    const argument = heap.allocate(4 * 200_000, "marks");
    const run = p.run(task(number, argument, { items: 200_000, chunk: 1 }), [0, 1]);
    setTimeout(() => p.killForTest(0), 20);
    await expect(run).rejects.toMatchObject({ code: "failed", message: expect.stringContaining("died") });
    expect(new Int32Array(heap.memory.buffer, argument, 200_000).at(-1)).toBe(0);
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

  /** A task that occupies its units; chunk 1 and one item per unit occupy all of them. */
  const holding = (p: Pool, number: number, chosen: readonly number[]) => {
    const words = new Int32Array(heap.memory.buffer, heap.allocate(64, "flags"), 3);
    return {
      done: p.run(task(number, words.byteOffset, { entry: "hold", items: 1, chunk: 1 }), chosen),
      begun: async (): Promise<number> => {
        while (Atomics.load(words, 0) === 0) await new Promise((resolve) => setTimeout(resolve, 1));
        return Atomics.load(words, 2);
      },
      release: () => void Atomics.store(words, 1, 1),
    };
  };

  test("replaces a worker that dies while others go on", async () => {
    const { pool: p, number } = await pool(3);
    const argument = heap.allocate(4000, "marks");
    const marks = new Int32Array(heap.memory.buffer, argument, 1000);
    for (let round = 1; round <= 3; round++) {
      const [dies, lives] = [holding(p, number, [0]), holding(p, number, [2, 1])];
      expect([await dies.begun(), (await lives.begun()) > 0]).toEqual([0, true]);
      const failed = expect(dies.done).rejects.toMatchObject({ code: "failed", message: expect.stringContaining("died") });
      p.killForTest(0);
      // Waits for the death, then for the replacement, and needs no other unit.
      const next = p.run(task(number, argument), [0]);
      await failed;
      await next;
      expect(marks.every((v) => v === round)).toBe(true);
      let over = false;
      lives.done.then(() => {
        over = true;
      });
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(over).toBe(false);
      lives.release();
      await lives.done;
    }
    await p.run(task(number, argument), [0, 1, 2]);
    expect(marks.every((v) => v === 4)).toBe(true);
  });

  test("replaces a worker that dies before it has started, when a task needs its unit", async () => {
    const { pool: p, number } = await pool(2);
    const argument = heap.allocate(4000, "marks");
    const marks = new Int32Array(heap.memory.buffer, argument, 1000);
    const started = vi.spyOn(Worker.prototype, "postMessage");
    onTestFinished(() => started.mockRestore());
    for (let round = 1; round <= 2; round++) {
      started.mockClear();
      p.killForTest(0);
      // The replacement has received its messages, but has not answered.
      while (started.mock.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
      (started.mock.contexts[0] as Worker).terminate();
      await expect(p.run(task(number, argument), [0, 1])).rejects.toMatchObject({ code: "failed", fields: { unit: 0 } });
      await p.run(task(number, argument), [0, 1]);
      expect(marks.every((v) => v === round)).toBe(true);
    }
  });

  test("replaces a worker that can't load the others' modules, when a task needs its unit", async () => {
    const { pool: p, number } = await pool(2);
    const argument = heap.allocate(4000, "marks");
    const marks = new Int32Array(heap.memory.buffer, argument, 1000);
    const lacking = new WebAssembly.Module(
      await assemble('@external("env", "nothing") declare function f(): void; export function g(): void { f(); }'),
    );
    const post = Worker.prototype.postMessage;
    const sent = vi.spyOn(Worker.prototype, "postMessage");
    onTestFinished(() => sent.mockRestore());
    for (let round = 1; round <= 2; round++) {
      sent.mockImplementationOnce(function (this: Worker, message: object) {
        post.call(this, { ...message, modules: [lacking] });
      });
      p.killForTest(0);
      while (sent.mock.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
      await expect(p.run(task(number, argument), [0, 1])).rejects.toMatchObject({ code: "compile", fields: { unit: 0 } });
      sent.mockClear();
      await p.run(task(number, argument), [0, 1]);
      expect(sent.mock.calls.length).toBe(1); // exactly one more worker
      expect(marks.every((v) => v === round)).toBe(true);
      sent.mockClear();
    }
  });

  test("rejects a module that does not load, and works on without it", async () => {
    const { pool: p, number } = await pool(2);
    const argument = heap.allocate(4000, "marks");
    const lacking = new WebAssembly.Module(
      await assemble('@external("env", "nothing") declare function f(): void; export function g(): void { f(); }'),
    );
    for (let round = 0; round < 2; round++) await expect(p.load(lacking)).rejects.toMatchObject({ code: "compile" });
    await p.run(task(number, argument), [0, 1]);
    // The next module has the next number, on all workers.
    const other = await p.load(new WebAssembly.Module(await assemble(source)));
    expect(other).toBe(number + 1);
    await p.run(task(other, argument), [0]);
    await p.run(task(other, argument), [1]);
    expect(new Int32Array(heap.memory.buffer, argument, 1000).every((v) => v === 3)).toBe(true);
  });

  test("runs tasks on other units while a dead worker is replaced", async () => {
    const { pool: p, number } = await pool(2);
    const argument = heap.allocate(8000, "marks");
    const order: string[] = [];
    const exited = holding(p, number, [0]);
    await exited.begun();
    p.killForTest(0);
    await expect(exited.done).rejects.toMatchObject({ code: "failed" });
    // The replacement takes milliseconds to start.
    const waiting = p.run(task(number, argument, { items: 1 }), [0]).then(() => order.push("unit 0"));
    const passing = p.run(task(number, argument + 4000, { items: 1 }), [1]).then(() => order.push("unit 1"));
    await Promise.all([waiting, passing]);
    expect(order).toEqual(["unit 1", "unit 0"]);
  });

  test("checks that units belong to a task alone, from start to end", async () => {
    const { pool: p, number } = await pool(2);
    const argument = heap.allocate(4000, "marks");
    const words = new Int32Array(heap.memory.buffer, poolAddress, 2 * unitWords.size);
    const refused = { code: "failed", fields: { what: "test", unit: 1 } };
    for (const word of [unitWords.owner, unitWords.busy]) {
      Atomics.store(words, unitWords.size + word, 77);
      await expect(p.run(task(number, argument), [0, 1])).rejects.toMatchObject(refused);
      expect(Atomics.load(words, unitWords.size + word)).toBe(77); // it does not belong to the task, so the task does not release it
      Atomics.store(words, unitWords.size + word, 0);
    }
    const held = holding(p, number, [1]);
    await held.begun();
    const ticket = Atomics.exchange(words, unitWords.size + unitWords.owner, 77);
    held.release();
    await expect(held.done).rejects.toMatchObject(refused);
    expect(ticket).toBeGreaterThan(0);
    Atomics.store(words, unitWords.size + unitWords.owner, 0);
    new Int32Array(heap.memory.buffer, argument, 1000).fill(0);
    await p.run(task(number, argument), [0, 1]);
    expect(new Int32Array(heap.memory.buffer, argument, 1000).every((v) => v === 1)).toBe(true);
    expect(words[unitWords.owner] + words[unitWords.size + unitWords.owner]).toBe(0);
  });

  test("ends running tasks when it is closed", async () => {
    const { pool: p, number } = await pool(1);
    const argument = heap.allocate(4000, "marks");
    const run = p.run(task(number, argument, { entry: "forever", items: 1 }), [0]);
    setTimeout(() => p.close(), 20);
    await expect(run).rejects.toMatchObject({ code: "disposed" });
    await expect(p.run(task(number, argument), [0])).rejects.toMatchObject({ code: "disposed" });
    await new Promise((resolve) => setTimeout(resolve, 20)); // time for the worker to end
    await expect(p.run(task(number, argument), [0])).rejects.toMatchObject({ code: "disposed" });
  });
});
