/** Jobs that are cancelled while they are made: tasks in flight stop, no failure is noted, and the job can be taken up again. */
import { join } from "node:path";
import type { Device } from "@dechirp/core";
import { expect, it } from "vitest";
import {
  createTaskRunner,
  isCancellation,
  isOfStore,
  type Job,
  type JobStore,
  jobStatus,
  openStore,
  planJob,
  runJob,
  setCancelled,
} from "../src/index.ts";
import { temporaryFolder, withPlainCpu, writeHistory } from "./recordings.ts";
import { useProgram } from "./worker-process.ts";

let device: Device;
withPlainCpu((made) => (device = made));
const startWorker = useProgram("worker");

const grid = { xMeters: -40, yMeters: -35, xStepMeters: 0.1937, yStepMeters: 0.21, nx: 401, ny: 333 };

/** Pulses with which a task takes much longer than the time between two looks at the store. */
const slow = 12_000;

/** A function that does something at its first call alone. */
function once<A extends unknown[]>(work: (...args: A) => Promise<void>): (...args: A) => void {
  let isDone = false;
  return (...args) => {
    if (!isDone) void work(...args);
    isDone = true;
  };
}

/** A job of 12 tasks. */
async function planned(pulses: number): Promise<{ readonly job: Job; readonly store: JobStore }> {
  const folder = await temporaryFolder();
  const path = await writeHistory(folder, { pulses });
  const store = await openStore(join(folder, "job"));
  const request = { what: "backproject", paths: [path], settings: { grid, tile: 16 }, tile: 128, memoryBytes: 2 ** 30, output: {} };
  return { store, job: (await planJob(store, device, request)).job };
}

const cancelled = { code: "input", fields: { field: "cancelled" }, message: expect.stringContaining("the job is cancelled") };

it("a task that is being made stops, and is made when the job is taken up again", async () => {
  const { job, store } = await planned(slow);
  await using runner = createTaskRunner(job, store, device);
  const cancel = once(() => setCancelled(store, true));
  let last = 0;
  const onProgress = (share: number): void => {
    last = share;
    cancel();
  };
  const error = await runner.run(0, { onProgress }).catch((thrown) => thrown);
  expect(error).toMatchObject(cancelled);
  expect([isCancellation(error), isOfStore(error)]).toEqual([true, true]);
  expect(last).toBeLessThan(1);
  expect(await jobStatus(job, store)).toMatchObject({ done: 0, failed: [], cancelled: true });
  await setCancelled(store, false);
  expect(await runner.run(0)).toMatchObject({ skipped: false });
});

it("a task that another process has done meanwhile is not made to its end", async () => {
  const { job, store } = await planned(slow);
  await using runner = createTaskRunner(job, store, device);
  const mark = { job: job.id, task: 0, files: [], seconds: 1, device: { id: "cpu", description: "" }, worker: "other:1", attempt: 1 };
  const write = once((of: string) => store.write("done/0.json", new TextEncoder().encode(JSON.stringify({ ...mark, job: of }))));
  let last = 0;
  const onProgress = (share: number): void => {
    last = share;
    write(job.id);
  };
  expect(await runner.run(0, { onProgress })).toEqual({ mark, skipped: true });
  expect(last).toBeLessThan(1);
});

it("a run ends with one error, notes no failure, and all tasks are made later", async () => {
  const { job, store } = await planned(2500);
  const cancel = once(() => setCancelled(store, true));
  const failures: number[] = [];
  const options = { workers: 2, start: () => startWorker([store.address]), onFailure: (task: number) => void failures.push(task) };
  const onProgress = ({ done }: { done: number }): void => {
    if (done > 0) cancel();
  };
  await expect(runJob(job, store, { ...options, onProgress })).rejects.toMatchObject({ code: "input", message: cancelled.message });
  const status = await jobStatus(job, store);
  expect(status).toMatchObject({ failed: [], cancelled: true });
  expect(status.done).toBeGreaterThan(0);
  expect(status.missing).toHaveLength(12 - status.done);
  expect(status.missing.length).toBeGreaterThan(0);
  expect([failures, await store.list("failed/")]).toEqual([[], []]);
  await expect(runJob(job, store, options)).rejects.toMatchObject(cancelled);
  await setCancelled(store, false);
  expect(await runJob(job, store, options)).toMatchObject({ done: 12, missing: [], failed: [], cancelled: false });
  expect(await store.list("failed/")).toEqual([]);
});
