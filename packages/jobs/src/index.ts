/**
 * The public surface of `@dechirp/jobs`, in reading order: jobs in stores, their tasks, and a runner for one machine. Other packages and
 * programs run tasks with `runTask`, so that any engine can carry a job.
 */

export { chooseDivision, type Division, type DivisionChoice, type DivisionRequest, divisionCost } from "./division.ts";
export {
  createJob,
  type Job,
  type JobBody,
  type JobDevice,
  type JobInput,
  type JobPixels,
  jobFormat,
  jobVersion,
  parseJob,
} from "./document.ts";
export { chunkedImage, imageFolder, imageReader, writeImageDocuments } from "./image.ts";
export type {
  AssembledImage,
  AssembleHooks,
  JobImage,
  JobKind,
  JobParts,
  JobProduct,
  JobRequest,
  JobWork,
  JobWorkPlace,
  TaskOutput,
} from "./kind.ts";
export { jobKinds, kindOf } from "./kinds.ts";
export {
  addFailure,
  checkNotCancelled,
  type DoneMark,
  isAssembled,
  isCancelled,
  type JobWorkerFacts,
  readFailure,
  readMark,
  setAssembled,
  setCancelled,
  type TaskAttempt,
  type TaskFailure,
} from "./marks.ts";
export { type PlanJobOptions, type PlannedJob, planJob } from "./plan.ts";
export { type RunJobOptions, type RunProgress, runJob } from "./run.ts";
export { serveTasks, type WorkerChannel } from "./serve.ts";
export { type Damage, isGivenUp, type JobStatus, jobStatus, mostAttempts, rangesText, verifyJob } from "./status.ts";
export { type JobStore, type JobStoreOptions, type JobStoreReadOptions, openStore } from "./store.ts";
export { checkStoreOf, readJob } from "./store-job.ts";
export { sumTiles } from "./sums.ts";
export { watchStore } from "./watch-store.ts";
export {
  createTaskRunner,
  dechirpVersion,
  deviceOf,
  failureOf,
  isCancellation,
  isOfStore,
  mayRetry,
  openWork,
  type RunTaskOptions,
  runTask,
  type TaskOutcome,
  type TaskRunner,
  workerName,
} from "./work.ts";
