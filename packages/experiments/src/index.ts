/**
 * The public exports of @dechirp/experiments: published experiments that can be repeated on any device. `dechirp bench` runs them from the
 * command line.
 */

export { type Block, type BlockRunOptions, type BlockStep, openBlock } from "./backprojection-paper/block.ts";
export { backprojectionPlots } from "./backprojection-paper/plots.ts";
export type { BackprojectionReport, DeviceResults, KernelRow, KernelTime, WholeRow, WholeTime } from "./backprojection-paper/report.ts";
export { type BackprojectionPaperOptions, backprojectionExperiment } from "./backprojection-paper/run.ts";
export { backprojectionTables } from "./backprojection-paper/tables.ts";
export {
  circlePulses,
  createRing,
  createWorkload,
  patchErrorDb,
  type Ring,
  type SampleForm,
  squareGrid,
  type Workload,
  type WorkloadOptions,
} from "./backprojection-paper/workload.ts";
export { type Chain, type ChainRunOptions, type EfaInputs, type EfaWay, openChain, placeInputs } from "./efa-paper/chain.ts";
export { efaPlots } from "./efa-paper/plots.ts";
export { leastSnrDb, published as publishedEfa } from "./efa-paper/published.ts";
export {
  type EfaDeviceResults,
  type EfaMeasured,
  type EfaReport,
  type EfaRow,
  type EfaSizes,
  type Section as EfaSection,
  type StageTime,
  sections as efaSections,
} from "./efa-paper/report.ts";
export { type EfaPaperOptions, efaExperiment } from "./efa-paper/run.ts";
export { efaTables, sizesText as efaSizesText, wrongEfaRows } from "./efa-paper/tables.ts";
export { createProblem, type EfaProblem, type EfaProblemOptions } from "./efa-paper/workload.ts";
export type { ExperimentHooks, OpenDevice } from "./experiment.ts";
export type { PaperReport, PartReport, VariantReport } from "./fused-sar-paper/report.ts";
export { fusedSarExperiment, type PaperOptions } from "./fused-sar-paper/run.ts";
export { fusedSarTables } from "./fused-sar-paper/tables.ts";
export { realtimePlots } from "./realtime-paper/plots.ts";
export type { RealtimeReport } from "./realtime-paper/report.ts";
export { type RealtimePaperOptions, realtimeExperiment } from "./realtime-paper/run.ts";
export { realtimeTables, wrongRealtimeRows } from "./realtime-paper/tables.ts";
export { type ReportTable, type ReportTables, reportMarkdown } from "./tables.ts";
