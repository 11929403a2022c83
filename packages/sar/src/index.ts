/** The public surface of sar. */

export * from "./chirp.ts";
export * from "./detect.ts";
export * from "./doppler.ts";
export * from "./entropy.ts";
export * from "./geometry.ts";
export * from "./interpolation.ts";
export * from "./quality.ts";
export * from "./quicklook.ts";
export * from "./radar.ts";
export * from "./random.ts";
export {
  fullyExposedLines,
  type MeasureDopplerOptions,
  type MeasuredDoppler,
  measureDopplerCentroid,
  type UncentredParams,
} from "./range-doppler/centroid.ts";
export {
  type Axis,
  type ImageAxes,
  type ImageGeometry,
  type ImageSpectrum,
  imageGeometry,
  imageSpectrum,
} from "./range-doppler/geometry.ts";
export { defaultWindow, type RangeDopplerParams, type SecondaryRangeCompression } from "./range-doppler/params.ts";
export { type RangeDopplerProgram, rangeDoppler } from "./range-doppler/program.ts";
export * from "./simulate.ts";
export * from "./windows.ts";
