/** Jobs: the bits of their images, what runs refuse, and what is left after processes are killed at any moment. */
import { createHash } from "node:crypto";
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Device } from "@dechirp/core";
import { readPhaseHistory, readScene } from "@dechirp/io/node";
import { backprojectRecording, focusInBlocks, planBackprojectedImage, planFocus } from "@dechirp/processor";
import { describe, expect, it } from "vitest";
import { radarsatFiles } from "../../io/test/radarsat-builder.ts";
import {
  chunkedImage,
  createTaskRunner,
  imageReader,
  type Job,
  type JobStore,
  jobStatus,
  openStore,
  planJob,
  rangesText,
  readJob,
  readMark,
  runJob,
  runTask,
  setCancelled,
  verifyJob,
} from "../src/index.ts";
import { temporaryFolder, withPlainCpu, writeHistory, writeScene } from "./recordings.ts";
import { useProgram } from "./worker-process.ts";

let device: Device;
withPlainCpu((made) => (device = made));
const startWorker = useProgram("worker");

const memoryBytes = 2 ** 30;
const grid = { xMeters: -40, yMeters: -35, xStepMeters: 0.1937, yStepMeters: 0.21, nx: 401, ny: 333 };
const settings = { grid, tile: 16 };

/** Plans a backprojection of a small phase history, with 6 tiles. */
async function planned(
  folder: string,
  more: { copy?: boolean; memoryBytes?: number } = {},
): Promise<{ store: JobStore; job: Job; path: string }> {
  const path = await writeHistory(folder);
  const store = await openStore(join(folder, "job"));
  const { job } = await planJob(store, device, {
    what: "backproject",
    paths: [path],
    settings,
    tile: 128,
    memoryBytes,
    output: {},
    ...more,
  });
  return { store, job, path };
}

/** The image that one process makes of the recording at a path. */
async function wholeImage(path: string): Promise<Float32Array> {
  await using history = await readPhaseHistory(path);
  const plan = await planBackprojectedImage(history, settings);
  return (await backprojectRecording(plan, device)).image;
}

const same = (a: Float32Array, b: Float32Array): boolean =>
  Buffer.from(a.buffer, a.byteOffset, a.byteLength).equals(Buffer.from(b.buffer, b.byteOffset, b.byteLength));

const read = (job: Job, store: JobStore): Promise<Float32Array> =>
  imageReader(job, store).read({
    row: 0,
    column: 0,
    rows: job.image?.shape[0] ?? 0,
    columns: job.image?.shape[1] ?? 0,
  }) as Promise<Float32Array>;

describe("a job", () => {
  it("has an image of the bits of one process, in any order of the tasks", async () => {
    const folder = await temporaryFolder();
    const { store, job, path } = await planned(folder);
    expect(job.tasks).toBe(12);
    for (const task of [5, 0, 3, 11, 10, 2, 1, 4, 9, 6, 8, 7]) {
      const { mark, skipped } = await runTask(job, task, store, device);
      expect(skipped).toBe(false);
      const bytes = await store.read(mark.files[0].key);
      expect(
        createHash("sha256")
          .update(bytes ?? "")
          .digest("hex"),
      ).toBe(mark.files[0].sha256);
    }
    expect(await jobStatus(job, store)).toEqual({ tasks: 12, done: 12, missing: [], failed: [], cancelled: false, assembled: false });
    const whole = await wholeImage(path);
    expect(same(await read(job, store), whole)).toBe(true);
    expect((await runTask(job, 3, store, device)).skipped).toBe(true);
    expect(await verifyJob(job, store)).toEqual({ checked: 12, damaged: [], forgotten: [] });
  });

  it("of a stripmap recording has the bits of one process, although workers do not measure the centroid", async () => {
    const folder = await temporaryFolder();
    const path = await writeScene(folder, device);
    const store = await openStore(join(folder, "job"));
    const given = { dopplerCentroidHz: "auto" as const };
    const { job } = await planJob(store, device, { what: "focus", paths: [path], settings: given, tile: 400, memoryBytes, output: {} });
    expect(job.tasks).toBeGreaterThan(2);
    await using runner = createTaskRunner(await readJob(store), store, device);
    for (let task = job.tasks - 1; task >= 0; task--) await runner.run(task);
    await using scene = await readScene(path);
    const plan = await planFocus(scene, given, device, { memoryBytes, mostLines: 400 });
    const whole = new Float32Array(2 * plan.shape[0] * plan.shape[1]);
    await focusInBlocks(
      scene,
      device,
      {
        write({ row, column, rows, columns }, data) {
          for (let y = 0; y < rows; y++)
            whole.set(data.subarray(2 * y * columns, 2 * (y + 1) * columns), 2 * ((row + y) * plan.shape[1] + column));
        },
      },
      plan,
    );
    expect(same(await read(job, store), whole)).toBe(true);
  });

  it("of a RADARSAT-1 scene has its AGC file as an input, wherever the reader finds it, and takes none that appears later", async () => {
    const folder = await temporaryFolder();
    const scene = join(folder, "pass", "scene");
    await mkdir(scene, { recursive: true });
    const { "AGC_attenuation_values.mat": gains, ...files } = radarsatFiles({ lines: 1200, cells: 1600 });
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(scene, name), bytes);
    const agcFile = join(folder, "pass", "AGC_attenuation_values.mat");
    const plan = async (name: string): Promise<{ store: JobStore; job: Job }> => {
      const store = await openStore(join(folder, name));
      const { job } = await planJob(store, device, { what: "focus", paths: [scene], settings: {}, memoryBytes, output: {} });
      return { store, job };
    };
    const without = await plan("without");
    expect(without.job.inputs.map(({ role }) => role)).toEqual(["recording"]);
    await writeFile(agcFile, gains);
    const { mark } = await runTask(without.job, 0, without.store, device);
    const own = await plan("with");
    expect(own.job.inputs.map(({ path, role }) => [path, role])).toEqual([
      [scene, "recording"],
      [agcFile, "agc"],
    ]);
    const other = await runTask(own.job, 0, own.store, device);
    expect(other.mark.files[0].sha256).not.toBe(mark.files[0].sha256);
    const again = await plan("again");
    await writeFile(agcFile, gains.slice(0, -1));
    await expect(runTask(again.job, 0, again.store, device)).rejects.toMatchObject({
      fields: { file: agcFile },
    });
  });

  it("is the same if it is planned again, and a store refuses another one", async () => {
    const folder = await temporaryFolder();
    const { store, job, path } = await planned(folder);
    const again = await planJob(store, device, { what: "backproject", paths: [path], settings, tile: 128, memoryBytes, output: {} });
    expect(again.job).toEqual(job);
    await expect(
      planJob(store, device, { what: "backproject", paths: [path], settings, tile: 256, memoryBytes, output: {} }),
    ).rejects.toMatchObject({ code: "input", fields: { field: "job" } });
    await expect(
      planJob(store, device, { what: "backproject", paths: [path], settings, tile: 100, memoryBytes, output: {} }),
    ).rejects.toMatchObject({ code: "input", fields: { field: "tile" } });
    await expect(planJob(store, device, { what: "paint", paths: [path], settings, memoryBytes, output: {} })).rejects.toMatchObject({
      code: "input",
      fields: { field: "what" },
    });
  });

  it("is refused by another class of devices, another version, and with another recording", async () => {
    const folder = await temporaryFolder();
    const { store, job, path } = await planned(folder);
    const { open } = await import("@dechirp/core");
    const { cpu } = await import("@dechirp/fft-cpu");
    using other = await open(cpu({ kernels: "js", workers: 1 }));
    await expect(runTask(job, 0, store, other)).rejects.toMatchObject({ code: "input", fields: { field: "device.arithmetic" } });
    await expect(runTask({ ...job, dechirp: "9.9.9" }, 0, store, device)).rejects.toMatchObject({
      code: "input",
      fields: { field: "job.dechirp" },
    });
    await expect(runTask(job, job.tasks, store, device)).rejects.toMatchObject({ code: "input", fields: { field: "task" } });
    const bytes = await readFile(path);
    bytes[bytes.length - 9] ^= 1;
    await writeFile(path, bytes);
    await expect(runTask(job, 0, store, device)).rejects.toMatchObject({ code: "input", fields: { file: path, field: "sha256" } });
    await appendFile(path, "x");
    await expect(runTask(job, 0, store, device)).rejects.toMatchObject({ code: "input", fields: { file: path, field: "bytes" } });
    expect((await jobStatus(job, store)).done).toBe(0);
  });

  it("can be cancelled and taken up again; damage is found, and its tasks can be done again", async () => {
    const folder = await temporaryFolder();
    const { store, job } = await planned(folder);
    await setCancelled(store, true);
    await expect(runTask(job, 0, store, device)).rejects.toMatchObject({ code: "input", fields: { field: "cancelled" } });
    await setCancelled(store, false);
    const { mark } = await runTask(job, 0, store, device);
    await runTask(job, 7, store, device);
    await store.remove(mark.files[0].key);
    const key = chunkedImage(job).keyOf(7);
    const chunk = await store.read(key);
    await store.write(key, (chunk as Uint8Array).subarray(1));
    expect((await verifyJob(job, store)).damaged).toEqual([
      { task: 0, key: mark.files[0].key, what: "missing" },
      { task: 7, key, what: "changed" },
    ]);
    await verifyJob(job, store, { forget: true });
    expect((await jobStatus(job, store)).missing).toHaveLength(12);
    expect(await readMark(store, 0)).toBeUndefined();
    expect(rangesText([0, 1, 2, 5, 7, 8])).toBe("0-2,5,7-8");
  });
});

describe("runJob", () => {
  it("makes an image with the bits of one process, whatever workers are killed and when", async () => {
    const folder = await temporaryFolder();
    const { store, job, path } = await planned(folder, { copy: true });
    await writeFile(path, "the copy in the store is used");
    const env = { ...process.env, DECHIRP_CACHE: join(folder, "cache") };
    const killed: number[] = [];
    let started = 0;
    const status = await runJob(job, store, {
      workers: 2,
      start() {
        const child = startWorker([store.address], env);
        const count = started++;
        const kill = (): void => void (child.kill("SIGKILL") && killed.push(count));
        // Two die while they start, four while they compute or write.
        if (count < 2) setTimeout(kill, 100 + 200 * count);
        else if (count < 6) child.once("message", () => setTimeout(kill, 15 * (count - 2)));
        return child;
      },
    });
    expect(killed.sort()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(status).toMatchObject({ done: 12, missing: [], failed: [] });
    expect(await verifyJob(job, store)).toEqual({ checked: 12, damaged: [], forgotten: [] });
    await writeHistory(folder);
    expect(same(await read(job, store), await wholeImage(path))).toBe(true);
  });

  it("gives up a task that fails, and completes the others", async () => {
    const folder = await temporaryFolder();
    const { store, job } = await planned(folder);
    // A folder is where the chunk of task 4 should be.
    await store.write(`${chunkedImage(job).keyOf(4)}/in-the-way`, Uint8Array.of(1));
    const heard: number[] = [];
    const status = await runJob(job, store, {
      workers: 2,
      start: () => startWorker([store.address]),
      onFailure: (task) => void heard.push(task),
    });
    expect(status).toMatchObject({ done: 11, missing: [] });
    expect(status.failed).toMatchObject([{ task: 4 }]);
    expect(new Set(heard)).toEqual(new Set([4]));
  });

  it("stops when it is told to, leaves no process, and goes on later", async () => {
    const folder = await temporaryFolder();
    const { store, job } = await planned(folder);
    const stop = new AbortController();
    const children: ReturnType<typeof startWorker>[] = [];
    const start = () => {
      const child = startWorker([store.address]);
      children.push(child);
      return child;
    };
    const run = runJob(job, store, { start, signal: stop.signal, onProgress: ({ done }) => done >= 2 && stop.abort() });
    await expect(run).rejects.toMatchObject({ code: "aborted" });
    for (const child of children) expect(child.exitCode ?? child.signalCode).not.toBeNull();
    const before = (await jobStatus(job, store)).done;
    expect(before).toBeGreaterThanOrEqual(2);
    expect(before).toBeLessThan(12);
    expect(await runJob(job, store, { start })).toMatchObject({ done: 12, missing: [] });
  });

  it("rejects if workers can't start, or refuse the job", async () => {
    const folder = await temporaryFolder();
    const { store, job } = await planned(folder);
    await expect(runJob(job, store, { start: () => startWorker([join(folder, "nowhere")]) })).rejects.toMatchObject({ code: "input" });
    const { spawn } = await import("node:child_process");
    await expect(
      runJob(job, store, {
        start: () => spawn(process.execPath, ["-e", "process.exit(3)"], { stdio: ["ignore", "ignore", "ignore", "ipc"] }),
      }),
    ).rejects.toMatchObject({ code: "failed", fields: { how: "status 3" } });
    await expect(
      runJob(job, store, { start: () => spawn(join(folder, "absent"), [], { stdio: ["ignore", "ignore", "ignore", "ipc"] }) }),
    ).rejects.toMatchObject({ code: "failed" });
  });
});
