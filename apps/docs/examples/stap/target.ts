// Finds a slow target in airborne clutter, with a threshold from theory.
import { evaluate, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { amfThreshold, checkStatus, drawCube, efa, efaSteering, interferenceCovariance, uniformSteering, wardExample } from "@dechirp/stap";

// #region scene
const scenario = { ...wardExample, channels: 6, pulses: 16 }; // clutter more than 40 dB above the noise
const target = { range: 200, spatialCycles: 0, dopplerCycles: 3 / 16, snrDb: 3 };
const cube = drawCube(interferenceCovariance(scenario), { channels: 6, pulses: 16, ranges: 384, seed: 1, targets: [target] });
// #endregion scene

// #region efa
const training = { kind: "sliding", cells: 96, guardCells: 2 } as const;
const sizes = { channels: 6, pulses: 16, ranges: 384, steeringVectors: 1, temporalTaps: 3 };
const program = efa({ ...sizes, training, precision: "f64" }); // clutter this strong needs float64
const { geometry } = program;
const steering = efaSteering(geometry, [uniformSteering(6, 0)]); // broadside, in the middle of each Doppler bin

using device = await open(cpu());
const { y, status } = await evaluate(program, device, { cube: Float32Array.from(cube.data), steering: Float32Array.from(steering) });
checkStatus(status, geometry); // throws if any output is inaccurate

const threshold = amfThreshold(1e-6, geometry.order, 96);
const line = y.subarray(3 * 384, 4 * 384); // Doppler bin 3: [steering][bin][range]
const above = Array.from(line.keys()).filter((range) => line[range] > threshold);
// #endregion efa

console.log(`order ${geometry.order}, threshold ${threshold.toFixed(1)}`);
console.log(`detections in Doppler bin 3: ${above.map((range) => `range ${range}`).join(", ")}`);
