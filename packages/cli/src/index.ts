/** The `dechirp` command as a library: the whole command line in this process, and the pieces that make images and detections. */

export {
  type BackprojectedHistory,
  type BackprojectSettings,
  backprojectHistory,
  type GridOption,
  type Projection,
  planProjection,
} from "./backproject-history.ts";
export type { BackprojectReport, Peak, PeakCut } from "./backproject-report.ts";
export { type FocusedScene, type FocusHooks, type FocusOptions, focusScene } from "./focus-scene.ts";
export type { Io, TextStream } from "./io.ts";
export type { AxisMeasures, AxisTheory, DeviceReport, Report, ReportAxis, TargetMeasures, TargetReport, Used } from "./report.ts";
export { run } from "./run.ts";
export type { AnalysisReport, RanTask, RunReport, SimulatedTask, SimulationReport } from "./schedule/report.ts";
export { readStapInput, readSteering, type StapInput, type SteeringVectors } from "./stap/input.ts";
export { planStap, type StapPlan } from "./stap/plan.ts";
export { processStap, type StapResult } from "./stap/process.ts";
export type { Detection, StapParameters, StapReport } from "./stap/report.ts";
export { type StapPreset, type StapSettings, stapPresets } from "./stap/settings.ts";
export { exitCodes, signalCodes } from "./status.ts";
