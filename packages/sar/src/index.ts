/** The public surface of sar. */

export {
  type AnchorOrder,
  type Anchors,
  anchorErrorMeters,
  anchoredRange,
  anchorPixel,
  anchorWords,
  tileAnchors,
  tileOffsets,
  tilesAlong,
} from "./backprojection/anchors.ts";
export {
  type AddOptions,
  type BackprojectedImage,
  type BackprojectionProgress,
  type BackprojectOptions,
  type Backprojector,
  backproject,
  createBackprojector,
} from "./backprojection/backprojector.ts";
export {
  type BlockAnchors,
  blockAnchors,
  blockErrorCycles,
  blockTileAnchor,
  blockWords,
  chooseBlockTiles,
  type LatticeAnchor,
  latticePoint,
  latticeWords,
  tileSquares,
} from "./backprojection/blocks.ts";
export {
  choosePartition,
  describePartition,
  type Partition,
  type PartitionLimits,
  type PartitionRequest,
  stagedPulses,
} from "./backprojection/choose.ts";
export {
  checkGrid,
  type GroundGrid,
  type Heights,
  type ImageGrid,
  maxImagePixels,
  type PolarGrid,
  pixelPosition,
  type Vec3,
} from "./backprojection/grid.ts";
export { backprojectionKernel } from "./backprojection/kernel.ts";
export {
  lemmaOneBins,
  lemmaTwoBins,
  type Scheme,
  setSpanMeters,
  type TileWindow,
  type Traffic,
  tileSpanMeters,
  tileWindow,
  trafficWords,
} from "./backprojection/partition.ts";
export { type BackprojectionSource, type BackprojectorOptions, planBackprojection } from "./backprojection/plan.ts";
export {
  type Aperture,
  type Compression,
  type CompressionOptions,
  checkPhaseHistory,
  checkProfileGeometry,
  checkProfiles,
  compressProfiles,
  cyclesPerMeter,
  type HistoryGeometry,
  type PhaseHistory,
  type ProfileGeometry,
  planCompression,
  profileOversampling,
  pulseCount,
  type RangeProfiles,
} from "./backprojection/profiles.ts";
export { type BackprojectionProgram, backprojectionProgram } from "./backprojection/program.ts";
export {
  type BackprojectReferenceOptions,
  backprojectReference,
  type ProfileInterpolation,
  profileTaps,
} from "./backprojection/reference.ts";
export { type SceneGrid, type SceneGridOptions, sceneGrid } from "./backprojection/scene.ts";
export { signalToErrorDb } from "./backprojection/ser.ts";
export type { BackprojectionShape, SineSource } from "./backprojection/shape.ts";
export {
  circularTrack,
  linearTrack,
  type PhaseHistoryOptions,
  type PlacedTarget,
  simulatePhaseHistory,
} from "./backprojection/simulate.ts";
export * from "./chirp.ts";
export * from "./detect.ts";
export * from "./doppler.ts";
export * from "./entropy.ts";
export * from "./geometry.ts";
export * from "./interpolation.ts";
export * from "./quality.ts";
export * from "./quicklook.ts";
export { type QuicklookProgram, type QuicklookProgramOptions, withQuicklook } from "./quicklook-program.ts";
export * from "./radar.ts";
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
export { designSpectrum } from "./range-doppler/spectrum.ts";
export * from "./simulate.ts";
export * from "./windows.ts";
