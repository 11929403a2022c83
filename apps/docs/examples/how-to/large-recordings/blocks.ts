import { createRandom } from "@dechirp/core";
import { readScene, writeSceneFolder } from "@dechirp/io/node";

// A scene to read: 600 lines of noise.
const [lines, samples] = [600, 512];
const radar = {
  carrierHz: 9.65e9,
  samplingRateHz: 60e6,
  prfHz: 500,
  chirpRateHzPerSecond: 5e12,
  pulseSeconds: 4e-6,
  velocityMetersPerSecond: 150,
  nearRangeMeters: 8000,
};
const random = createRandom(1);
const data = Int8Array.from({ length: 2 * lines * samples }, () => Math.round(20 * random.gaussian()));
await writeSceneFolder("scene", {
  name: "noise",
  radar,
  raw: { layout: { dtype: "ci8", shape: [lines, samples] }, data },
  targets: [],
  notes: [],
});

// #region blocks
await using scene = await readScene("scene"); // reads scene.json and the header of raw.npy; the end of the scope closes the files
console.log(scene.shape, scene.dtype);

const line = await scene.pulses(300, 1); // one line, [1][sample], interleaved re, im
console.log(line.length);

let power = 0;
for await (const block of scene.blocks({ count: 256, signal: AbortSignal.timeout(60_000) })) {
  console.log(`lines ${block.from} to ${block.from + block.count - 1}`);
  for (const value of block.data) power += value * value;
}
console.log(`mean power ${(power / (lines * samples)).toFixed(0)}`);
// #endregion blocks
