/** Directories of TIFF files: those of GeoTIFF files that dechirp writes, of other byte orders, and damaged ones. */
import { isRadarError } from "@dechirp/core";
import type { MapPlacement, PlanePlacement } from "@dechirp/radar";
import { createLocalFrame } from "@dechirp/radar/geodesy";
import { describe, expect, it } from "vitest";
import { type CreateGeoTiffSinkOptions, readTiffHeader } from "../src/geotiff.ts";
import { geoTiffOf, speckle } from "./geotiff-support.ts";

const map: MapPlacement = { kind: "map", epsg: 32632, origin: [500_001, 5_800_001], columnStep: 2, rowStep: -3 };
const [rows, columns] = [70, 150];
const complex = speckle(rows, columns, 2, 3);
const fileOf = (options: CreateGeoTiffSinkOptions) => geoTiffOf({ dtype: "c64", shape: [rows, columns] }, complex, options);
const headerOf = (bytes: Uint8Array) => readTiffHeader(bytes, { file: "a.tif" });

/** A TIFF file of one strip in big-endian order, with these fields: tag, type, value. */
function bigEndian(fields: readonly (readonly [tag: number, type: number, value: number])[], next = 0): Uint8Array {
  const bytes = new Uint8Array(8 + 2 + 12 * fields.length + 4);
  const view = new DataView(bytes.buffer);
  bytes.set([0x4d, 0x4d, 0, 42]);
  view.setUint32(4, 8);
  view.setUint16(8, fields.length);
  fields.forEach(([tag, type, value], i) => {
    const at = 10 + 12 * i;
    view.setUint16(at, tag);
    view.setUint16(at + 2, type);
    view.setUint32(at + 4, 1);
    if (type === 3) view.setUint16(at + 8, value);
    else view.setUint32(at + 8, value);
  });
  view.setUint32(bytes.length - 4, next);
  return bytes;
}

describe("what a TIFF file says", () => {
  it("is the size, type, tiles, overviews and the map", async () => {
    for (const bigTiff of [false, true]) {
      const header = await headerOf(await fileOf({ tile: 64, bigTiff, pixels: "amplitude", metadata: { placement: map } }));
      expect(header.isBig).toBe(bigTiff);
      const common = { samples: 1, type: "float32", tile: [64, 64], compression: "deflate" };
      expect(header.images).toEqual([
        { ...common, rows, columns, isOverview: false },
        { ...common, rows: 35, columns: 75, isOverview: true },
        { ...common, rows: 18, columns: 38, isOverview: true },
      ]);
      expect(header.place).toEqual({ model: "projected", epsg: 32632, transform: [2, 0, 500_000, 0, -3, 5_800_002.5] });
    }
  });

  it("is the type of complex numbers and of grey levels", async () => {
    for (const [pixels, type] of [
      ["complex", "complex64"],
      ["gray", "uint8"],
    ] as const)
      expect((await headerOf(await fileOf({ pixels }))).images[0]).toMatchObject({ type, samples: 1 });
  });

  it("is the local tangent plane of an image on the ground", async () => {
    const frame = createLocalFrame({ latitudeDegrees: 47, longitudeDegrees: 8, heightMeters: 400 });
    const placement: PlanePlacement = {
      kind: "plane",
      plane: "ground",
      originMeters: frame.toEcef([-75, -35, 0]),
      rowStepMeters: frame.directionToEcef([0, 1, 0]),
      columnStepMeters: frame.directionToEcef([1, 0, 0]),
    };
    const { place } = await headerOf(await fileOf({ metadata: { placement } }));
    expect(place?.epsg).toBeUndefined();
    expect(place?.orthographic?.latitudeDegrees).toBeCloseTo(47, 4);
    expect(place?.orthographic?.longitudeDegrees).toBeCloseTo(8, 4);
    expect(place?.citation).toBe("Local tangent plane (orthographic)");
    const [a, b, c, d, e] = place?.transform ?? [0, 0, 0, 0, 0];
    expect(Math.hypot(a - 1, b, d, e - 1)).toBeLessThan(1e-3);
    expect(c).toBeCloseTo(-75, 0);
  });

  it("is the control points of an image without a map", async () => {
    const controlPoints = [
      { row: 0, column: 0, latitudeDegrees: 47, longitudeDegrees: 8 },
      { row: 69, column: 0, latitudeDegrees: 46.9, longitudeDegrees: 8 },
      { row: 0, column: 149, latitudeDegrees: 47, longitudeDegrees: 8.1 },
    ];
    const { place } = await headerOf(await fileOf({ controlPoints }));
    expect(place?.model).toBe("geographic");
    expect(place?.controlPoints?.[1]).toEqual({ column: 0.5, row: 69.5, x: 8, y: 46.9 });
  });

  it("is read in big-endian order, and half a pixel is taken off where places are those of centres", async () => {
    const fields = [
      [256, 3, 12],
      [257, 4, 9],
      [258, 3, 16],
      [339, 3, 2],
    ] as const;
    expect(await headerOf(bigEndian(fields))).toEqual({
      isBig: false,
      images: [{ rows: 9, columns: 12, isOverview: false, samples: 1, type: "int16", compression: "none" }],
    });
  });
});

describe("a damaged TIFF file", () => {
  const size = [
    [256, 3, 12],
    [257, 4, 9],
  ] as const;
  it.each([
    ["no TIFF", new TextEncoder().encode("II42 is no number"), /at byte 0: expected the first bytes of a TIFF file/],
    ["only a header", bigEndian(size).subarray(0, 8), /at byte 8: expected 2 bytes inside the file/],
    ["a directory that is cut short", bigEndian(size).subarray(0, 20), /at byte 10: expected 28 bytes inside the file/],
    ["directories in a circle", bigEndian(size, 8), /at byte 8: expected a directory that is not one of those before it/],
    ["no size", bigEndian([[256, 3, 12]]), /at byte 8: expected a directory with the size of an image/],
    ["no fields", Uint8Array.of(0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0), /at byte 8: expected 1 to 4096 fields/],
    ["no directory", Uint8Array.of(0x4d, 0x4d, 0, 42, 0, 0, 0, 0), /at byte 4: expected the position of a directory/],
  ])("is refused: %s", async (_, bytes, message) => {
    const error = await headerOf(bytes).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(isRadarError(error, "input") && error.message).toMatch(message);
  });
});
