// Makes an image window by window with a stored plan, and compares it with the whole image.
import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import {
  backproject,
  createBackprojector,
  type GroundGrid,
  gridWindows,
  latticePixels,
  linearTrack,
  planBackprojection,
  simulatePhaseHistory,
} from "@dechirp/sar";

const positions = linearTrack({ middleMeters: [-8000, 0, 6000], stepMeters: [0, 4, 0], pulses: 64 });
const frequency = { firstHz: 9.4e9, stepHz: 1e6, count: 128 };
const history = simulatePhaseHistory({ positions, frequency, targets: [{ positionMeters: [3, 4, 0], amplitude: 1 }] });
const grid: GroundGrid = {
  kind: "ground",
  nx: 600,
  ny: 500,
  originMeters: [-30, -25, 0],
  xStepMeters: [0.1, 0, 0],
  yStepMeters: [0, 0.1, 0],
};

// #region windows
using device = await open(cpu());
const plan = planBackprojection(device, history, grid, { tile: 32 }); // plain data for the whole image
const stored = JSON.stringify(plan); // keep it with the job, or send it to other machines

const edge = latticePixels(plan); // windows begin and end at multiples of this
const windows = [...gridWindows(grid, [edge, edge])];
using projector = await createBackprojector(device, history, grid, { plan: JSON.parse(stored), gridWindow: windows[0] });
const image = new Float32Array(2 * grid.nx * grid.ny);
for (const gridWindow of windows) {
  await projector.begin({ gridWindow });
  await projector.add(history.samples);
  const pixels = await projector.image(); // [ny][nx] of the window
  const { ix, iy, nx, ny } = gridWindow;
  for (let y = 0; y < ny; y++) image.set(pixels.subarray(2 * y * nx, 2 * (y + 1) * nx), 2 * ((iy + y) * grid.nx + ix));
}
// #endregion windows

const whole = await backproject(device, history, grid, { plan });
const differing = whole.image.filter((value, i) => value !== image[i]).length;
console.log(`${windows.length} windows of at most ${edge} × ${edge} pixels; ${differing} numbers differ from the whole image`);
