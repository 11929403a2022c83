// A tenth of relative bandwidth at 20° of squint: what ω-K and range-Doppler make of a target far from mid swath.
import { compile, evaluate, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import {
  analysePointTarget,
  beamOffsetSeconds,
  imageSpectrum,
  migrationFactor,
  omegaK,
  rangeDoppler,
  simulateStripmap,
} from "@dechirp/sar";

const radar = {
  carrierHz: 10e9,
  samplingRateHz: 1.3e9,
  prfHz: 830,
  chirpRateHzPerSecond: 5e15,
  pulseSeconds: 0.2e-6,
  velocityMetersPerSecond: 100,
  nearRangeMeters: 500,
  dopplerCentroidHz: 2280,
};
const size = { lines: 512, samples: 1152 };
const slantRangeMeters = 517 * migrationFactor(radar, radar.dopplerCentroidHz);
const azimuthSeconds = 256 / radar.prfHz - beamOffsetSeconds(radar, slantRangeMeters, radar.dopplerCentroidHz);
const target = { name: "corner", azimuthSeconds, slantRangeMeters, amplitude: 1, phaseRadians: 0 };
const { raw } = await simulateStripmap({ radar, ...size, targets: [target], beam: { kind: "doppler-band", bandwidthHz: 560 } });

using device = await open(cpu());
// #region focus
const params = { radar, ...size, processedBandwidthHz: 300 };
const exact = omegaK(params);
const expanded = rangeDoppler(params);
for (const [program, spectrum] of [
  [exact, exact.spectrum],
  [expanded, imageSpectrum(radar)],
] as const) {
  const { image } = await evaluate(program, device, { raw: raw as Float32Array });
  const { azimuthSeconds: rows, slantRangeMeters: columns } = program.axes;
  const at = { row: (azimuthSeconds - rows.start) / rows.step, column: (slantRangeMeters - columns.start) / columns.step };
  const { range } = analysePointTarget({ data: image, rows: rows.count, columns: columns.count }, at, spectrum);
  console.log(`${program.name}: ${(range.irwPixels * columns.step).toFixed(3)} m wide in slant range`);
}
// #endregion focus

// #region passes
using compiled = await compile(exact, device);
for (const { name, plan } of compiled.stages) console.log(`${name}: ${plan.cost.passes} pass`);
console.log(`interpolation error below the signal: ${exact.interpolationErrorDb.toFixed(0)} dB`);
// #endregion passes
