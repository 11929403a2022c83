/** Tests the lock: FIFO, greedy, exact; every misuse; and against a naive model. */
import { getEventListeners } from "node:events";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { createUnitLock, type Grant, type UnitLock } from "../src/index.ts";
import { failing } from "./support.ts";

/** A grant that is available at once. */
function now(lock: UnitLock, task: string, sizes: readonly number[]): Grant {
  const got: Grant[] = [];
  lock.request(task, sizes, { granted: (grant) => got.push(grant), refused: (error) => expect.unreachable(error.message) });
  return got[0] ?? expect.unreachable(`${task} had to wait`);
}

describe("the unit lock", () => {
  it("grants the largest permitted size that is idle, lowest units first, without waiting for more", () => {
    const lock = createUnitLock(5);
    const a = now(lock, "a", [1, 2, 4]);
    const b = now(lock, "b", [1, 2, 4]);
    expect([a.units, b.units, lock.idle]).toEqual([[0, 1, 2, 3], [4], 0]);
    lock.release(a);
    const c = now(lock, "c", [3, 1]);
    expect(c.units).toEqual([0, 1, 2]);
    lock.release(b);
    expect(now(lock, "d", [2, 1]).units).toEqual([3, 4]);
  });

  it("serves requests in order, inside the release that makes room", () => {
    const lock = createUnitLock(4);
    const all = now(lock, "all", [1, 4]);
    const order: [string, readonly number[]][] = [];
    for (const [task, sizes] of [
      ["a", [1, 3]],
      ["b", [1, 4]],
      ["c", [1]],
    ] as const)
      lock.request(task, sizes, { granted: (grant) => order.push([task, grant.units]), refused: () => expect.unreachable() });
    expect([lock.waiting, order]).toEqual([3, []]);
    lock.release(all);
    expect(order).toEqual([
      ["a", [0, 1, 2]],
      ["b", [3]],
    ]);
    expect(lock.waiting).toBe(1);
  });

  it("lets a holder release its units inside its own grant", () => {
    const lock = createUnitLock(1);
    const first = now(lock, "first", [1]);
    const order: string[] = [];
    for (const task of ["a", "b", "c"])
      lock.request(task, [1], {
        granted(grant) {
          order.push(task);
          if (task !== "c") lock.release(grant);
        },
        refused: () => expect.unreachable(),
      });
    lock.release(first);
    expect([order, lock.idle, lock.waiting]).toEqual([["a", "b", "c"], 0, 0]);
  });

  it("does not recurse if holders release inside their own grants", () => {
    const lock = createUnitLock(1);
    const first = now(lock, "first", [1]);
    let granted = 0;
    for (let i = 0; i < 20_000; i++)
      lock.request(`task ${i}`, [1], {
        granted(grant) {
          granted++;
          lock.release(grant);
        },
        refused: () => expect.unreachable(),
      });
    lock.release(first);
    expect([granted, lock.idle, lock.waiting]).toEqual([20_000, 1, 0]);
  });

  it("removes cancelled requests and keeps the order of the others", async () => {
    const lock = createUnitLock(1);
    const held = await lock.acquire("held", [1]);
    const abort = new AbortController();
    const b = lock.acquire("b", [1]);
    const c = lock.acquire("c", [1], { signal: abort.signal });
    const d = lock.acquire("d", [1]);
    abort.abort();
    await expect(c).rejects.toEqual(failing("aborted"));
    await expect(lock.acquire("e", [1], { signal: abort.signal })).rejects.toEqual(failing("aborted"));
    expect(lock.waiting).toBe(2);
    const again = lock.acquire("c", [1]);
    lock.release(held);
    lock.release(await b);
    lock.release(await d);
    lock.release(await again);
    expect([lock.idle, lock.waiting]).toEqual([1, 0]);
  });

  it("ignores a signal that fires after the grant, and stops listening to it", async () => {
    const lock = createUnitLock(1);
    const { signal } = new AbortController();
    const [added, removed] = [vi.spyOn(signal, "addEventListener"), vi.spyOn(signal, "removeEventListener")];
    const held = await lock.acquire("a", [1], { signal });
    expect(removed).toHaveBeenCalledTimes(added.mock.calls.length);
    signal.dispatchEvent(new Event("abort"));
    expect(lock.idle).toBe(0);
    lock.release(held);
  });

  it("has one listener on a signal, even if many requests wait with it", async () => {
    const lock = createUnitLock(1);
    const held = await lock.acquire("held", [1]);
    const abort = new AbortController();
    const waiting = Array.from({ length: 50 }, (_, i) => lock.acquire(`task ${i}`, [1], { signal: abort.signal }).catch((e) => e));
    expect(getEventListeners(abort.signal, "abort")).toHaveLength(1);
    abort.abort();
    expect(await Promise.all(waiting)).toEqual(Array(50).fill(failing("aborted")));
    expect([lock.waiting, getEventListeners(abort.signal, "abort")]).toEqual([0, []]);
    lock.release(held);
    expect(lock.idle).toBe(1);
  });

  it("calls each request back once, whatever the previous callback does", () => {
    for (const end of ["dispose", "abort"] as const) {
      const lock = createUnitLock(1);
      const held = now(lock, "held", [1]);
      const aborts = [0, 1, 2].map(() => new AbortController());
      const told: string[] = [];
      for (const [i, { signal }] of aborts.entries())
        lock.request(`${i}`, [1], {
          signal,
          granted: () => expect.unreachable(),
          refused({ code }) {
            told.push(`${i} ${code}`);
            for (const abort of aborts) abort.abort();
          },
        });
      if (end === "dispose") lock[Symbol.dispose]();
      else aborts[0].abort();
      expect(told).toEqual(end === "dispose" ? ["0 disposed", "1 disposed", "2 disposed"] : ["0 aborted", "1 aborted", "2 aborted"]);
      lock.release(held);
      expect([lock.idle, lock.waiting]).toEqual([1, 0]);
    }
  });

  it("grants what a refused request makes room for during an abort", () => {
    const lock = createUnitLock(1);
    const held = now(lock, "held", [1]);
    const abort = new AbortController();
    const told: string[] = [];
    lock.request("a", [1], { signal: abort.signal, granted: () => expect.unreachable(), refused: () => lock.release(held) });
    lock.request("b", [1], { signal: abort.signal, granted: () => void told.push("granted"), refused: () => expect.unreachable() });
    abort.abort();
    expect([told, lock.idle]).toEqual([["granted"], 0]);
  });

  it("rejects invalid signals and holds nothing for them", async () => {
    const lock = createUnitLock(1);
    await expect(lock.acquire("a", [1], { signal: {} as never })).rejects.toMatchObject({ code: "input", fields: { field: "signal" } });
    expect([lock.idle, lock.waiting]).toEqual([1, 0]);
    lock.release(await lock.acquire("a", [1]));
  });

  it("refuses waiting requests when it is disposed, and still takes back held units", async () => {
    const lock = createUnitLock(2);
    const held = await lock.acquire("a", [1, 2]);
    const b = lock.acquire("b", [1]);
    lock[Symbol.dispose]();
    lock[Symbol.dispose]();
    await expect(b).rejects.toEqual(failing("disposed"));
    await expect(lock.acquire("c", [1])).rejects.toEqual(failing("disposed"));
    lock.release(held);
    expect(lock.idle).toBe(2);
  });

  it.each([
    [[2], /that include 1/, "sizes"],
    [[], /that include 1/, "sizes"],
    [[1, 5], /sizes\[1\] must be an integer from 1 to 4, not 5/, "sizes[1]"],
    [[1, 0], /sizes\[1\]/, "sizes[1]"],
    [[1, 2.5], /sizes\[1\]/, "sizes[1]"],
    [[Number.NaN, 1], /sizes\[0\]/, "sizes[0]"],
    [[1, 2, 2], /distinct/, "sizes"],
    [[3, 1, 3], /distinct/, "sizes"],
    [undefined, /a list/, "sizes"],
  ])("rejects sizes %o", async (sizes, message, field) => {
    const lock = createUnitLock(4);
    const error = await lock.acquire("a", sizes as number[]).catch((e) => e);
    expect(error).toMatchObject({ code: "input", message: expect.stringMatching(message), fields: { field } });
    expect([lock.idle, lock.waiting]).toEqual([4, 0]);
    lock.release(await lock.acquire("a", [1]));
  });

  it("copies sizes", async () => {
    const lock = createUnitLock(2);
    const held = await lock.acquire("a", [2, 1]);
    const sizes = [1];
    const waiting = lock.acquire("b", sizes);
    sizes[0] = 7;
    lock.release(held);
    expect((await waiting).units).toEqual([0]);
  });

  it("rejects every other misuse", async () => {
    for (const units of [0, 1.5, Number.NaN, 4097]) expect(() => createUnitLock(units)).toThrow(failing("input"));
    const lock = createUnitLock(2);
    const a = await lock.acquire("a", [1, 2]);
    await expect(lock.acquire("a", [1])).rejects.toMatchObject({ code: "input", fields: { field: "task" } });
    const b = lock.acquire("b", [1]);
    await expect(lock.acquire("b", [1])).rejects.toMatchObject({ code: "input", fields: { field: "task" } });
    await expect(lock.acquire("", [1])).rejects.toMatchObject({ code: "input", fields: { field: "task" } });
    expect(() => lock.release({ ...a })).toThrow(/of this lock/);
    expect(() => createUnitLock(2).release(a)).toThrow(failing("input"));
    lock.release(a);
    expect(() => lock.release(a)).toThrow(/was released/);
    lock.release(await b);
    expect([lock.idle, lock.waiting]).toEqual([2, 0]);
  });

  it("behaves as a naive model", () => {
    interface Model {
      queue: { task: string; sizes: readonly number[] }[];
      readonly holds: Map<string, number[]>;
    }
    const settle = (model: Model, units: number): void => {
      for (;;) {
        const busy = new Set([...model.holds.values()].flat());
        const idle = Array.from({ length: units }, (_, u) => u).filter((u) => !busy.has(u));
        const head = model.queue[0];
        if (!head || idle.length === 0) return;
        const k = Math.max(...head.sizes.filter((size) => size <= idle.length));
        model.holds.set(head.task, idle.slice(0, k));
        model.queue = model.queue.slice(1);
      }
    };
    const action = fc.record({ what: fc.constantFrom("request", "release", "abort"), who: fc.nat(7), sizes: fc.uniqueArray(fc.nat(8)) });
    let waited = 0;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.array(action, { minLength: 10, maxLength: 120 }), (units, actions) => {
        const lock = createUnitLock(units);
        const model: Model = { queue: [], holds: new Map() };
        const holds = new Map<string, Grant>();
        const aborts = new Map<string, AbortController>();
        for (const { what, who, sizes } of actions) {
          const task = `task ${who}`;
          const waits = model.queue.some((entry) => entry.task === task);
          if (what === "request" && !waits && !model.holds.has(task)) {
            const permitted = [...new Set([...sizes.map((k) => k + 1).filter((k) => k <= units), 1])];
            const abort = new AbortController();
            aborts.set(task, abort);
            lock.request(task, permitted, { signal: abort.signal, granted: (g) => void holds.set(task, g), refused: () => {} });
            model.queue.push({ task, sizes: permitted });
          } else if (what === "release" && model.holds.delete(task)) {
            const grant = holds.get(task) as Grant;
            holds.delete(task);
            lock.release(grant);
          } else if (what === "abort" && waits) {
            model.queue = model.queue.filter((entry) => entry.task !== task);
            aborts.get(task)?.abort();
          }
          settle(model, units);
          waited = Math.max(waited, model.queue.length);
          expect(new Map([...holds].map(([id, { units: had }]) => [id, had]))).toEqual(model.holds);
          expect(lock.waiting).toBe(model.queue.length);
          expect(lock.idle).toBe(units - [...model.holds.values()].flat().length);
        }
      }),
      { numRuns: 1000, seed: 5 },
    );
    expect(waited).toBeGreaterThan(4);
  });
});
