/** GeoTIFF files: pixels and overviews against their definition, as geotiff.js and GDAL read them; places against PROJ; refusals; aborts. */
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRadarError, type Layout, layout, type TypedArrayOf } from "@dechirp/core";
import type { MapPlacement, PlanePlacement, SlantPlacement } from "@dechirp/radar";
import { createLocalFrame, ecefToGeodetic, mapProjection } from "@dechirp/radar/geodesy";
import { fromArrayBuffer } from "geotiff";
import { afterAll, describe, expect, it } from "vitest";
import { type CreateGeoTiffSinkOptions, createGeoTiffSink, type GeoTiffPixels } from "../src/geotiff.ts";
import { geoTiffSink } from "../src/node.ts";
import { complexPixels } from "./geotiff-reader.ts";
import { askGdal, firesWhileMade, gdalPython, geoTiffOf, memoryTarget, speckle } from "./geotiff-support.ts";

const folder = mkdtempSync(join(tmpdir(), "dechirp-geotiff-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const map: MapPlacement = { kind: "map", epsg: 32632, origin: [500_001, 5_800_001], columnStep: 2, rowStep: -3, heightMeters: 40 };
const slant: SlantPlacement = {
  kind: "slant",
  platform: { kind: "polynomial", coefficients: [[7e6], [0, 7500], [0]] },
  azimuthSeconds: { first: 0, step: 1e-3 },
  slantRangeMeters: { first: 8e5, step: 4 },
  lookSide: "right",
};
const [rows, columns] = [333, 517];
const images: readonly { readonly image: Layout; readonly data: TypedArrayOf }[] = [
  { image: layout("c64", [rows, columns]), data: speckle(rows, columns, 2, 3) },
  { image: layout("f32", [rows, columns]), data: withGaps(speckle(rows, columns, 1, 4)) },
  { image: layout("u8", [rows, columns]), data: Uint8Array.from({ length: rows * columns }, (_, i) => (i * i * 7) >> 3) },
];

/** NaN in places, so that some overview pixels have no data below, and zeros. */
function withGaps(data: Float32Array): Float32Array {
  for (let r = 0; r < 40; r++) data.fill(Number.NaN, r * columns, r * columns + 60 - r);
  for (let i = 7; i < data.length; i += 13) data[i] = Number.NaN;
  for (let i = 5; i < data.length; i += 17) data[i] = 0;
  return data;
}

/** The numbers of a pixel of an image at half the size, by definition, from one of the whole size. */
function halfOf(pixels: GeoTiffPixels, data: Float64Array, height: number, width: number): Float64Array {
  const parts = pixels === "complex" ? 2 : 1;
  const [h, w] = [Math.ceil(height / 2), Math.ceil(width / 2)];
  const out = new Float64Array(h * w * parts);
  for (let r = 0; r < h; r++)
    for (let c = 0; c < w; c++) {
      const below: number[][] = [];
      for (const [y, x] of [0, 1, 2, 3].map((k) => [2 * r + (k >> 1), 2 * c + (k & 1)]))
        if (y < height && x < width) below.push(Array.from(data.subarray((y * width + x) * parts, (y * width + x + 1) * parts)));
      const seen = below.filter((pixel) => pixel.every((value) => !Number.isNaN(value)));
      const mean = (f: (pixel: number[]) => number): number => seen.reduce((sum, pixel) => sum + f(pixel), 0) / seen.length;
      const at = (r * w + c) * parts;
      if (pixels === "real") out[at] = mean(([value]) => value);
      else {
        const rms = Math.sqrt(mean((pixel) => pixel.reduce((sum, value) => sum + value * value, 0)));
        const [re, im] = [mean(([x]) => x), parts === 2 ? mean(([, y]) => y) : 0];
        if (parts === 1) out[at] = rms;
        else [out[at], out[at + 1]] = [(rms * re) / Math.hypot(re, im), (rms * im) / Math.hypot(re, im)];
      }
    }
  return out;
}

/** The pixels of a file and its overviews, by definition, in float64. */
function expected(image: Layout, data: TypedArrayOf, pixels: GeoTiffPixels, levels: number, range = [0, 1]): Float64Array[] {
  let [height, width] = image.shape;
  let values: Float64Array = Float64Array.from(data as Float32Array);
  if (image.dtype === "c64" && pixels !== "complex")
    values = Float64Array.from({ length: height * width }, (_, i) => Math.hypot(values[2 * i], values[2 * i + 1]));
  const out: Float64Array[] = [];
  for (let level = 0; level < levels; level++) {
    if (level > 0) {
      values = halfOf(pixels, values, height, width);
      [height, width] = [Math.ceil(height / 2), Math.ceil(width / 2)];
    }
    out.push(
      values.map((x) => {
        if (pixels === "decibel") return x > 0 ? 20 * Math.log10(x) : Number.NaN;
        if (pixels !== "gray") return x;
        return x > 0 ? Math.min(255, Math.max(1, 1 + (254 * (20 * Math.log10(x) - range[0])) / (range[1] - range[0]))) : 0;
      }),
    );
  }
  return out;
}

/** Compares pixels; errors are relative to `scale`, or to each value if it is 0. */
const close = (found: ArrayLike<number>, wanted: Float64Array, tolerance: number, scale: number, what: string): void => {
  expect(found.length, what).toBe(wanted.length);
  let worst = 0;
  for (let i = 0; i < wanted.length; i++) {
    if (Number.isNaN(wanted[i]) !== Number.isNaN(found[i])) expect.unreachable(`${what}: pixel ${i} is ${found[i]}, not ${wanted[i]}`);
    if (Number.isNaN(wanted[i]) || found[i] === wanted[i]) continue;
    worst = Math.max(worst, Math.abs(found[i] - wanted[i]) / (scale === 0 ? Math.abs(wanted[i]) : scale));
  }
  expect(worst, what).toBeLessThanOrEqual(tolerance);
};
const magnitudes = (values: ArrayLike<number>): Float64Array =>
  Float64Array.from({ length: values.length / 2 }, (_, i) => Math.hypot(values[2 * i], values[2 * i + 1]));

const cases: readonly (readonly [number, GeoTiffPixels, CreateGeoTiffSinkOptions])[] = [
  [0, "complex", {}],
  [0, "complex", { compression: "deflate", tile: 64 }],
  [0, "amplitude", { tile: 64 }],
  [0, "decibel", { tile: 128, bigTiff: true }],
  [0, "gray", { tile: 128, decibelRange: [-20, 60] }],
  [1, "real", { tile: 64 }],
  [1, "amplitude", { tile: 48, compression: "none", bigTiff: true }],
  [1, "decibel", { tile: 256 }],
  [1, "gray", { tile: 512, decibelRange: [-20, 60], overviews: false }],
  [2, "real", { tile: 64 }],
  [2, "real", { tile: 1024 }],
];

describe("pixels", () => {
  it.each(cases)("of image %d as %s with %o", async (index, pixels, options) => {
    const { image, data } = images[index];
    const bytes = await geoTiffOf(image, data, { ...options, pixels, metadata: { placement: map } });
    const tiff = await fromArrayBuffer(bytes.buffer as ArrayBuffer);
    const count = await tiff.getImageCount();
    const tile = options.tile ?? 512;
    expect(count).toBe(options.overviews === false ? 1 : 1 + Math.ceil(Math.log2(columns / Math.min(tile, 512))));
    expect(new DataView(bytes.buffer).getUint16(2, true)).toBe(options.bigTiff ? 43 : 42);
    const wanted = expected(image, data, pixels, count, [-20, 60] as never);
    for (let level = 0; level < count; level++) {
      const found = await tiff.getImage(level);
      expect([found.getHeight(), found.getWidth()]).toEqual([Math.ceil(rows / 2 ** level), Math.ceil(columns / 2 ** level)]);
      expect([found.getTileWidth(), found.getTileHeight()]).toEqual([tile, tile]);
      const raster = pixels === "complex" ? await complexPixels(bytes, found) : ((await found.readRasters())[0] as Float32Array);
      const what = `level ${level}`;
      const epsilon = (1 + 2 * level) * 2 ** -24;
      // Grey levels are rounded. The phase of a complex overview is that of a sum, in which the largest values may cancel.
      if (pixels === "gray" || image.dtype === "u8") close(raster, wanted[level], 0.5001 + level / 2 ** 10, 1, what);
      else if (pixels === "decibel") close(raster, wanted[level], 20 * epsilon + 64 * 2 ** -24, 1, what);
      else if (pixels !== "complex") close(raster, wanted[level], 2 * epsilon, 0, what);
      else {
        const sizes = magnitudes(wanted[level]);
        close(magnitudes(raster), sizes, 4 * epsilon, 0, what);
        close(
          raster,
          wanted[level],
          level === 0 ? 0 : 8 * epsilon,
          sizes.reduce((most, size) => Math.max(most, size)),
          what,
        );
      }
    }
  });

  it("finds black and white", async () => {
    const { image, data } = images[0];
    const bytes = await geoTiffOf(image, data, { pixels: "gray", tile: 1024, overviews: false });
    const tiff = await (await fromArrayBuffer(bytes.buffer as ArrayBuffer)).getImage();
    const raster = (await tiff.readRasters())[0] as Uint8Array;
    const white = raster.reduce((sum, level) => sum + (level === 255 ? 1 : 0), 0) / raster.length;
    expect(Math.abs(white - 0.005)).toBeLessThan(0.0005);
    const { DECIBELS_OF_BLACK: black, DECIBELS_OF_WHITE: high } = (await tiff.getGDALMetadata()) as Record<string, string>;
    expect(Number(high) - Number(black)).toBe(50);
  });

  it("are the same whatever the parts, and in a page's memory or a file", async () => {
    const { image, data } = images[0];
    const options: CreateGeoTiffSinkOptions = { pixels: "amplitude", tile: 64, metadata: { placement: map } };
    const [one, two] = [await geoTiffOf(image, data, options, 1), await geoTiffOf(image, data, options, 2)];
    expect(Buffer.compare(one, two)).toBe(0);
    const path = join(folder, "same.tif");
    const sink = await geoTiffSink.open(path, image, options.metadata, { pixels: "amplitude", tile: 64 });
    await sink.write({ row: 0, column: 0, rows, columns }, data);
    await sink.finish();
    expect(Buffer.compare(readFileSync(path), one)).toBe(0);
  });
});

const origin = { latitudeDegrees: 52.3, longitudeDegrees: 9.7, heightMeters: 120 };
const frame = createLocalFrame(origin);
/** A plane on the ground, turned against east by an angle. */
function planeAt(turn: number, step: number, shape: readonly number[]): PlanePlacement {
  const [c, s] = [step * Math.cos(turn), step * Math.sin(turn)];
  const first = [(-(shape[1] - 1) / 2) * c + ((shape[0] - 1) / 2) * s, (-(shape[1] - 1) / 2) * s - ((shape[0] - 1) / 2) * c];
  return {
    kind: "plane",
    plane: "ground",
    originMeters: frame.toEcef([first[0], first[1], 0]),
    rowStepMeters: frame.directionToEcef([-s, c, 0]),
    columnStepMeters: frame.directionToEcef([c, s, 0]),
  };
}
const spots = [
  [0, 0],
  [0, columns - 1],
  [rows - 1, 0],
  [rows - 1, columns - 1],
  [100, 200],
] as const;
/** Places of the spots on an unflipped map. */
const placesOnMap = ({ epsg, origin: [x, y], columnStep, rowStep }: MapPlacement) =>
  spots.map(([row, column]) => {
    const { longitudeDegrees, latitudeDegrees } = mapProjection(epsg).toGeodetic([x + column * columnStep, y + row * rowStep]);
    return [longitudeDegrees, latitudeDegrees];
  });
const placesOnPlane = ({ originMeters: o, rowStepMeters: u, columnStepMeters: v }: PlanePlacement) =>
  spots.map(([row, column]) => {
    const { longitudeDegrees, latitudeDegrees } = ecefToGeodetic([0, 1, 2].map((k) => o[k] + row * u[k] + column * v[k]) as never);
    return [longitudeDegrees, latitudeDegrees];
  });
const metersBetween = (a: readonly number[], b: readonly number[]): number =>
  111_320 * Math.hypot((a[0] - b[0]) * Math.cos((a[1] * Math.PI) / 180), a[1] - b[1]);

describe("places", () => {
  const { image, data } = images[0];
  it("are those of the metadata in geotiff.js", async () => {
    const bytes = await geoTiffOf(image, data, { pixels: "amplitude", metadata: { placement: map, units: "a < b & c" } });
    const found = await (await fromArrayBuffer(bytes.buffer as ArrayBuffer)).getImage();
    expect(found.getOrigin().slice(0, 2)).toEqual([500_000, 5_800_002.5]);
    expect(found.getResolution().slice(0, 2)).toEqual([2, -3]);
    expect(found.getGeoKeys()).toMatchObject({ GTModelTypeGeoKey: 1, GTRasterTypeGeoKey: 1, ProjectedCSTypeGeoKey: 32632 });
  });

  it("are north up where rows go north", async () => {
    const north: MapPlacement = { ...map, origin: [500_001, 5_800_001 - 3 * (rows - 1)], rowStep: 3 };
    const turned = new Float32Array(data.length);
    for (let r = 0; r < rows; r++)
      turned.set((data as Float32Array).subarray(2 * r * columns, 2 * (r + 1) * columns), 2 * (rows - 1 - r) * columns);
    const options: CreateGeoTiffSinkOptions = { pixels: "amplitude", tile: 64 };
    const [one, two] = [
      await geoTiffOf(image, data, { ...options, metadata: { placement: map } }),
      await geoTiffOf(image, turned, { ...options, metadata: { placement: north } }),
    ];
    expect(Buffer.compare(one, two)).toBe(0);
  });

  const placed: readonly (readonly [string, CreateGeoTiffSinkOptions, readonly (readonly number[])[], number])[] = [
    ["UTM", { metadata: { placement: map } }, placesOnMap(map), 2],
    ["UTM in the south", { metadata: { placement: { ...map, epsg: 32733 } }, bigTiff: true }, placesOnMap({ ...map, epsg: 32733 }), 2],
    ...[{ ...map, epsg: 4326, origin: [9.7, 52.3], columnStep: 1e-5, rowStep: -1e-5 } as const].map(
      (placement) => ["EPSG 4326", { metadata: { placement } }, placesOnMap(placement), 0.6] as const,
    ),
    ...[planeAt(0, 1, [rows, columns]), planeAt(0.7, 0.5, [rows, columns]), planeAt(-2.1, 10, [rows, columns])].map(
      (placement, i) =>
        [`a tangent plane (${i})`, { metadata: { placement } }, placesOnPlane(placement), Math.hypot(...placement.rowStepMeters)] as const,
    ),
  ];
  it.skipIf(!gdalPython).each(placed)(
    "of %s are right to 0.1 pixels in GDAL, whose validator passes",
    async (_, options, wanted, pixel) => {
      const path = join(folder, "placed.tif");
      writeFileSync(path, await geoTiffOf(image, data, { ...options, pixels: "decibel", tile: 128 }));
      const answer = askGdal(path, spots);
      expect([answer.errors, answer.warnings, answer.size]).toEqual([[], [], [rows, columns]]);
      expect([answer.type, answer.noData, answer.unit]).toEqual(["Float32", "nan", "dB"]);
      answer.places.forEach((place, i) => expect(metersBetween(place, wanted[i]) / pixel, `spot ${i}`).toBeLessThan(0.1));
    },
  );

  it.skipIf(!gdalPython)("can be ground control points", async () => {
    const points = spots.map(([row, column], i) => ({
      row,
      column,
      latitudeDegrees: 50 + i / 8,
      longitudeDegrees: 9 - i,
      heightMeters: 100 + i,
    }));
    const path = join(folder, "points.tif");
    writeFileSync(path, await geoTiffOf(image, data, { controlPoints: points, metadata: { placement: slant } }));
    const answer = askGdal(path);
    expect(answer.points).toEqual(spots.map(([row, column], i) => [row + 0.5, column + 0.5, 9 - i, 50 + i / 8, 100 + i]));
    expect([answer.errors, answer.warnings]).toEqual([[], []]);
  });
});

describe("GDAL", () => {
  it.skipIf(!gdalPython).each(cases)("reads image %d as %s with %o as geotiff.js does", async (index, pixels, options) => {
    const { image, data } = images[index];
    const metadata = { placement: map, units: "a < b & c", provenance: { text: '<"&amp;">', list: [1, 2] } };
    const bytes = await geoTiffOf(image, data, { ...options, pixels, metadata });
    const path = join(folder, "read.tif");
    writeFileSync(path, bytes);
    const answer = askGdal(path);
    expect(answer.errors).toEqual([]);
    if (options.overviews !== false) expect(answer.warnings).toEqual([]);
    expect(answer.type).toBe(pixels === "complex" ? "CFloat32" : pixels === "gray" || index === 2 ? "Byte" : "Float32");
    expect(answer.items).toMatchObject({ PIXELS: pixels, UNITS: metadata.units, HEIGHT_ABOVE_ELLIPSOID_METERS: "40" });
    expect(JSON.parse(answer.items.PROVENANCE)).toEqual(metadata.provenance);
    const tiff = await fromArrayBuffer(bytes.buffer as ArrayBuffer);
    for (let level = 0; level < (await tiff.getImageCount()); level++) {
      const found = await tiff.getImage(level);
      const raster = pixels === "complex" ? await complexPixels(bytes, found) : ((await found.readRasters())[0] as Float32Array);
      const sha = createHash("sha256")
        .update(new Uint8Array(raster.buffer, raster.byteOffset, raster.byteLength))
        .digest("hex");
      expect(level === 0 ? answer.sha : answer.overviews[level - 1][2], `level ${level}`).toBe(sha);
    }
  });
});

describe("refusals", () => {
  const image = layout("c64", [40, 50]);
  const refused: readonly (readonly [string, CreateGeoTiffSinkOptions, string, Layout?])[] = [
    ["pixels of another type", { pixels: "real" }, "pixels"],
    ["unknown pixels", { pixels: "phase" as never }, "pixels"],
    ["tiles", { tile: 100 }, "tile"],
    ["large tiles", { tile: 8192 }, "tile"],
    ["compression", { compression: "lzw" as never }, "compression"],
    ["levels without grey", { decibelRange: [0, 50] }, "decibelRange"],
    ["levels upside down", { pixels: "gray", decibelRange: [50, 0] }, "decibelRange"],
    ["few points", { controlPoints: [] }, "controlPoints"],
    [
      "points",
      { controlPoints: [0, 1, 2].map(() => ({ row: 0, column: Number.NaN, latitudeDegrees: 0, longitudeDegrees: 0 })) },
      "controlPoints[0].column",
    ],
    ["slant range", { metadata: { placement: slant } }, "metadata.placement"],
    ["a slant plane", { metadata: { placement: { ...planeAt(0, 1, [40, 50]), plane: "slant" } } }, "metadata.placement"],
    ["a tilted plane", { metadata: { placement: { ...planeAt(0, 1000, [40, 50]), rowStepMeters: [0, 0, 3000] } } }, "metadata.placement"],
    ["another option", { tiles: 3 } as never, "tiles"],
    ["too many tiles", { tile: 16 }, "tile", { dtype: "c64", shape: [2 ** 20, 2 ** 20] }],
    ["too long sides", {}, "layout.shape", { dtype: "c64", shape: [2 ** 31, 1] }],
    ["another type", {}, "layout.dtype", layout("f64", [3, 4])],
  ];
  it.each(refused.map(([what, options, field, given = image]) => ({ what, options, field, given })))(
    "of $what name the field, and nothing is written",
    async ({ options, field, given }) => {
      const target = memoryTarget();
      const error = await createGeoTiffSink(target, given, options).catch((thrown: unknown) => thrown);
      expect(isRadarError(error, "input") && error.fields.field).toBe(field);
      expect(target.bytes().length).toBe(0);
      if ("metadata" in options || "tiles" in options) return;
      const inNode = await geoTiffSink.open(join(folder, "refused.tif"), given, {}, options as never).catch((thrown: unknown) => thrown);
      expect(isRadarError(inNode, "input") && inNode.fields.field).toBe(field);
    },
  );

  it("leave nothing behind, and neither does an abort while the file is made", async () => {
    const { image: large, data } = images[0];
    const path = join(folder, "aborted", "image.tif");
    const open = () => geoTiffSink.open(path, large, {}, { pixels: "amplitude", tile: 16 });
    const sink = await open();
    await sink.write({ row: 0, column: 0, rows, columns }, data);
    const finishing = sink.finish({ signal: firesWhileMade(join(folder, "aborted")) });
    expect(isRadarError(await finishing.catch((error: unknown) => error), "aborted")).toBe(true);
    expect(readdirSync(folder)).not.toContain("aborted");
    const late = await open();
    await late.write({ row: 0, column: 0, rows, columns }, data);
    const error = await late.finish({ metadata: { placement: slant } }).catch((thrown: unknown) => thrown);
    expect(isRadarError(error, "input") && error.fields.field).toBe("metadata.placement");
    expect(readdirSync(folder)).not.toContain("aborted");
  });

  it("of a target become one error", async () => {
    const broken = { write: () => Promise.reject(new Error("no space")) };
    const sink = await createGeoTiffSink(broken, layout("f32", [8, 8]), {});
    await sink.write({ row: 0, column: 0, rows: 8, columns: 8 }, new Float32Array(64));
    const error = await sink.finish().catch((thrown: unknown) => thrown);
    expect(isRadarError(error, "failed") && error.message).toMatch(/image\.tif.*no space/);
  });
});
