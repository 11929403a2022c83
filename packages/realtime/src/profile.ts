/**
 * Observed worst-case execution times (section III-C of the paper): a job again and again on k units while every other unit works on
 * something of its own, and the longest time with a margin. That is what was seen here and now, on this machine under this load; it is
 * no guarantee, and neither is any bound computed from it. Other programs, the garbage collector and the host's clock are part of it.
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

/** How often a job is timed, and hooks around each run. */
export interface RepeatOptions {
  /** Times measured for each size; 1000 where left out, as in the paper. */
  readonly runs?: number;
  /** Jobs before these in each block of a choice of units, which count nowhere; 10 where left out. */
  readonly warmUp?: number;
  /** What the longest time is multiplied with, at least 1; 1.2 where left out. */
  readonly margin?: number;
  /** Called before each job, outside of its time: what it works on can be copied in. */
  prepare?(): void | Promise<void>;
  readonly signal?: AbortSignal;
  /** After every timed run; awaited, outside of its time. */
  onProgress?(progress: { readonly size: number; readonly done: number; readonly total: number }): void;
}

/** Which sizes are timed, and what the other units do meanwhile. */
export interface ProfileTaskOptions extends RepeatOptions {
  /** Whose units are meant: `cpu-pool`'s, where left out, or `gpu-chunks`, which has one, and times every run of a job by itself. */
  readonly kind?: "cpu-pool" | "gpu-chunks";
  /** ℋ of the pool; all of the device where left out. */
  readonly units?: number;
  /** The k to measure, 1 among them; 1 … ℋ where left out. */
  readonly sizes?: readonly number[];
  /** What other units do meanwhile: real transforms of 2¹² points without end, as in the paper, or nothing. `fft` where left out. */
  readonly interference?: "fft" | "none";
}

/** Of k units. */
export interface SizeProfile extends TimeStatistics {
  readonly size: number;
  /** Choices of units that were measured. */
  readonly subsets: number;
  /** Whether that is all there are. */
  readonly exhaustive: boolean;
  /** The largest median of a choice / the median of all: how unequal units are. */
  readonly slowdown: number;
  /**
   * `max` · `margin`, and · `slowdown` where not every choice was measured: one that was not may be that much slower. Where all were, the
   * longest time has the slowest choice in it. Not less than the clock's resolution.
   */
  readonly wcet: number;
}

/** Observed times of a task by number of units. */
export interface TaskProfile {
  readonly task: string;
  readonly kind: "cpu-pool" | "gpu-chunks" | "gpu-slots";
  readonly units: number;
  /** Ascending. */
  readonly sizes: readonly SizeProfile[];
  /** L[k] of a task: a job's; of `gpu-chunks` the longest run's; of `gpu-slots` a dispatch's. Observed, with the margin. */
  readonly wcet: WcetTable;
  /** Runs of a job. */
  readonly chunks: number;
  /** Factor on the longest observed time. */
  readonly margin: number;
  /** Jobs before the timed ones, in each block of a choice of units. */
  readonly warmUp: number;
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
 * Times a task on choices of k units for each k. All choices are measured, in turn, where each then gets 20 runs or more and there are at
 * most 32; otherwise neighbouring units from every start, or from as many as that allows. Nothing else may use the device meanwhile.
 * Throws `input`, `aborted`, what a job fails with, and `failed` with what `prepare` or `onProgress` throws as its cause.
 */
export async function profileTask(device: Device, task: ExecutableTask, options: ProfileTaskOptions = {}): Promise<TaskProfile> {
  checkDevice(device);
  checkFields(options, fieldsOfProfiles, "options of profile");
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
  /** What is timed as one. */
  const pieces = chunks ? task.runs.map((run) => [run]) : [task.runs];
  const busy = interference === "fft" && Math.min(...sizes) < units;
  using others = busy ? await createInterference(device, units) : undefined;

  const used = clock();
  const profiles: SizeProfile[] = [];
  for (const size of sizes) {
    const { subsets, exhaustive } = choices(size, units, Math.min(32, Math.max(1, Math.floor(runs / 20))));
    const times = subsets.map((): number[] => []);
    // Two rounds, so that a drift of the machine does not pass for a difference between units.
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
 * Times dispatches of an executor of slots: all its tasks at once, each of them first in turn, since who comes first may have more slots.
 * `wcet[1]` is C of `slotBound`. Nothing else may submit meanwhile. Throws `input`, `aborted`, what a job fails with, and `failed` with what `prepare` or `onProgress` throws as its cause.
 */
export async function profileSlots(executor: SlotsExecutor, options: RepeatOptions = {}): Promise<TaskProfile> {
  if (!Array.isArray(executor?.tasks)) throw inputError("executor", "an executor, as gpuSlots makes", executor);
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

/** Runs and tells when they had ended; the first failure rejects. */
function ended(runs: ExecutableTask["runs"], units: readonly number[] | undefined, signal: AbortSignal | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    runAll(runs, { ...(units && { units }), signal, typed: (error) => asRadarError(error, "a run") }, (failure) => {
      const end = microseconds();
      if (failure === undefined) resolve(end);
      else reject(failure);
    });
  });
}

/** From the times of each choice of units. */
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

/** Choices of `size` of `units` units: all where there are at most `most`, else neighbours from evenly spread starts. */
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
