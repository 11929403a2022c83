/**
 * The public surface of `@dechirp/processor`, in reading order: it turns recordings into products (images, STAP outputs, reports) on
 * any device.
 */

export {
  type BackprojectionResult,
  backprojectInWindows,
  backprojectRecording,
  type WindowedImageHooks,
} from "./backproject/backproject.ts";
export { type BackprojectedImagePlan, backprojectionWork, planBackprojectedImage } from "./backproject/image-plan.ts";
export { type BackprojectReport, backprojectionFormat, backprojectionVersion, type Peak, type PeakCut } from "./backproject/report.ts";
export { type BackprojectSettings, type Convention, frequenciesFor, type GridSetting, type MapSetting } from "./backproject/settings.ts";
export { createWindowMaker, type MakeWindowOptions, type WindowMaker, type WindowMakerOptions } from "./backproject/window-maker.ts";
export {
  imageWindowBytes,
  imageWindowRangeShare,
  largestSquareWindow,
  planImageWindows,
  type WindowedImagePlan,
  type WindowOptions,
} from "./backproject/windows.ts";
export { settingOf } from "./blame.ts";
export { type Clock, createClock, type Timing } from "./clock.ts";
export type { ImageDescription } from "./description.ts";
export {
  type ChosenCentroid,
  chosenCentroid,
  type FocusBlocksOptions,
  type FocusedInBlocks,
  type FocusPlan,
  type FocusPlanOptions,
  focusBlocks,
  focusInBlocks,
  planFocus,
  timeBlock,
} from "./focus/blocks.ts";
export type { DopplerFitReport } from "./focus/centroid-report.ts";
export { type FocusedImage, type FocusHooks, type FocusOptions, focusBytes, focusRecording, focusWork } from "./focus/focus.ts";
export {
  type BorderReason,
  type LineMap,
  type LineReport,
  type LineRun,
  type LineSegment,
  type MapLinesOptions,
  mapLines,
  type TimedRecording,
} from "./focus/lines.ts";
export type { BlockActivity } from "./focus/make-blocks.ts";
export {
  expectedTargets,
  type ImageMeasures,
  type MeasuredImage,
  measureImage,
  measureTargets,
  type TargetMeasurer,
  targetsIn,
  theoreticalResponse,
} from "./focus/measure.ts";
export { type PulseSource, type RegularLines, regularLines } from "./focus/regular-lines.ts";
export {
  type AxisMeasures,
  type AxisTheory,
  type BlocksReport,
  type ExposureReport,
  type Report,
  type ResolutionReport,
  type Rows,
  reportFormat,
  reportVersion,
  type TargetMeasures,
  type TargetReport,
} from "./focus/report.ts";
export { type MeasurableReport, parseReport, reportSchema } from "./focus/report-schema.ts";
export { type RegularRecording, regularRecordings } from "./focus/segments.ts";
export type { FocusSettings } from "./focus/settings.ts";
export type { ProcessHooks } from "./hooks.ts";
export type { PartSink } from "./part-sink.ts";
export type { Echoes, LinesOptions, PhaseHistoryRecording, SensorKnowledge, StripmapRecording } from "./recording.ts";
export { type SimulatedRecording, type SimulateSettings, simulateRecording } from "./simulate.ts";
export { amfLine } from "./stap/detect.ts";
export type { AmfMap, AngleDopplerMaps, StapFindings, StapMaps, StapOutput } from "./stap/findings.ts";
export { angleDopplerPanels, rangeDopplerPanels, type StapAxis, type StapPanel } from "./stap/panels.ts";
export { planStap, type StapHooks, type StapPlan, stapWork } from "./stap/plan.ts";
export { type StapPreset, type StapPresetName, stapPresets } from "./stap/presets.ts";
export { processStap, type StapResult } from "./stap/process.ts";
export type { AzimuthScan, StapProcessing, TrainingKind } from "./stap/processing.ts";
export type { ArrayData, ArrayRecording } from "./stap/recording.ts";
export {
  type AngleDopplerReport,
  type BeamformerReport,
  type CellPlace,
  type HomogeneityReport,
  type InterferenceReport,
  type InterferenceSource,
  type SolvedReport,
  type StapDetection,
  type StapParameters,
  type StapReport,
  type StapTargetReport,
  stapFormat,
  stapVersion,
} from "./stap/report.ts";
export type { StapSettings, StapTarget } from "./stap/settings.ts";
export type { LineArray } from "./stap/steering.ts";
export { type DeviceReport, deviceReport, type ReportAxis, type StageReport, type UsedParameter } from "./used.ts";
export type { AdaptiveWork, BackprojectionWork, TransformWork, Work } from "./work.ts";
