// Focuses three points on the ground, seen from a circle ten kilometres away at X band, and prints their amplitude and phase.
import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { backproject, circularTrack, pixelPosition, sceneGrid, simulatePhaseHistory } from "@dechirp/sar";

const positions = circularTrack({ radiusMeters: 7200, altitudeMeters: 7200, firstRadians: 0, stepRadians: 2.5e-4, pulses: 160 });
const targets = [
  { positionMeters: [0, 0, 0], amplitude: 1, phaseRadians: 0.5 },
  { positionMeters: [12, -9, 0], amplitude: 0.8 },
  { positionMeters: [-7, 15, 0], amplitude: 0.6 },
] as const;
const history = simulatePhaseHistory({ positions, frequency: { firstHz: 9.3e9, stepHz: 1.5e6, count: 256 }, targets });

const { grid: supported, resolutionMeters, limit } = sceneGrid(history); // the scene that the data support
console.log(
  `resolution ${resolutionMeters.map((x) => x.toFixed(2)).join(" × ")} m, a scene of ${(supported.nx * supported.xStepMeters[0]).toFixed(0)} m, limited by ${limit}`,
);

const grid = {
  kind: "ground",
  nx: 192,
  ny: 192,
  originMeters: [-24, -24, 0],
  xStepMeters: [0.25, 0, 0],
  yStepMeters: [0, 0.25, 0],
} as const;
using device = await open(cpu());
const { image } = await backproject(device, history, grid);

for (const {
  positionMeters: [x, y],
  amplitude,
} of targets) {
  const [ix, iy] = [Math.round((x + 24) / 0.25), Math.round((y + 24) / 0.25)];
  const at = 2 * (iy * grid.nx + ix);
  const found = Math.hypot(image[at], image[at + 1]) / 160; // every pulse adds a to the pixel of a point with amplitude a
  const phase = Math.atan2(image[at + 1], image[at]);
  console.log(`${pixelPosition(grid, ix, iy)}: amplitude ${found.toFixed(2)} of ${amplitude}, phase ${phase.toFixed(1)}`);
}

// The conjugate gives an image that is equally sharp, but mirrored through the reference point.
const conjugate = { ...history, samples: history.samples.map((value, i) => (i % 2 === 0 ? value : -value)) };
const mirrored = await backproject(device, conjugate, grid);
const at = 2 * ((24 + 9) / 0.25) * grid.nx + 2 * ((24 - 12) / 0.25); // at (−12, 9) instead of (12, −9)
console.log(`conjugated, at (−12, 9): ${(Math.hypot(mirrored.image[at], mirrored.image[at + 1]) / 160).toFixed(1)}`);
