/**
 * The work of `schedule run`: tasks on a device, their times observed, bounds from these, then their jobs under the lock and by best
 * effort. Takes an open device and gives a report and a trace; no files, no texts. What is told of the numbers is run-results.ts's.
 */
import { type Device, heeding, isRadarError, RadarError, throwIfAborted } from "@dechirp/core";
import type { Clock } from "@dechirp/processor/clock";
import {
  bestEffort,
  defaultRho,
  type ExecutableTask,
  type JobRecord,
  type MeasureOptions,
  maxTraceJobs,
  type RepeatOptions,
} from "@dechirp/realtime";
import { argumentError, blame } from "../errors.ts";
import { measureRight } from "./measure-right.ts";
import type { ExecutorName, RunReport, RunSettings } from "./report.ts";
import { checkUnits, copiesOf, inputsOfKind, kindOf, type RunInput, type RunTask, type RunTasks } from "./run-input.ts";
import { type Copy, runReport, sinceFirst } from "./run-results.ts";
import { createTransforms } from "./transforms.ts";
import { chunks, type Known, pool, slots, type Way } from "./ways.ts";

export interface RunHooks {
  readonly signal: AbortSignal;
  /** `share` of the whole, 0 to 1. */
  readonly onProgress?: (what: string, share: number) => void;
}

export interface RanTasks {
  readonly report: RunReport;
  /** Jobs under the lock in the order of their ends, microseconds since the first request. */
  readonly trace: readonly JobRecord[];
}

const ways: Readonly<Record<ExecutorName, (settings: RunSettings) => Way>> = {
  pool: () => pool,
  chunks: () => chunks,
  slots: (settings) => slots(settings.slots),
};

/** Jobs before those that are timed, in each block of a choice of units. */
const warmUp = 3;
/** Where in the whole the parts begin. */
const starts = { profile: 0.1, lock: 0.6, bestEffort: 0.8 } as const;

/**
 * Throws `file` for sizes that the device lacks, `argument` for more jobs than a trace holds, `unsupported`, `limit` and `out-of-memory`
 * naming the task, `failed` where a job fails, `aborted`, and what the device throws.
 */
export async function runTasks(
  device: Device,
  input: RunInput,
  settings: RunSettings,
  clock: Clock,
  { signal, onProgress = () => {} }: RunHooks,
): Promise<RanTasks> {
  const { executor, jobs, runs, margin } = settings;
  const way = ways[executor](settings);
  const units = way.units(device);
  const { set, notes } = settle(input, settings);
  await blame("file", input.file, () => checkUnits(set, units));
  const total = set.tasks.reduce((sum, { count = 1 }) => sum + count, 0);
  if (total * jobs > maxTraceJobs) throw argumentError("--jobs", `at most ${Math.floor(maxTraceJobs / total)} for ${total} tasks`, jobs);

  using created = await clock.time("create", () => createTasks(device, set, { signal, onProgress }));
  const { copies } = created;
  const all = copies.map(({ made }) => made);

  const repeat: RepeatOptions = { runs, margin, warmUp, signal };
  const parts = way.together ? 1 : units * new Set(set.tasks.map(kindOf)).size;
  let timed = 0;
  const timing = (what: string): RepeatOptions => ({
    ...repeat,
    onProgress: () => onProgress(what, starts.profile + ((starts.lock - starts.profile) * ++timed) / (runs * parts)),
  });
  const times = new Map<string, Known>();
  const knownOf = (entry: number): Known | undefined => times.get(kindOf(set.tasks[entry]));
  if (!way.together)
    await clock.time("profile", async () => {
      for (const { entry, made } of copies) {
        if (knownOf(entry)) continue;
        const known = await way.profile(device, [made.task], timing(`timing ${made.task.id}`));
        times.set(kindOf(set.tasks[entry]), known);
      }
    });

  const sizesOf = (task: RunTask, known: Known): readonly number[] =>
    task.sizes ?? way.sizes(known, task.rho ?? set.rho ?? defaultRho, units);
  const tasks = copies.map(({ entry, made }): ExecutableTask => {
    const known = knownOf(entry);
    const sizes = known ? sizesOf(set.tasks[entry], known) : set.tasks[entry].sizes;
    return { ...made.task, ...(sizes && { sizes }) };
  });
  const known = copies.flatMap(({ entry }) => knownOf(entry) ?? []);
  using open = await clock.time(way.together ? "profile" : "open", () => way.open(device, tasks, known, timing("timing dispatches")));

  const samples = Object.fromEntries(all.map((made) => [made.task.id, made.samples]));
  const measuring = (what: string, from: number): MeasureOptions => ({
    jobs,
    samples,
    signal,
    onProgress: ({ done, total }) => onProgress(what, from + (0.2 * done) / total),
  });
  const locked = await clock.time("lock", () => measureRight(open.executor, all, measuring("lock", starts.lock)));
  using free = bestEffort(device, tasks);
  const best = await clock.time("best effort", () => measureRight(free, all, measuring("best effort", starts.bestEffort)));

  const sizes = copies.map(({ entry }, i) => sizesOf(set.tasks[entry], open.known[i]));
  const steps = runReport({
    input: { ...set, file: input.file, notes },
    settings,
    device,
    units,
    copies,
    sizes,
    open,
    locked,
    best,
    clock,
  });
  const report = await heeding(signal, "the report", steps);
  return { report, trace: await heeding(signal, "the report", sinceFirst(locked.measured.records)) };
}

/** The set with what the command line says in place of the file's, and what is of no use left out. */
function settle(input: RunInput, { executor, rho: given }: RunSettings): { readonly set: RunTasks; readonly notes: readonly string[] } {
  const { rho, tasks, notes } = input;
  const named = tasks.some(({ sizes }) => sizes !== undefined);
  const dropped = executor === "chunks" && named ? ["sizes of the file are not used: one dispatch runs at a time"] : [];
  const settled = tasks.map(({ sizes, rho: own, ...task }) => ({
    ...task,
    ...(sizes && executor !== "chunks" && { sizes }),
    ...(own !== undefined && given === undefined && { rho: own }),
  }));
  const used = given ?? rho;
  return { set: { ...(used !== undefined && { rho: used }), tasks: settled }, notes: [...notes, ...dropped] };
}

interface CreatedTasks extends Disposable {
  readonly copies: readonly Copy[];
}

/** Plans and fills every copy of every task. Throws as `runTasks` does. */
async function createTasks(device: Device, set: RunTasks, { signal, onProgress }: Required<RunHooks>): Promise<CreatedTasks> {
  const copies: Copy[] = [];
  const dispose = (): void => {
    for (const { made } of copies) made[Symbol.dispose]();
  };
  using transforms = await createTransforms();
  const ids = copiesOf(set);
  const inputs = new Map<string, number>();
  try {
    for (const { id, entry } of ids) {
      throwIfAborted(signal, "the run");
      onProgress(`making ${id}`, (starts.profile * copies.length) / ids.length);
      const { samples, line } = set.tasks[entry];
      const kind = kindOf(set.tasks[entry]);
      const turn = inputs.get(kind) ?? 0;
      inputs.set(kind, turn + 1);
      const options = { samples, seed: 1 + (turn % inputsOfKind), signal, ...(line !== undefined && { line }) };
      const made = await naming(id, () => transforms.create(device, id, options));
      copies.push({ entry, made });
      made.fill();
    }
  } catch (error) {
    dispose();
    throw error;
  }
  return { copies, [Symbol.dispose]: dispose };
}

/** Says of which task there is no room, as a plan's own memory has no name. */
async function naming<T>(task: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isRadarError(error, "limit") && !isRadarError(error, "out-of-memory") && !isRadarError(error, "unsupported")) throw error;
    throw new RadarError(error.code, `task ${task}: ${error.message}`, { ...error.fields, task }, error);
  }
}
