/** Jobs whose pulses are divided into sets: their sums, what is made again after deaths and damage, and how many sets the cost model chooses. */

import { join } from "node:path";
import { createRandom, type Device } from "@dechirp/core";
import { readPhaseHistory } from "@dechirp/io/node";
import { backprojectRecording, createWindowMaker, planBackprojectedImage } from "@dechirp/processor";
import { describe, expect, it } from "vitest";
import {
  chunkedImage,
  createJob,
  createTaskRunner,
  imageReader,
  type Job,
  type JobStore,
  jobStatus,
  openStore,
  openWork,
  type PlanJobOptions,
  planJob,
  runJob,
  runTask,
  setAssembled,
  setCancelled,
  sumTiles,
  verifyJob,
} from "../src/index.ts";
import { chooseSets, pulseRuns, type SetsRequest } from "../src/pulse-sets.ts";
import { temporaryFolder, withPlainCpu, writeHistory } from "./recordings.ts";
import { useProgram } from "./worker-process.ts";

let device: Device;
withPlainCpu((made) => (device = made));
const startWorker = useProgram("worker");

const grid = { xMeters: -40, yMeters: -35, xStepMeters: 0.1937, yStepMeters: 0.21, nx: 201, ny: 173 };
const settings = { grid, tile: 16 };
const request = { what: "backproject", settings, tile: 128, memoryBytes: 2 ** 30, output: {} } as const;

/** A job of 4 tiles from `pulseSets` sets. */
async function planned(
  folder: string,
  pulseSets = 3,
  more: Partial<PlanJobOptions> = {},
): Promise<{ store: JobStore; job: Job; path: string }> {
  const path = await writeHistory(folder);
  const store = await openStore(join(folder, `job ${pulseSets}`));
  const { job } = await planJob(store, device, { ...request, paths: [path], pulseSets, ...more });
  return { store, job, path };
}

const bits = ({ buffer, byteOffset, byteLength }: Float32Array): Buffer => Buffer.from(buffer, byteOffset, byteLength);

const read = (job: Job, store: JobStore): Promise<Float32Array> =>
  imageReader(job, store).read({ row: 0, column: 0, rows: grid.ny, columns: grid.nx }) as Promise<Float32Array>;

/** The image of one process: that of all pulses together, and the sum of the images of the sets in float64. */
async function imagesOf(path: string, job: Job): Promise<{ whole: Float32Array; sum: Float32Array }> {
  await using history = await readPhaseHistory(path);
  const plan = await planBackprojectedImage(history, settings);
  const { image: whole } = await backprojectRecording(plan, device);
  const { backprojection } = job.plan as { backprojection: Parameters<typeof createWindowMaker>[2] };
  using maker = await createWindowMaker(plan, device, backprojection);
  const total = new Float64Array(whole.length);
  for (const pulses of pulseRuns(history.shape[0], job.image?.sets ?? 1, backprojection.pulsesPerBlock)) {
    const image = await maker.make({ gridWindow: { ix: 0, iy: 0, nx: grid.nx, ny: grid.ny }, pulses });
    for (let i = 0; i < image.length; i++) total[i] += image[i];
  }
  return { whole, sum: Float32Array.from(total) };
}

/** Signal over error, in dB. */
function ratioDb(found: Float32Array, expected: Float32Array): number {
  let [signal, error] = [0, 0];
  for (let i = 0; i < expected.length; i++) {
    signal += expected[i] ** 2;
    error += (found[i] - expected[i]) ** 2;
  }
  return 10 * Math.log10(signal / error);
}

describe("a job of pulse sets", () => {
  it("has the bits of the sum of its sets, in any order of the tasks, and the image of all pulses to float32", async () => {
    const { store, job, path } = await planned(await temporaryFolder());
    const { tiles, sets, keyOf } = chunkedImage(job);
    expect([tiles, sets, job.tasks]).toEqual([4, 3, 12]);
    const { uniform } = createRandom(7);
    const order = Array.from({ length: 12 }, (_, task) => task).sort(() => uniform() - 0.5);
    for (const [i, task] of order.entries()) {
      const { mark } = await runTask(job, task, store, device);
      expect(mark.files.map(({ key }) => key)).toEqual([keyOf(task)]);
      expect(keyOf(task)).toMatch(new RegExp(`^partial/${Math.floor(task / 4)}/`));
      const done = order.slice(0, i + 1);
      const complete = [0, 1, 2, 3].filter((tile) => [0, 4, 8].every((set) => done.includes(set + tile)));
      expect((await jobStatus(job, store)).sums).toEqual({ tiles: 4, done: complete.length });
    }
    const { whole, sum } = await imagesOf(path, job);
    const image = await read(job, store);
    expect(bits(image).equals(bits(sum))).toBe(true);
    expect(bits(image).equals(bits(whole))).toBe(false);
    expect(ratioDb(image, whole)).toBeGreaterThan(125);
    expect(await verifyJob(job, store)).toMatchObject({ checked: 12, damaged: [] });
  });

  it("has the same bits if workers are killed at any moment, and goes on after that", async () => {
    const { store, job, path } = await planned(await temporaryFolder(), 4);
    let started = 0;
    const status = await runJob(job, store, {
      workers: 2,
      start() {
        const child = startWorker([store.address]);
        const count = started++;
        const kill = (): void => void child.kill("SIGKILL");
        if (count < 6) child.once("message", () => setTimeout(kill, 15 * count));
        return child;
      },
    });
    expect(status).toMatchObject({ done: 16, missing: [], failed: [] });
    await sumTiles(job, store);
    expect((await jobStatus(job, store)).sums).toEqual({ tiles: 4, done: 4 });
    expect(bits(await read(job, store)).equals(bits((await imagesOf(path, job)).sum))).toBe(true);
    expect(await verifyJob(job, store)).toMatchObject({ checked: 16, damaged: [] });
  });

  it("is summed when its products are made, if no worker has, and not before all tasks are done", async () => {
    const { store, job, path } = await planned(await temporaryFolder(), 2);
    await using runner = createTaskRunner(job, store, device);
    for (let task = 0; task < 7; task++) await runner.run(task);
    await expect(sumTiles(job, store)).rejects.toMatchObject({ code: "input", fields: { tile: 3 } });
    await runner.run(7);
    for (const tile of [0, 1, 2, 3]) await store.remove(`summed/${tile}.json`);
    await store.remove(chunkedImage(job).tileKeyOf(2));
    await using work = await openWork(job, store, device);
    const { report } = (await work.image?.assemble(imageReader(job, store), {})) ?? {};
    expect(report).toMatchObject({ image: expect.anything() });
    expect(bits(await read(job, store)).equals(bits((await imagesOf(path, job)).sum))).toBe(true);
  });

  it("finds damage of sets and of sums, sums nothing that is damaged, and mends both", async () => {
    const { store, job } = await planned(await temporaryFolder(), 2);
    await using runner = createTaskRunner(job, store, device);
    for (let task = 0; task < 8; task++) await runner.run(task);
    const before = bits(await read(job, store));
    const { keyOf, tileKeyOf } = chunkedImage(job);
    const spoil = async (key: string): Promise<void> => {
      const bytes = (await store.read(key)) as Uint8Array;
      bytes[17] ^= 4;
      await store.write(key, bytes);
    };
    await setAssembled(store, []);
    await spoil(tileKeyOf(1));
    await spoil(keyOf(7));
    await store.remove(tileKeyOf(3));
    await store.write("summed/0.json", new TextEncoder().encode("{}"));
    const damaged = [
      { task: 7, key: keyOf(7), what: "changed" },
      { task: 0, key: "summed/0.json", what: "changed" },
      { task: 1, key: tileKeyOf(1), what: "changed" },
      { task: 3, key: tileKeyOf(3), what: "missing" },
    ];
    expect((await verifyJob(job, store)).damaged).toEqual(damaged);
    await store.remove("summed/3.json");
    await expect(sumTiles(job, store)).rejects.toMatchObject({ code: "input", fields: { field: keyOf(7), task: 7 } });
    await verifyJob(job, store, { forget: true });
    // What can be mended without computing is, and a tile of which a task is to be done again is not.
    expect(await jobStatus(job, store)).toMatchObject({ missing: [7], sums: { tiles: 4, done: 3 } });
    await runner.run(7);
    expect((await jobStatus(job, store)).sums).toEqual({ tiles: 4, done: 4 });
    expect(bits(await read(job, store)).equals(before)).toBe(true);
    expect(await verifyJob(job, store)).toMatchObject({ checked: 8, damaged: [] });
  });

  it("can be cancelled, and a store with its sums takes no other job", async () => {
    const { store, job } = await planned(await temporaryFolder(), 2);
    await setCancelled(store, true);
    await expect(runTask(job, 5, store, device)).rejects.toMatchObject({ fields: { field: "cancelled" } });
    await setCancelled(store, false);
    await using runner = createTaskRunner(job, store, device);
    for (const task of [1, 5]) await runner.run(task);
    for (const key of ["job.json", "done/1.json", "done/5.json"]) await store.remove(key);
    await expect(planJob(store, device, { ...request, paths: [await writeHistory(await temporaryFolder())] })).rejects.toMatchObject({
      fields: { field: "summed/1.json" },
    });
  });

  it("refuses what can't be divided, and documents that were changed", async () => {
    const folder = await temporaryFolder();
    const path = await writeHistory(folder);
    const plan = async (more: Partial<PlanJobOptions>) =>
      planJob(await openStore(join(folder, "refused")), device, { ...request, paths: [path], ...more });
    for (const pulseSets of [0, 1.5, 161, "2" as unknown as number])
      await expect(plan({ pulseSets })).rejects.toMatchObject({ code: "input", fields: { field: "pulseSets" } });
    for (const workers of [0, -1, 2.5])
      await expect(plan({ workers })).rejects.toMatchObject({ code: "input", fields: { field: "workers" } });
    for (const name of ["pulseSets", "workers"])
      await expect(plan({ what: "backproject-each", [name]: 2 })).rejects.toMatchObject({ code: "input", fields: { field: name } });
    const { store, job } = await planned(folder, 2);
    const { id: _, format: _f, version: _v, ...body } = job;
    const changed = async (more: Partial<Job>) => openWork(await createJob({ ...body, ...more }), store, device);
    const image = job.image as NonNullable<Job["image"]>;
    await expect(changed({ image: { ...image, sets: 3 } })).rejects.toMatchObject({ fields: { field: "job.tasks" } });
    await expect(changed({ image: { ...image, sets: 200 }, tasks: 800 })).rejects.toMatchObject({ fields: { field: "job.image.sets" } });
    await expect(changed({ image: { ...image, sets: 1 } })).rejects.toMatchObject({ fields: { field: "image.sets" } });
  });
});

describe("pulseRuns", () => {
  it("cover all pulses once, begin where blocks do, and are of nearly equal length", () => {
    const { uniform } = createRandom(4);
    for (let trial = 0; trial < 100; trial++) {
      const pulses = 1 + Math.floor(400 * uniform());
      const block = 1 + Math.floor(pulses * uniform() ** 2);
      const sets = 1 + Math.floor(pulses * uniform() ** 3);
      const runs = pulseRuns(pulses, sets, block);
      expect(runs).toHaveLength(sets);
      let next = 0;
      for (const [first, count] of runs) {
        expect(first).toBe(next);
        expect(count).toBeGreaterThan(0);
        if (sets <= Math.ceil(pulses / block)) expect(first % block).toBe(0);
        next += count;
      }
      expect(next).toBe(pulses);
      const counts = runs.slice(0, -1).map(([, count]) => count);
      if (counts.length > 0)
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(sets <= Math.ceil(pulses / block) ? block : 1);
    }
  });
});

describe("chooseSets", () => {
  const base: SetsRequest = {
    image: [4096, 4096],
    pulses: 1_000_000,
    samples: 8192,
    deviceClass: "gpu",
    lattice: 256,
    mostTile: 2 ** 20,
    usualTile: 1024,
  };

  it("takes one set unless the number of workers is known and reading rules", () => {
    expect(chooseSets(base)).toMatchObject({ tile: 1024, sets: 1 });
    expect(chooseSets({ ...base, workers: 1 })).toMatchObject({ sets: 1 });
    // The report of the cost model (bench/results/2026-11-28-jobs-model) says that sets pay for this image from 5 nodes on.
    const many = chooseSets({ ...base, workers: 64 });
    expect(many.sets).toBeGreaterThan(1);
    expect(many.reason).toContain(`${many.sets} sets of pulses: the cost model predicts`);
    const image = chooseSets({ ...base, image: [32_768, 32_768], pulses: 100_000, workers: 64 });
    expect(image.sets).toBe(1);
    expect(image.reason).toContain("at most 5 % less for more sets");
    expect(chooseSets({ ...base, deviceClass: "cpu", workers: 64 }).sets).toBe(1);
  });

  it("takes smaller tiles where there would be too few for the workers, and what was asked for", () => {
    const few = chooseSets({ ...base, pulses: 20_000, samples: 400, deviceClass: "cpu", workers: 64 });
    expect(few).toMatchObject({ tile: 512, sets: 1 });
    expect(chooseSets({ ...base, tile: 512, workers: 64 }).tile).toBe(512);
    expect(chooseSets({ ...base, pulseSets: 5, workers: 64 })).toMatchObject({ sets: 5, reason: "5 sets of pulses, as asked for" });
    expect(chooseSets({ ...base, mostTile: 256, usualTile: 256, workers: 2 }).tile).toBe(256);
    expect(() => chooseSets({ ...base, tile: 256, pulseSets: 65_536 })).toThrow("pulseSets");
  });
});
