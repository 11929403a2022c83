/**
 * No scheduling at all, to compare with: every job is queued at once with all units of the device, as the paper's BE-cuFFT. What
 * then runs when is the device's affair, and nothing bounds it.
 */
import { type Device, inputError } from "@dechirp/core";
import type { ExecutableTask, Executor } from "./executor.ts";
import { createJobs, runAll } from "./jobs.ts";

/** Permitted sizes are ignored. Throws `input`, naming the field, for unsound tasks. */
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
