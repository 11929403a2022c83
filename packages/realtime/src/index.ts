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
  constellation,
  type Modulation,
  modulations,
  type RadioOptions,
  type RadioSamples,
  type RadioSignal,
  radioSignals,
} from "./signals.ts";
export { checkTaskSet, checkWcet, maxMicroseconds, maxTasks, maxUnits, type TaskCopy, taskCopies } from "./validate.ts";
