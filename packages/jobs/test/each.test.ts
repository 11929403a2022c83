/** Jobs with an image of each recording: the bits of each, what can't be processed, and documents that were changed. */
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Device, isRadarError } from "@dechirp/core";
import { parametersDigest } from "@dechirp/io";
import { readPhaseHistory, readScene } from "@dechirp/io/node";
import { backprojectRecording, focusRecording, planBackprojectedImage } from "@dechirp/processor";
import { describe, expect, it } from "vitest";
import * as zarr from "zarrita";
import {
  createTaskRunner,
  type Job,
  type JobStore,
  jobStatus,
  openStore,
  openWork,
  parseJob,
  planJob,
  readJob,
  runJob,
  runTask,
  verifyJob,
} from "../src/index.ts";
import { temporaryFolder, withPlainCpu, writeHistory, writeScene } from "./recordings.ts";
import { useProgram } from "./worker-process.ts";

let device: Device;
withPlainCpu((made) => (device = made));
const startWorker = useProgram("worker");

const grid = { xMeters: -20, yMeters: -20, xStepMeters: 0.2, yStepMeters: 0.2, nx: 200, ny: 150 };
const settings = { grid, tile: 16 };
const request = { what: "backproject-each", settings, tile: 128, memoryBytes: 2 ** 29, output: {} };

/** Three histories, of which the second is no recording that can be read. */
async function planned(folder: string): Promise<{ store: JobStore; job: Job; paths: string[]; warnings: readonly string[] }> {
  const paths = [
    await writeHistory(join(folder, "a"), { seed: 1, pulses: 48, count: 64 }),
    join(folder, "broken.cphd"),
    await writeHistory(join(folder, "c"), { seed: 2, pulses: 64, count: 64 }),
  ];
  await writeFile(paths[1], "CPHD/1.1.0\nXML_BLOCK_SIZE := 12\n");
  const store = await openStore(join(folder, "job"));
  const { job, warnings } = await planJob(store, device, { ...request, paths, names: ["a", "b", "c"] });
  return { store, job, paths, warnings };
}

/** The image of a product, as zarrita reads it. */
async function pixels(store: JobStore, name: string): Promise<Float32Array> {
  const root = zarr.root({ get: (key: string) => store.read(`products/${name}/image.zarr${key}`) });
  const array = await zarr.open.v3((await zarr.open.v3(root, { kind: "group" })).resolve("image"), { kind: "array" });
  return (await zarr.get(array)).data as Float32Array;
}

const same = (a: Float32Array, b: Float32Array): boolean => Buffer.from(a.buffer).equals(Buffer.from(b.buffer, b.byteOffset, b.byteLength));

describe("a job with an image of each recording", () => {
  it("makes each with the bits of one process; a file that can't be read is one failed task", async () => {
    const folder = await temporaryFolder();
    const { store, job, paths, warnings } = await planned(folder);
    expect(job).toMatchObject({ what: "backproject-each", tasks: 3 });
    expect(job).not.toHaveProperty("image");
    expect(warnings).toEqual([expect.stringContaining("broken.cphd")]);
    expect((await planJob(store, device, { ...request, paths, names: ["a", "b", "c"] })).job).toEqual(job);
    const status = await runJob(job, store, { workers: 2, start: () => startWorker([store.address]) });
    expect(status).toMatchObject({ done: 2, missing: [], failed: [{ task: 1, attempts: [{ code: "input", message: warnings[0] }] }] });
    for (const [task, name] of [
      [0, "a"],
      [2, "c"],
    ] as const) {
      await using history = await readPhaseHistory(paths[task]);
      const whole = await backprojectRecording(await planBackprojectedImage(history, settings), device);
      expect(same(await pixels(store, name), whole.image), name).toBe(true);
      const report = JSON.parse(new TextDecoder().decode(await store.read(`products/${name}/report.json`)));
      expect(report).toMatchObject({ scene: whole.report.scene, image: whole.report.image, timings: [], inputs: [paths[task]] });
      expect(Math.abs(report.entropy - whole.report.entropy)).toBeLessThan(1e-9);
    }
    expect(await verifyJob(job, store)).toEqual({ checked: 2, damaged: [], forgotten: [] });
    // The same bytes again, by another process.
    const again = await openStore(join(folder, "again"));
    await planJob(again, device, { ...request, paths, names: ["a", "b", "c"] });
    const { mark } = await runTask(job, 2, again, device);
    expect((await runTask(job, 2, store, device)).mark.files).toEqual(mark.files);
    await using work = await openWork(job, store, device);
    await using product = await work.product?.(2);
    expect([product?.name, product?.image.description.placement !== undefined]).toEqual(["c", true]);
    await expect(work.product?.(1)).rejects.toMatchObject({ code: "input", message: warnings[0] });
    await expect(work.product?.(3)).rejects.toMatchObject({ code: "input", fields: { field: "task" } });
  });

  it("of stripmap recordings has the bits of each, and looks only at the recording of its task", async () => {
    const folder = await temporaryFolder();
    const first = await writeScene(folder, device, { name: "quality", lines: 1500, samples: 900 });
    const second = join(folder, "second");
    await cp(first, second, { recursive: true });
    const store = await openStore(join(folder, "job"));
    const { job, warnings } = await planJob(store, device, {
      ...{ what: "focus-each", settings: { dopplerCentroidHz: "auto" }, memoryBytes: 2 ** 29, output: {} },
      paths: [first, second],
    });
    expect([job.tasks, warnings]).toEqual([2, []]);
    await writeFile(join(first, "scene.json"), "{}");
    await using runner = createTaskRunner(job, store, device);
    await expect(runner.run(0)).rejects.toMatchObject({ code: "input", fields: { file: join(first, "scene.json") } });
    await runner.run(1);
    await using scene = await readScene(second);
    using whole = await focusRecording(scene, { dopplerCentroidHz: "auto" }, device);
    const made = await pixels(store, "1");
    let [error, power] = [0, 0];
    for (let i = 0; i < made.length; i++) [error, power] = [error + (made[i] - whole.image[i]) ** 2, power + whole.image[i] ** 2];
    // One process makes the whole image at once, with other transforms.
    expect(error / power).toBeLessThan(1e-10);
    expect((await jobStatus(job, store)).done).toBe(1);
  });

  it("is refused if a setting does not suit a recording, if names are no names, and if no recording can be read", async () => {
    const folder = await temporaryFolder();
    const { paths } = await planned(folder);
    const store = await openStore(join(folder, "other"));
    const cases: readonly [more: object, fields: object][] = [
      [{ tile: 100 }, { field: "tile", file: paths[0] }],
      [{ settings: { grid: { ...grid, nx: -1 } } }, { file: paths[0] }],
      [{ settings: { tile: 16, more: 1 } }, { file: paths[0] }],
      [{ agcFile: paths[0] }, { field: "agcFile" }],
      [{ names: ["a"] }, { field: "names" }],
      [{ names: ["a", "b", "A"] }, { field: "names" }],
      [{ names: ["a", "b", "../c"] }, { field: "names" }],
      [{ paths: [paths[1]] }, { field: expect.anything() }],
      [{ paths: [] }, { field: "paths" }],
    ];
    for (const [more, fields] of cases)
      await expect(planJob(store, device, { ...request, paths, ...more }), JSON.stringify(more)).rejects.toMatchObject({
        code: "input",
        ...("field" in fields && typeof fields.field !== "string" ? {} : { fields }),
      });
    expect(await store.list("")).toEqual([]);
  });

  it("makes nothing of a plan that was changed, and ends in one error", async () => {
    const folder = await temporaryFolder();
    const { job } = await planned(folder);
    // biome-ignore lint/suspicious/noExplicitAny: documents are changed in ways that their types forbid.
    const changes: readonly ((body: any) => void)[] = [
      (body) => (body.plan = {}),
      (body) => (body.plan.products = []),
      (body) => (body.plan.products.length = 2),
      (body) => (body.tasks = 4),
      (body) => (body.image = { shape: [10, 10], chunk: [10, 10] }),
      (body) => (body.plan.products[0].name = "../../outside"),
      (body) => (body.plan.products[0].name = "C"),
      (body) => (body.plan.products[0].inputs = []),
      (body) => (body.plan.products[0].inputs = [3]),
      (body) => (body.plan.products[0].inputs = [-1]),
      (body) => (body.plan.products[0].image.chunk = [1e9, 1]),
      (body) => (body.plan.products[0].image.shape = [2 ** 25, 2 ** 25]),
      (body) => (body.plan.products[0].tasks = 3),
      (body) => (body.plan.products[0].plan.memoryBytes = -1),
      (body) => (body.plan.products[0].plan.backprojection = []),
      (body) => (body.plan.products[0].refused = "and planned"),
      (body) => (body.plan.products[0] = null),
      (body) => (body.what = "focus-each"),
    ];
    for (const [i, change] of changes.entries()) {
      const { id: _, ...body } = structuredClone(job);
      change(body);
      const store = await openStore(join(folder, `forged-${i}`));
      await store.write("job.json", new TextEncoder().encode(JSON.stringify({ ...body, id: await parametersDigest(body) })));
      const error = await readJob(store)
        .then((read) => runTask(read, 0, store, device))
        .then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
      expect(isRadarError(error, "input"), `${i}: ${error}`).toBe(true);
      expect(
        (await store.list("products/")).filter((key) => /\/\d+\.\d+\.\d+$/.test(key)),
        String(i),
      ).toEqual([]);
    }
    expect(await parseJob((await (await openStore(join(folder, "job"))).read("job.json")) as Uint8Array, "job.json")).toEqual(job);
    await mkdir(join(folder, "empty"));
  });
});
