/**
 * Runs one dispatch at a time, first come, first served: the SMLP with ℋ = 1, applied to runs instead of jobs. Every run of a job requests
 * the device separately, so runs of other jobs come in between and nobody waits longer than the longest runs of the others. It works on
 * any device. A GPU has one queue, no priorities and no way to stop a dispatch, so this is what can be bounded without dividing the
 * device. Runs should be short; chunked.ts splits a transform of many lines into several.
 */
import { type Device, inputError, type RadarError } from "@dechirp/core";
import { createUnitLock, type Grant } from "../unit-lock.ts";
import type { ExecutableTask, Executor } from "./executor.ts";
import { createJobs, type Job, runOwned } from "./jobs.ts";
import { createOwnership } from "./ownership.ts";

/** What `chunkBound` needs to know of a task. */
export interface ChunkedTask {
  /** ℓ: the longest time of its longest run, in microseconds, from queueing until the host knows that it has finished. */
  readonly longest: number;
  /** m: the number of runs of a job. */
  readonly chunks: number;
  /** The number of identical tasks. Default: 1. */
  readonly count?: number;
}

/**
 * Upper bounds for task `i`, in microseconds: a run waits at most w = Σ_{j≠i} ℓ_j, and a job takes at most m·(w + ℓ_i).
 *
 * Proof. A task has one outstanding job, and the job requests its runs one after another, so the task has at most one request at any time,
 * waiting or in flight. When a run of i is requested, at most one run of each other task is ahead of it, including the one in flight.
 * Later requests are behind it and stay there. Each run ahead takes at most ℓ_j, and they follow each other directly, since a release
 * grants at once. Hence the run gets the device after w and has finished after w + ℓ_i. The next run is requested at that moment, m times
 * in all. ∎
 *
 * The bound is as good as ℓ. A measured ℓ is the largest observed value with a margin and no guarantee. Throws `input`.
 */
export function chunkBound(tasks: readonly ChunkedTask[], i: number): { readonly wait: number; readonly response: number } {
  tasks.forEach(({ longest, chunks, count = 1 }, j) => {
    if (!(longest > 0 && Number.isFinite(longest))) throw inputError(`tasks[${j}].longest`, "a positive number", longest);
    if (!(Number.isInteger(chunks) && chunks > 0)) throw inputError(`tasks[${j}].chunks`, "a positive integer", chunks);
    if (!(Number.isInteger(count) && count > 0)) throw inputError(`tasks[${j}].count`, "a positive integer", count);
  });
  const own = tasks[i];
  if (!own) throw inputError("i", `an integer from 0 to ${tasks.length - 1}`, i);
  const wait = tasks.reduce((sum, { longest, count = 1 }, j) => sum + (j === i ? count - 1 : count) * longest, 0);
  return { wait, response: own.chunks * (wait + own.longest) };
}

/** Creates the executor. It ignores permitted sizes. Throws `input` that names the field of an invalid task. */
export function gpuChunks(_device: Device, tasks: readonly ExecutableTask[]): Executor {
  const ownership = createOwnership(1);
  const jobs = createJobs(tasks, undefined, ownership);
  const lock = createUnitLock(1);

  const next = (job: Job, index: number): void => {
    const { id, runs } = job.task;
    const start = (grant: Grant): void => {
      job.granted(grant.units);
      const end = (failure?: RadarError): void => {
        const last = index === runs.length - 1 || failure !== undefined;
        if (last) job.finished();
        lock.release(grant);
        if (last) job.settle(failure);
        else next(job, index + 1);
      };
      runOwned(job, [runs[index]], grant.units, { ownership }, end);
    };
    try {
      lock.request(id, [1], { signal: job.signal, granted: start, refused: job.settle });
    } catch (error) {
      job.settle(job.typed(error)); // the lock was disposed between two runs
    }
  };

  return {
    kind: "gpu-chunks",
    units: 1,
    tasks: jobs.tasks.map(({ id }) => id),
    submit: (task, options) => jobs.submit(task, options, (job) => next(job, 0)),
    idle: jobs.idle,
    get counts() {
      return jobs.counts;
    },
    [Symbol.dispose]() {
      jobs.close();
      lock[Symbol.dispose]();
    },
  };
}
