/** Helpers for tests of the worker pool: a module with small functions, tasks that last until they are released, workers that stop where a test wants it. */
import { Worker } from "node:worker_threads";
import { onTestFinished, vi } from "vitest";
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
  // Reports that it has begun, and on which unit, and waits to be released, for at most a minute; words: begun, released, unit, calls.
  export function hold(argument: usize, start: i32, end: i32, unit: i32): void {
    atomic.store<i32>(argument, unit, 8);
    atomic.add<i32>(argument, 1, 12);
    atomic.store<i32>(argument, 1);
    for (let i: i64 = 0; i < 0x1000000000 && atomic.load<i32>(argument, 4) == 0; i++) {}
  }
`;

/** A new module with the functions `mark`, `trap`, `forever` and `hold`. */
export const compiled = async (): Promise<WebAssembly.Module> => new WebAssembly.Module(await assemble(source));
let module: Promise<WebAssembly.Module> | undefined;

/** The pool's words are here. The 64 bytes before them belong to the tests. */
const poolAddress = 64;

export interface TestPool {
  readonly pool: Pool;
  readonly heap: Heap;
  /** The number of the module. */
  readonly number: number;
  /** A word of a unit. */
  word(unit: number, word: Exclude<keyof typeof unitWords, "size">): { get(): number; set(value: number): number };
  /** The words that belong to the test. */
  readonly own: Int32Array;
}

/** A pool that has loaded the module. It is closed after the test. */
export async function pool(units: number, starter = workerStarter()): Promise<TestPool> {
  module ??= compiled();
  const heap = createHeap({ shared: true, maximumBytes: 2 ** 32, reservedBytes: poolAddress + poolBytes(units) });
  const made = await createPool(heap.memory, poolAddress, units, createQueue(), starter);
  onTestFinished(() => made.close());
  const words = new Int32Array(heap.memory.buffer, poolAddress, units * unitWords.size);
  return {
    pool: made,
    heap,
    number: await made.load(await module),
    word(unit, name) {
      const index = unit * unitWords.size + unitWords[name];
      return { get: () => Atomics.load(words, index), set: (value) => Atomics.exchange(words, index, value) };
    },
    own: new Int32Array(heap.memory.buffer, 0, poolAddress / 4),
  };
}

/** A worker of Node that runs a program. */
export const workerOf = (program = workerText): HostWorker =>
  hostOfNode(new Worker(program, { eval: true, workerData: "@dechirp/fft-cpu" }));

export const task = (number: number, argument: number, more: Partial<Task> = {}): Task => ({
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

/** Waits until a condition is true. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** A task that occupies its units until it is released. One item is enough for one unit of several. */
export function holding({ pool: p, number, heap }: TestPool, chosen: readonly number[], more: Partial<Task> = {}) {
  const words = new Int32Array(heap.memory.buffer, heap.allocate(64, "flags"), 4);
  return {
    done: p.run(task(number, words.byteOffset, { entry: "hold", items: 1, chunk: 1, ...more }), chosen),
    /** Resolves with the unit that has begun. */
    async begun(): Promise<number> {
      await until(() => Atomics.load(words, 0) !== 0);
      return Atomics.load(words, 2);
    },
    release: () => void Atomics.store(words, 1, 1),
    /** How many items were begun. */
    calls: () => Atomics.load(words, 3),
  };
}

/** Ends a worker as if it had crashed. Resolves when it has ended and the pool knows it. */
export async function kill(p: Pool, unit: number): Promise<void> {
  const terminated = vi.spyOn(Worker.prototype, "terminate");
  p.killForTest(unit);
  const [{ value }] = terminated.mock.results;
  terminated.mockRestore();
  await value;
}

/**
 * Starts workers of which that of unit 1 can be stopped, as by a system that gives it no processor: after `operation` on a word of its
 * own, while the gate is closed.
 */
export function gated(operation: "wait" | "load", word: "turn" | "job") {
  const gate = { isClosed: 0, isReached: 1 };
  const program = `{
    const { load, store, wait, [${JSON.stringify(operation)}]: original } = Atomics;
    Atomics[${JSON.stringify(operation)}] = (words, index, ...others) => {
      const result = original(words, index, ...others);
      const own = new Int32Array(words.buffer, 0, 2);
      if (index === ${unitWords.size + unitWords[word]})
        while (load(own, ${gate.isClosed}) === 1) {
          store(own, ${gate.isReached}, 1);
          wait(own, ${gate.isClosed}, 1);
        }
      return result;
    };
  }`;
  return {
    starter: () => workerOf(program + workerText),
    close: ({ own }: TestPool): void => own.set([1, 0]),
    /** Resolves when the worker has stopped. */
    reached: ({ own }: TestPool): Promise<void> => until(() => Atomics.load(own, gate.isReached) === 1),
    open({ own }: TestPool): void {
      Atomics.store(own, gate.isClosed, 0);
      Atomics.notify(own, gate.isClosed);
    },
  };
}
