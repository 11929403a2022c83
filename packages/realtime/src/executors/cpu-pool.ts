/**
 * The SMLP over the workers of a CPU device. A unit is a worker. A job requests units, executes all its runs on exactly the units that it
 * is granted, and releases them whether it succeeds or fails. A worker is not a core: the operating system decides where threads run, and
 * all workers share caches and memory, as the multiprocessors of the paper do.
 *
 * Plans that run on the caller's thread (float64, kernels by reference) use no unit, so no bound covers them. They are rejected unless the
 * device has a single unit, which then is that thread.
 */
import { type Device, inputError, portsOf, type RadarError } from "@dechirp/core";
import { checkFields } from "@dechirp/core/internal";
import { createUnitLock, type Grant } from "../unit-lock.ts";
import type { ExecutableTask, Executor } from "./executor.ts";
import { checkDevice, checkOnUnits, createJobs, type Job, runOwned } from "./jobs.ts";
import { createOwnership } from "./ownership.ts";

/** Options of `cpuPool`. */
export interface CpuPoolOptions {
  /** ℋ: the executor uses workers 0 … ℋ − 1 of the device. Default: all. */
  readonly units?: number;
  /** Ownership words of the units, at least ℋ of them, for executors that share a device. Default: words of its own. */
  readonly owners?: Int32Array;
}

/**
 * Creates the executor. Throws `input` that names the field: for invalid tasks, for more units than the device has, for plans that do not
 * run on units, and if two tasks share a plan, or an array that one of them writes, because the device would run such jobs one after
 * another whatever units they have.
 */
export function cpuPool(device: Device, tasks: readonly ExecutableTask[], options: CpuPoolOptions = {}): Executor {
  checkDevice(device);
  checkFields(options, { units: true, owners: true }, "options of cpuPool");
  const { units = device.units } = options;
  if (!Number.isInteger(units) || units < 1 || units > device.units)
    throw inputError("units", `an integer from 1 to the device's ${device.units}`, units);
  const ownership = createOwnership(units, options.owners);
  const jobs = createJobs(tasks, units, ownership);
  tasks.forEach(({ runs }, i) => {
    checkOnUnits(device, runs, `tasks[${i}].runs`);
  });
  checkDisjoint(tasks);
  const lock = createUnitLock(units);

  const start = (job: Job, grant: Grant): void => {
    job.granted(grant.units);
    const end = (failure?: RadarError): void => {
      job.finished();
      lock.release(grant);
      job.settle(failure);
    };
    runOwned(job, job.task.runs, grant.units, { ownership, on: grant.units }, end);
  };

  return {
    kind: "cpu-pool",
    units,
    tasks: jobs.tasks.map(({ id }) => id),
    submit: (task, submitOptions) =>
      jobs.submit(task, submitOptions, (job) =>
        lock.request(task, job.task.sizes, {
          signal: job.signal,
          granted: (grant) => start(job, grant),
          refused: (error) => job.settle(error),
        }),
      ),
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

function checkDisjoint(tasks: readonly ExecutableTask[]): void {
  /** Which task uses a plan or an array, and whether it writes it. */
  const uses = new Map<object, { readonly task: number; written: boolean }>();
  const use = (thing: object, task: number, written: boolean, field: string, what: string): void => {
    const known = uses.get(thing);
    if (!known) uses.set(thing, { task, written });
    else if (known.task === task || !(written || known.written)) known.written ||= written;
    else throw inputError(field, `${what} that no other task uses`, `the one of ${tasks[known.task].id}`);
  };
  tasks.forEach(({ runs }, i) => {
    runs.forEach(({ plan, bindings }, r) => {
      use(plan, i, true, `tasks[${i}].runs[${r}].plan`, "a plan");
      const ports = portsOf(plan.op);
      for (const [name, buffer] of Object.entries(bindings))
        use(buffer, i, ports[name]?.access !== "read", `tasks[${i}].runs[${r}].bindings.${name}`, "an array");
    });
  });
}
