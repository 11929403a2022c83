/** GeoTIFF files on a disk: runs that go on after they were stopped, and, with DECHIRP_SIZES=full, a sparse file of more than 4 GiB. */
import { execFileSync } from "node:child_process";
import { closeSync, ftruncateSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRadarError, layout } from "@dechirp/core";
import type { MapPlacement } from "@dechirp/radar";
import { afterAll, describe, expect, it } from "vitest";
import { createGeoTiffSink } from "../src/geotiff.ts";
import { geoTiffSink } from "../src/node.ts";
import { firesWhileMade, gdalPython, geoTiffOf, speckle } from "./geotiff-support.ts";
import { cut } from "./sink-support.ts";

const folder = mkdtempSync(join(tmpdir(), "dechirp-geotiff-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const map: MapPlacement = { kind: "map", epsg: 32632, origin: [500_001, 5_800_001], columnStep: 2, rowStep: -3 };
const [rows, columns] = [333, 517];

describe("a run that goes on", () => {
  it("makes the same file, and refuses other parameters", async () => {
    const [image, data] = [layout("c64", [rows, columns]), speckle(rows, columns, 2, 3)];
    const path = join(folder, "resumed.tif");
    const metadata = { placement: map };
    const options = { pixels: "amplitude", tile: 64, digest: "a" } as const;
    const upper = { row: 0, column: 0, rows: 200, columns };
    const lower = { row: 200, column: 0, rows: rows - 200, columns };
    const first = await geoTiffSink.open(path, image, metadata, options);
    await first.write(upper, cut(image, data, upper));
    await first.abort({ keep: true });
    const other = await geoTiffSink.open(path, image, metadata, { ...options, digest: "b", resume: true }).catch((error) => error);
    expect(isRadarError(other, "input") && other.fields.field).toBe("resume");
    const second = await geoTiffSink.open(path, image, metadata, { ...options, resume: true });
    expect(second.written()).toEqual([upper]);
    await second.write(lower, cut(image, data, lower));
    // Stopped while the file is made: everything is there, and the next run makes it.
    expect(isRadarError(await second.finish({ signal: firesWhileMade(folder) }).catch((error) => error), "aborted")).toBe(true);
    await second.abort({ keep: true });
    const partial = readdirSync(folder).find((name) => name.includes("partial")) as string;
    expect(readdirSync(join(folder, partial)).sort()).toEqual(["image", "journal"]);
    const third = await geoTiffSink.open(path, image, metadata, { ...options, resume: true });
    await third.finish();
    const expectedBytes = await geoTiffOf(image, data, { pixels: "amplitude", tile: 64, metadata });
    expect(Buffer.compare(readFileSync(path), expectedBytes)).toBe(0);
    expect(readdirSync(folder).filter((name) => name.includes("resumed"))).toEqual(["resumed.tif"]);
  });
});

describe("a file of more than 4 GiB", () => {
  it.skipIf(process.env["DECHIRP_SIZES"] !== "full" || !gdalPython)("is a BigTIFF that GDAL reads", async () => {
    const side = 70_000;
    const path = join(folder, "large.tif");
    const file = openSync(path, "w+");
    const zeros = Buffer.alloc(4096);
    let end = 0;
    // Zeros are not written, so the file is sparse. It is read by GDAL, and has a mark in each corner.
    const target = {
      write(at: number, bytes: Uint8Array) {
        for (let from = 0; from < bytes.length; from += 4096) {
          const piece = bytes.subarray(from, from + 4096);
          if (zeros.compare(piece, 0, piece.length, 0, piece.length) !== 0) writeSync(file, piece, 0, piece.length, at + from);
        }
        end = Math.max(end, at + bytes.length);
      },
    };
    const blocks = new Map<number, Uint8Array>();
    const size = 4096;
    const scratch = {
      read(at: number, length: number) {
        const out = new Uint8Array(length);
        for (let index = Math.floor(at / size); index * size < at + length; index++) {
          const block = blocks.get(index);
          if (!block) continue;
          const [from, to] = [Math.max(at, index * size), Math.min(at + length, (index + 1) * size)];
          out.set(block.subarray(from - index * size, to - index * size), from - at);
        }
        return out;
      },
      write(at: number, bytes: Uint8Array) {
        for (let done = 0; done < bytes.length; ) {
          const [index, from] = [Math.floor((at + done) / size), (at + done) % size];
          const piece = bytes.subarray(done, done + size - from);
          if (blocks.has(index) || zeros.compare(piece, 0, piece.length, 0, piece.length) !== 0) {
            const block = blocks.get(index) ?? new Uint8Array(size);
            blocks.set(index, block);
            block.set(piece, from);
          }
          done += piece.length;
        }
      },
    };
    const sink = await createGeoTiffSink(
      target,
      { dtype: "u8", shape: [side, side] },
      {
        compression: "none",
        scratch,
        metadata: { placement: map },
      },
    );
    for (let row = 0; row < side; row += 1000) {
      const data = new Uint8Array(1000 * side);
      if (row === 0) [data[0], data[side - 1]] = [11, 22];
      if (row === side - 1000) [data[data.length - side], data[data.length - 1]] = [33, 44];
      await sink.write({ row, column: 0, rows: 1000, columns: side }, data);
    }
    await sink.finish();
    ftruncateSync(file, end);
    closeSync(file);
    expect(end).toBeGreaterThan(2 ** 32);
    const script = `
import sys, json
from osgeo import gdal
from osgeo_utils.samples.validate_cloud_optimized_geotiff import validate
warnings, errors, details = validate(sys.argv[1])
file = gdal.Open(sys.argv[1])
at = lambda x, y: int(file.GetRasterBand(1).ReadAsArray(x, y, 1, 1)[0, 0])
last = file.RasterXSize - 1
print(json.dumps([warnings, errors, at(0, 0), at(last, 0), at(0, last), at(last, last), file.GetRasterBand(1).GetOverviewCount()]))
`;
    const answer = execFileSync(gdalPython as string, ["-c", script, path], { encoding: "utf8" });
    expect(JSON.parse(answer)).toEqual([[], [], 11, 22, 33, 44, 8]);
  });
});
