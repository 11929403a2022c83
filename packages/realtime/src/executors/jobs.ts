/**
 * The part that all executors share: which tasks have an outstanding job, and the outcome of jobs and their counts. A job settles exactly
 * once. The executor decides when a job gets which units, and releases them before the job settles.
 */

import { type Device, inputError, RadarError, throwIfAborted } from "@dechirp/core";
import { asRadarError } from "@dechirp/core/backend";
import { microseconds } from "../clock.ts";
import { checkSizes } from "../unit-lock.ts";
import { maxTasks } from "../validate.ts";
import type { ExecutableTask, ExecutorCounts, JobRecord, PlannedRun, SubmitOptions } from "./executor.ts";
import type { Ownership } from "./ownership.ts";

/** A task that has been checked. */
export interface KnownTask {
  readonly id: string;
  /** Number from 1 on, which is the value of ownership words. */
  readonly number: number;
  /** S, ascending. */
  readonly sizes: readonly number[];
  readonly runs: readonly PlannedRun[];
}

/** A job that was submitted and has not settled. */
export interface Job {
  readonly task: KnownTask;
  readonly signal: AbortSignal | undefined;
  /** Records the time and the units, on the first call only. */
  granted(units: readonly number[]): void;
  /** Records the time at which the job's last run finished. */
  finished(): void;
  /** Converts anything that was thrown into the error that the job fails with. */
  typed(error: unknown): RadarError;
  /** Settles the job with its record or with its failure. Must be called after its units have been released. */
  settle(failure?: RadarError): void;
}

/** The jobs of an executor. */
export interface Jobs {
  readonly tasks: readonly KnownTask[];
  submit(task: string, options: SubmitOptions | undefined, begin: (job: Job) => void): Promise<JobRecord>;
  idle(): Promise<void>;
  readonly counts: ExecutorCounts;
  /** Refuses new jobs. Outstanding ones settle when the executor settles them. */
  close(): void;
}

/**
 * Creates the job bookkeeping of an executor. Throws `input` unless each task has a unique id, at least one run, and permitted sizes for
 * `units` units. Sizes are ignored if `units` is undefined.
 */
export function createJobs(given: readonly ExecutableTask[], units?: number, ownership?: Ownership): Jobs {
  const tasks = checkTasks(given, units);
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const outstanding = new Set<string>();
  const numbers = new Map<string, number>();
  const counts = { submitted: 0, finished: 0, failed: 0, aborted: 0 };
  let waiters: (() => void)[] = [];
  let closed = false;

  const open = (id: string, options: SubmitOptions | undefined, begin: (job: Job) => void): Promise<JobRecord> => {
    const task = byId.get(id);
    if (!task) throw inputError("task", `one of ${[...byId.keys()].slice(0, 8).join(", ")}${byId.size > 8 ? ", ..." : ""}`, id);
    if (closed) throw new RadarError("disposed", `the executor was disposed before a job of ${id} was submitted`, { task: id });
    if (outstanding.has(id)) throw inputError("task", "a task without an outstanding job", id);
    const number = numbers.get(id) ?? 0;
    numbers.set(id, number + 1);
    outstanding.add(id);
    counts.submitted++;
    const what = `a job of ${id}`;
    const requested = microseconds();
    let granted = Number.NaN;
    let finished = Number.NaN;
    let had: readonly number[] = [];
    return new Promise((resolve, reject) => {
      const job: Job = {
        task,
        signal: options?.signal,
        granted(units) {
          if (!Number.isNaN(granted)) return;
          granted = microseconds();
          had = units;
        },
        finished() {
          finished = microseconds();
        },
        typed: (error) => asRadarError(error, what, "failed", { task: id }),
        settle(failure) {
          outstanding.delete(id);
          if (failure === undefined) {
            counts.finished++;
            resolve({ task: id, job: number, requested, granted, finished, units: had });
          } else {
            counts[failure.code === "aborted" || failure.code === "disposed" ? "aborted" : "failed"]++;
            reject(failure);
          }
          if (outstanding.size > 0) return;
          const waiting = waiters;
          waiters = [];
          for (const wake of waiting) wake();
        },
      };
      try {
        throwIfAborted(job.signal, what);
        begin(job);
      } catch (error) {
        job.settle(job.typed(error));
      }
    });
  };

  return {
    tasks,
    submit(id, options, begin) {
      try {
        return open(id, options, begin);
      } catch (error) {
        return Promise.reject(error);
      }
    },
    idle: () => (outstanding.size === 0 ? Promise.resolve() : new Promise((resolve) => waiters.push(resolve))),
    get counts() {
      return { ...counts, ownershipChecks: ownership?.checks ?? 0, ownershipViolations: ownership?.violations ?? 0 };
    },
    close() {
      closed = true;
    },
  };
}

function checkTasks(tasks: readonly ExecutableTask[], units: number | undefined): readonly KnownTask[] {
  if (!Array.isArray(tasks) || tasks.length === 0 || tasks.length > maxTasks)
    throw inputError("tasks", `a list of 1 to ${maxTasks} tasks`, tasks);
  const ids = new Set<string>();
  return tasks.map((task: ExecutableTask, i) => {
    if (typeof task?.id !== "string" || task.id === "") throw inputError(`tasks[${i}].id`, "a name", task?.id);
    if (ids.has(task.id)) throw inputError(`tasks[${i}].id`, "a name that no other task has", task.id);
    ids.add(task.id);
    if (!Array.isArray(task.runs) || task.runs.length === 0) throw inputError(`tasks[${i}].runs`, "at least one run", task.runs);
    const sizes = units === undefined || task.sizes === undefined ? [1] : checkSizes(task.sizes, units, `tasks[${i}].sizes`);
    return { id: task.id, number: i + 1, sizes, runs: [...task.runs] };
  });
}

/** Throws `input` for a plan that does not run on units, if the device has several. */
export function checkOnUnits(device: Device, runs: readonly PlannedRun[], field: string): void {
  if (device.units === 1) return;
  runs.forEach(({ plan }, r) => {
    if (plan.offUnits) throw inputError(`${field}[${r}].plan`, "a plan that runs on units", plan.text);
  });
}

/** Throws `input` if `device` is not a device. */
export function checkDevice(device: Device): void {
  if (typeof device?.plan !== "function") throw inputError("device", "a device", device);
}

/**
 * Queues the runs in order and calls `ended` when all have settled, with the first failure as converted by `typed`. If the first run can
 * not be queued, it calls `ended` at once.
 */
export function runAll(
  runs: readonly PlannedRun[],
  options: { readonly units?: readonly number[]; readonly signal?: AbortSignal | undefined; typed(error: unknown): RadarError },
  ended: (failure?: RadarError) => void,
): void {
  let open = 1;
  let failure: RadarError | undefined;
  const settle = (): void => {
    if (--open === 0) ended(failure);
  };
  const fail = (error: unknown): void => {
    failure ??= options.typed(error);
  };
  try {
    for (const { plan, bindings, uniforms } of runs) {
      const { done } = plan.run(bindings, {
        ...(options.units && { units: options.units }),
        ...(options.signal && { signal: options.signal }),
        ...(uniforms && { uniforms }),
      });
      open++;
      done.then(settle, (error: unknown) => {
        fail(error);
        settle();
      });
    }
  } catch (error) {
    fail(error);
  }
  settle();
}

/** `runAll` for a job's runs while its task owns the units. The job fails if another task owned one of the units before or after. */
export function runOwned(
  { task, signal, typed }: Job,
  runs: readonly PlannedRun[],
  units: readonly number[],
  { ownership, on }: { readonly ownership: Ownership; readonly on?: readonly number[] },
  ended: (failure?: RadarError) => void,
): void {
  if (!ownership.take(units, task.number)) return ended(notOwned(task.id, units));
  runAll(runs, { ...(on && { units: on }), signal, typed }, (failure) => {
    const owned = ownership.give(units, task.number);
    ended(failure ?? (owned ? undefined : notOwned(task.id, units)));
  });
}

/** The failure of a job if another task owned one of its units. */
export const notOwned = (task: string, units: readonly number[]): RadarError =>
  new RadarError("failed", `units ${units.join(", ")} did not belong to ${task} alone`, { task, units });
