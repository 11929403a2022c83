import { layout } from "@dechirp/core";
import { readScene, writeSceneFolder } from "@dechirp/io/node";

const radar = {
  carrierHz: 9.65e9,
  samplingRateHz: 60e6,
  prfHz: 500,
  chirpRateHzPerSecond: 5e12,
  pulseSeconds: 10e-6,
  velocityMetersPerSecond: 150,
  nearRangeMeters: 8000,
};
const raw = { layout: layout("ci8", [1024, 2048]), data: new Int8Array(2 * 1024 * 2048).fill(1) }; // [line][sample], interleaved re, im
await writeSceneFolder("scene", { name: "small", radar, raw, targets: [], notes: [] }); // scene.json and raw.npy, both or neither

const scene = await readScene("scene"); // a scene folder, or a RADARSAT-1 CD extraction
console.log(scene.dtype, scene.shape, scene.radar.prfHz); // ci8 [ 1024, 2048 ] 500
const lines = await scene.pulses(100, 2); // reads two lines of raw.npy
console.log(lines.length); // 8192
await scene.close();
