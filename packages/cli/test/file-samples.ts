/** Small files and folders of every kind that `info` and `convert` know, with what is known of them. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { encodePng, type SceneData, writeNpy } from "@dechirp/io";
import { type CreateGeoTiffSinkOptions, createGeoTiffSink } from "@dechirp/io/geotiff";
import { writeSceneFolder, zarrSink } from "@dechirp/io/node";
import { circularTrack, simulatePhaseHistory } from "@dechirp/sar";
import { Mat5 } from "../../io/test/mat-builder.ts";
import {
  type GridSteps,
  groundSteps,
  type KnownImage,
  knownBackprojection,
  knownRangeDoppler,
  slantSteps,
} from "../../io/test/sicd-support.ts";
import { memoryTarget, sicdFile } from "../../io/test/sicd-target.ts";
import { circularOrbit } from "./circular-orbit.ts";
import { gotchaBytes } from "./gotcha-file.ts";

export type { GridSteps, KnownImage };
export { groundSteps, knownBackprojection, knownRangeDoppler, slantSteps };

/** A phase history of 24 pulses and 16 frequencies. */
export const smallHistory = simulatePhaseHistory({
  positions: circularTrack({ radiusMeters: 700, altitudeMeters: 700, firstRadians: 0, stepRadians: 0.001, pulses: 24 }),
  frequency: { firstHz: 9.3e9, stepHz: 6e6, count: 16 },
  targets: [{ positionMeters: [1, 2, 0], amplitude: 1 }],
});

/** A scene of 6 lines of 5 samples, with a velocity. */
export const smallScene: SceneData = {
  name: "small",
  radar: {
    carrierHz: 5.3e9,
    samplingRateHz: 30e6,
    prfHz: 1200,
    chirpRateHzPerSecond: 5e11,
    pulseSeconds: 4e-5,
    velocityMetersPerSecond: 7100,
    nearRangeMeters: 850e3,
  },
  raw: { layout: { dtype: "ci8", shape: [6, 5] }, data: Int8Array.from({ length: 60 }, (_, i) => i - 30) },
  targets: [],
  notes: [],
};

const orbit = {
  ...circularOrbit({ altitudeMeters: 700e3, inclinationDegrees: 98, latitudeArgument: 40 }, [-20, -10, 0, 10, 20]),
  lookSide: "right",
  groundHeightMeters: 300,
} as const;

/** A GeoTIFF file in memory of an image of zeros. */
export async function geoTiff(rows: number, columns: number, options: CreateGeoTiffSinkOptions): Promise<Uint8Array> {
  const target = memoryTarget();
  const sink = await createGeoTiffSink(target, { dtype: "f32", shape: [rows, columns] }, options);
  await sink.write({ row: 0, column: 0, rows, columns }, new Float32Array(rows * columns));
  await sink.finish();
  return target.bytes();
}

/** A file or folder, and what `info` must say of it. */
export interface FileSample {
  readonly name: string;
  make(path: string): Promise<unknown>;
  readonly expected: Readonly<Record<string, unknown>>;
  /** Whether it has a place on earth. */
  readonly isPlaced?: boolean;
}

const file = (
  name: string,
  bytes: () => Uint8Array | Promise<Uint8Array>,
  expected: FileSample["expected"],
  isPlaced = false,
): FileSample => ({
  name,
  make: async (path) => writeFile(path, await bytes()),
  expected,
  isPlaced,
});
const ascii = (text: string) => (): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const head =
  (magic: string, length = 600) =>
  (): Uint8Array => {
    const bytes = new Uint8Array(length);
    bytes.set(ascii(magic)());
    return bytes;
  };

/** A NITF file whose image is none of SICD: the namespace of its XML is another one. */
async function plainNitf(): Promise<Uint8Array> {
  const bytes = await sicdFile(knownBackprojection(groundSteps));
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  const at = text.indexOf("urn:SICD");
  bytes.set(ascii("urn:SIDD")(), at);
  return bytes;
}

const mat5 = new Mat5("little");
const unread = (name: string): FileSample["expected"] => ({ isRead: false, format: { name }, commands: [] });

export const fileSamples: readonly FileSample[] = [
  {
    name: "scene",
    make: (path) => writeSceneFolder(path, smallScene),
    expected: { kind: "stripmap", isRead: true, format: { name: "scene-folder" }, sampleType: "ci8", shape: [6, 5] },
  },
  {
    name: "scene-with-orbit",
    make: (path) => writeSceneFolder(path, { ...smallScene, radar: { ...smallScene.radar, orbit } }),
    expected: { kind: "stripmap", details: { orbit: true }, place: { view: { lookSide: "right" } } },
    isPlaced: true,
  },
  file("gotcha.mat", () => gotchaBytes(smallHistory), {
    kind: "phase-history",
    isRead: true,
    format: { name: "gotcha", title: "Gotcha file" },
    shape: [24, 16],
  }),
  file("cube.npy", () => writeNpy({ dtype: "c64", shape: [2, 3, 4] }, new Float32Array(48)), {
    kind: "array",
    format: { name: "npy" },
    shape: [2, 3, 4],
    sampleType: "c64",
  }),
  file("pairs.npy", () => writeNpy({ dtype: "ci16", shape: [5, 4] }, new Int16Array(40)), {
    kind: "image",
    shape: [5, 4],
    sampleType: "ci16",
  }),
  file("real.npy", () => writeNpy({ dtype: "u8", shape: [7] }, new Uint8Array(7)), { kind: "data", shape: [7], commands: [] }),
  {
    name: "image.zarr",
    make: async (path) => {
      const sink = await zarrSink.open(path, { dtype: "c64", shape: [9, 7] }, knownBackprojection(groundSteps).metadata, { chunk: [4, 4] });
      await sink.write({ row: 0, column: 0, rows: 9, columns: 7 }, new Float32Array(126));
      await sink.finish();
    },
    expected: { kind: "image", format: { name: "zarr" }, shape: [9, 7], bytes: 12 * 8 * 8, details: { chunks: "4 × 4" } },
    isPlaced: true,
  },
  {
    name: "result",
    make: async (path) => {
      const { placement, collection } = knownBackprojection(groundSteps).metadata;
      await mkdir(path);
      const report = { format: "dechirp-backprojection", version: 1, scene: "known", image: { shape: [9, 7] }, placement, collection };
      await writeFile(join(path, "report.json"), JSON.stringify(report));
      await writeFile(join(path, "image.npy"), writeNpy({ dtype: "c64", shape: [9, 7] }, new Float32Array(126)));
    },
    expected: {
      kind: "image",
      isRead: true,
      format: { name: "dechirp-backprojection", version: "1" },
      name: "known",
      shape: [9, 7],
      details: { files: "image.npy, report.json" },
    },
    isPlaced: true,
  },
  file("sicd.nitf", () => sicdFile(knownBackprojection(slantSteps)), { kind: "image", format: { name: "sicd", version: "1.3.0" } }, true),
  file(
    "map.tif",
    () =>
      geoTiff(40, 30, { tile: 16, metadata: { placement: { kind: "map", epsg: 32633, origin: [5e5, 5e6], columnStep: 2, rowStep: -2 } } }),
    { kind: "map", isRead: false, format: { name: "geotiff" }, shape: [40, 30], sampleType: "float32", details: { tiles: "16 × 16" } },
    true,
  ),
  file("plain.tif", () => geoTiff(20, 30, {}), { kind: "picture", isRead: false, format: { name: "tiff" }, shape: [20, 30] }),
  file("grey.png", () => encodePng({ width: 3, height: 2, data: new Uint8Array(6) }), {
    kind: "picture",
    isRead: false,
    format: { name: "png" },
    shape: [2, 3],
  }),
  file("numbers.mat", () => mat5.file(mat5.real("x", 6, [2, 2], { kind: "f64", values: [1, 2, 3, 4] })), {
    kind: "data",
    format: { name: "mat" },
  }),
  file("old.cphd", ascii("CPHD/0.3\nXML_DATA_SIZE := 10\n\f\n"), { ...unread("cphd"), format: { name: "cphd", version: "0.3" } }),
  file("new.crsd", ascii("CRSD/1.0\nXML_BLOCK_SIZE := 10\n\f\n"), { ...unread("crsd"), format: { name: "crsd", version: "1.0" } }),
  file("nisar.h5", head("\x89HDF\r\n\x1a\n"), unread("hdf5")),
  file("seven.mat", head("MATLAB 7.3 MAT-file, Platform: X"), unread("hdf5")),
  file("some.pdf", ascii("%PDF-1.7\n"), unread("foreign")),
  file("plain.ntf", plainNitf, unread("nitf")),
  {
    name: "S1A.SAFE",
    make: async (path) => {
      await mkdir(path);
      await writeFile(join(path, "manifest.safe"), "<?xml version='1.0'?>");
    },
    expected: unread("safe"),
  },
];
