// #region host
import {
  amfThreshold,
  drawCube,
  efaGeometry,
  efaReference,
  efaSteering,
  interferenceCovariance,
  uniformSteering,
  wardExample,
} from "@dechirp/stap";

const [channels, pulses] = [8, 16]; // of Ward's airborne radar, which has 18 and 18: clutter some 40 dB above the noise
const target = { range: 100, spatialCycles: 0, dopplerCycles: 3 / 16, snrDb: 3 };
const covariance = interferenceCovariance({ ...wardExample, channels, pulses });
const cube = drawCube(covariance, { channels, pulses, ranges: 256, seed: 1, targets: [target] });

const options = { steeringVectors: 1, temporalTaps: 3, training: { kind: "sliding", cells: 120, guardCells: 2 } };
const geometry = efaGeometry({ ...options, channels, pulses, ranges: 256 }); // sizes and index rules, checked
const steering = efaSteering(geometry, [uniformSteering(channels, 0)]); // broadside, on every bin's middle
const { data } = efaReference(cube, steering, options, [3]); // AMF of Doppler bin 3, [steering][bin][range]
const threshold = amfThreshold(1e-6, geometry.order, 120); // exceeded by a cell without target once in a million
console.log([...data.keys()].filter((range) => data[range] > threshold)); // [ 100 ]

// #endregion host

// #region device
import { evaluate, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { checkStatus, cubeOrders, efa, reorderCube } from "@dechirp/stap";

const device = await open(cpu()); // GPUs run it without `precision`, in float32, and `status` says where that is not enough
const program = efa({ ...options, channels, pulses, ranges: 256, precision: "f64" }); // all Doppler bins; strong clutter wants float64
const samples = Float32Array.from(reorderCube(cube, cubeOrders.perfect).data); // [channel][pulse][range]
const { y, status } = await evaluate(program, device, { cube: samples, steering: Float32Array.from(steering) });
checkStatus(status, program.geometry); // throws where an output is not to be relied on
console.log(y[3 * 256 + 100] > threshold); // true: [steering][bin][range]
device[Symbol.dispose]();
// #endregion device
