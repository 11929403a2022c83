/** Bytes in memory as the target of GeoTIFF files, images in parts, and GDAL, where the machine has it. */
import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { createRandom, type Layout, type TypedArrayOf } from "@dechirp/core";
import { fromArrayBuffer } from "geotiff";
import { type CreateGeoTiffSinkOptions, createGeoTiffSink } from "../src/geotiff.ts";
import type { ByteTarget } from "../src/index.ts";
import { madeName } from "../src/node-partial.ts";
import { firesWhen } from "./firing-signal.ts";
import { cut, randomPartition, wholeOf } from "./sink-support.ts";

/** A target that keeps what is written. */
export function memoryTarget(): ByteTarget & { bytes(): Uint8Array } {
  let bytes = new Uint8Array(2 ** 16);
  let end = 0;
  return {
    write(at, given) {
      if (at + given.length > bytes.length) {
        const larger = new Uint8Array(Math.max(2 * bytes.length, at + given.length));
        larger.set(bytes);
        bytes = larger;
      }
      bytes.set(given, at);
      end = Math.max(end, at + given.length);
    },
    bytes: () => bytes.slice(0, end),
  };
}

/** The file of an image that is written in random parts. */
export async function geoTiffOf(image: Layout, data: TypedArrayOf, options: CreateGeoTiffSinkOptions, seed = 1): Promise<Uint8Array> {
  const target = memoryTarget();
  const sink = await createGeoTiffSink(target, image, options);
  const parts = randomPartition(wholeOf(image), 5000, createRandom(seed));
  await Promise.all(parts.map((window) => sink.write(window, cut(image, data, window))));
  await sink.finish();
  return target.bytes();
}

/** Fires while a GeoTIFF file is made in a folder or a folder in it: when its first bytes are written. */
export const firesWhileMade = (folder: string): AbortSignal =>
  firesWhen(() =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).some(
      (name) => basename(name) === madeName && statSync(join(folder, name)).size > 0,
    ),
  );

/** Amplitudes with speckle over a slope of 60 dB, as real or complex numbers. */
export function speckle(rows: number, columns: number, components: 1 | 2, seed: number): Float32Array {
  const { uniform } = createRandom(seed);
  return new Float32Array(rows * columns * components).map((_, i) => {
    const slope = 10 ** ((3 * (Math.floor(i / components) % columns)) / columns);
    return components === 1 ? slope * Math.sqrt(-Math.log(1 - uniform())) : slope * (uniform() + uniform() + uniform() - 1.5);
  });
}

/** The first band of a file, as geotiff.js reads it. */
export async function firstBand(bytes: Uint8Array): Promise<Float32Array> {
  const { buffer, byteOffset, length } = bytes;
  const image = await (await fromArrayBuffer((buffer as ArrayBuffer).slice(byteOffset, byteOffset + length))).getImage();
  return ((await image.readRasters()) as unknown as Float32Array[])[0];
}

/** A Python that has GDAL, or undefined. */
export const gdalPython: string | undefined = ["python3", "/usr/bin/python3"].find((python) => {
  try {
    execFileSync(python, ["-c", "from osgeo import gdal, osr; import numpy, osgeo_utils.samples.validate_cloud_optimized_geotiff"], {
      stdio: "ignore",
    });
    return true;
  } catch {
    return false;
  }
});

const script = `
import sys, json, hashlib
from osgeo import gdal, osr
from osgeo_utils.samples.validate_cloud_optimized_geotiff import validate
gdal.UseExceptions()
path, spots = sys.argv[1], json.loads(sys.argv[2])
warnings, errors, details = validate(path, full_check=True)
file = gdal.Open(path)
band = file.GetRasterBand(1)
sha = lambda b: hashlib.sha256(b.ReadAsArray().tobytes()).hexdigest()
out = dict(warnings=warnings, errors=errors, size=[file.RasterYSize, file.RasterXSize], type=gdal.GetDataTypeName(band.DataType),
  sha=sha(band), overviews=[[o.YSize, o.XSize, sha(o)] for o in (band.GetOverview(i) for i in range(band.GetOverviewCount()))],
  noData=str(band.GetNoDataValue()), items=file.GetMetadata(), unit=band.GetUnitType(),
  points=[[p.GCPLine, p.GCPPixel, p.GCPX, p.GCPY, p.GCPZ] for p in file.GetGCPs()], places=[])
crs = file.GetSpatialRef()
if crs and not file.GetGCPs():
  crs.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
  world = osr.SpatialReference()
  world.ImportFromEPSG(4326)
  world.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
  turn = osr.CoordinateTransformation(crs, world)
  g = file.GetGeoTransform()
  for row, column in spots:
    x, y = column + 0.5, row + 0.5
    out["places"].append(turn.TransformPoint(g[0] + x * g[1] + y * g[2], g[3] + x * g[4] + y * g[5])[:2])
print(json.dumps(out))
`;

/** What GDAL says of a file. */
export interface GdalAnswer {
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
  readonly size: readonly number[];
  readonly type: string;
  /** SHA-256 of the pixels, row by row. */
  readonly sha: string;
  readonly overviews: readonly (readonly [rows: number, columns: number, sha: string])[];
  readonly noData: string;
  readonly items: Readonly<Record<string, string>>;
  readonly unit: string;
  readonly points: readonly (readonly number[])[];
  /** Longitudes and latitudes of the centres of the pixels that were asked for. */
  readonly places: readonly (readonly [longitude: number, latitude: number])[];
}

/** Opens a file with GDAL, validates it, and asks for the places of pixels [row, column]. */
export function askGdal(path: string, spots: readonly (readonly [row: number, column: number])[] = []): GdalAnswer {
  const answer = execFileSync(gdalPython as string, ["-c", script, path, JSON.stringify(spots)], { encoding: "utf8" });
  return JSON.parse(answer.trim().split("\n").at(-1) as string);
}
