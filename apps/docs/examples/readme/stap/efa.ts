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

const { channels, pulses } = wardExample; // 18 and 18: Ward's airborne radar, clutter 47 dB above the noise
const target = { range: 100, spatialCycles: 0, dopplerCycles: 3 / 18, snrDb: 0 };
const cube = drawCube(interferenceCovariance(wardExample), { channels, pulses, ranges: 256, seed: 1, targets: [target] });

const options = { steeringVectors: 1, temporalTaps: 3, training: { kind: "sliding", cells: 120, guardCells: 2 } } as const;
const geometry = efaGeometry({ ...options, channels, pulses, ranges: 256 }); // sizes and index rules, checked
const steering = efaSteering(geometry, [uniformSteering(channels, 0)]); // broadside, on every bin's middle
const { data } = efaReference(cube, steering, options, [3]); // AMF of Doppler bin 3, [steering][bin][range]
console.log([...data.keys()].filter((range) => data[range] > amfThreshold(1e-6, geometry.order, 120))); // [ 100 ]

// #endregion host

// #region device
import { evaluate, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { checkStatus, cubeOrders, efa, reorderCube } from "@dechirp/stap";

using device = await open(cpu()); // open(gpu(), cpu()) takes a GPU where one opens
const program = efa({ ...options, channels, pulses, ranges: 256 }); // all Doppler bins
const samples = Float32Array.from(reorderCube(cube, cubeOrders.perfect).data); // [channel][pulse][range]
const { y, status } = await evaluate(program, device, { cube: samples, steering: Float32Array.from(steering) });
checkStatus(status, program.geometry); // throws where a covariance was singular
console.log(y[3 * 256 + 100] > amfThreshold(1e-6, geometry.order, 120)); // true: [steering][bin][range]
// #endregion device
