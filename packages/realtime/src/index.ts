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
export * from "./executors/executor.ts";
export * from "./model.ts";
export { grantSize, permittedSizes, taskSizes } from "./permitted.ts";
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
  radioSignals,
} from "./signals.ts";
export { type FaultKind, type FaultOptions, type TraceFault, traceFaults } from "./simulate/faults.ts";
export { type GanttOptions, ganttSvg } from "./simulate/gantt.ts";
export { type Mutant, maxTraceJobs, mutants, type SimulateOptions, type Simulation, simulate } from "./simulate/simulate.ts";
export { summarise, type TaskSummary, type Trace, type TraceSummary } from "./simulate/summary.ts";
export { checkTaskSet, checkWcet, maxMicroseconds, maxTasks, maxUnits, type TaskCopy, taskCopies } from "./validate.ts";
