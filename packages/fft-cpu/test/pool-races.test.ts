/** Tests the worker pool with threads that the system stops at the worst moment, and with workers that answer and die at once. */
import { expect, test } from "vitest";
import { type HostWorker, workerStarter } from "../src/worker-host.ts";
import { leave } from "../src/worker-words.ts";
import { compiled, gated, kill, pool, type TestPool, task } from "./pool-support.ts";

/** Runs every item once on the given units, with arrays of its own. */
async function runs({ pool: p, heap, number }: TestPool, units: readonly number[], module = number): Promise<void> {
  const argument = heap.allocate(4000, "marks");
  const marks = new Int32Array(heap.memory.buffer, argument, 1000).fill(0);
  await p.run(task(module, argument), units);
  expect(marks.every((v) => v === 1)).toBe(true);
}

test("does not wait for a unit that has not begun when everything is done", async () => {
  const gate = gated("wait", "turn");
  const made = await pool(2, gate.starter);
  gate.close(made);
  for (let round = 1; round <= 5; round++) await runs(made, [0, 1]);
  gate.open(made);
  // It works on what it is given alone.
  await runs(made, [1]);
});

test("a unit that was too slow for one task works on the next one only, which has other words", async () => {
  const gate = gated("load", "job");
  const made = await pool(2, gate.starter);
  gate.close(made);
  await runs(made, [0, 1]);
  await gate.reached(made);
  const next = runs(made, [1]);
  gate.open(made);
  await next;
  await runs(made, [0, 1]);
});

test.each([["wait"], ["load"]] as const)("a unit that was too slow for one task loads a module once (%s)", async (operation) => {
  const gate = gated(operation, "turn");
  const made = await pool(2, gate.starter);
  gate.close(made);
  await runs(made, [0, 1]);
  await gate.reached(made);
  const loading = made.pool.load(await compiled());
  await expect.poll(() => made.word(1, "job").get()).toBe(leave);
  gate.open(made);
  const other = await loading;
  await runs(made, [1], other);
  await runs(made, [0, 1], other);
});

test.each([1, 2])("a worker that dies in the turn of its answer number %d is replaced", async (last) => {
  /** Answers without a thread, and ends with its last answer. */
  const brief = (): HostWorker => {
    let answers = 0;
    const worker: HostWorker = {
      post: () =>
        void setImmediate(() => {
          worker.onMessage({});
          if (++answers === last) worker.onExit();
        }),
      onMessage: () => {},
      onExit: () => {},
      ref() {},
      unref() {},
      terminate() {},
    };
    return worker;
  };
  const start = workerStarter();
  let started = 0;
  const made = await pool(2, () => (started++ === 0 ? brief() : start()));
  await runs(made, [0]);
  expect(started).toBe(3);
  await kill(made.pool, 0);
  await runs(made, [0, 1]);
  expect(started).toBe(4);
});
