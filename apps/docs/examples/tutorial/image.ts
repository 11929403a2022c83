// #region focus

import { writeFile } from "node:fs/promises";
import { evaluate, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { writeNpy } from "@dechirp/io";
import { windowTheory } from "@dechirp/radar";
import { analysePointTarget, chirpBandwidthHz, imageSpectrum, rangeDoppler } from "@dechirp/sar";
import { savePicture } from "./picture.ts";
import { lines, radar, raw, samples, scene } from "./scene.ts";

const { processedBandwidthHz } = scene;
const program = rangeDoppler({ radar, lines, samples, processedBandwidthHz });
for (const step of program.steps) console.log(step.name, step.op.op);

using device = await open(cpu());
const { image } = await evaluate(program, device, { raw });
// #endregion focus

// #region save
const { azimuthSeconds, azimuthMeters, slantRangeMeters } = program.axes;
const [rows, columns] = [azimuthSeconds.count, slantRangeMeters.count];
console.log(`${rows} × ${columns} pixels of ${azimuthMeters.step.toFixed(2)} m × ${slantRangeMeters.step.toFixed(2)} m`);

const azimuth = { label: "azimuth", unit: "m", ...azimuthMeters };
const range = { label: "slant range", unit: "m", ...slantRangeMeters };
await savePicture("image.png", "Image", image, azimuth, range);
await writeFile("out/image.npy", writeNpy({ dtype: "c64", shape: [rows, columns] }, image));
// #endregion save

// #region measure
const theory = windowTheory({ kind: "kaiser", beta: 2.5 }); // the default window, on both axes
const cellsPerPixel = { azimuth: processedBandwidthHz / radar.prfHz, range: chirpBandwidthHz(radar) / radar.samplingRateHz };
console.log(
  `theory: IRW ${theory.irwTimesBandwidth.toFixed(3)} cells, PSLR ${theory.pslrDb.toFixed(1)} dB, ISLR ${theory.islrDb.toFixed(1)} dB`,
);

for (const { name, azimuthSeconds: time, slantRangeMeters: range } of scene.targets) {
  const at = {
    row: (time - azimuthSeconds.start) / azimuthSeconds.step,
    column: (range - slantRangeMeters.start) / slantRangeMeters.step,
  };
  const found = analysePointTarget({ data: image, rows, columns }, at, imageSpectrum(radar));
  console.log(`${name}: ${found.rowOffset.toFixed(3)} rows, ${found.columnOffset.toFixed(3)} columns from the true position`);
  for (const axis of ["azimuth", "range"] as const) {
    const { irwPixels, pslrDb, islrDb } = found[axis];
    const timesBandwidth = irwPixels * cellsPerPixel[axis];
    console.log(`  ${axis}: IRW ${timesBandwidth.toFixed(3)} cells, PSLR ${pslrDb.toFixed(1)} dB, ISLR ${islrDb.toFixed(1)} dB`);
  }
}
// #endregion measure
