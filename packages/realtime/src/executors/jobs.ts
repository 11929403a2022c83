/**
 * The part of an executor that is the same for all: which task has a job outstanding, what becomes of jobs, how many became what. A job
 * settles exactly once. When it gets units, and which, is the executor's affair; so is giving them back before the job settles.
 */

import { type Device, inputError, RadarError, throwIfAborted } from "@dechirp/core";
import { asRadarError } from "@dechirp/core/backend";
import { microseconds } from "../clock.ts";
import { checkSizes } from "../unit-lock.ts";
import { maxTasks } from "../validate.ts";
import type { ExecutableTask, ExecutorCounts, JobRecord, PlannedRun, SubmitOptions } from "./executor.ts";
import type { Ownership } from "./ownership.ts";

/** A task with what is known of it beforehand. */
export interface KnownTask {
  readonly id: string;
  /** From 1 on: what owner words say. */
  readonly number: number;
  /** S, ascending. */
  readonly sizes: readonly number[];
  readonly runs: readonly PlannedRun[];
}

export interface Job {
  readonly task: KnownTask;
  readonly signal: AbortSignal | undefined;
  /** Notes the time and the units, the first time it is called. */
  granted(units: readonly number[]): void;
  /** Notes the time at which the job's last run had finished. */
  finished(): void;
  /** What the job fails with where something throws or rejects with `error`, which may be anything. */
  typed(error: unknown): RadarError;
  /** Settles the job: with its record, or with why it failed. Called when its units are free. */
  settle(failure?: RadarError): void;
}

export interface Jobs {
  readonly tasks: readonly KnownTask[];
  submit(task: string, options: SubmitOptions | undefined, begin: (job: Job) => void): Promise<JobRecord>;
  idle(): Promise<void>;
  readonly counts: ExecutorCounts;
  /** No more jobs. Those outstanding settle when the executor settles them. */
  close(): void;
}

/**
 * Throws `input` unless tasks have names of their own, runs, and permitted sizes for `units` units, which do not matter where left
 * out.
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
    if (closed) throw new RadarError("disposed", `the executor was disposed before a job of ${id}`, { task: id });
    if (outstanding.has(id)) throw inputError("task", "one without an outstanding job", id);
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
  if (!Array.isArray(tasks) || tasks.length === 0 || tasks.length > maxTasks) throw inputError("tasks", `1 to ${maxTasks} tasks`, tasks);
  const ids = new Set<string>();
  return tasks.map((task: ExecutableTask, i) => {
    if (typeof task?.id !== "string" || task.id === "") throw inputError(`tasks[${i}].id`, "a name", task?.id);
    if (ids.has(task.id)) throw inputError(`tasks[${i}].id`, "a name of its own", task.id);
    ids.add(task.id);
    if (!Array.isArray(task.runs) || task.runs.length === 0) throw inputError(`tasks[${i}].runs`, "at least one run", task.runs);
    const sizes = units === undefined || task.sizes === undefined ? [1] : checkSizes(task.sizes, units, `tasks[${i}].sizes`);
    return { id: task.id, number: i + 1, sizes, runs: [...task.runs] };
  });
}

/** Throws `input` for a plan whose runs are on no unit of a device that has several. */
export function checkOnUnits(device: Device, runs: readonly PlannedRun[], field: string): void {
  if (device.units === 1) return;
  runs.forEach(({ plan }, r) => {
    if (plan.offUnits) throw inputError(`${field}[${r}].plan`, "one whose runs keep to their units", plan.text);
  });
}

/** Throws `input` for what is no device. */
export function checkDevice(device: Device): void {
  if (typeof device?.plan !== "function") throw inputError("device", "a device", device);
}

/**
 * Queues runs in order and calls back when all have settled, with the first failure, as `typed` makes it of what was thrown. At once where the
 * first can not even be queued.
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

/** `runAll` of a job's runs on units that are its task's alone meanwhile; fails where they are not, before or after. */
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

/** What a job fails with where a unit was another's. */
export const notOwned = (task: string, units: readonly number[]): RadarError =>
  new RadarError("failed", `units ${units.join(", ")} were not ${task}'s alone`, { task, units });
