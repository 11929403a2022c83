/** The memory of a worker: it does not grow with the number of tasks, and is bounded by what the job allows. Linux tells of it. */
import type { ChildProcess } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Device } from "@dechirp/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JobStore, openStore, type PlanJobOptions, planJob, runJob } from "../src/index.ts";
import { plainCpu, temporaryFolder, writeHistory, writeScene } from "./recordings.ts";
import { useProgram } from "./worker-process.ts";

let device: Device;
beforeAll(async () => {
  device = await plainCpu();
});
afterAll(() => device[Symbol.dispose]());
const startWorker = useProgram("worker");

const mebibyte = 2 ** 20;
/** What a worker may hold beside twice the memory that the job allows: values that are not yet collected. */
const allowance = 64 * mebibyte;

/** The most memory in bytes that one worker has had when it was ready, after half of the tasks, and at the end. */
async function peaks(
  store: JobStore,
  device: Device,
  options: PlanJobOptions,
): Promise<readonly [ready: number, half: number, end: number]> {
  const { job } = await planJob(store, device, options);
  let child: ChildProcess | undefined;
  const peak = (): number => 1024 * Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child?.pid}/status`, "utf8"))?.[1]);
  let [ready, half, end] = [0, 0, 0];
  const status = await runJob(job, store, {
    start: () => {
      expect(child, "a worker has ended").toBeUndefined();
      child = startWorker([store.address]);
      return child;
    },
    onReady: () => (ready = peak()),
    onProgress: ({ done }) => {
      end = peak();
      if (done <= job.tasks / 2) half = end;
    },
  });
  expect(status).toMatchObject({ done: job.tasks, failed: [] });
  expect(job.tasks).toBeGreaterThanOrEqual(10);
  return [ready, half, end];
}

describe.skipIf(!existsSync("/proc/self/status"))("the memory of a worker", () => {
  it("of backprojected tiles is bounded", async () => {
    const folder = await temporaryFolder();
    const path = await writeHistory(folder, { pulses: 16, count: 64 });
    const grid = { xMeters: -40, yMeters: -35, xStepMeters: 0.01, yStepMeters: 0.01, nx: 3072, ny: 4096 };
    const memoryBytes = 32 * mebibyte;
    const request = { what: "backproject", paths: [path], settings: { grid, tile: 16 }, tile: 768, memoryBytes, output: {} };
    const [ready, half, end] = await peaks(await openStore(join(folder, "job")), device, request);
    expect(end - ready).toBeLessThan(2 * memoryBytes + allowance);
    expect(end - half).toBeLessThan(0.5 * memoryBytes + allowance / 4);
  });

  it("of focused blocks is bounded, too", async () => {
    const folder = await temporaryFolder();
    const path = await writeScene(folder, device, { name: "quality", lines: 3072, samples: 1024 });
    const memoryBytes = 48 * mebibyte;
    const request = { what: "focus", paths: [path], settings: {}, tile: 1450, memoryBytes, output: {} };
    const [ready, half, end] = await peaks(await openStore(join(folder, "job")), device, request);
    expect(end - ready).toBeLessThan(2 * memoryBytes + allowance);
    expect(end - half).toBeLessThan(0.5 * memoryBytes + allowance / 4);
  });
});
