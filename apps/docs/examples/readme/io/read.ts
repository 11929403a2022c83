import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { layout } from "@dechirp/core";
import { circularTrack, scenePresets, simulatePhaseHistory } from "@dechirp/sar";
import { complexArrays, writeGotcha } from "../../../../../packages/cli/test/gotcha-file.ts";

// Files to read, in a folder of their own.
const home = process.cwd();
process.chdir(await mkdtemp(join(tmpdir(), "dechirp-docs-")));
await writeSceneFolder("scene", {
  name: "small",
  radar: scenePresets.quality.radar,
  raw: { layout: layout("ci8", [16, 32]), data: new Int8Array(2 * 16 * 32).fill(1) },
  targets: [],
  notes: [],
});
const positions = circularTrack({ radiusMeters: 7000, altitudeMeters: 7000, firstRadians: 0, stepRadians: 0.001, pulses: 20 });
const frequency = { firstHz: 9.3e9, stepHz: 2e6, count: 64 };
const echoes = simulatePhaseHistory({ positions, frequency, targets: [{ positionMeters: [1, 2, 0], amplitude: 1 }] });
await writeGotcha("data_3dsar_pass1_az001_HH.mat", echoes, { rangeMeters: new Float64Array(20), phaseRadians: new Float64Array(20) });
const bytes = complexArrays({ cpi1: { shape: [32, 14], data: new Float64Array(2 * 32 * 14) } });

// #region read
import { matNumeric, readMat } from "@dechirp/io";
import { readGotcha, readScene, writeSceneFolder } from "@dechirp/io/node";

const scene = await readScene("scene"); // a scene folder, or a RADARSAT-1 CD extraction
console.log(scene.raw.layout, scene.radar.prfHz); // { dtype: 'ci8', shape: [ 16, 32 ] } 500
await writeSceneFolder("copy", scene); // scene.json and raw.npy, both or neither

const history = await readGotcha(".", { autofocus: true }); // a folder, a file, or a list of them
console.log(history.samples.length); // 2 · pulses · history.frequency.count; [pulse][frequency]

const mat = readMat(bytes, { file: "cpi.mat" });
console.log(matNumeric(mat, "cpi1").shape); // [ 32, 14 ]; data is column-major, as in the file
// #endregion read

const folder = process.cwd();
process.chdir(home);
await rm(folder, { recursive: true });
