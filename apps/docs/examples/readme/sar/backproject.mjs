import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { backproject, circularTrack, simulatePhaseHistory } from "@dechirp/sar";

const history = simulatePhaseHistory({
  positions: circularTrack({ radiusMeters: 7000, altitudeMeters: 7000, firstRadians: 0, stepRadians: 0.0005, pulses: 120 }),
  frequency: { firstHz: 9.3e9, stepHz: 2e6, count: 256 },
  targets: [{ positionMeters: [4, -3, 0], amplitude: 1 }],
});
const grid = {
  kind: "ground",
  nx: 64,
  ny: 64,
  originMeters: [-8, -8, 0],
  xStepMeters: [0.25, 0, 0],
  yStepMeters: [0, 0.25, 0],
};

const device = await open(cpu());
const { image } = await backproject(device, history, grid, { onProgress: ({ pulses, of }) => console.log(`${pulses} of ${of} pulses`) });

const power = (i) => image[2 * i] ** 2 + image[2 * i + 1] ** 2; // [ny][nx], interleaved re, im
const brightest = Array.from({ length: 64 * 64 }, (_, i) => i).reduce((best, i) => (power(i) > power(best) ? i : best));
console.log(`brightest at x = ${-8 + 0.25 * (brightest % 64)} m, y = ${-8 + 0.25 * Math.floor(brightest / 64)} m`);
device[Symbol.dispose]();
