/**
 * What executors have in common, as types: tasks that a device can run, jobs, and what is known of a job afterwards. How units are
 * granted is each executor's own affair: cpu-pool.ts, gpu-chunks.ts, gpu-slots.ts, best-effort.ts.
 */
import type { Bindings, Plan, Uniforms } from "@dechirp/core";

/** A run of a plan, as `plan.run` takes it. */
export interface PlannedRun {
  readonly plan: Plan;
  readonly bindings: Bindings;
  /** Read when the run is queued: what is changed in them before a job holds for that job. */
  readonly uniforms?: Uniforms;
}

/** A task on a device: planned and bound beforehand, so that a job is computation alone (Algorithm 1, lines 7 to 11). */
export interface ExecutableTask {
  readonly id: string;
  /** S: numbers of units that a job may get, 1 among them. [1] where left out. */
  readonly sizes?: readonly number[];
  /** What a job runs, in order. Each of them is short enough for others to wait for where an executor takes turns between runs. */
  readonly runs: readonly PlannedRun[];
}

/** Options of `submit`. */
export interface SubmitOptions {
  /** Takes a waiting job out of the queue, whose order stays, and stops a running one where the device can. */
  readonly signal?: AbortSignal;
}

/** A job that has finished. Times are microseconds of the executor's clock. */
export interface JobRecord {
  readonly task: string;
  /** Counts the task's jobs from 0. */
  readonly job: number;
  /** When it was requested. */
  readonly requested: number;
  /** When it first had units. */
  readonly granted: number;
  /** When it ended. */
  readonly finished: number;
  /** The units it had, by number; of the first grant where there were several. */
  readonly units: readonly number[];
}

/** What an executor has done so far. */
export interface ExecutorCounts {
  /** Jobs that were submitted. */
  readonly submitted: number;
  /** Jobs that ended well. */
  readonly finished: number;
  /** Jobs that ended with another error. */
  readonly failed: number;
  /** Rejected with `aborted` or `disposed`. */
  readonly aborted: number;
  /** Ownership words taken and given back, and how often one was not as it had to be: 0, or the executor is broken. */
  readonly ownershipChecks: number;
  /** How often a word was not as it had to be. */
  readonly ownershipViolations: number;
}

/**
 * Runs jobs of its tasks. One job of a task at a time: `submit` rejects with `input` while one is outstanding. It owns nothing it was
 * given: plans, buffers and the device stay the caller's. Disposing rejects what waits with `disposed`; what runs ends.
 */
export interface Executor extends Disposable {
  readonly kind: "cpu-pool" | "gpu-chunks" | "gpu-slots" | "best-effort";
  /** Units that it grants. */
  readonly units: number;
  /** Names of its tasks. */
  readonly tasks: readonly string[];
  /** Resolves when the job has finished; rejects with its error, `aborted` or `disposed`. Its units are free by then in any case. */
  submit(task: string, options?: SubmitOptions): Promise<JobRecord>;
  /** Resolves when no job is outstanding. */
  idle(): Promise<void>;
  readonly counts: ExecutorCounts;
}
