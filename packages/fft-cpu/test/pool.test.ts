/** Tests the worker pool with a small module: every item once, on the chosen units only, failures and disposal. */
import { getEventListeners } from "node:events";
import { Worker } from "node:worker_threads";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type HostWorker, workerStarter } from "../src/worker-host.ts";
import { busy } from "../src/worker-words.ts";
import { assemble } from "./assemble.ts";
import { compiled, holding, kill, pool, task, until, workerOf } from "./pool-support.ts";

describe("the pool", () => {
  test("runs every item once, on any choice of units, many times", async () => {
    const { pool: p, number, heap } = await pool(3);
    const argument = heap.allocate(4000, "marks");
    const marks = new Int32Array(heap.memory.buffer, argument, 1000);
    const choices = [[0], [1], [2], [0, 1], [2, 0], [0, 1, 2]];
    for (let round = 1; round <= 30; round++) {
      await p.run(task(number, argument, { chunk: 1 + (round % 9) }), choices[round % choices.length]);
      expect(marks.every((v) => v === round)).toBe(true);
    }
  });

  test("reports that a kernel trapped, and works on", async () => {
    const { pool: p, number, heap } = await pool(2);
    const argument = heap.allocate(4000, "marks");
    await expect(p.run(task(number, argument, { entry: "trap" }), [0, 1])).rejects.toMatchObject({ code: "failed" });
    await p.run(task(number, argument), [0, 1]);
    expect(new Int32Array(heap.memory.buffer, argument, 1000).every((v) => v === 1)).toBe(true);
  });

  test("stops at an abort", async () => {
    const made = await pool(2);
    const abort = new AbortController();
    const { done, begun, release, calls } = holding(made, [0, 1], { items: 1000, signal: abort.signal });
    await begun();
    abort.abort();
    release();
    await expect(done).rejects.toMatchObject({ code: "aborted" });
    expect(calls()).toBeLessThanOrEqual(2);
  });

  test("listens to a signal while it runs", async () => {
    const { pool: p, number, heap } = await pool(1);
    const { signal } = new AbortController();
    const run = p.run(task(number, heap.allocate(4000, "marks"), { signal }), [0]);
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    await run;
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("stops if a worker dies, and replaces it", async () => {
    const made = await pool(2);
    const { pool: p, number, heap, word } = made;
    const { done, release, calls } = holding(made, [0, 1], { items: 1000 });
    const failed = expect(done).rejects.toMatchObject({ code: "failed", message: expect.stringContaining("died") });
    await until(() => word(0, "busy").get() === busy.begun);
    await kill(p, 0);
    release();
    await failed;
    expect(calls()).toBeLessThanOrEqual(2);
    const argument = heap.allocate(4000, "marks");
    await p.run(task(number, argument), [0, 1]);
    expect(new Int32Array(heap.memory.buffer, argument, 1000).every((v) => v === 1)).toBe(true);
  });

  test("replaces a worker that dies while others go on", async () => {
    const made = await pool(3);
    const { pool: p, number, heap } = made;
    const argument = heap.allocate(4000, "marks");
    const marks = new Int32Array(heap.memory.buffer, argument, 1000);
    for (let round = 1; round <= 3; round++) {
      const [dies, lives] = [holding(made, [0]), holding(made, [2, 1])];
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
    const start = workerStarter();
    let isMute = false;
    let mute: HostWorker | undefined;
    const {
      pool: p,
      number,
      heap,
    } = await pool(2, () => {
      if (!isMute) return start();
      isMute = false;
      mute = workerOf("setInterval(() => {}, 1000)");
      return mute;
    });
    const argument = heap.allocate(4000, "marks");
    const marks = new Int32Array(heap.memory.buffer, argument, 1000);
    for (let round = 1; round <= 2; round++) {
      isMute = true;
      await kill(p, 0);
      mute?.terminate();
      await expect(p.run(task(number, argument), [0, 1])).rejects.toMatchObject({ code: "failed", fields: { unit: 0 } });
      await p.run(task(number, argument), [0, 1]);
      expect(marks.every((v) => v === round)).toBe(true);
    }
  });

  test("replaces a worker that can't load the others' modules, when a task needs its unit", async () => {
    const { pool: p, number, heap } = await pool(2);
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
    const { pool: p, number, heap } = await pool(2);
    const argument = heap.allocate(4000, "marks");
    const lacking = new WebAssembly.Module(
      await assemble('@external("env", "nothing") declare function f(): void; export function g(): void { f(); }'),
    );
    for (let round = 0; round < 2; round++) await expect(p.load(lacking)).rejects.toMatchObject({ code: "compile" });
    await p.run(task(number, argument), [0, 1]);
    // The next module has the next number, on all workers.
    const other = await p.load(await compiled());
    expect(other).toBe(number + 1);
    await p.run(task(other, argument), [0]);
    await p.run(task(other, argument), [1]);
    expect(new Int32Array(heap.memory.buffer, argument, 1000).every((v) => v === 3)).toBe(true);
  });

  test("runs tasks on other units while a dead worker is replaced", async () => {
    const start = workerStarter();
    let started = 0;
    let go = (): void => {};
    const made = await pool(2, () => {
      const worker = start();
      // The replacement gets its message late.
      const { post } = worker;
      if (++started > 2)
        worker.post = (message) => {
          go = () => post(message);
        };
      return worker;
    });
    const { pool: p, number, heap } = made;
    const argument = heap.allocate(8000, "marks");
    const order: string[] = [];
    const exited = holding(made, [0]);
    await exited.begun();
    p.killForTest(0);
    await expect(exited.done).rejects.toMatchObject({ code: "failed" });
    const waiting = p.run(task(number, argument, { items: 1 }), [0]).then(() => order.push("unit 0"));
    await p.run(task(number, argument + 4000, { items: 1 }), [1]).then(() => order.push("unit 1"));
    go();
    await waiting;
    expect([order, started]).toEqual([["unit 1", "unit 0"], 3]);
  });

  test("checks that units belong to a task alone, from start to end", async () => {
    const made = await pool(2);
    const { pool: p, number, heap, word } = made;
    const argument = heap.allocate(4000, "marks");
    const refused = { code: "failed", fields: { what: "test", unit: 1 } };
    // Only the worker itself finds another owner. It may have no chance to look if another unit does all the work.
    for (const [name, units] of [
      ["owner", [1]],
      ["busy", [0, 1]],
    ] as const) {
      const { get, set } = word(1, name);
      set(77);
      await expect(p.run(task(number, argument), units)).rejects.toMatchObject(refused);
      expect(get()).toBe(77); // it does not belong to the task, so the task does not release it
      set(0);
    }
    const held = holding(made, [1]);
    await held.begun();
    const ticket = word(1, "owner").set(77);
    held.release();
    await expect(held.done).rejects.toMatchObject(refused);
    expect(ticket).toBeGreaterThan(0);
    word(1, "owner").set(0);
    new Int32Array(heap.memory.buffer, argument, 1000).fill(0);
    await p.run(task(number, argument), [0, 1]);
    expect(new Int32Array(heap.memory.buffer, argument, 1000).every((v) => v === 1)).toBe(true);
    expect([0, 1].map((unit) => word(unit, "owner").get())).toEqual([0, 0]);
  });

  test("ends running tasks when it is closed", async () => {
    const { pool: p, number, heap } = await pool(1);
    const argument = heap.allocate(4000, "marks");
    const run = p.run(task(number, argument, { entry: "forever", items: 1 }), [0]);
    setTimeout(() => p.close(), 20);
    await expect(run).rejects.toMatchObject({ code: "disposed" });
    await expect(p.run(task(number, argument), [0])).rejects.toMatchObject({ code: "disposed" });
    await new Promise((resolve) => setTimeout(resolve, 20)); // time for the worker to end
    await expect(p.run(task(number, argument), [0])).rejects.toMatchObject({ code: "disposed" });
  });
});
