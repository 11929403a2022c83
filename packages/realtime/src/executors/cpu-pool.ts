/**
 * The SMLP over the workers of a CPU device: a unit is a worker, a grant is exact. A job asks for units, runs all its runs on just
 * those, and gives them back whatever became of it. A worker is no core: the host decides where its threads run, and caches and memory
 * are everybody's, as they are among the multiprocessors of the paper.
 *
 * A plan that works on the caller's thread (float64, kernels by reference) is on no unit, and outside of every bound: it is refused,
 * unless the device has one unit, which then is that thread.
 */
import { type Device, inputError, portsOf, type RadarError } from "@dechirp/core";
import { checkFields } from "@dechirp/core/internal";
import { createUnitLock, type Grant } from "../unit-lock.ts";
import type { ExecutableTask, Executor } from "./executor.ts";
import { checkDevice, checkOnUnits, createJobs, type Job, runOwned } from "./jobs.ts";
import { createOwnership } from "./ownership.ts";

/** Options of `cpuPool`. */
export interface CpuPoolOptions {
  /** ℋ: workers 0 … ℋ − 1 of the device. All where left out. */
  readonly units?: number;
  /** Words of the units, at least ℋ, for executors on one device to share. Its own where left out. */
  readonly owners?: Int32Array;
}

/**
 * Throws `input`, naming the field, for unsound tasks, for more units than the device has, for plans that keep to no units, and where two
 * tasks share a plan or an array that one of them writes: the device does such runs one after another, whatever units they have.
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
  /** Who uses a plan or an array, and whether it writes it. */
  const uses = new Map<object, { readonly task: number; written: boolean }>();
  const use = (thing: object, task: number, written: boolean, field: string, what: string): void => {
    const known = uses.get(thing);
    if (!known) uses.set(thing, { task, written });
    else if (known.task === task || !(written || known.written)) known.written ||= written;
    else throw inputError(field, `${what} that no other task uses`, `that of ${tasks[known.task].id}`);
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
