// From a cube in memory to detections and a report, as the stap command does, but without files.
import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { planStap, processStap, settingOf } from "@dechirp/processor";
import { drawCube, interferenceCovariance, wardExample } from "@dechirp/stap";

const scenario = { ...wardExample, channels: 6, pulses: 16 };
const target = { range: 200, spatialCycles: 0, dopplerCycles: 3 / 16, snrDb: 3 };
const cube = drawCube(interferenceCovariance(scenario), { channels: 6, pulses: 16, ranges: 384, seed: 1, targets: [target] });

// #region process
const recording = { name: "Ward's radar", cube, facts: { prfHz: 300, spacing: { value: 0.5, unit: "wavelengths" } } } as const;
const settings = { training: "sliding", cells: 96, guard: 2, azimuth: { from: -60, to: 60, step: 10 } } as const;
const plan = await planStap(recording, settings);

using device = await open(cpu());
const { report } = await processStap(plan, device);
const { range, dopplerHz, azimuthDegrees, amfDb } = report.target;
console.log(`${report.detections.count} detection: range bin ${range}, ${dopplerHz} Hz, ${azimuthDegrees}°, ${amfDb.toFixed(1)} dB`);
console.log(`training: ${report.parameters.training.value} (${report.parameters.training.source})`);
// #endregion process

// #region wrong
try {
  await planStap(recording, { ...settings, cells: 12 });
} catch (error) {
  console.log(`${settingOf(error)}: ${(error as Error).message}`);
}
// #endregion wrong
