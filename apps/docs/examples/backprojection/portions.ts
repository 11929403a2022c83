// Adds pulses as they arrive, with progress and a time limit, and prints how the work was divided.
import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { createBackprojector, type GroundGrid, linearTrack, simulatePhaseHistory } from "@dechirp/sar";

const positions = linearTrack({ middleMeters: [-8000, 0, 6000], stepMeters: [0, 2, 0], pulses: 256 });
const frequency = { firstHz: 9.4e9, stepHz: 1e6, count: 256 };
const history = simulatePhaseHistory({ positions, frequency, targets: [{ positionMeters: [3, 4, 0], amplitude: 1 }] });
const grid: GroundGrid = {
  kind: "ground",
  nx: 128,
  ny: 128,
  originMeters: [-16, -16, 0],
  xStepMeters: [0.25, 0, 0],
  yStepMeters: [0, 0.25, 0],
};

// #region portions
using device = await open(cpu());
using projector = await createBackprojector(device, history, grid); // the positions are known now; the samples come later
const portion = 2 * 64 * frequency.count;
for (let at = 0; at < history.samples.length; at += portion) {
  await projector.add(history.samples.subarray(at, at + portion), { signal: AbortSignal.timeout(60_000) });
}
await projector.finish({ onProgress: ({ pulses, of }) => console.log(`${pulses} of ${of} pulses`) });
const image = await projector.image();
// #endregion portions

let brightest = 0;
for (let i = 0; i < image.length; i += 2)
  if (Math.hypot(image[i], image[i + 1]) > Math.hypot(image[brightest], image[brightest + 1])) brightest = i;
console.log(`brightest at x = ${-16 + 0.25 * ((brightest / 2) % 128)}, y = ${-16 + 0.25 * Math.floor(brightest / 256)}`);
console.log(projector.text);
