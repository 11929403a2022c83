/** Tests the job handling that all executors share, with plans that end when the test decides, without a device. */
import { type Plan, RadarError } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import { bestEffort, type ExecutableTask, gpuChunks } from "../src/index.ts";
import { failing } from "./support.ts";

interface Told {
  readonly task: ExecutableTask;
  /** The number of runs that have been queued. */
  readonly queued: number;
  /** Ends the oldest unfinished run. */
  end(failure?: RadarError): void;
}

/** A task of `runs` runs that the test ends one by one. */
function told(id: string, runs: number): Told {
  const ends: ((failure?: RadarError) => void)[] = [];
  let queued = 0;
  const run = () => {
    queued++;
    const done = new Promise<void>((resolve, reject) => {
      ends.push((failure) => (failure ? reject(failure) : resolve()));
    });
    return { done };
  };
  const plan = { run } as unknown as Plan;
  return {
    task: { id, runs: Array.from({ length: runs }, () => ({ plan, bindings: {} })) },
    get queued() {
      return queued;
    },
    end: (failure) => ends.shift()?.(failure),
  };
}

const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
const device = { units: 2 } as Parameters<typeof bestEffort>[0];

describe("jobs", () => {
  it("are granted when they first have units, and finished when their last run has finished", async () => {
    const [a, b] = [told("a", 2), told("b", 2)];
    const executor = gpuChunks(device, [a.task, b.task]);
    const jobs = [executor.submit("a"), executor.submit("b")];
    const ends: number[] = [];
    // The tasks take turns: a, b, a, b.
    for (const [i, one] of [a, b, a, b].entries()) {
      expect([a.queued, b.queued]).toEqual([1 + (i >> 1), (i + 1) >> 1]);
      await later();
      one.end();
      await later();
      ends.push(1000 * performance.now());
    }
    const [first, second] = await Promise.all(jobs);
    expect(first.granted - first.requested).toBeLessThan(ends[0] - first.requested - 5000);
    expect(first.finished).toBeGreaterThan(ends[1]);
    expect(second.granted).toBeLessThan(ends[0]);
    expect(second.granted).toBeGreaterThan(first.granted);
    expect(second.finished).toBeGreaterThan(ends[2]);
  });

  it("make the executor idle when the last one has ended, and not before", async () => {
    const [a, b] = [told("a", 1), told("b", 1)];
    const executor = bestEffort(device, [a.task, b.task]);
    await executor.idle();
    const jobs = Promise.allSettled([executor.submit("a"), executor.submit("b")]);
    let idle = 0;
    for (let i = 0; i < 2; i++) executor.idle().then(() => idle++);
    a.end();
    await later();
    expect(idle).toBe(0);
    b.end(new RadarError("failed", "failed on request"));
    await later();
    expect(idle).toBe(2);
    expect((await jobs).map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  });

  it("wait for all of their runs, and fail with the first failure", async () => {
    const a = told("a", 3);
    const executor = bestEffort(device, [a.task]);
    const job = executor.submit("a");
    let settled = false;
    const watched = job.catch((error) => error).finally(() => (settled = true));
    a.end(new RadarError("out-of-memory", "the first"));
    a.end(new RadarError("failed", "the second"));
    await later();
    expect(settled).toBe(false);
    a.end();
    expect(await watched).toEqual(failing("out-of-memory"));
    expect(executor.counts).toMatchObject({ submitted: 1, failed: 1 });
  });
});
