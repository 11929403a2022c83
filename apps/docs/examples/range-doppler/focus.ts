// Focuses a target at the edge of the swath of a radar that looks 3.5° ahead, and compares it with theory.
import { evaluate, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { type PointTarget, type StripmapRadar, wavelengthMeters, windowTheory } from "@dechirp/radar";
import {
  analysePointTarget,
  beamOffsetSeconds,
  chirpBandwidthHz,
  imageSpectrum,
  migrationFactor,
  rangeDoppler,
  rangeSpacingMeters,
  scenePresets,
  simulateStripmap,
} from "@dechirp/sar";

// #region scene
const dopplerCentroidHz = 330;
const radar: StripmapRadar = { ...scenePresets.quality.radar, dopplerCentroidHz, pulseSeconds: 3e-6, chirpRateHzPerSecond: 100e6 / 3e-6 };
const [lines, samples, processedBandwidthHz] = [1024, 1024, 150];

// The centre of the beam sees the target in pulse 510.4, in range cell 40.7.
const slantRangeMeters = (radar.nearRangeMeters + 40.7 * rangeSpacingMeters(radar)) * migrationFactor(radar, dopplerCentroidHz);
const azimuthSeconds = 510.4 / radar.prfHz - beamOffsetSeconds(radar, slantRangeMeters, dopplerCentroidHz);
const target: PointTarget = { name: "near edge", azimuthSeconds, slantRangeMeters, amplitude: 1, phaseRadians: 1 };

const beam = { kind: "doppler-band", bandwidthHz: 180 } as const;
const { raw } = await simulateStripmap({ radar, lines, samples, beam, targets: [target] });
// #endregion scene

// #region image
const program = rangeDoppler({ radar, lines, samples, processedBandwidthHz, rcmc: { kind: "sinc", taps: 16, window: "kaiser" } });
using device = await open(cpu());
const { image } = await evaluate(program, device, { raw });
// #endregion image

// #region measure
const { azimuthSeconds: azimuth, slantRangeMeters: range } = program.axes;
const row = (azimuthSeconds - azimuth.start) / azimuth.step;
const column = (slantRangeMeters - range.start) / range.step;
const picture = { data: image, rows: azimuth.count, columns: range.count };
const found = analysePointTarget(picture, { row, column }, imageSpectrum(radar));
// #endregion measure

const theory = windowTheory({ kind: "kaiser", beta: 2.5 });
const expectedPhase = target.phaseRadians - (4 * Math.PI * slantRangeMeters) / wavelengthMeters(radar);
const turns = (found.peakPhaseRadians - expectedPhase) / (2 * Math.PI);
console.log(`seen ${(-beamOffsetSeconds(radar, slantRangeMeters, dopplerCentroidHz)).toFixed(1)} s before closest approach`);
const { rows, lines: pulses, firstLine, exposure } = program.geometry;
console.log(
  `${pulses} lines expose ${rows} rows, ${exposure.fullRows[1]} of them in full; the first row is ${firstLine} lines after the first pulse`,
);
console.log(`secondary range compression: ${program.src.mode}`);
console.log(
  `position error: ${Math.abs(found.rowOffset) < 0.02 ? "less than 0.02" : found.rowOffset} lines, ${Math.abs(found.columnOffset) < 0.02 ? "less than 0.02" : found.columnOffset} cells`,
);
console.log(
  `azimuth IRW / theory: ${((found.azimuth.irwPixels * processedBandwidthHz) / radar.prfHz / theory.irwTimesBandwidth).toFixed(2)}`,
);
console.log(
  `range IRW / theory: ${((found.range.irwPixels * chirpBandwidthHz(radar)) / radar.samplingRateHz / theory.irwTimesBandwidth).toFixed(2)}`,
);
console.log(`phase error: ${Math.abs(turns - Math.round(turns)) * 360 < 1 ? "less than 1°" : `${(turns - Math.round(turns)) * 360}°`}`);
