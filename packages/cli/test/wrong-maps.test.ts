/** Values of the wrong type for geodesy, geocoding and GeoTIFF files: each must be refused by a typed error that names it. */
import { layout } from "@dechirp/core";
import { createGeoTiffSink, readTiffHeader } from "@dechirp/io/geotiff";
import { checkPlacement, type ImagePlacement } from "@dechirp/radar";
import * as geodesy from "@dechirp/radar/geodesy";
import * as maps from "@dechirp/sar/geocoding";
import { describe, expect, it } from "vitest";
import { faultsOf, type Subject } from "./wrong-arguments.ts";

const place = () => ({ latitudeDegrees: 47, longitudeDegrees: 8, heightMeters: 400 });
const shape = [40, 30] as const;
const frame = geodesy.createLocalFrame({ latitudeDegrees: 47, longitudeDegrees: 8, heightMeters: 8000 });
const velocity = frame.directionToEcef([0, 100, 0]);
const placements: Readonly<Record<string, () => ImagePlacement>> = {
  slant: () => ({
    kind: "slant",
    platform: {
      kind: "polynomial",
      originSeconds: 0,
      coefficients: [0, 1, 2].map((k) => [frame.originMeters[k], velocity[k]]) as unknown as [number[], number[], number[]],
      validSeconds: [-9, 9],
    },
    azimuthSeconds: { first: 0, step: 0.01 },
    slantRangeMeters: { first: 12_000, step: 2 },
    lookSide: "left",
  }),
  states: () => ({
    ...(placements["slant"]?.() as Extract<ImagePlacement, { kind: "slant" }>),
    platform: {
      kind: "states",
      timesSeconds: [-3, -1, 1, 3],
      positionsMeters: [-3, -1, 1, 3].map((t) => frame.toEcef([0, 100 * t, 0])),
      velocitiesMetersPerSecond: [0, 1, 2, 3].map(() => velocity),
    },
  }),
  plane: () => ({
    kind: "plane",
    plane: "slant",
    originMeters: geodesy.geodeticToEcef({ latitudeDegrees: 47, longitudeDegrees: 8.1 }),
    rowStepMeters: frame.directionToEcef([1, 0, -1]),
    columnStepMeters: velocity.map((x) => x / 100) as unknown as geodesy.Vector3,
    platform: { positionMeters: frame.originMeters, velocityMetersPerSecond: velocity },
  }),
  map: () => ({ kind: "map", epsg: 32632, origin: [5e5, 5.2e6], columnStep: 2, rowStep: -2, heightMeters: 3 }),
};
const map = (): maps.GeocodedMap => ({ placement: placements["map"]?.() as never, rows: 3, columns: 4 });

/** A TIFF file that says only that its image has 9 rows of 12 pixels. */
const smallTiff = (): Uint8Array =>
  Uint8Array.of(
    ...[0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 2],
    ...[1, 0, 0, 3, 0, 0, 0, 1, 0, 12, 0, 0],
    ...[1, 1, 0, 3, 0, 0, 0, 1, 0, 9, 0, 0],
    ...[0, 0, 0, 0],
  );

const subject = (
  name: string,
  parameters: readonly string[],
  sound: () => readonly unknown[],
  call: (...args: never[]) => unknown,
): Subject => ({
  name,
  parameters,
  sound,
  call: call as (...args: unknown[]) => unknown,
});
const subjects: readonly Subject[] = [
  subject("geodeticToEcef", ["position"], () => [place()], geodesy.geodeticToEcef),
  subject("ecefToGeodetic", ["positionMeters"], () => [[4e6, 5e5, 4.9e6]], geodesy.ecefToGeodetic),
  subject("createLocalFrame", ["origin"], () => [place()], geodesy.createLocalFrame),
  subject("utmEpsg", ["position"], () => [place()], geodesy.utmEpsg),
  subject("geodeticToUtm", ["position", "epsg"], () => [place(), 32632], geodesy.geodeticToUtm),
  subject("utmToGeodetic", ["position"], () => [{ epsg: 32632, eastingMeters: 5e5, northingMeters: 5e6 }], geodesy.utmToGeodetic),
  subject("mapProjection", ["epsg"], () => [4326], geodesy.mapProjection),
  subject("toMap", ["position", "nearDegrees"], () => [place(), 10], geodesy.mapProjection(4326).toMap),
  subject("toGeodetic", ["position"], () => [[8, 47]], geodesy.mapProjection(4326).toGeodetic),
  subject("UTM's toGeodetic", ["position"], () => [[5e5, 5e6]], geodesy.mapProjection(32632).toGeodetic),
  ...Object.entries(placements).flatMap(([kind, placement]) => [
    subject(
      `checkPlacement ${kind}`,
      ["placement"],
      () => [placement()],
      (given: ImagePlacement) => checkPlacement(given),
    ),
    subject(`createImageGeometry ${kind}`, ["placement", "rows"], () => [placement(), 40], maps.createImageGeometry),
    subject(
      `mapOfImage ${kind}`,
      ["placement", "shape", "options"],
      () => [placement(), shape, { epsg: 32632, step: 5, heightMeters: 10 }],
      maps.mapOfImage,
    ),
  ]),
  subject(
    "groundControlPoints",
    ["placement", "shape", "options"],
    () => [placements["slant"]?.(), shape, { heightMeters: 10, perSide: 3 }],
    maps.groundControlPoints,
  ),
  subject(
    "geocode",
    ["source", "placement", "map", "sink", "options"],
    () => [
      {
        layout: layout("f32", shape),
        read: async ({ rows, columns }: { rows: number; columns: number }) => new Float32Array(rows * columns),
      },
      placements["slant"]?.(),
      map(),
      { write: async () => {} },
      { interpolator: { kind: "sinc", taps: 4, window: "kaiser" }, signal: new AbortController().signal },
    ],
    maps.geocode,
  ),
  subject(
    "mapGrid",
    ["bounds"],
    () => [{ epsg: 32632, west: 5e5, south: 5e6, east: 5e5 + 20, north: 5e6 + 30, step: 1, heightMeters: 3 }],
    maps.mapGrid,
  ),
  subject(
    "readTiffHeader",
    ["source", "options"],
    () => [smallTiff(), { file: "a.tif", signal: new AbortController().signal }],
    readTiffHeader,
  ),
  subject(
    "createGeoTiffSink",
    ["target", "layout", "options"],
    () => [
      { write: () => {} },
      { dtype: "c64", shape: [20, 30] },
      {
        pixels: "gray",
        tile: 32,
        compression: "none",
        overviews: true,
        bigTiff: false,
        decibelRange: [-20, 30],
        controlPoints: [0, 1, 2].map((k) => ({ row: k, column: 2 * k, latitudeDegrees: 3 * k, longitudeDegrees: k * k, heightMeters: 5 })),
        metadata: { placement: placements["map"]?.(), units: "m" },
        scratch: { read: (_: number, length: number) => new Uint8Array(length), write: () => {} },
        file: "a.tif",
        signal: new AbortController().signal,
      },
    ],
    async (...args: Parameters<typeof createGeoTiffSink>) => {
      const sink = await createGeoTiffSink(...args);
      await sink.abort();
    },
  ),
];

describe("values of the wrong type", () => {
  it.each(subjects)("are refused by $name", async (one) => {
    expect(await faultsOf(one)).toEqual([]);
  });
});
