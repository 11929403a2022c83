/**
 * One dispatch at a time, first come first served: the SMLP with ℋ = 1 over runs instead of jobs. Each run of a job asks for the device
 * by itself, so that others' runs come in between and nobody waits for more than their longest. For any device; on a GPU, which has
 * one queue, no priorities and no way to stop a dispatch, it is what can be bounded without dividing the device. Runs should be
 * short: chunked.ts makes several of a transform of many lines.
 */
import { type Device, inputError, type RadarError } from "@dechirp/core";
import { createUnitLock, type Grant } from "../unit-lock.ts";
import type { ExecutableTask, Executor } from "./executor.ts";
import { createJobs, type Job, runOwned } from "./jobs.ts";
import { createOwnership } from "./ownership.ts";

/** A task as the bound sees it. */
export interface ChunkedTask {
  /** ℓ: microseconds that its longest run takes at most, from its being queued until the host knows that it has finished. */
  readonly longest: number;
  /** m: runs of a job. */
  readonly chunks: number;
  /** So many tasks alike; 1 where left out. */
  readonly count?: number;
}

/**
 * What a run of task `i` waits, and a job of it takes, at most: w = Σ_{j≠i} ℓ_j and m·(w + ℓ_i), in microseconds.
 *
 * Proof. A task has one outstanding job, whose runs ask one after another: at any time it has at most one request, waiting or in flight.
 * So when a run of i asks, at most one of each other task is ahead of it, the one in flight included; what asks later is behind it
 * and stays there. Each of those ahead takes at most ℓ_j, one directly after the other, since a release grants at once. Hence the run
 * has the device after w and has finished after w + ℓ_i. The next one asks at that moment, m times in all. ∎
 *
 * It holds where ℓ does: measured, it is a largest observed value with a margin and no guarantee. Throws `input`.
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

/** Permitted sizes are ignored. Throws `input`, naming the field, for unsound tasks. */
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
      job.settle(job.typed(error)); // disposed between two runs
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
