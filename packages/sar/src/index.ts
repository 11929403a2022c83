/** The public surface of sar: imaging by range-Doppler and backprojection, estimates that imaging needs, simulation, and image quality. */

export { type AnchorOrder, type AnchorRange, anchorErrorMeters } from "./backprojection/anchors.ts";
export { applyAutofocus } from "./backprojection/autofocus.ts";
export {
  type AddOptions,
  type BackprojectedImage,
  type BackprojectionProgress,
  type BackprojectOptions,
  type Backprojector,
  backproject,
  createBackprojector,
  type GridWindowOptions,
} from "./backprojection/backprojector.ts";
export { type BlockAnchors, blockAnchors } from "./backprojection/blocks.ts";
export { backprojectionBytes, backprojectionRangeShare } from "./backprojection/canvas.ts";
export {
  choosePartition,
  describePartition,
  type Partition,
  type PartitionLimits,
  type PartitionRequest,
} from "./backprojection/choose.ts";
export { type BackprojectExactOptions, backprojectExact } from "./backprojection/exact.ts";
export {
  type GroundGrid,
  type Heights,
  type ImageGrid,
  maxImagePixels,
  type PolarGrid,
  pixelPosition,
  type Vec3,
} from "./backprojection/grid.ts";
export { type GridWindow, gridWindows, latticePixels } from "./backprojection/grid-window.ts";
export { midpointErrorMeters } from "./backprojection/midpoint.ts";
export type { Scheme, TileWindow, Traffic } from "./backprojection/partition.ts";
export { type BackprojectionPlan, backprojectionPlanFormat, backprojectionPlanVersion } from "./backprojection/plan.ts";
export {
  type BackprojectionSource,
  type BackprojectorOptions,
  type PreparedBackprojection,
  planBackprojection,
  prepareBackprojection,
} from "./backprojection/prepare.ts";
export { defaultInterpolation, type ProfileInterpolation, profileInterpolationDb } from "./backprojection/profile-interpolation.ts";
export {
  type Compression,
  type CompressionOptions,
  compressProfiles,
  cyclesPerMeter,
  type ProfileGeometry,
  planCompression,
  pulseCount,
  type RangeProfiles,
} from "./backprojection/profiles.ts";
export { type BackprojectionProgram, backprojectionProgram } from "./backprojection/program.ts";
export { type BackprojectReferenceOptions, backprojectReference } from "./backprojection/reference.ts";
export {
  type AreaGridOptions,
  areaGrid,
  type SceneArea,
  type SceneGrid,
  type SceneGridOptions,
  sceneGrid,
} from "./backprojection/scene.ts";
export { signalToErrorDb } from "./backprojection/ser.ts";
export type { BackprojectionShape, SineSource } from "./backprojection/shape.ts";
export {
  circularTrack,
  linearTrack,
  type PhaseHistoryOptions,
  type PlacedTarget,
  simulatePhaseHistory,
} from "./backprojection/simulate.ts";
export type { PixelPosition } from "./bandpass.ts";
export {
  type DetectedImage,
  type DetectedProgram,
  type DetectionKind,
  type DetectOptions,
  detectStore,
  withDetection,
} from "./detect.ts";
export {
  type AmbiguityData,
  type DopplerAmbiguity,
  type DopplerFraction,
  estimateDopplerAmbiguity,
  estimateDopplerFraction,
  type ResolvedDoppler,
  type ResolveOptions,
  resolveDopplerCentroid,
} from "./doppler.ts";
export { type AbsoluteDoppler, estimateDopplerByRangeLooks, estimateDopplerByRangeWalk } from "./doppler-absolute.ts";
export { type BlockAmbiguity, type JointAmbiguity, joinDopplerAmbiguities } from "./doppler-blocks.ts";
export {
  type DopplerFit,
  type DopplerPolynomial,
  type DopplerSectionUse,
  dopplerAt,
  type FitDopplerOptions,
  fitDoppler,
  fitDopplerSteps,
} from "./doppler-fit.ts";
export {
  createDopplerGrid,
  type DopplerGrid,
  type DopplerGridOptions,
  type DopplerGridRadar,
  type DopplerSection,
  type LineSpan,
} from "./doppler-grid.ts";
export {
  type EffectiveVelocityOptions,
  effectiveVelocity,
  type OrbitRadar,
  type SwathVelocity,
  velocityFromOrbit,
  velocityPhaseErrorRadians,
  withVelocity,
} from "./effective-velocity.ts";
export { imageContrast, imageContrastSteps, imageEntropy, imageEntropySteps, peakToMeanDb } from "./entropy.ts";
export { createFocusAccumulator, type FocusAccumulator, type FocusMeasures, type PartTaker, type SumsTaker } from "./focus-measures.ts";
export {
  type Beam,
  beamGain,
  illuminatedPulses,
  instantaneousDopplerHz,
  pulseSeconds,
  slantRanges,
  stripmapTrack,
  targetCoordinates,
  targetPosition,
  twoWayCycles,
} from "./geometry.ts";
export type { ComplexLines, DopplerRadar } from "./lines.ts";
export type { Intensity, Looks } from "./multilook-cells.ts";
export type { OmegaKParams } from "./omega-k/plan.ts";
export { type OmegaKProgram, omegaK, omegaKSteps } from "./omega-k.ts";
export type { CutMetrics } from "./point-target-cuts.ts";
export { createPointTargetCollector, type ExpectedTarget, type PointTargetCollector } from "./point-target-parts.ts";
export type { PointTargetOptions, SpectrumOptions } from "./point-target-settings.ts";
export {
  analysePointTarget,
  type ComplexImage,
  type CutCurve,
  interpolatePhase,
  type PointTargetCuts,
  type PointTargetQuality,
  pointTargetCutSteps,
  pointTargetCuts,
  pointTargetSteps,
} from "./quality.ts";
export { type Question, type QuestionedRadar, questionRadar } from "./question.ts";
export {
  chooseLooks,
  type GrayOptions,
  type GrayPicture,
  multilook,
  type QuicklookOptions,
  quicklook,
  quicklookSteps,
  toGrayDb,
} from "./quicklook.ts";
export { createQuicklookAccumulator, type QuicklookAccumulator } from "./quicklook-parts.ts";
export { type QuicklookProgram, type QuicklookProgramOptions, withQuicklook } from "./quicklook-program.ts";
export {
  azimuthRateHzPerSecond,
  beamOffsetSeconds,
  checkRadar,
  chirpBandwidthHz,
  maxDopplerHz,
  migrationFactor,
  rangeSpacingMeters,
} from "./radar.ts";
export {
  type BlockOptions,
  type BlockPlan,
  type BlockProgram,
  blockProgramSteps,
  type ImageBlock,
  planBlocks,
  type SubSwath,
} from "./range-doppler/blocks.ts";
export {
  type MeasureDopplerOptions,
  type MeasuredDoppler,
  measureDopplerAmbiguity,
  measureDopplerCentroid,
  type UncentredParams,
} from "./range-doppler/centroid.ts";
export type { ImageExposure, RowSpan } from "./range-doppler/exposed-lines.ts";
export { exposedBand, rowsExposed, rowsExposedSteps } from "./range-doppler/exposure.ts";
export {
  type Axis,
  type ImageAxes,
  type ImageGeometry,
  type ImageSpectrum,
  imageGeometry,
  imageSpectrum,
} from "./range-doppler/geometry.ts";
export { defaultWindow, type RangeDopplerParams, type SecondaryRangeCompression } from "./range-doppler/params.ts";
export { type RangeDopplerProgram, rangeDoppler, rangeDopplerSteps } from "./range-doppler/program.ts";
export { foldingErrorRadians } from "./range-doppler/range.ts";
export { designSpectrum } from "./range-doppler/spectrum.ts";
export { sarHooks, sarKernels, sarTuned } from "./recipes.ts";
export type { Background, Convolve } from "./simulate/background.ts";
export { createConvolver } from "./simulate/convolver.ts";
export { fusedSarScene } from "./simulate/fused-sar-paper.ts";
export { maxSimulatedSamples, type Noise, type ScenePreset, type SimulationOptions } from "./simulate/options.ts";
export { scenePresets } from "./simulate/presets.ts";
export { type Quantised, type QuantiseOptions, quantise, quantiseSteps } from "./simulate/quantise.ts";
export { type SimulatedEchoes, type SimulationHooks, simulateStripmap } from "./simulate.ts";
export { type WindowInputs, type WindowOutputs, type WindowSums, type WindowSumsProgram, windowSumsProgram } from "./window-sums.ts";
