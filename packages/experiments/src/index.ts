/**
 * The public exports of @dechirp/experiments: published experiments that can be repeated on any device. `dechirp bench` runs them from the
 * command line.
 */

export { openPulseBlock, type PulseBlock, type PulseBlockRunOptions, type PulseBlockStep } from "./backprojection-paper/block.ts";
export { backprojectionPlots } from "./backprojection-paper/plots.ts";
export type { BackprojectionReport, DeviceResults, KernelRow, KernelTime, WholeRow, WholeTime } from "./backprojection-paper/report.ts";
export { type BackprojectionPaperOptions, backprojectionExperiment } from "./backprojection-paper/run.ts";
export { backprojectionTables } from "./backprojection-paper/tables.ts";
export {
  type BackprojectionWorkload,
  type BackprojectionWorkloadOptions,
  circlePulses,
  createBackprojectionWorkload,
  createNoiseSamples,
  type NoiseSamples,
  patchErrorDb,
  type SampleForm,
  squareGrid,
} from "./backprojection-paper/workload.ts";
export {
  type EfaBuffers,
  type EfaChain,
  type EfaChainRunOptions,
  type EfaVariant,
  openEfaChain,
  uploadEfaBuffers,
} from "./efa-paper/chain.ts";
export { efaPlots } from "./efa-paper/plots.ts";
export { minEfaSnrDb, published as publishedEfa } from "./efa-paper/published.ts";
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
export { efaTables, sizesText as formatEfaSizes, wrongEfaRows } from "./efa-paper/tables.ts";
export { createEfaProblem, type EfaProblem, type EfaProblemOptions } from "./efa-paper/workload.ts";
export type { ExperimentHooks, OpenDevice } from "./experiment.ts";
export {
  appleM1,
  appleM4Max,
  type Census,
  type ComparedFft,
  censusOf,
  compareWithModel,
  type FftCase,
  type FftPrediction,
  longestInRegisters,
  longestInWorkgroup,
  type MeasuredFft,
  type ModelComparison,
  type ModelParameters,
  modelParameters,
  type PredictedTerms,
  predictFft,
  type RadixRow,
  type RatePoint,
  radixTable,
  type Synthesis,
  type SynthesisLimits,
  synthesize,
  type Unpredicted,
} from "./fft-model/index.ts";
export { type FftPeer, startFftw } from "./fft-paper/fftw.ts";
export { fftPaperPlots } from "./fft-paper/plots.ts";
export {
  type CopyRate,
  type FftDeviceResults,
  type FftMeasured,
  type FftPaperReport,
  type FftPaperResult,
  type FftRow,
  type FftSection,
  type GroupLimits,
  type MemoryFigure,
  type PredictedTime,
  sections as fftSections,
} from "./fft-paper/report.ts";
export { readFftResult, writeFftResult } from "./fft-paper/result.ts";
export { type FftPaperOptions, fftPaperExperiment } from "./fft-paper/run.ts";
export { fftPaperTables, wrongFftRows } from "./fft-paper/tables.ts";
export type { PaperReport, PartReport, VariantReport } from "./fused-sar-paper/report.ts";
export { fusedSarExperiment, type PaperOptions } from "./fused-sar-paper/run.ts";
export { fusedSarTables } from "./fused-sar-paper/tables.ts";
export type { Limits as MemoryLimits } from "./memory/limits.ts";
export { memoryPlots } from "./memory/plots.ts";
export { publishedMemory } from "./memory/published.ts";
export { type MemoryReport, type MemoryRow, type MemorySection, memorySections, type Quantity, type Spread } from "./memory/report.ts";
export { type MemoryOptions, memoryExperiment } from "./memory/run.ts";
export { memoryTables, wrongMemoryRows } from "./memory/tables.ts";
export { realtimePlots } from "./realtime-paper/plots.ts";
export type { RealtimeReport } from "./realtime-paper/report.ts";
export { type RealtimePaperOptions, realtimeExperiment } from "./realtime-paper/run.ts";
export { realtimeTables, wrongRealtimeRows } from "./realtime-paper/tables.ts";
export { type ReportTable, type ReportTables, reportMarkdown } from "./tables.ts";
export {
  type ExperimentReports,
  type TargetMeasurement,
  type TargetOutcome,
  targetOutcomes,
  targetTable,
} from "./targets.ts";
