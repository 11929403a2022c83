/**
 * Observed worst-case execution times (section III-C of the paper): a job runs repeatedly on k units while every other unit is kept busy
 * with other work; the WCET is the longest time multiplied with a margin. It was observed on this machine under this load, so neither it
 * nor a bound that is computed from it is a guarantee. Other programs, the garbage collector and the host's clock influence it.
 */

import { type Device, inputError, throwIfAborted } from "@dechirp/core";
import { asRadarError } from "@dechirp/core/backend";
import { callListener, checkFields, type FieldsOf } from "@dechirp/core/internal";
import { clock, microseconds } from "./clock.ts";
import type { ExecutableTask } from "./executors/executor.ts";
import type { SlotsExecutor } from "./executors/gpu-slots.ts";
import { checkDevice, checkOnUnits, runAll } from "./executors/jobs.ts";
import { createInterference } from "./interference.ts";
import type { WcetTable } from "./model.ts";
import { type TimeStatistics, timeStatistics } from "./statistics.ts";
import { checkSizes } from "./unit-lock.ts";
import { checkInteger } from "./validate.ts";

/** Options that `profileTask` and `profileSlots` share. */
export interface RepeatOptions {
  /** How many times each size is measured. Default: 1000, as in the paper. */
  readonly runs?: number;
  /** How many uncounted jobs run before each block of measurements on one set of units. Default: 10. */
  readonly warmUp?: number;
  /** The factor that the longest time is multiplied with, at least 1. Default: 1.2. */
  readonly margin?: number;
  /** Called before each job, outside the timed part, for example to copy in the job's data. */
  prepare?(): void | Promise<void>;
  /** Ends the measurement with `aborted`. */
  readonly signal?: AbortSignal;
  /** Called after every timed run and awaited, outside the timed part. */
  onProgress?(progress: { readonly size: number; readonly done: number; readonly total: number }): void;
}

/** Options of `profileTask`. */
export interface ProfileTaskOptions extends RepeatOptions {
  /**
   * The executor that the profile is for: `cpu-pool`, or `gpu-chunks`, which has one unit and whose runs of a job are timed one by one.
   * Default: `cpu-pool`.
   */
  readonly kind?: "cpu-pool" | "gpu-chunks";
  /** ℋ of the pool. Default: all units of the device. */
  readonly units?: number;
  /** The values of k to measure. Must include 1. Default: 1 … ℋ. */
  readonly sizes?: readonly number[];
  /** The load on the other units: `fft` for endless real transforms of 2¹² points, as in the paper, or `none`. Default: `fft`. */
  readonly interference?: "fft" | "none";
}

/** The times of a task on k units, in microseconds. */
export interface SizeProfile extends TimeStatistics {
  /** k: the number of units. */
  readonly size: number;
  /** The number of different sets of k units that were measured. */
  readonly subsets: number;
  /** Whether these are all sets of k units. */
  readonly exhaustive: boolean;
  /** The largest median of a set of units divided by the median over all sets. It tells how unequal the units are. */
  readonly slowdown: number;
  /**
   * `max` · `margin`, and if not all sets of units were measured, · `slowdown`, because an unmeasured set may be that much slower. If all
   * sets were measured, `max` includes the slowest one. `max` counts as at least the clock's resolution.
   */
  readonly wcet: number;
}

/** The observed execution times of a task. */
export interface TaskProfile {
  /** Id of the task, or of all tasks of a slots executor. */
  readonly task: string;
  /** The executor that the profile is for. */
  readonly kind: "cpu-pool" | "gpu-chunks" | "gpu-slots";
  /** ℋ: the number of units. */
  readonly units: number;
  /** Ascending by `size`. */
  readonly sizes: readonly SizeProfile[];
  /** L[k] of the task, observed, with the margin: the time of a job; for `gpu-chunks` the longest run's; for `gpu-slots` a dispatch's. */
  readonly wcet: WcetTable;
  /** The number of runs of a job. */
  readonly chunks: number;
  /** The factor that the longest times were multiplied with. */
  readonly margin: number;
  /** Number of uncounted jobs before each block of measurements. */
  readonly warmUp: number;
  /** The load on the other units. */
  readonly interference: "fft" | "none";
  /** The clock, and its `resolution` in microseconds. */
  readonly clock: { readonly name: string; readonly resolution: number };
}

const fieldsOfRepeats: FieldsOf<RepeatOptions> = {
  runs: true,
  warmUp: true,
  margin: true,
  prepare: "function",
  signal: "object",
  onProgress: "function",
};
const fieldsOfProfiles: FieldsOf<ProfileTaskOptions> = { ...fieldsOfRepeats, kind: true, units: true, sizes: true, interference: true };

/**
 * Measures how long a job takes on k units, for each k. It measures all sets of k units in turn if there are at most 32 and each gets at
 * least 20 runs; otherwise it takes sets of neighbouring units that start at every unit, or at as many units as these limits allow.
 * Nothing else may use the device meanwhile. Throws `input`, `aborted`, the error of a job that fails, and `failed` if `prepare` or
 * `onProgress` throws, with that exception as its cause.
 */
export async function profileTask(device: Device, task: ExecutableTask, options: ProfileTaskOptions = {}): Promise<TaskProfile> {
  checkDevice(device);
  checkFields(options, fieldsOfProfiles, "options of profileTask");
  const { kind = "cpu-pool", interference = "fft", signal } = options;
  const { runs, warmUp, margin } = checkCommon(options);
  if (kind !== "cpu-pool" && kind !== "gpu-chunks") throw inputError("kind", "cpu-pool or gpu-chunks", kind);
  if (interference !== "fft" && interference !== "none") throw inputError("interference", "fft or none", interference);
  const chunks = kind === "gpu-chunks";
  const { units = chunks ? 1 : device.units } = options;
  const most = chunks ? 1 : device.units;
  checkInteger(units, "units", 1, most);
  const sizes = checkSizes(options.sizes ?? Array.from({ length: units }, (_, i) => i + 1), units, "sizes");
  if (!Array.isArray(task?.runs) || task.runs.length === 0) throw inputError("task.runs", "at least one run", task?.runs);
  if (!chunks) checkOnUnits(device, task.runs, "task.runs");
  /** The parts of a job that are timed one by one. */
  const pieces = chunks ? task.runs.map((run) => [run]) : [task.runs];
  const busy = interference === "fft" && Math.min(...sizes) < units;
  using others = busy ? await createInterference(device, units) : undefined;

  const used = clock();
  const profiles: SizeProfile[] = [];
  for (const size of sizes) {
    const { subsets, exhaustive } = choices(size, units, Math.min(32, Math.max(1, Math.floor(runs / 20))));
    const times = subsets.map((): number[] => []);
    // Two rounds, so that a drift of the machine does not look like a difference between units.
    const rounds = runs >= 40 * subsets.length ? 2 : 1;
    const blocks = subsets.length * rounds;
    let done = 0;
    for (let block = 0; block < blocks; block++) {
      const chosen = subsets[block % subsets.length];
      const count = Math.floor((runs * (block + 1)) / blocks) - Math.floor((runs * block) / blocks);
      const kept = times[block % subsets.length];
      others?.start(Array.from({ length: units }, (_, unit) => unit).filter((unit) => !chosen.includes(unit)));
      try {
        for (let job = -warmUp; job < count; job++) {
          throwIfAborted(signal, "profiling");
          await callListener(() => options.prepare?.(), "prepare", signal, "profiling");
          for (const piece of pieces) {
            const begin = microseconds();
            const end = await ended(piece, chunks ? undefined : chosen, signal);
            if (job >= 0) kept.push(end - begin);
          }
          if (job >= 0)
            await callListener(() => options.onProgress?.({ size, done: ++done, total: runs }), "onProgress", signal, "profiling");
        }
      } finally {
        await others?.stop();
      }
    }
    profiles.push(sizeProfile(size, times, { exhaustive, margin, resolution: used.resolution }));
  }
  return {
    task: task.id,
    kind,
    units,
    sizes: profiles,
    wcet: Object.fromEntries(profiles.map(({ size, wcet }) => [size, wcet])),
    chunks: task.runs.length,
    margin,
    warmUp,
    interference: busy ? "fft" : "none",
    clock: { name: used.name, resolution: used.resolution },
  };
}

/**
 * Measures how long the dispatches of a slots executor take, with all its tasks submitted at once. The tasks take turns in being first, as
 * the first one may get more slots. `wcet[1]` is C of `slotBound`. Nothing else may submit jobs meanwhile. Throws `input`, `aborted`, the
 * error of a job that fails, and `failed` if `prepare` or `onProgress` throws, with that exception as its cause.
 */
export async function profileSlots(executor: SlotsExecutor, options: RepeatOptions = {}): Promise<TaskProfile> {
  if (!Array.isArray(executor?.tasks)) throw inputError("executor", "an executor that gpuSlots returned", executor);
  checkFields(options, fieldsOfRepeats, "options of profileSlots");
  const { runs, warmUp, margin } = checkCommon(options);
  const { signal } = options;
  const used = clock();
  const times: number[] = [];
  for (let job = -warmUp; job < runs; job++) {
    throwIfAborted(signal, "profiling");
    await callListener(() => options.prepare?.(), "prepare", signal, "profiling");
    const { tasks } = executor;
    const order = tasks.map((_, i) => tasks[(i + job + warmUp) % tasks.length]);
    const records = await Promise.all(order.map((task) => executor.submit(task)));
    if (job < 0) continue;
    for (const { granted, finished } of records) times.push(finished - granted);
    await callListener(() => options.onProgress?.({ size: 1, done: job + 1, total: runs }), "onProgress", signal, "profiling");
  }
  const size = sizeProfile(1, [times], { exhaustive: true, margin, resolution: used.resolution });
  return {
    task: executor.tasks.join(", "),
    kind: "gpu-slots",
    units: executor.units,
    sizes: [size],
    wcet: { 1: size.wcet },
    chunks: 1,
    margin,
    warmUp,
    interference: "none",
    clock: { name: used.name, resolution: used.resolution },
  };
}

/** Runs the plans and resolves with the time of their end. Rejects with the first failure. */
function ended(runs: ExecutableTask["runs"], units: readonly number[] | undefined, signal: AbortSignal | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    runAll(runs, { ...(units && { units }), signal, typed: (error) => asRadarError(error, "a run") }, (failure) => {
      const end = microseconds();
      if (failure === undefined) resolve(end);
      else reject(failure);
    });
  });
}

/** The profile of one size, from the times of each measured set of units. */
export function sizeProfile(
  size: number,
  times: readonly (readonly number[])[],
  { exhaustive, margin, resolution }: { readonly exhaustive: boolean; readonly margin: number; readonly resolution: number },
): SizeProfile {
  const all = timeStatistics(times.flat());
  const slowdown = all.p50 > 0 ? Math.max(...times.map((own) => timeStatistics(own).p50)) / all.p50 : 1;
  const wcet = Math.max(resolution, all.max) * margin * (exhaustive ? 1 : slowdown);
  return { size, ...all, subsets: times.length, exhaustive, slowdown, wcet };
}

/** Sets of `size` of `units` units: all of them if there are at most `most`, else neighbouring units from evenly spaced starts. */
export function choices(
  size: number,
  units: number,
  most: number,
): { readonly subsets: readonly (readonly number[])[]; readonly exhaustive: boolean } {
  let count = 1;
  for (let i = 1; i <= size && count <= most; i++) count = (count * (units - size + i)) / i;
  if (count <= most) {
    const subsets: number[][] = [];
    const extend = (chosen: readonly number[], next: number): void => {
      if (chosen.length === size) subsets.push([...chosen]);
      else for (let unit = next; unit <= units - (size - chosen.length); unit++) extend([...chosen, unit], unit + 1);
    };
    extend([], 0);
    return { subsets, exhaustive: true };
  }
  const starts = Math.min(most, units);
  const subsets = Array.from({ length: starts }, (_, s) => {
    const first = Math.floor((s * units) / starts);
    return Array.from({ length: size }, (__, i) => (first + i) % units).sort((a, b) => a - b);
  });
  return { subsets, exhaustive: false };
}

const mostRuns = 1_000_000;

function checkCommon({ runs = 1000, warmUp = 10, margin = 1.2 }: RepeatOptions): {
  readonly runs: number;
  readonly warmUp: number;
  readonly margin: number;
} {
  checkInteger(runs, "runs", 1, mostRuns);
  checkInteger(warmUp, "warmUp", 0, mostRuns);
  if (!(margin >= 1 && Number.isFinite(margin))) throw inputError("margin", "a number of at least 1", margin);
  return { runs, warmUp, margin };
}
