// Samples whose squares exceed float32, and covariances that need float64: what the status says, and what helps.
import { createRandom, evaluate, isRadarError, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { checkStatus, efa, efaGeometry, efaInputs, efaSteering, readStatus, uniformSteering, unscaleOutputs } from "@dechirp/stap";

const [channels, pulses, ranges] = [4, 8, 96];
const random = createRandom(2);
const cube = new Float64Array(2 * channels * pulses * ranges); // a jammer 60 dB above the noise, in units of 1e-20
for (let cell = 0; cell < pulses * ranges; cell++) {
  const jammer = 1e3 * random.gaussian();
  for (let m = 0; m < channels; m++) {
    const at = 2 * (m * pulses * ranges + cell);
    cube[at] = 1e20 * (jammer * Math.cos(m) + random.gaussian());
    cube[at + 1] = 1e20 * (jammer * Math.sin(m) + random.gaussian());
  }
}
const options = { channels, pulses, ranges, steeringVectors: 1 };
const geometry = efaGeometry(options);
const steering = efaSteering(geometry, [uniformSteering(channels, 0)]);
using device = await open(cpu());

try {
  const plain = await evaluate(efa(options), device, { cube: Float32Array.from(cube), steering: Float32Array.from(steering) });
  checkStatus(plain.status, geometry);
} catch (error) {
  if (isRadarError(error, "input")) console.log(error.message);
}

// #region inputs
const inputs = efaInputs(cube, steering, geometry); // float32 or float64, [channel][pulse][range] and [P][n]
const coarse = await evaluate(efa(options), device, inputs.arrays);
console.log(`${readStatus(coarse.status, geometry).length} of ${coarse.status.length} covariances have a status`);
const { y, status } = await evaluate(efa({ ...options, precision: "f64" }), device, inputs.arrays);
checkStatus(status, geometry); // throws if any output is inaccurate
unscaleOutputs(y, inputs, geometry); // reverses the scaling of efaInputs; the AMF does not depend on it
// #endregion inputs
console.log(`mean AMF ${(y.reduce((sum, value) => sum + value, 0) / y.length).toFixed(2)}`);
