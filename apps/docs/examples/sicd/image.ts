// Focuses two points by backprojection, writes the image as a SICD file, reads it, and finds a point by its place on earth.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { openFile, sicdSink } from "@dechirp/io/node";
import { groundToSicd, openSicd, sicdToGround } from "@dechirp/io/sicd";
import { createLocalFrame, ecefToGeodetic } from "@dechirp/radar/geodesy";
import { describeBackprojection } from "@dechirp/radar/images";
import { backproject, circularTrack, simulatePhaseHistory } from "@dechirp/sar";

const folder = await mkdtemp(join(tmpdir(), "sicd-"));
const path = join(folder, "image.nitf");

const positions = circularTrack({ radiusMeters: 7200, altitudeMeters: 7200, firstRadians: 0, stepRadians: 2.5e-4, pulses: 160 });
const targets = [
  { positionMeters: [0, 0, 0], amplitude: 1 },
  { positionMeters: [12, -8.56, 0], amplitude: 0.8 },
] as const;
const frequency = { firstHz: 9.3e9, stepHz: 1.5e6, count: 256 };
const history = simulatePhaseHistory({ positions, frequency, targets });
const grid = {
  kind: "ground",
  nx: 192,
  ny: 154,
  originMeters: [-24, -20, 0],
  xStepMeters: [0.25, 0, 0],
  yStepMeters: [0, 0.26, 0],
} as const;
using device = await open(cpu());
const { image } = await backproject(device, history, grid);

// #region write
const frame = createLocalFrame({ latitudeDegrees: 39.78, longitudeDegrees: -84.08, heightMeters: 240 }); // x east, y north, z up
const metadata = describeBackprojection({
  collector: "AIRCRAFT-1",
  name: "TWO-POINTS",
  mode: "spotlight",
  epoch: "2026-03-14T11:00:00Z",
  polarisation: { transmit: "H", receive: "H" },
  frame,
  grid,
  plane: "ground",
  positions,
  pulseSeconds: Float64Array.from({ length: 160 }, (_, p) => p / 100),
  frequency,
});
const sink = await sicdSink.open(path, { dtype: "c64", shape: [grid.ny, grid.nx] }, metadata);
await sink.write({ row: 0, column: 0, rows: grid.ny, columns: grid.nx }, image); // or window by window
await sink.finish();
// #endregion write

// #region read
const file = await openFile(path);
const sicd = await openSicd(file, { file: path });
const { version, grid: directions, scpCoa } = sicd.metadata;
console.log(`SICD ${version}, ${sicd.layout.shape.join(" × ")}, ${directions.plane} plane, looking ${scpCoa?.side}`);

const pixel = groundToSicd(sicd.metadata, frame.toEcef(targets[1].positionMeters));
const [row, column] = [Math.round(pixel.row), Math.round(pixel.column)];
const [re, im] = await sicd.read({ row, column, rows: 1, columns: 1 });
console.log(
  `the second point is in row ${pixel.row.toFixed(1)}, column ${pixel.column.toFixed(1)}: ${(Math.hypot(re, im) / 160).toFixed(2)}`,
);

const corner = ecefToGeodetic(sicdToGround(sicd.metadata, { row: 0, column: 0 }));
console.log(`the first pixel is at ${corner.latitudeDegrees.toFixed(5)}°, ${corner.longitudeDegrees.toFixed(5)}°`);
// #endregion read

await file.close();
await rm(folder, { recursive: true });
