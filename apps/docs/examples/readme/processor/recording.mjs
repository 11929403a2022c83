import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { focusRecording, settingOf } from "@dechirp/processor";

const echoes = Float32Array.from({ length: 2 * 256 * 512 }, () => Math.random() - 0.5); // interleaved re, im: noise
const recording = {
  name: "from my own format",
  shape: [256, 512], // lines (pulses), range samples
  dtype: "c64",
  radar: {
    carrierHz: 9.6e9,
    samplingRateHz: 120e6,
    prfHz: 400,
    chirpRateHzPerSecond: 50e12,
    pulseSeconds: 2e-6,
    velocityMetersPerSecond: 100,
    nearRangeMeters: 5000,
    dopplerCentroidHz: 0,
  },
  pulses: (from, count) => echoes.subarray(2 * 512 * from, 2 * 512 * (from + count)), // may be asynchronous
};

const device = await open(cpu());
try {
  await focusRecording(recording, { processedBandwidthHz: 500 }, device);
} catch (error) {
  console.log(settingOf(error), "|", error.message); // undefined where the recording is at fault
}
device[Symbol.dispose]();
