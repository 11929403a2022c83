/** Images in Zarr stores: read back by windows as they were written, and stores that are refused. */
import { mkdtemp, readFile, rm, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom, isRadarError, layout } from "@dechirp/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openZarrImage, zarrSink } from "../src/node.ts";
import { cut, randomImage, randomPartition, wholeOf } from "./sink-support.ts";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "dechirp-zarr-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const metadata = {
  axes: [
    { name: "y", unit: "m", first: -3, step: 0.5 },
    { name: "x", unit: "m", first: 2, step: 0.25 },
  ],
  units: "1",
  provenance: { any: [1, "two"] },
} as const;

async function written(dtype: "c64" | "f32" | "ci16" | "u8", name = "a.zarr") {
  const image = layout(dtype, [37, 61]);
  const data = randomImage(image, 5);
  const path = join(dir, name);
  const sink = await zarrSink.open(path, image, metadata, { chunk: [16, 20] });
  await sink.write(wholeOf(image), data);
  await sink.finish();
  return { path, image, data };
}

describe("an image in a Zarr store", () => {
  it.each(["c64", "f32", "ci16", "u8"] as const)("is read by windows: %s", async (dtype) => {
    const { path, image, data } = await written(dtype);
    const found = await openZarrImage(path);
    expect(found).toMatchObject({ layout: image, chunk: [16, 20], metadata });
    for (const window of randomPartition(wholeOf(image), 300, createRandom(9)))
      expect(await found.read(window)).toEqual(cut(image, data, window));
  });

  it("is refused if the store is not complete, of another program, or damaged", async () => {
    const { path, image } = await written("c64");
    const refused = (work: Promise<unknown>): Promise<string> =>
      work.then(
        () => "nothing was refused",
        (error) => (isRadarError(error, "input") ? error.message.slice(path.length) : String(error)),
      );
    const arrayFile = join(path, "image", "zarr.json");
    const array = await readFile(arrayFile, "utf8");
    const groupFile = join(path, "zarr.json");
    const group = await readFile(groupFile, "utf8");
    const window = { row: 0, column: 0, rows: 20, columns: 20 };

    await writeFile(arrayFile, array.replace('"little"', '"big"'));
    expect(await refused(openZarrImage(path))).toMatch(/^: image\/zarr.json codecs must be .*little.*, not/);
    await writeFile(arrayFile, array.replace("20,", "0,"));
    expect(await refused(openZarrImage(path))).toMatch(/^: image\/zarr.json chunk_grid must be chunks inside the image/);
    await writeFile(arrayFile, "[1]");
    expect(await refused(openZarrImage(path))).toMatch(/^: image\/zarr.json must be a JSON object/);
    await writeFile(arrayFile, array);

    await writeFile(groupFile, group.replace('"dechirp"', '"other"'));
    expect(await refused(openZarrImage(path))).toMatch(/^: must be a Zarr store of an image that dechirp has written/);
    await writeFile(groupFile, group.replace('"c64"', '"c32"'));
    expect(await refused(openZarrImage(path))).toMatch(/^: attributes.dechirp.dtype must be/);
    await writeFile(groupFile, group.replace('"axes"', '"axes":7,"other"'));
    expect(await refused(openZarrImage(path))).toMatch(/^: zarr.json metadata.axes must be/);
    await writeFile(groupFile, group);

    const open = await openZarrImage(path);
    await writeFile(join(path, "image", "0.0.0"), "short");
    expect(await refused(open.read(window))).toMatch(/^: can't read it: chunk 0.0.0 has 5 bytes/);
    await unlink(join(path, "image", "0.0.0"));
    expect(await refused(open.read(window))).toMatch(/0.0.0: can't read it: there is no such file/);
    expect(await refused(open.read({ ...window, row: image.shape[0] }))).toMatch(/0 to 36 in an image of 37 × 61/);
    await unlink(groupFile);
    expect(await refused(openZarrImage(path))).toMatch(/zarr.json: can't read it: there is no such file/);
    expect(await refused(openZarrImage(arrayFile))).toMatch(/must be a folder, a Zarr store, not a file/);
  });
});
