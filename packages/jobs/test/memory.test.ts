/** The memory of a worker: it does not grow with the number of tasks, and is bounded by what the job allows. Linux tells of the bound. */
import type { ChildProcess } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Device } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import { type JobStore, openStore, type PlanJobOptions, planJob, runJob } from "../src/index.ts";
import { temporaryFolder, withPlainCpu, writeHistory, writeScene } from "./recordings.ts";
import { useProgram } from "./worker-process.ts";

let device: Device;
withPlainCpu((made) => (device = made));
const startWorker = useProgram("worker-held");

const mebibyte = 2 ** 20;
/** What a worker may hold beside twice the memory that the job allows: values that are not yet collected. */
const allowance = 64 * mebibyte;

/** Runs a job with one worker: by how much the most memory of its process grew, and what it held after each task, all in bytes. */
async function memoryOf(
  store: JobStore,
  device: Device,
  options: PlanJobOptions,
): Promise<{ readonly grown: number; readonly held: readonly number[] }> {
  const { job } = await planJob(store, device, options);
  let child: ChildProcess | undefined;
  const peak = (): number => 1024 * Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child?.pid}/status`, "utf8"))?.[1]);
  const held: number[] = [];
  let [ready, end] = [0, 0];
  const status = await runJob(job, store, {
    start: () => {
      expect(child, "a worker has ended").toBeUndefined();
      child = startWorker([store.address], process.env, ["--expose-gc"]);
      child.on("message", (message: { kind: string; held: number }) => {
        if (message.kind === "done") held.push(message.held);
      });
      return child;
    },
    onReady: () => (ready = peak()),
    onProgress: () => (end = peak()),
  });
  expect(status).toMatchObject({ done: job.tasks, failed: [] });
  expect(held).toHaveLength(job.tasks);
  expect(job.tasks).toBeGreaterThanOrEqual(10);
  return { grown: end - ready, held };
}

/** What tasks keep for the next one depends on their shape, but the second half of the tasks needs about as much as the first. */
function expectSteady(held: readonly number[], memoryBytes: number): void {
  const half = held.length >> 1;
  expect(Math.max(...held.slice(half)) - Math.max(...held.slice(0, half))).toBeLessThan(memoryBytes / 4);
}

describe.skipIf(!existsSync("/proc/self/status"))("the memory of a worker", () => {
  it("of backprojected tiles is bounded", async () => {
    const folder = await temporaryFolder();
    const path = await writeHistory(folder, { pulses: 16, count: 64 });
    const grid = { xMeters: -40, yMeters: -35, xStepMeters: 0.01, yStepMeters: 0.01, nx: 3072, ny: 4096 };
    const memoryBytes = 32 * mebibyte;
    const request = { what: "backproject", paths: [path], settings: { grid, tile: 16 }, tile: 768, memoryBytes, output: {} };
    const { grown, held } = await memoryOf(await openStore(join(folder, "job")), device, request);
    expect(grown).toBeLessThan(2 * memoryBytes + allowance);
    expectSteady(held, memoryBytes);
  });

  it("of focused blocks is bounded, too", async () => {
    const folder = await temporaryFolder();
    const path = await writeScene(folder, device, { name: "quality", lines: 3072, samples: 1024 });
    const memoryBytes = 48 * mebibyte;
    const request = { what: "focus", paths: [path], settings: {}, tile: 1450, memoryBytes, output: {} };
    const { grown, held } = await memoryOf(await openStore(join(folder, "job")), device, request);
    expect(grown).toBeLessThan(2 * memoryBytes + allowance);
    expectSteady(held, memoryBytes);
  });
});
