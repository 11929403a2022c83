/** `dechirp convert`: round trips, and places of maps. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openBytes, openNpy, readNpy, writeNpy } from "@dechirp/io";
import { openCphd } from "@dechirp/io/cphd";
import { readTiffHeader } from "@dechirp/io/geotiff";
import { openZarrImage, readScene, writeSceneFolder } from "@dechirp/io/node";
import { openSicd, sicdToGround } from "@dechirp/io/sicd";
import type { ImagePlacement } from "@dechirp/radar";
import { ecefToGeodetic, mapProjection } from "@dechirp/radar/geodesy";
import { decode } from "fast-png";
import { beforeAll, describe, expect, it } from "vitest";
import { firstBand } from "../../io/test/geotiff-support.ts";
import { sicdFile } from "../../io/test/sicd-target.ts";
import { dechirp, temporaryFolder } from "./command.ts";
import {
  groundSteps,
  type KnownImage,
  knownBackprojection,
  knownRangeDoppler,
  slantSteps,
  smallHistory,
  smallScene,
} from "./file-samples.ts";
import { gotchaBytes } from "./gotcha-file.ts";

/** Runs convert and expects success. Resolves with the report. */
async function convert(...args: readonly string[]) {
  const { code, stdout, stderr } = await dechirp(["convert", ...args, "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

const wholeOf = ([rows, columns]: readonly number[]) => ({ row: 0, column: 0, rows, columns });
const slant = knownBackprojection(slantSteps);
const ground = knownBackprojection(groundSteps);
const zeroDoppler = knownRangeDoppler();
const files = new Map<KnownImage, Uint8Array>();
beforeAll(async () => {
  for (const image of [slant, ground, zeroDoppler]) files.set(image, await sicdFile(image));
});

/** A folder with the SICD image of a known image. */
async function withSicd(image: KnownImage): Promise<{ readonly folder: string; readonly path: string }> {
  const folder = await temporaryFolder();
  const path = join(folder, "in.nitf");
  await writeFile(path, files.get(image) as Uint8Array);
  return { folder, path };
}

const openedSicd = async (path: string) => openSicd(new Uint8Array(await readFile(path)), { file: path });

describe("phase histories", () => {
  const place = ["--origin", "47.5,8.25,400", "--prf", "100", "--start", "2026-01-02T03:04:05Z"];

  it("become CPHD files with the samples of Gotcha files, joined", async () => {
    const folder = await temporaryFolder();
    const [a, b] = ["a.mat", "b.mat"].map((name) => join(folder, name));
    await writeFile(a, gotchaBytes(smallHistory));
    await writeFile(b, gotchaBytes(smallHistory));
    const out = join(folder, "out.cphd");
    const report = await convert(a, b, out, ...place, "--collector", "C", "--name", "N", "--format-version", "1.0.1");
    expect(report).toMatchObject({
      format: "dechirp-convert",
      version: 1,
      from: { files: [a, b], format: "gotcha", kind: "phase-history" },
      to: { file: out, format: "cphd" },
      shape: [48, 16],
    });
    const bytes = new Uint8Array(await readFile(out));
    const cphd = await openCphd(bytes, { file: out });
    expect(cphd.metadata).toMatchObject({ version: "1.0.1", collectorName: "C", coreName: "N", collectionStart: "2026-01-02T03:04:05Z" });
    expect(cphd.metadata.iarpGeodetic[0]).toBeCloseTo(47.5, 9);
    const history = await cphd.history();
    const samples = await history.pulses(0, 48);
    expect(samples.subarray(0, samples.length / 2)).toEqual(smallHistory.samples);
    expect(samples.subarray(samples.length / 2)).toEqual(smallHistory.samples);

    // And again to CPHD: bit for bit the same samples, the same times and places.
    const again = join(folder, "again.cphd");
    await convert(out, again);
    const copy = await openCphd(new Uint8Array(await readFile(again)), { file: again });
    expect(copy.metadata).toMatchObject({ collectorName: "C", coreName: "N", collectionStart: "2026-01-02T03:04:05Z" });
    const second = await copy.history();
    expect(await second.pulses(0, 48)).toEqual(samples);
    for (const [i, x] of second.positions.entries()) expect(Math.abs(x - history.positions[i])).toBeLessThan(1e-6);
    for (const [i, t] of (second.pulseSeconds ?? []).entries()) expect(Math.abs(t - (history.pulseSeconds?.[i] ?? 0))).toBeLessThan(1e-11);
  });

  it("name every option that is missing, once, and refuse those that the file states", async () => {
    const folder = await temporaryFolder();
    const [input, out] = [join(folder, "a.mat"), join(folder, "out.cphd")];
    await writeFile(input, gotchaBytes(smallHistory));
    const missing = await dechirp(["convert", input, out, "--prf", "100"]);
    expect(missing).toMatchObject({ code: 2, stdout: "" });
    expect(missing.stderr).toMatch(/^dechirp: --origin, --start must be given: a CPHD file states/);
    for (const [option, value, message] of [
      ["--origin", "91,0", /--origin must be LATITUDE,LONGITUDE/],
      ["--origin", "1,2,3,4", /--origin must be LATITUDE,LONGITUDE/],
      ["--prf", "0", /--prf must be a positive number/],
      ["--start", "yesterday", /--start must be a time like 2026/],
      ["--format-version", "2", /--format-version must be one of 1.0.1, 1.1.0/],
      ["--channel", "VV", /--channel must be left out for .*a.mat, which has no channels/],
    ] as const) {
      const others = place.filter((_, i) => place[i - (i % 2)] !== option);
      const { code, stderr } = await dechirp(["convert", input, out, ...others, option, value]);
      expect({ option, code }).toEqual({ option, code: 2 });
      expect(stderr).toMatch(message);
    }
    await convert(input, out, ...place);
    const copy = join(folder, "copy.cphd");
    for (const [option, value] of [
      ["--origin", "1,2"],
      ["--prf", "3"],
      ["--start", "2026-01-02T03:04:05Z"],
    ])
      expect((await dechirp(["convert", out, copy, option, value])).stderr).toMatch(new RegExp(`^dechirp: ${option} must be left out, as`));
    expect((await dechirp(["convert", out, copy, "--channel", "X"])).stderr).toMatch(/^dechirp: --channel must be one of /);
    expect(await readdir(folder)).toEqual(["a.mat", "out.cphd"]);
  });

  it("of several channels become files of all of them, or of one", async () => {
    const folder = await temporaryFolder();
    const { encodeCphd } = await import("@dechirp/io/cphd");
    const channel = (name: string) => ({
      ...smallHistory,
      name: "two",
      channel: name,
      shape: [24, 16] as const,
      pulses: (from: number, count: number) => smallHistory.samples.subarray(32 * from, 32 * (from + count)),
    });
    const place = { origin: { latitudeDegrees: 1, longitudeDegrees: 2 }, prfHz: 100, startUtc: "2026-01-02T03:04:05Z" };
    const pieces: Uint8Array[] = [];
    for await (const piece of encodeCphd([channel("A"), channel("B")], place)) pieces.push(piece);
    const input = join(folder, "two.cphd");
    await writeFile(input, Buffer.concat(pieces));
    expect((await convert(input, join(folder, "all.cphd"))).details.channels).toEqual(["A", "B"]);
    expect((await convert(input, join(folder, "one.cphd"), "--channel", "B")).details.channels).toEqual(["B"]);
    const info = JSON.parse((await dechirp(["info", input, join(folder, "one.cphd"), "--json"])).stdout).files;
    expect(info[0].channels.map(({ name }: { name: string }) => name)).toEqual(["A", "B"]);
    expect(info[1]).toMatchObject({ details: { channels: 1, channel: "B" } });
  });
});

describe("stripmap recordings and arrays", () => {
  it("become scene folders, as they are", async () => {
    const folder = await temporaryFolder();
    await writeSceneFolder(join(folder, "in"), smallScene);
    const report = await convert(join(folder, "in"), join(folder, "out"));
    expect(report).toMatchObject({ to: { format: "scene" }, shape: [6, 5], type: "ci8" });
    for (const name of ["scene.json", "raw.npy"])
      expect((await readFile(join(folder, "out", name))).equals(await readFile(join(folder, "in", name)))).toBe(true);
    await using scene = await readScene(join(folder, "out"));
    expect(scene.radar).toEqual(smallScene.radar);
  });

  it("become .npy files of complex64, channel, pulse, range", async () => {
    const folder = await temporaryFolder();
    const [input, out] = [join(folder, "in.npy"), join(folder, "out.npy")];
    const data = Float64Array.from({ length: 48 }, (_, i) => i / 3);
    await writeFile(input, writeNpy({ dtype: "c128", shape: [4, 2, 3] }, data));
    const report = await convert(input, out, "--axes", "range,channel,pulse");
    expect(report).toMatchObject({ shape: [2, 3, 4], type: "c64" });
    expect(report.notes.join()).toMatch(/float32/);
    const cube = await readNpy(new Uint8Array(await readFile(out)), { file: out });
    expect(cube.layout).toEqual({ dtype: "c64", shape: [2, 3, 4] });
    for (let range = 0; range < 4; range++)
      for (let channel = 0; channel < 2; channel++)
        for (let pulse = 0; pulse < 3; pulse++)
          expect(cube.data[2 * ((channel * 3 + pulse) * 4 + range)]).toBe(Math.fround(data[2 * ((range * 2 + channel) * 3 + pulse)]));
    expect((await dechirp(["convert", input, out, "--axes", "a,b,c"])).stderr).toMatch(/^dechirp: --axes must be /);
    expect((await dechirp(["convert", input, out, "--cpi", "2"])).stderr).toMatch(/^dechirp: --cpi must be /);
  });
});

describe("images", () => {
  it("keep their pixels and metadata from SICD to SICD, .npy and Zarr, and from there to .npy", async () => {
    const { folder, path } = await withSicd(slant);
    const { metadata, layout, read } = await openedSicd(path);
    const pixels = await read(wholeOf(layout.shape));
    await convert(path, join(folder, "copy.nitf"), "--format-version", "1.4.0");
    const copy = await openedSicd(join(folder, "copy.nitf"));
    expect(copy.metadata).toEqual({ ...metadata, version: "1.4.0" });
    expect(await copy.read(wholeOf(layout.shape))).toEqual(pixels);

    await convert(path, join(folder, "a.npy"));
    await convert(path, join(folder, "a.zarr"));
    await convert(join(folder, "a.zarr"), join(folder, "b.npy"));
    const [a, b] = await Promise.all(["a.npy", "b.npy"].map((name) => readFile(join(folder, name))));
    expect(a.equals(b)).toBe(true);
    const npy = await openNpy(openBytes(new Uint8Array(a)), { file: "a.npy" });
    expect(await npy.window(wholeOf(layout.shape))).toEqual(pixels);
    const { metadata: stored } = await openZarrImage(join(folder, "a.zarr"));
    expect(stored.placement?.kind).toBe("plane");
    expect(stored.collection).toBeUndefined();
    // Without its collection the store can't become a SICD image: its pixels are at base band already.
    expect((await dechirp(["convert", join(folder, "a.zarr"), join(folder, "c.nitf")])).stderr).toMatch(/its collection is not known/);
  });

  it.each([
    ["a slant plane", slant],
    ["zero-Doppler times", zeroDoppler],
  ])("in slant range become maps on which targets are at their places: %s", async (_, image) => {
    const { folder, path } = await withSicd(image);
    const out = join(folder, "map.tif");
    const { metadata } = await openedSicd(path);
    const report = await convert(path, out);
    expect(report).toMatchObject({ type: "amplitude", details: { heightMeters: metadata.scp.geodetic.heightMeters } });
    const { place } = await readTiffHeader(new Uint8Array(await readFile(out)), { file: out });
    expect(place?.epsg).toBe(report.details.epsg);
    const values = await firstBand(new Uint8Array(await readFile(out)));
    const [rows, columns] = report.shape;
    const [step, , west, , , north] = place?.transform ?? [];
    const { toMap } = mapProjection(report.details.epsg);
    for (const target of image.targets) {
      // Targets are at the height of the map, so the map has them at their places.
      const { heightMeters, ...spot } = ecefToGeodetic(target);
      if (Math.abs(heightMeters - report.details.heightMeters) > 0.5) continue;
      const [x, y] = toMap(spot);
      const [column, row] = [(x - (west ?? 0)) / (step ?? 1) - 0.5, ((north ?? 0) - y) / (step ?? 1) - 0.5];
      let best = { value: 0, row: 0, column: 0 };
      for (let r = Math.max(0, Math.round(row) - 3); r <= Math.min(rows - 1, Math.round(row) + 3); r++)
        for (let c = Math.max(0, Math.round(column) - 3); c <= Math.min(columns - 1, Math.round(column) + 3); c++)
          if (values[r * columns + c] > best.value) best = { value: values[r * columns + c], row: r, column: c };
      expect(Math.hypot(best.row - row, best.column - column)).toBeLessThan(1);
    }
  });

  it("on the ground keep their pixels on a local tangent plane, or become a map that is asked for", async () => {
    const { folder, path } = await withSicd(ground);
    const { layout, read, metadata } = await openedSicd(path);
    const out = join(folder, "plane.tif");
    expect(await convert(path, out)).toMatchObject({ shape: layout.shape, type: "amplitude", details: { placement: "plane" } });
    const { place, images } = await readTiffHeader(new Uint8Array(await readFile(out)), { file: out });
    expect(images[0]).toMatchObject({ type: "float32" });
    expect(place?.orthographic).toBeDefined();
    expect(await convert(path, join(folder, "complex.tif"), "--pixels", "complex")).toMatchObject({ type: "complex" });
    const info = JSON.parse((await dechirp(["info", out, "--json"])).stdout).files[0];
    const middle = ecefToGeodetic(sicdToGround(metadata, { row: (layout.shape[0] - 1) / 2, column: (layout.shape[1] - 1) / 2 }));
    expect(info.place.centre.latitudeDegrees).toBeCloseTo(middle.latitudeDegrees, 6);
    expect(info.place.centre.longitudeDegrees).toBeCloseTo(middle.longitudeDegrees, 6);
    const data = await read(wholeOf(layout.shape));
    expect(data.length).toBe(2 * layout.shape[0] * layout.shape[1]);

    const map = await convert(path, join(folder, "map.tif"), "--epsg", "4326", "--pixels", "decibel", "--map-step", "0.00001");
    expect(map).toMatchObject({ type: "decibel", details: { epsg: 4326, mapStep: 0.00001 } });
  });

  it("keep their pixels with control points, and complex ones have no other way to a map", async () => {
    const { folder, path } = await withSicd(zeroDoppler);
    const out = join(folder, "points.tif");
    const { metadata, layout } = await openedSicd(path);
    expect(await convert(path, out, "--control-points", "--height", "50")).toMatchObject({ shape: layout.shape, type: "amplitude" });
    const { place } = await readTiffHeader(new Uint8Array(await readFile(out)), { file: out });
    expect(place?.controlPoints).toHaveLength(49);
    for (const { row, column, x, y } of place?.controlPoints ?? []) {
      const spot = ecefToGeodetic(sicdToGround(metadata, { row: row - 0.5, column: column - 0.5 }, 50));
      expect(x).toBeCloseTo(spot.longitudeDegrees, 10);
      expect(y).toBeCloseTo(spot.latitudeDegrees, 10);
    }
    const refused = await dechirp(["convert", path, join(folder, "no.tif"), "--pixels", "complex"]);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toMatch(/an image in slant range has no map: it must be geocoded, or given controlPoints; .*--control-points/);
    expect((await readdir(folder)).sort()).toEqual(["in.nitf", "points.tif"]);
  });

  it("become pictures of square pixels", async () => {
    const { folder, path } = await withSicd(slant);
    const out = join(folder, "a.png");
    const { shape } = await convert(path, out, "--dynamic-range", "30");
    const picture = decode(new Uint8Array(await readFile(out)));
    expect([picture.height, picture.width]).toEqual(shape);
    const { layout, metadata } = await openedSicd(path);
    const [rows, columns] = layout.shape;
    const { row, column } = metadata.grid;
    expect(shape[0] / shape[1]).toBeCloseTo((rows * row.spacingMeters) / (columns * column.spacingMeters), 1);
  });

  it("of folders have the place and the collection of their report, and become SICD images, maps and stores", async () => {
    const folder = await temporaryFolder();
    const { rows, columns, data, metadata } = slant;
    const input = join(folder, "image");
    await mkdir(input);
    await writeFile(join(input, "image.npy"), writeNpy({ dtype: "c64", shape: [rows, columns] }, data));
    const axes = { xMeters: { start: 1, step: 0.5, count: columns }, yMeters: { start: 2, step: 0.25, count: rows } };
    const report = { format: "dechirp-backprojection", version: 1, scene: "S", image: { shape: [rows, columns] }, axes, ...metadata };
    await writeFile(join(input, "report.json"), JSON.stringify({ ...report, axes }));
    const out = join(folder, "out.nitf");
    await convert(input, out, "--collector", "OTHER");
    const made = await openedSicd(out);
    const expected = await openSicd(files.get(slant) as Uint8Array, { file: "expected" });
    expect(made.metadata).toMatchObject({
      ...expected.metadata,
      collection: { ...expected.metadata.collection, collector: "OTHER" },
      creation: {},
    });
    expect(await made.read(wholeOf(made.layout.shape))).toEqual(await expected.read(wholeOf(expected.layout.shape)));

    await convert(input, join(folder, "a.zarr"));
    const store = await openZarrImage(join(folder, "a.zarr"));
    expect(store.metadata).toMatchObject({
      placement: metadata.placement,
      collection: metadata.collection,
      axes: [{ name: "y" }, { name: "x" }],
    });
    await convert(join(folder, "a.zarr"), join(folder, "again.nitf"));
    const again = await openedSicd(join(folder, "again.nitf"));
    expect(await again.read(wholeOf(again.layout.shape))).toEqual(await made.read(wholeOf(made.layout.shape)));
    expect(await convert(input, join(folder, "a.tif"))).toMatchObject({ type: "amplitude" });

    // A report of another image is refused, and one without a place can't become a SICD image.
    await writeFile(join(input, "report.json"), JSON.stringify({ ...report, image: { shape: [3, 4] } }));
    expect((await dechirp(["convert", input, join(folder, "b.npy")])).stderr).toMatch(/report.json: image.shape must be /);
    await writeFile(join(input, "report.json"), JSON.stringify({ ...report, placement: undefined }));
    expect((await dechirp(["convert", input, join(folder, "b.nitf")])).stderr).toMatch(/its placement is not known/);
    await writeFile(join(input, "report.json"), JSON.stringify({ ...report, placement: { kind: "map" } as Partial<ImagePlacement> }));
    expect((await dechirp(["convert", input, join(folder, "b.tif")])).code).toBe(3);
  });

  it("without a place become files without one, and options about places are refused", async () => {
    const folder = await temporaryFolder();
    const input = join(folder, "in.npy");
    await writeFile(
      input,
      writeNpy(
        { dtype: "ci16", shape: [5, 6] },
        Int16Array.from({ length: 60 }, (_, i) => i),
      ),
    );
    const report = await convert(input, join(folder, "a.tif"));
    expect(report).toMatchObject({ type: "amplitude", shape: [5, 6] });
    expect(report.notes.join()).toMatch(/has no place on earth/);
    for (const [option, ...value] of [["--epsg", "4326"], ["--height", "3"], ["--map-step", "2"], ["--control-points"]])
      expect((await dechirp(["convert", input, join(folder, "b.tif"), option, ...value])).stderr).toMatch(
        new RegExp(`^dechirp: ${option} must be left out for .*in.npy, whose place on earth is not known`),
      );
  });
});
