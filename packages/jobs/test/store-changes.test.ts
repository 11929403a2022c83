/** Stores that are removed, replaced or full while a job is made: no task of one job counts for another, and the store is at fault, not the task. */
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Device, RadarError } from "@dechirp/core";
import { expect, it } from "vitest";
import {
  addFailure,
  createTaskRunner,
  failureOf,
  isOfStore,
  type Job,
  type JobStore,
  jobStatus,
  mayRetry,
  openStore,
  planJob,
  readMark,
  runJob,
  runTask,
  verifyJob,
} from "../src/index.ts";
import { temporaryFolder, withPlainCpu, writeHistory } from "./recordings.ts";
import { useProgram } from "./worker-process.ts";

let device: Device;
withPlainCpu((made) => (device = made));
const startWorker = useProgram("worker");

const grid = { xMeters: -40, yMeters: -35, xStepMeters: 0.1937, yStepMeters: 0.21, nx: 401, ny: 333 };
const other = { ...grid, xMeters: 1 };

async function plan(folder: string, path: string, area: typeof grid): Promise<{ readonly job: Job; readonly store: JobStore }> {
  const store = await openStore(join(folder, "job"));
  const request = { what: "backproject", paths: [path], settings: { grid: area, tile: 16 }, tile: 128, memoryBytes: 2 ** 30, output: {} };
  return { store, job: (await planJob(store, device, request)).job };
}

const gone = { code: "input", fields: { field: "job.json" } };

it("a runner writes nothing into a store that has another job, or none", async () => {
  const folder = await temporaryFolder();
  const path = await writeHistory(folder);
  const first = await plan(folder, path, grid);
  await using runner = createTaskRunner(first.job, first.store, device);
  await runner.run(0);
  await rm(join(folder, "job"), { recursive: true });
  await expect(runner.run(1)).rejects.toMatchObject(gone);
  expect(await first.store.list("", {})).toEqual([]);
  const second = await plan(folder, path, other);
  await expect(runner.run(1)).rejects.toMatchObject(gone);
  expect((await second.store.list("", {})).filter((key) => /^(done|failed)\/|image\/\d/.test(key))).toEqual([]);
  // Nor if the store is replaced while the task is made.
  await rm(join(folder, "job"), { recursive: true });
  await plan(folder, path, grid);
  const replaced: JobStore = {
    ...first.store,
    async read(key, options) {
      const bytes = await first.store.read(key, options);
      if (key === "job.json") await rm(join(folder, "job", "job.json"), { force: true });
      return bytes;
    },
  };
  await expect(runTask(first.job, 2, replaced, device)).rejects.toMatchObject(gone);
  expect((await first.store.list("done/", {})).length).toBe(0);
});

it("a mark that was written while the store got another job is removed, and a failure is not noted there", async () => {
  const folder = await temporaryFolder();
  const path = await writeHistory(folder);
  const [first, second] = [await plan(folder, path, grid), await plan(join(folder, "other"), path, other)];
  const document = (await second.store.read("job.json")) as Uint8Array;
  const replaced: JobStore = {
    ...first.store,
    async write(key, bytes, options) {
      if (key.startsWith("done/")) await first.store.write("job.json", document);
      await first.store.write(key, bytes, options);
    },
  };
  await expect(runTask(first.job, 2, replaced, device)).rejects.toMatchObject(gone);
  expect(await first.store.list("done/")).toEqual([]);
  await expect(addFailure(first.job, first.store, 2, failureOf(new Error("no")))).rejects.toMatchObject(gone);
  expect(await first.store.list("failed/")).toEqual([]);
});

it("a task looks a few times at whose store it is, however many values it writes", async () => {
  const folder = await temporaryFolder();
  const path = await writeHistory(folder);
  const store = await openStore(join(folder, "job"));
  const request = { what: "backproject-each", paths: [path], settings: { grid, tile: 16 }, tile: 32, memoryBytes: 2 ** 30, output: {} };
  const { job } = await planJob(store, device, request);
  let [looks, values] = [0, 0];
  const counting: JobStore = {
    ...store,
    read: (key, options) => {
      if (key === "job.json") looks++;
      return store.read(key, options);
    },
    write: (key, bytes, options) => {
      values++;
      return store.write(key, bytes, options);
    },
  };
  const start = performance.now();
  await runTask(job, 0, counting, device);
  const seconds = (performance.now() - start) / 1000;
  expect(values).toBeGreaterThan(140);
  // At the start, before the mark and after it, and once a second.
  expect(looks).toBeGreaterThanOrEqual(3);
  expect(looks).toBeLessThanOrEqual(3 + seconds);
});

it("a job is not planned into a store with marks of another one", async () => {
  const folder = await temporaryFolder();
  const path = await writeHistory(folder);
  const { job, store } = await plan(folder, path, grid);
  await runTask(job, 3, store, device);
  await rm(join(folder, "job", "job.json"));
  await expect(plan(folder, path, other)).rejects.toMatchObject({ code: "input", fields: { field: "done/3.json" } });
});

it("a mark of another job counts for nothing", async () => {
  const folder = await temporaryFolder();
  const path = await writeHistory(folder);
  const one = await plan(join(folder, "one"), path, grid);
  const two = await plan(join(folder, "two"), path, other);
  const { mark } = await runTask(one.job, 0, one.store, device);
  await two.store.write("done/0.json", (await one.store.read("done/0.json")) as Uint8Array);
  await two.store.write(mark.files[0]!.key, (await one.store.read(mark.files[0]!.key)) as Uint8Array);
  expect(await verifyJob(two.job, two.store)).toMatchObject({ checked: 1, damaged: [{ task: 0, key: "done/0.json" }] });
  expect((await runTask(two.job, 0, two.store, device)).skipped).toBe(false);
  expect(await readMark(two.store, 0)).toMatchObject({ job: two.job.id });
  expect(await verifyJob(two.job, two.store)).toMatchObject({ checked: 1, damaged: [] });
});

it("a mark that is no record is damage, and its task is made again", async () => {
  const folder = await temporaryFolder();
  const { job, store } = await plan(folder, await writeHistory(folder), grid);
  await runTask(job, 1, store, device);
  await store.write("done/1.json", new TextEncoder().encode("{"));
  expect(await verifyJob(job, store, { forget: true })).toMatchObject({ damaged: [{ task: 1, key: "done/1.json" }] });
  expect((await jobStatus(job, store)).missing).toContain(1);
});

it("what the system refuses is not the input's fault", () => {
  const of = (reason: string) => new RadarError("input", `x: can't write it: ${reason}`, { file: "x", reason });
  for (const reason of ["ENOSPC", "EIO", "EMFILE", "EACCES", "ESTALE"]) expect(mayRetry(of(reason))).toBe(true);
  for (const reason of ["ENOENT", "EISDIR"]) expect(mayRetry(of(reason))).toBe(false);
  // A recording that may not be read says nothing of the store.
  const stored = (reason: string) => new RadarError("input", "x: can't write it", { file: "x", reason, store: "job" });
  expect([of("EACCES"), stored("EACCES"), stored("EPERM"), stored("EISDIR")].map(isOfStore)).toEqual([false, true, true, false]);
  expect(failureOf(of("ENOSPC"))).toMatchObject({ code: "input", retry: true });
  expect([of("ENOSPC"), of("EROFS"), of("EIO"), new Error("no")].map(isOfStore)).toEqual([true, true, false, false]);
});

it("a run ends when its store is given to another job, and blames no task", async () => {
  const folder = await temporaryFolder();
  const path = await writeHistory(folder);
  const { job, store } = await plan(folder, path, grid);
  let isMoved = false;
  const running = runJob(job, store, {
    start: () => startWorker([store.address]),
    onReady: () => {
      // The first task is begun after this.
      isMoved = true;
      void rename(join(folder, "job", "job.json"), join(folder, "gone.json"));
    },
  });
  await expect(running).rejects.toMatchObject({ code: "input", message: expect.stringContaining("does not have the job") });
  expect(isMoved).toBe(true);
  await writeFile(join(folder, "job", "job.json"), "");
  expect(await store.list("failed/", {})).toEqual([]);
});
