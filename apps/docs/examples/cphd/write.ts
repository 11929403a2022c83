import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { encodeCphd } from "@dechirp/io/cphd";
import { readPhaseHistory, writeFolderAtomically } from "@dechirp/io/node";
import { backprojectRecording, planBackprojectedImage } from "@dechirp/processor";
import { circularTrack, simulatePhaseHistory } from "@dechirp/sar";

// #region write
// Two points on the ground, seen by an aircraft ten kilometres away.
const [pulses, count] = [150, 200];
const positions = circularTrack({ radiusMeters: 7200, altitudeMeters: 7200, firstRadians: 0, stepRadians: 2.5e-4, pulses });
const targets = [
  { positionMeters: [5, -3, 0], amplitude: 1 },
  { positionMeters: [-9, 8, 0], amplitude: 0.5 },
] as const;
const history = simulatePhaseHistory({ positions, frequency: { firstHz: 9.3e9, stepHz: 1.5e6, count }, targets });

const recorded = {
  ...history,
  name: "two points",
  shape: [pulses, count],
  polarisation: "VV",
  area: { xMeters: [-20, 20], yMeters: [-20, 20] },
  pulses: (from: number, some: number) => history.samples.subarray(2 * from * count, 2 * (from + some) * count),
} as const;
// What the phase history does not say: where its frame is on earth, and when its pulses were sent.
const place = { origin: { latitudeDegrees: 47.6, longitudeDegrees: 11.35 }, prfHz: 300, startUtc: "2026-03-14T10:21:07Z" };
await writeFolderAtomically("out", { "two-points.cphd": encodeCphd(recorded, place) });
// #endregion write

// #region read
await using read = await readPhaseHistory("out/two-points.cphd"); // the header, the XML and the vectors; samples come later
console.log(read.name, read.channels, read.shape, read.polarisation, read.startUtc);

const plan = await planBackprojectedImage(read); // the grid is the image area of the file
console.log(`${plan.grid.nx} × ${plan.grid.ny} pixels: ${plan.gridWhy}`);
using device = await open(cpu());
const { report } = await backprojectRecording(plan, device);
const { xMeters, yMeters, magnitude } = report.peak;
console.log(`${xMeters.toFixed(2)}, ${yMeters.toFixed(2)} m: amplitude ${(magnitude / pulses).toFixed(2)}`);
// #endregion read
