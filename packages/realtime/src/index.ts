/** The public exports of @dechirp/realtime. */

export {
  type Analysis,
  analyseTaskSet,
  type BoundKind,
  partitionBound,
  responseBound,
  type TaskAnalysis,
  waitBound,
} from "./bounds.ts";
export { microseconds } from "./clock.ts";
export { bestEffort } from "./executors/best-effort.ts";
export { type ChunkedTransform, type ChunkOptions, planChunkedTransform } from "./executors/chunked.ts";
export { type CpuPoolOptions, cpuPool } from "./executors/cpu-pool.ts";
export type { ExecutableTask, Executor, ExecutorCounts, JobRecord, PlannedRun, SubmitOptions } from "./executors/executor.ts";
export { type ChunkedTask, chunkBound, gpuChunks } from "./executors/gpu-chunks.ts";
export { gpuSlots, type SlotsExecutor, type SlotsFigures, type SlotsOptions, slotBound } from "./executors/gpu-slots.ts";
export { ownerWords } from "./executors/ownership.ts";
export { type MeasuredTask, type Measurement, type MeasureOptions, measureResponses, type Throughput } from "./measure.ts";
export { defaultRho, type Task, type TaskSet, type WcetTable } from "./model.ts";
export { grantSize, permittedSizes, taskSizes } from "./permitted.ts";
export { type ProfileTaskOptions, profileSlots, profileTask, type RepeatOptions, type SizeProfile, type TaskProfile } from "./profile.ts";
export {
  exampleSet,
  exampleWcet,
  type PublishedGpu,
  publishedGpus,
  publishedResponses,
  publishedRho,
  publishedSpeedupOfTen,
} from "./published.ts";
export {
  bestRho,
  type RecommendOptions,
  type RhoGoal,
  type RhoPoint,
  type RhoRecommendation,
  recommendRho,
  rhoCandidates,
  rhoSweep,
  rhoSweepSteps,
} from "./recommend.ts";
export {
  constellation,
  type Modulation,
  modulations,
  type RadioOptions,
  type RadioSamples,
  type RadioSignal,
  radioSignalSteps,
  radioSignals,
} from "./signals.ts";
export { type FaultKind, type FaultOptions, type TraceFault, traceFaultSteps, traceFaults } from "./simulate/faults.ts";
export {
  type BrokenScheduler,
  brokenSchedulers,
  maxTraceJobs,
  type SimulatedSchedule,
  type SimulateOptions,
  simulateTaskSet,
  simulateTaskSetSteps,
} from "./simulate/simulate.ts";
export { summariseTrace, type TaskSummary, type Trace, type TraceSummary } from "./simulate/summary.ts";
export { type TimeStatistics, timeStatistics } from "./statistics.ts";
export { type AcquireOptions, createUnitLock, type Grant, type LockRequest, type UnitLock } from "./unit-lock.ts";
export { checkTaskSet, maxUnits, type TaskCopy, taskCopies } from "./validate.ts";
