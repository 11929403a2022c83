/** The image of a job as other programs read it: zarrita in Node, and zarr-python (Debian's package python3-zarr) where that is installed. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { expect, it } from "vitest";
import * as zarr from "zarrita";
import { createTaskRunner, imageReader, type JobStore, openStore, planJob, writeImageDocuments } from "../src/index.ts";
import { plainCpu, temporaryFolder, writeHistory } from "./recordings.ts";

const python = ["python3", "/usr/bin/python3"].find((program) => spawnSync(program, ["-c", "import zarr, numpy"]).status === 0);

const script = `
import hashlib, json, sys, numpy, zarr
image = zarr.open_group(sys.argv[1], mode="r")["image"]
pixels = numpy.ascontiguousarray(image[...]).view("c8")[..., 0]
window = image[100:140, 120:300].view("c8")[..., 0]
print(json.dumps({
  "shape": pixels.shape, "type": str(pixels.dtype), "chunks": image.chunks,
  "sha256": hashlib.sha256(numpy.ascontiguousarray(pixels).tobytes()).hexdigest(),
  "window": bool((window == pixels[100:140, 120:300]).all()), "sum": float(numpy.abs(pixels).sum(dtype="f8")),
}))
`;

/** Makes the image of a job. Returns its store, the store's folder, and the pixels [row][column] as their own reader reads them. */
async function made(): Promise<{ readonly store: JobStore; readonly folder: string; readonly pixels: Float32Array }> {
  const folder = await temporaryFolder();
  using device = await plainCpu();
  const store = await openStore(join(folder, "job"));
  const grid = { xMeters: -40, yMeters: -35, xStepMeters: 0.2, yStepMeters: 0.2, nx: 400, ny: 300 };
  const paths = [await writeHistory(folder, { pulses: 32, count: 64 })];
  const request = { what: "backproject", paths, settings: { grid, tile: 16 }, tile: 128, memoryBytes: 2 ** 28, output: {} };
  const { job } = await planJob(store, device, request);
  await using runner = createTaskRunner(job, store, device);
  for (let task = 0; task < job.tasks; task++) await runner.run(task);
  await writeImageDocuments(job, store, "group", { provenance: { job: job.id } });
  const pixels = (await imageReader(job, store).read({ row: 0, column: 0, rows: 300, columns: 400 })) as Float32Array;
  expect(pixels.some((value) => value !== 0)).toBe(true);
  return { store, folder: join(folder, "job"), pixels };
}

it("zarrita reads the image bit by bit", async () => {
  const { store, pixels } = await made();
  const root = zarr.root({ get: (key: string) => store.read(`image.zarr${key}`) });
  const array = await zarr.open.v3((await zarr.open.v3(root, { kind: "group" })).resolve("image"), { kind: "array" });
  const { data, shape } = await zarr.get(array);
  expect(shape).toEqual([300, 400, 2]);
  expect(data).toEqual(pixels);
});

const title = python ? "zarr-python reads the image bit by bit" : "zarr-python is not installed (Debian: python3-zarr)";
it.skipIf(python === undefined)(title, async () => {
  const { folder, pixels } = await made();
  const { status, stdout, stderr } = spawnSync(python as string, ["-c", script, join(folder, "image.zarr")], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  let sum = 0;
  for (let i = 0; i < pixels.length; i += 2) sum += Math.hypot(pixels[i], pixels[i + 1]);
  const read = JSON.parse(stdout);
  expect(read).toMatchObject({
    shape: [300, 400],
    type: "complex64",
    chunks: [128, 128, 2],
    window: true,
    sha256: createHash("sha256").update(Buffer.from(pixels.buffer)).digest("hex"),
  });
  expect(Math.abs(read.sum / sum - 1)).toBeLessThan(1e-6);
});
