// An image in slant range becomes a map, or gets ground control points; and a grid of backprojection is a part of a map.
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { layout } from "@dechirp/core";
import { geoTiffSink } from "@dechirp/io/node";
import type { ImageWindow, SlantPlacement } from "@dechirp/radar";
import { createLocalFrame, ecefToGeodetic } from "@dechirp/radar/geodesy";
import { geocode, groundControlPoints, mapGrid, mapOfImage } from "@dechirp/sar/geocoding";

const folder = await mkdtemp(join(tmpdir(), "map-"));

// An aircraft at 8000 m that flies north-east over 47.1° N, 8.6° E. Its image has 400 azimuth lines and 500 range samples.
const frame = createLocalFrame({ latitudeDegrees: 47.1, longitudeDegrees: 8.6, heightMeters: 8000 });
const start = frame.originMeters;
const velocity = frame.directionToEcef([90, 110, 0]);
const shape = [400, 500] as const;
// #region placement
const placement: SlantPlacement = {
  kind: "slant",
  platform: {
    kind: "polynomial",
    coefficients: [0, 1, 2].map((k) => [start[k], velocity[k]]) as unknown as [number[], number[], number[]],
  },
  azimuthSeconds: { first: 2, step: 0.01 },
  slantRangeMeters: { first: 12_000, step: 1.5 },
  lookSide: "right",
};
// #endregion placement
const image = new Float32Array(2 * shape[0] * shape[1]).fill(0.5);
const source = {
  layout: layout("c64", shape),
  async read({ row, column, rows, columns }: ImageWindow) {
    const part = new Float32Array(2 * rows * columns);
    for (let r = 0; r < rows; r++) {
      const from = 2 * ((row + r) * shape[1] + column);
      part.set(image.subarray(from, from + 2 * columns), 2 * r * columns);
    }
    return part;
  },
};

// #region geocode
const map = mapOfImage(placement, shape, { heightMeters: 430 });
const sink = await geoTiffSink.open(
  join(folder, "map.tif"),
  layout("f32", [map.rows, map.columns]),
  { placement: map.placement, units: "amplitude" },
  { pixels: "decibel" },
);
await geocode(source, placement, map, sink);
await sink.finish();
// #endregion geocode
console.log(`map.tif: EPSG ${map.placement.epsg}, ${map.rows} × ${map.columns} pixels of ${map.placement.columnStep.toFixed(2)} m`);
console.log("is a file:", (await stat(join(folder, "map.tif"))).isFile());

// #region points
const controlPoints = groundControlPoints(placement, shape, { heightMeters: 430 });
const plain = await geoTiffSink.open(join(folder, "slant.tif"), source.layout, { placement }, { pixels: "gray", controlPoints });
await plain.write({ row: 0, column: 0, rows: shape[0], columns: shape[1] }, image);
await plain.finish();
// #endregion points
console.log(`${controlPoints.length} control points; the first is at ${controlPoints[0].latitudeDegrees.toFixed(4)}° N`);

// #region grid
const part = mapGrid({ epsg: 32632, west: 470_000, south: 5_216_000, east: 471_000, north: 5_216_800, step: 0.5, heightMeters: 430 });
// Positions of the platform in the frame of the grid, for the phase history:
const position = part.frame.toLocal(start);
// #endregion grid
console.log(`grid of ${part.grid.ny} × ${part.grid.nx} pixels, on the map to ${(1000 * part.errorMeters).toFixed(1)} mm`);
console.log(`the aircraft is at a height of ${Math.round(ecefToGeodetic(part.frame.toEcef(position)).heightMeters)} m`);
await rm(folder, { recursive: true });
