import { evaluate, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import type { StripmapRadar } from "@dechirp/radar";
import { analysePointTarget, quantise, rangeDoppler, simulateStripmap } from "@dechirp/sar";

const radar: StripmapRadar = {
  carrierHz: 9.6e9,
  samplingRateHz: 120e6, // complex samples
  prfHz: 400,
  chirpRateHzPerSecond: -50e12, // negative: a down-chirp
  pulseSeconds: 2e-6,
  velocityMetersPerSecond: 100,
  nearRangeMeters: 5000, // slant range of the first sample
  dopplerCentroidHz: 0,
};
const [lines, samples] = [1024, 512];

// Simulated data instead of a recording: one reflector, quantised to 8-bit integers.
const reflector = { name: "reflector", azimuthSeconds: 1.3, slantRangeMeters: 5200, amplitude: 1, phaseRadians: 0 };
const beam = { kind: "doppler-band", bandwidthHz: 300 } as const;
const echoes = await simulateStripmap({ radar, lines, samples, beam, targets: [reflector] });
const { data: raw } = quantise(echoes.raw, { dtype: "ci8" });

const program = rangeDoppler({ radar, lines, samples, rawType: "ci8", processedBandwidthHz: 250 });
using device = await open(cpu());
const { image } = await evaluate(program, device, { raw });

const { azimuthSeconds, slantRangeMeters } = program.axes;
const at = { row: (1.3 - azimuthSeconds.start) / azimuthSeconds.step, column: (5200 - slantRangeMeters.start) / slantRangeMeters.step };
const { row, column } = analysePointTarget({ data: image, rows: azimuthSeconds.count, columns: slantRangeMeters.count }, at);
console.log(`measured at ${(azimuthSeconds.start + row * azimuthSeconds.step).toFixed(3)} s`);
console.log(`and at ${(slantRangeMeters.start + column * slantRangeMeters.step).toFixed(2)} m`);
