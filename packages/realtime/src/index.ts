/** The public surface of @dechirp/realtime. */

export {
  type Analysis,
  analyse,
  type Binding,
  partitionBound,
  responseBound,
  type TaskAnalysis,
  waitBound,
} from "./bounds.ts";
export * from "./clock.ts";
export * from "./executors/best-effort.ts";
export * from "./executors/chunked.ts";
export * from "./executors/cpu-pool.ts";
export * from "./executors/executor.ts";
export * from "./executors/gpu-chunks.ts";
export * from "./executors/gpu-slots.ts";
export { ownerWords } from "./executors/ownership.ts";
export * from "./measure.ts";
export * from "./model.ts";
export { grantSize, permittedSizes, taskSizes } from "./permitted.ts";
export { type Profile, type ProfileOptions, profile, profileSlots, type RepeatOptions, type SizeProfile } from "./profile.ts";
export * from "./published.ts";
export {
  bestRho,
  type RecommendOptions,
  type RhoGoal,
  type RhoPoint,
  type RhoRecommendation,
  recommendRho,
  rhoCandidates,
  rhoSweep,
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
export { type FaultKind, type FaultOptions, type TraceFault, traceFaults } from "./simulate/faults.ts";
export { type GanttOptions, ganttSvg } from "./simulate/gantt.ts";
export { type Mutant, maxTraceJobs, mutants, type SimulateOptions, type Simulation, simulate } from "./simulate/simulate.ts";
export { summarise, type TaskSummary, type Trace, type TraceSummary } from "./simulate/summary.ts";
export { type Statistics, statistics } from "./statistics.ts";
export { type AcquireOptions, createUnitLock, type Grant, type LockRequest, type UnitLock } from "./unit-lock.ts";
export { checkTaskSet, checkWcet, maxMicroseconds, maxTasks, maxUnits, type TaskCopy, taskCopies } from "./validate.ts";
