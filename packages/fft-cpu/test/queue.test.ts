/**
 * Tests the queue against its rule, with jobs that the test ends: at every moment exactly those jobs have started that share nothing with
 * an earlier unfinished one. Then jobs of this thread, marks, failures, closing.
 */
import { RadarError } from "@dechirp/core";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { createQueue, createResource, inUse, type Queue, type Resource, type Uses } from "../src/queue.ts";

const nothing: Uses = { reads: [], writes: [] };
const rejected = (code: string) => expect.objectContaining({ code });
/** Waits for all microtasks and one turn of the event loop. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

interface Controlled {
  readonly uses: Uses;
  started: boolean;
  finished: boolean;
  end(error?: Error): void;
  readonly done: Promise<void>;
}

/** A job that runs elsewhere until the test ends it. */
function controlled(queue: Queue, uses: Uses): Controlled {
  let end: Controlled["end"] = () => {};
  const work = new Promise<void>((resolve, reject) => {
    end = (error) => (error ? reject(error) : resolve());
  });
  const state = { uses, end, started: false, finished: false };
  const start = (): Promise<void> => {
    state.started = true;
    return work;
  };
  const done = queue.push({ what: "a job", uses, start });
  const finish = (): void => {
    state.finished = true;
  };
  done.then(finish, finish);
  return Object.assign(state, { done });
}

const conflict = (a: Uses, b: Uses): boolean =>
  a.writes.some((r) => b.writes.includes(r) || b.reads.includes(r)) || a.reads.some((r) => b.writes.includes(r));

test("a quick job does not wait for a long one that it shares nothing with, and waits for others", async () => {
  const queue = createQueue();
  const array = createResource();
  const order: string[] = [];
  const busy = (): void => {
    for (const begin = performance.now(); performance.now() - begin < 5; );
  };
  const long = queue.push({ what: "long", uses: { reads: [], writes: [array] }, items: 40, run: busy });
  const after = queue.push({ what: "after", uses: nothing, items: 1, run: () => order.push("after") });
  await new Promise((resolve) => setTimeout(resolve, 20));
  const free = queue.push({ what: "free", uses: nothing, items: 1, quick: true, run: () => order.push("free") });
  const bound = queue.push({ what: "bound", uses: { reads: [array], writes: [] }, items: 1, quick: true, run: () => order.push("bound") });
  const fails = queue.push({
    what: "fails",
    uses: nothing,
    items: 1,
    quick: true,
    run() {
      throw new Error("no");
    },
  });
  await expect(fails).rejects.toEqual(rejected("failed"));
  await free;
  expect(order).toEqual(["free"]);
  await long;
  await Promise.all([after, bound]);
  expect(order.slice(1).sort()).toEqual(["after", "bound"]);
});

describe("jobs elsewhere", () => {
  const uses = fc.record({
    reads: fc.array(fc.nat(5), { maxLength: 3 }),
    writes: fc.array(fc.nat(5), { maxLength: 3 }),
  });
  // A number ends the started job at that place, if there is one.
  const steps = fc.array(fc.oneof(uses, fc.nat(9)), { minLength: 1, maxLength: 40 });

  test("have started exactly if they share nothing with an earlier unfinished one", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (program) => {
        const queue = createQueue();
        const resources = Array.from({ length: 6 }, createResource);
        const jobs: Controlled[] = [];
        const check = (): void => {
          for (const [i, job] of jobs.entries()) {
            if (job.finished) continue;
            const blocked = jobs.slice(0, i).some((earlier) => !earlier.finished && conflict(earlier.uses, job.uses));
            expect(job.started, `job ${i} of ${jobs.length}`).toBe(!blocked);
          }
          for (const r of resources) {
            expect(inUse(r)).toBe(jobs.some(({ finished, uses: u }) => !finished && (u.reads.includes(r) || u.writes.includes(r))));
          }
        };
        const end = async (place: number): Promise<void> => {
          const running = jobs.filter(({ started, finished }) => started && !finished);
          if (running.length === 0) return;
          running[place % running.length].end();
          await settled();
        };
        for (const step of program) {
          if (typeof step === "number") await end(step);
          else {
            const of = (places: readonly number[]): Resource[] => places.map((place) => resources[place]);
            jobs.push(controlled(queue, { reads: of(step.reads), writes: of(step.writes) }));
            await settled();
          }
          check();
        }
        for (let i = 0; jobs.some(({ finished }) => !finished); i++) {
          expect(i, "every job comes to its end").toBeLessThan(jobs.length);
          await end(7 * i);
          check();
        }
      }),
      { numRuns: 150, seed: 7 },
    );
  });

  test("start within the call if nothing blocks them", () => {
    const job = controlled(createQueue(), nothing);
    expect(job.started).toBe(true);
    job.end();
  });

  test("that fail let others run", async () => {
    const queue = createQueue();
    const r = createResource();
    const first = controlled(queue, { reads: [], writes: [r] });
    const second = controlled(queue, { reads: [r], writes: [] });
    first.end(new Error("so it is"));
    await expect(first.done).rejects.toEqual(rejected("failed"));
    second.end();
    await second.done;
    const thrown = queue.push({
      what: "a job",
      uses: nothing,
      start: () => Promise.reject(new RadarError("limit", "too much")),
    });
    await expect(thrown).rejects.toEqual(rejected("limit"));
  });

  test("start although the event loop needs a turn first", async () => {
    const queue = createQueue();
    const r = createResource();
    const run = (): void => {
      for (const until = performance.now() + 20; performance.now() < until; );
    };
    const here = queue.push({ what: "a job", uses: { reads: [], writes: [r] }, items: 1, run });
    const after = controlled(queue, { reads: [r], writes: [] });
    await here;
    expect(after.started).toBe(false);
    await settled();
    expect(after.started).toBe(true);
    after.end();
    await after.done;
  });

  test("by the thousands on one resource, keep the event loop responsive and end in order", async () => {
    const queue = createQueue();
    const uses: Uses = { reads: [], writes: [createResource()] };
    const order: number[] = [];
    let ticks = 0;
    const timer = setInterval(() => {
      ticks++;
    }, 1);
    const until = (milliseconds: number): void => {
      for (const end = performance.now() + milliseconds; performance.now() < end; );
    };
    const start = (): Promise<void> => {
      until(0.05);
      return Promise.resolve();
    };
    const runs = Array.from({ length: 2000 }, (_, i) => queue.push({ what: "a job", uses, start }).then(() => order.push(i)));
    await Promise.all(runs);
    clearInterval(timer);
    expect(order).toEqual(Array.from({ length: 2000 }, (_, i) => i));
    // At least a hundred milliseconds, with at most 12 between turns.
    expect(ticks).toBeGreaterThanOrEqual(3);
  });
});

describe("jobs of this thread", () => {
  test("run one at a time although they share nothing, to their ends, and not within the call", async () => {
    const queue = createQueue();
    const calls: string[] = [];
    const long = (name: string) =>
      queue.push({
        what: name,
        uses: nothing,
        items: 8,
        run() {
          calls.push(name);
          for (const end = performance.now() + 5; performance.now() < end; );
        },
      });
    const runs = [long("a"), long("b")];
    expect(calls).toEqual([]);
    await Promise.all(runs);
    expect(calls.join("")).toBe("aaaaaaaabbbbbbbb");
  });

  test("pass jobs that wait for work elsewhere, and wait if they share something", async () => {
    const queue = createQueue();
    const [r, s] = [createResource(), createResource()];
    const away = controlled(queue, { reads: [], writes: [r] });
    const calls: string[] = [];
    const job = (name: string, uses: Uses) => queue.push({ what: name, uses, items: 1, run: () => void calls.push(name) });
    const blocked = job("blocked", { reads: [r], writes: [] });
    await job("free", { reads: [s], writes: [] });
    await settled();
    expect(calls).toEqual(["free"]);
    away.end();
    await blocked;
    expect(calls).toEqual(["free", "blocked"]);
  });

  test("notice the ends of others between slices of a few milliseconds", async () => {
    const queue = createQueue();
    const away = controlled(queue, nothing);
    let pieces = 0;
    const long = queue.push({
      what: "long",
      uses: nothing,
      items: 100,
      run(start, end) {
        pieces += end - start;
        for (const until = performance.now() + 2; performance.now() < until; );
      },
    });
    setImmediate(() => away.end());
    await away.done;
    // Two turns of four milliseconds. The last piece of a turn may begin just before its end.
    expect(pieces).toBeLessThanOrEqual(6);
    await long;
    expect(pieces).toBe(100);
  });

  test("that are aborted while they wait reject in their turn, without running", async () => {
    const queue = createQueue();
    const r = createResource();
    const away = controlled(queue, { reads: [], writes: [r] });
    const abort = new AbortController();
    let called = false;
    const run = (): void => {
      called = true;
    };
    const waiting = queue.push({ what: "a job", uses: { reads: [], writes: [r] }, items: 1, run, signal: abort.signal });
    const after = controlled(queue, { reads: [r], writes: [] });
    abort.abort();
    await settled();
    expect(after.started).toBe(false);
    away.end();
    await expect(waiting).rejects.toEqual(rejected("aborted"));
    await settled();
    expect([called, after.started]).toEqual([false, true]);
    after.end();
  });
});

describe("the whole", () => {
  test("is ready when everything queued before has finished, without waiting for later jobs", async () => {
    const queue = createQueue();
    await queue.ready();
    const jobs = Array.from({ length: 3 }, () => controlled(queue, nothing));
    let ready = 0;
    const first = queue.ready().then(() => ready++);
    const later = controlled(queue, nothing);
    jobs[2].end();
    jobs[0].end(new Error("one that fails counts as well"));
    await expect(jobs[0].done).rejects.toEqual(rejected("failed"));
    await settled();
    expect(ready).toBe(0);
    jobs[1].end();
    await first;
    expect([ready, later.finished]).toEqual([1, false]);
    later.end();
  });

  test("keeps the event loop responsive by messages if there is no setImmediate", async () => {
    const immediate = globalThis.setImmediate;
    vi.stubGlobal("setImmediate", undefined);
    try {
      const queue = createQueue();
      const turns: number[] = [];
      immediate(() => turns.push(0));
      const run = (): void => {
        for (const until = performance.now() + 2; performance.now() < until; );
      };
      for (let job = 1; job <= 2; job++) {
        await queue.push({ what: "a job", uses: nothing, items: 20, run });
        turns.push(job);
      }
      expect(turns).toEqual([0, 1, 2]);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  test("rejects everything when it is closed, and starts nothing more", async () => {
    const queue = createQueue();
    const r = createResource();
    const running = controlled(queue, { reads: [], writes: [r] });
    const waiting = controlled(queue, { reads: [r], writes: [] });
    let called = false;
    const run = (): void => {
      called = true;
    };
    const here = queue.push({ what: "a job", uses: nothing, items: 1, run });
    const ready = queue.ready();
    queue.close();
    for (const promise of [running.done, waiting.done, here, ready, queue.ready(), controlled(queue, nothing).done]) {
      await expect(promise).rejects.toEqual(rejected("disposed"));
    }
    running.end();
    await settled();
    expect([waiting.started, called]).toEqual([false, false]);
  });
});
