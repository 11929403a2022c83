/** Documents, marks and addresses that come from anyone: each wrong value is one error that names it. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Device, isRadarError } from "@dechirp/core";
import { parametersDigest } from "@dechirp/io";
import { describe, expect, it } from "vitest";
import { type Job, jobStatus, openStore, parseJob, planJob, readJob, readMark, runTask } from "../src/index.ts";
import { temporaryFolder, withPlainCpu, writeHistory, writeScene } from "./recordings.ts";

let device: Device;
withPlainCpu((made) => (device = made));

const bytesOf = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** A valid job of a small history. */
async function plannedJob(folder: string): Promise<Job> {
  const path = await writeHistory(folder, { pulses: 48, count: 64 });
  const grid = { xMeters: -10, yMeters: -10, xStepMeters: 0.2, yStepMeters: 0.2, nx: 140, ny: 130 };
  const store = await openStore(join(folder, "job"));
  const options = { what: "backproject", paths: [path], settings: { grid, tile: 16 }, tile: 128, memoryBytes: 2 ** 28, output: {} };
  return (await planJob(store, device, options)).job;
}

// biome-ignore lint/suspicious/noExplicitAny: documents are changed in ways that their types forbid.
type Changed = Record<string, any>;

/** A document that was changed by someone who also computed its id again. */
async function forged(job: Job, change: (body: Changed) => void): Promise<Uint8Array> {
  const { id: _, ...body } = structuredClone(job);
  change(body);
  return bytesOf({ ...body, id: await parametersDigest(body) });
}

/** Each change makes a job whose first task ends in `input` and writes nothing of the image. */
async function expectRefused(folder: string, job: Job, changes: readonly ((body: Changed) => void)[]): Promise<void> {
  for (const [i, change] of changes.entries()) {
    const store = await openStore(join(folder, `forged-${i}`));
    await store.write("job.json", await forged(job, change));
    const error = await readJob(store)
      .then((read) => runTask(read, 0, store, device))
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
    expect(isRadarError(error, "input"), `${change}: ${error}`).toBe(true);
    expect(await store.list("image.zarr/"), String(change)).toEqual([]);
  }
}

describe("a job's document", () => {
  it("is refused if a field is wrong, and if its id is not that of its content", async () => {
    const job = await plannedJob(await temporaryFolder());
    expect(await parseJob(bytesOf(job), "job.json")).toEqual(job);
    const cases: readonly [(body: Changed) => void, string][] = [
      [(body) => (body["format"] = "other"), "format"],
      [(body) => (body["version"] = 2), "version"],
      [(body) => (body["tasks"] = 1e9), "tasks"],
      [(body) => (body["tasks"] = -1), "tasks"],
      [(body) => (body["image"].shape = [1e12, 2]), "image.shape.0"],
      [(body) => (body["image"].chunk = [0, 2]), "image.chunk.0"],
      [(body) => (body["inputs"] = []), "inputs"],
      [(body) => (body["inputs"][0].files[0].name = "../../etc/passwd"), "inputs.0.files.0.name"],
      [(body) => (body["inputs"][0].files[0].sha256 = "0"), "inputs.0.files.0.sha256"],
      [(body) => (body["device"].class = "abacus"), "device.class"],
      [(body) => (body["plan"] = []), "plan"],
      [(body) => (body["run"] = "rm -rf /"), "run"],
    ];
    for (const [change, field] of cases)
      await expect(parseJob(await forged(job, change), "job.json"), field).rejects.toMatchObject({
        code: "input",
        fields: { field },
      });
    await expect(parseJob(bytesOf({ ...job, dechirp: "9" }), "job.json")).rejects.toMatchObject({ code: "input", fields: { field: "id" } });
    for (const text of ["", "null", "[]", "{", "\u0000".repeat(100), `{"a":${"[".repeat(5000)}`])
      await expect(parseJob(new TextEncoder().encode(text), "job.json")).rejects.toMatchObject({ code: "input" });
  });

  it("with a plan that does not belong to its recording makes no task, and ends in one error", async () => {
    const folder = await temporaryFolder();
    const job = await plannedJob(folder);
    const changes: readonly ((body: Changed) => void)[] = [
      (body) => (body["what"] = "paint"),
      (body) => (body["what"] = "focus"),
      (body) => (body["tasks"] = 3),
      (body) => (body["inputs"][0].role = "agc"),
      (body) => (body["image"].chunk = [64, 64]),
      (body) => (body["image"].shape = [131, 140]),
      (body) => (body["plan"] = {}),
      (body) => (body["plan"].more = 1),
      (body) => (body["plan"].memoryBytes = "all"),
      (body) => (body["plan"].channel = 5),
      (body) => (body["plan"].backprojection = null),
      (body) => (body["plan"].backprojection.tile = 1e9),
      (body) => (body["plan"].backprojection.aperture.pulses = 5),
      (body) => (body["plan"].backprojection.interpolation = { kind: "sinc", taps: 1e6, window: "kaiser" }),
      (body) => (body["settings"] = { grid: { nx: 1e9 } }),
      (body) => (body["settings"] = { constructor: 1 }),
    ];
    await expectRefused(folder, job, changes);
  });

  it("with a plan of a focused image that was changed makes no task, and ends in one error", async () => {
    const folder = await temporaryFolder();
    const path = await writeScene(folder, device, { name: "quality", lines: 1600, samples: 900 });
    const request = { what: "focus", paths: [path], settings: {}, tile: 1400, memoryBytes: 2 ** 28, output: {} };
    const { job } = await planJob(await openStore(join(folder, "job")), device, request);
    expect(job.tasks).toBeGreaterThan(2);
    const changes: readonly ((body: Changed) => void)[] = [
      (body) => (body["what"] = "backproject"),
      (body) => (body["what"] = "focus-each"),
      (body) => body["tasks"]++,
      (body) => (body["tasks"] = 1),
      (body) => delete body["image"],
      (body) => (body["image"].shape[0] -= 1),
      (body) => (body["image"].shape = [2 ** 26, 2 ** 26]),
      (body) => (body["image"].chunk = [1, 1]),
      (body) => (body["image"].chunk = [2 ** 26, 2 ** 26]),
      (body) => (body["inputs"][0].role = "agc"),
      (body) => body["inputs"].push({ ...body["inputs"][0], role: "agc" }),
      (body) => (body["plan"] = {}),
      (body) => (body["plan"].more = 1),
      (body) => (body["plan"].segment = 2),
      (body) => (body["plan"].segment = 0.5),
      (body) => delete body["plan"].segment,
      (body) => {
        // With as few lines a block needs no more.
        body["plan"].memoryBytes = 2 ** 52;
        delete body["plan"].mostLines;
      },
      (body) => (body["plan"].memoryBytes = 1),
      (body) => (body["plan"].memoryBytes = "all"),
      (body) => (body["plan"].mostLines = 1500),
      (body) => (body["plan"].mostLines = -1),
      (body) => delete body["plan"].mostLines,
      (body) => (body["plan"].agcFile = "gains.mat"),
      (body) => (body["plan"].digest = "0".repeat(64)),
      (body) => (body["plan"].digest = 5),
      (body) => delete body["plan"].digest,
      (body) => (body["plan"].centroid = null),
      (body) => delete body["plan"].centroid,
      (body) => (body["plan"].centroid = { used: { value: "0", source: "data" }, warnings: [] }),
      (body) => (body["plan"].centroid.used.value = 1e300),
      (body) => (body["plan"].centroid.used.value += 10),
      (body) => (body["settings"] = { rows: "some" }),
      (body) => (body["settings"] = { velocityMetersPerSecond: -1 }),
      (body) => (body["settings"] = { processedBandwidthHz: 1e12 }),
      (body) => (body["settings"] = { azimuthLength: 2 ** 20 }),
      (body) => (body["settings"] = { constructor: 1 }),
    ];
    await expectRefused(folder, job, changes);
  });

  it("with marks that are no marks is told, and keys stay inside the store", async () => {
    const folder = await temporaryFolder();
    const job = await plannedJob(folder);
    const store = await openStore(join(folder, "job"));
    await store.write("done/0.json", bytesOf({ task: 0 }));
    await expect(readMark(store, 0)).rejects.toMatchObject({ code: "input", fields: { field: "done/0.json" } });
    await expect(runTask(job, 0, store, device)).rejects.toMatchObject({ code: "input" });
    await mkdir(join(folder, "job", "done"), { recursive: true });
    await writeFile(join(folder, "job", "done", "999.json"), "{}");
    expect((await jobStatus(job, store)).done).toBe(1);
    for (const key of ["../outside", "a/../b", "/etc/passwd", "", "a//b", "a\\b", "a\nb", "x".repeat(1000)])
      expect(() => store.read(key), key).toThrow(expect.objectContaining({ code: "input" }));
    for (const address of ["", "ftp://somewhere", "s3://", "s3://UP/..", "redis://host"])
      await expect(openStore(address, {}), address).rejects.toMatchObject({ code: "input" });
  });
});
