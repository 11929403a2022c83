/**
 * An executor without scheduling, for comparison (the paper's BE-cuFFT): it queues every job at once on all units of the device. The
 * device decides what runs when, so responses have no bound.
 */
import { type Device, inputError } from "@dechirp/core";
import type { ExecutableTask, Executor } from "./executor.ts";
import { createJobs, runAll } from "./jobs.ts";

/** Creates the executor. It ignores permitted sizes. Throws `input` that names the field of an invalid task. */
export function bestEffort(device: Device, tasks: readonly ExecutableTask[]): Executor {
  if (!Number.isInteger(device?.units)) throw inputError("device", "a device", device);
  const { units } = device;
  const all = Array.from({ length: units }, (_, unit) => unit);
  const jobs = createJobs(tasks);
  return {
    kind: "best-effort",
    units,
    tasks: jobs.tasks.map(({ id }) => id),
    submit: (task, options) =>
      jobs.submit(task, options, (job) => {
        job.granted(all);
        runAll(job.task.runs, job, (failure) => {
          job.finished();
          job.settle(failure);
        });
      }),
    idle: jobs.idle,
    get counts() {
      return jobs.counts;
    },
    [Symbol.dispose]: () => jobs.close(),
  };
}
