/**
 * Types that all executors share: tasks that a device can run, jobs, and records of finished jobs. How units are granted differs by
 * executor: cpu-pool.ts, gpu-chunks.ts, gpu-slots.ts, best-effort.ts.
 */
import type { Bindings, Plan, Uniforms } from "@dechirp/core";

/** The arguments of a call of `plan.run`. */
export interface PlannedRun {
  /** The plan to run. */
  readonly plan: Plan;
  /** The arrays, by port. */
  readonly bindings: Bindings;
  /** They are read when the run is queued, so changes before that apply to the job. */
  readonly uniforms?: Uniforms;
}

/** A task on a device. It is planned and bound in advance, so that a job only computes (Algorithm 1, lines 7 to 11). */
export interface ExecutableTask {
  /** The task's id, which must be unique. */
  readonly id: string;
  /** S: the numbers of units that a job may get. Must include 1. Default: [1]. */
  readonly sizes?: readonly number[];
  /** The runs of a job, in order. If the executor lets other tasks run between runs, each should be short, as others wait for it. */
  readonly runs: readonly PlannedRun[];
}

/** Options of `submit`. */
export interface SubmitOptions {
  /** Removes the job from the queue if it waits, without changing the order of the others. Stops it if it runs and the device can. */
  readonly signal?: AbortSignal;
}

/** The record of a finished job. Times are in microseconds of the executor's clock. */
export interface JobRecord {
  /** Id of the task. */
  readonly task: string;
  /** The number of the job among its task's jobs, from 0. */
  readonly job: number;
  /** When the job was requested. */
  readonly requested: number;
  /** When the job first had units. */
  readonly granted: number;
  /** When its last run had finished. */
  readonly finished: number;
  /** The numbers of its units. If it had several grants, those of the first. */
  readonly units: readonly number[];
}

/** How many jobs had which outcome. */
export interface ExecutorCounts {
  /** Jobs that were submitted. */
  readonly submitted: number;
  /** Jobs that finished. */
  readonly finished: number;
  /** Jobs that failed. */
  readonly failed: number;
  /** Jobs that were rejected with `aborted` or `disposed`. */
  readonly aborted: number;
  /**
   * How many ownership words were taken or released, and how many of them had an unexpected value. Any violation means that the executor
   * is faulty.
   */
  readonly ownershipChecks: number;
  /** How many ownership words had an unexpected value. */
  readonly ownershipViolations: number;
}

/**
 * Runs jobs of its tasks, one job per task at a time: `submit` rejects with `input` while the task has an outstanding job. The caller
 * keeps ownership of plans, buffers and the device. Disposing the executor rejects waiting jobs with `disposed`; running jobs finish.
 */
export interface Executor extends Disposable {
  /** How units are granted. */
  readonly kind: "cpu-pool" | "gpu-chunks" | "gpu-slots" | "best-effort";
  /** The number of units that it grants. */
  readonly units: number;
  /** The ids of its tasks. */
  readonly tasks: readonly string[];
  /**
   * Resolves when the job has finished. Rejects with the job's error, `aborted` or `disposed`. In any case the job's units are free by
   * then.
   */
  submit(task: string, options?: SubmitOptions): Promise<JobRecord>;
  /** Resolves when no job is outstanding. */
  idle(): Promise<void>;
  /** How many jobs had which outcome. */
  readonly counts: ExecutorCounts;
}
