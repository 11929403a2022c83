/**
 * The public surface of `@dechirp/jobs-bullmq`: queues on Redis, Valkey and PostgreSQL that hand out the tasks of jobs to workers, which may come and
 * go at any time.
 */

export {
  initJobQueue,
  type JobQueue,
  type JobSubmitOptions,
  openJobQueue,
  type QueuedJob,
  type QueueOptions,
  type QueueProgress,
  type Submitted,
  type WaitOptions,
} from "./queue.ts";
export type { QueueWorkerEvent, QueueWorkerOptions, QueueWorkerResult } from "./worker.ts";
