/**
 * Tasks on a device, their times observed, bounds from these, then their jobs under the lock and by best effort. Takes open devices and
 * gives a report and a trace. What is told of the numbers is run-results.ts's.
 */
import { createPause, type Device, inputError, isRadarError, RadarError } from "@dechirp/core";
import { checkFields, type FieldsOf, runAbortable } from "@dechirp/core/internal";
import { bestEffort } from "../executors/best-effort.ts";
import type { ExecutableTask, JobRecord } from "../executors/executor.ts";
import { checkDevice } from "../executors/jobs.ts";
import type { MeasureOptions } from "../measure.ts";
import { defaultRho } from "../model.ts";
import type { RepeatOptions } from "../profile.ts";
import { maxTraceJobs } from "../simulate/simulate.ts";
import { measureRight } from "../transforms/measure-right.ts";
import { createTransforms, inputsOfKind } from "../transforms/transform-task.ts";
import { chunkWay, hostCores, type Known, poolWay, slotWay, type Way } from "../transforms/ways.ts";
import { checkInteger, checkNumber, checkRho } from "../validate.ts";
import { checkTraceJobs } from "./faults.ts";
import { fieldsOfHooks, tellHooks } from "./hooks.ts";
import type { ExecutorName, ReportHooks, RunReport, RunSettings } from "./report.ts";
import { type Copy, runReport, sinceFirst } from "./run-results.ts";
import { checkRunTasks, checkUnits, copiesOf, kindOf, type RunTask, type RunTasks } from "./run-tasks.ts";

/** What a run needs beside its tasks and settings. */
export interface RunTasksOptions extends ReportHooks {
  /** A device with float64, such as the processor's: what it makes of the inputs is what outputs are held against. Stays the caller's. */
  readonly reference: Device;
  /** Cores of the processor, for the report and for the slots of a device that the processor is; what the host tells where left out. */
  readonly cores?: number;
}

/** A run as data. */
export interface RanTasks {
  readonly report: RunReport;
  /** Jobs under the lock in the order of their ends, microseconds since the first request. */
  readonly trace: readonly JobRecord[];
}

const ways: Readonly<Record<ExecutorName, (count: number | undefined, cores: number) => Way>> = {
  pool: () => poolWay,
  chunks: () => chunkWay,
  slots: (count, cores) => slotWay({ cores, ...(count !== undefined && { slots: count }) }),
};

const fieldsOfSettings: FieldsOf<RunSettings> = {
  executor: "string",
  slots: "number",
  rho: "number",
  jobs: "number",
  runs: "number",
  margin: "number",
};
const fieldsOfOptions: FieldsOf<RunTasksOptions> = { ...fieldsOfHooks, reference: "object", cores: "number" };

/** Most cores, slots, times of every L[k], and the largest margin that may be asked for. */
const mostCores = 65_536;
const mostSlots = 4096;
const mostRuns = 100_000;
const mostMargin = 1000;
/** Jobs before those that are timed, in each block of a choice of units. */
const warmUp = 3;
/** Where in the whole the parts begin. */
const starts = { profile: 0.1, lock: 0.6, bestEffort: 0.8 } as const;

/**
 * Runs `tasks` on `device`: profiles each kind of work, bounds responses by the times observed, then runs the jobs under the lock and by
 * best effort ("Concurrent FFT execution on GPUs in real time", sections III and IV). `checkRunTasks` says what tasks have to be. Throws
 * `input` naming the field: for tasks and settings that are none, for `sizes` that the device lacks, for more `jobs` than a trace holds;
 * `unsupported`, `limit` and `out-of-memory` naming the task, `failed` where a job fails or a hook throws, `aborted`, and what the device
 * throws.
 */
export async function runTasks(device: Device, tasks: RunTasks, settings: RunSettings, options: RunTasksOptions): Promise<RanTasks> {
  checkDevice(device);
  checkSettings(settings);
  checkFields(options, fieldsOfOptions, "options of runTasks");
  if (typeof options.reference?.plan !== "function") throw inputError("reference", "a device", options.reference);
  const { reference, signal, cores = hostCores() } = options;
  checkInteger(cores, "cores", 1, mostCores);
  const { onProgress, part } = tellHooks(options);
  const { executor, jobs, runs, margin } = settings;
  const way = ways[executor](settings.slots, cores);
  const units = way.units(device);
  const input = settle(checkRunTasks(tasks, executor === "slots"), settings);
  checkUnits(input, units);
  checkTraceJobs(input, jobs);
  const heeded = signal ? { signal } : {};

  using created = await part("create", () => createTasks(device, reference, input, { signal, onProgress }));
  const { copies } = created;
  const all = copies.map(({ made }) => made);

  const repeat: RepeatOptions = { runs, margin, warmUp, ...heeded };
  const parts = way.together ? 1 : units * new Set(input.tasks.map(kindOf)).size;
  let timed = 0;
  const timing = (what: string): RepeatOptions => ({
    ...repeat,
    onProgress: () => onProgress(what, starts.profile + ((starts.lock - starts.profile) * ++timed) / (runs * parts)),
  });
  const times = new Map<string, Known>();
  const knownOf = (entry: number): Known | undefined => times.get(kindOf(input.tasks[entry]));
  if (!way.together)
    await part("profile", async () => {
      for (const { entry, made } of copies) {
        if (knownOf(entry)) continue;
        const known = await way.profile(device, [made.task], timing(`timing ${made.task.id}`));
        times.set(kindOf(input.tasks[entry]), known);
      }
    });

  const sizesOf = (task: RunTask, known: Known): readonly number[] =>
    task.sizes ?? way.sizes(known, task.rho ?? input.rho ?? defaultRho, units);
  const executable = copies.map(({ entry, made }): ExecutableTask => {
    const known = knownOf(entry);
    const sizes = known ? sizesOf(input.tasks[entry], known) : input.tasks[entry].sizes;
    return { ...made.task, ...(sizes && { sizes }) };
  });
  const known = copies.flatMap(({ entry }) => knownOf(entry) ?? []);
  using open = await part(way.together ? "profile" : "open", () => way.open(device, executable, known, timing("timing dispatches")));

  const samples = Object.fromEntries(all.map((made) => [made.task.id, made.samples]));
  const measuring = (what: string, from: number): MeasureOptions => ({
    jobs,
    samples,
    ...heeded,
    onProgress: ({ done, total }) => onProgress(what, from + (0.2 * done) / total),
  });
  const locked = await part("lock", () => measureRight(open.executor, all, measuring("lock", starts.lock)));
  using free = bestEffort(device, executable);
  const best = await part("best effort", () => measureRight(free, all, measuring("best effort", starts.bestEffort)));

  const sizes = copies.map(({ entry }, i) => sizesOf(input.tasks[entry], open.known[i]));
  const steps = runReport({ input, settings, device, cores, units, copies, sizes, open, locked, best });
  const report = await runAbortable(signal, "the report", steps);
  return { report, trace: await runAbortable(signal, "the report", sinceFirst(locked.measured.records)) };
}

/** Throws `input` naming the field. */
function checkSettings(settings: RunSettings): void {
  checkFields(settings, fieldsOfSettings, "settings of runTasks");
  const { executor, slots, rho, jobs, runs, margin } = settings;
  if (!Object.hasOwn(ways, executor)) throw inputError("executor", `one of ${Object.keys(ways).join(", ")}`, executor);
  if (slots !== undefined) checkInteger(slots, "slots", 1, mostSlots);
  if (rho !== undefined) checkRho(rho, "rho");
  checkInteger(jobs, "jobs", 1, maxTraceJobs);
  checkInteger(runs, "runs", 1, mostRuns);
  checkNumber(margin, "margin", 1, mostMargin);
}

/** The tasks with what the settings have in place of theirs, and what is of no use left out. */
function settle({ rho, tasks, notes }: RunTasks, { executor, rho: given }: RunSettings): RunTasks {
  const named = tasks.some(({ sizes }) => sizes !== undefined);
  const dropped = executor === "chunks" && named ? ["sizes of tasks are not used: one dispatch runs at a time"] : [];
  const settled = tasks.map(({ sizes, rho: own, ...task }) => ({
    ...task,
    ...(sizes && executor !== "chunks" && { sizes }),
    ...(own !== undefined && given === undefined && { rho: own }),
  }));
  const used = given ?? rho;
  return { ...(used !== undefined && { rho: used }), tasks: settled, notes: [...notes, ...dropped] };
}

interface CreatedTasks extends Disposable {
  readonly copies: readonly Copy[];
}

/** Plans and fills every copy of every task. Throws as `runTasks` does. */
async function createTasks(
  device: Device,
  reference: Device,
  set: RunTasks,
  { signal, onProgress }: { readonly signal: AbortSignal | undefined; onProgress(what: string, share: number): void },
): Promise<CreatedTasks> {
  const copies: Copy[] = [];
  const dispose = (): void => {
    for (const { made } of copies) made[Symbol.dispose]();
  };
  const transforms = createTransforms(reference);
  const pause = createPause("the run", signal);
  const ids = copiesOf(set);
  const inputs = new Map<string, number>();
  try {
    for (const { id, entry } of ids) {
      await pause();
      onProgress(`making ${id}`, (starts.profile * copies.length) / ids.length);
      const { samples, line } = set.tasks[entry];
      const kind = kindOf(set.tasks[entry]);
      const turn = inputs.get(kind) ?? 0;
      inputs.set(kind, turn + 1);
      const options = { samples, seed: 1 + (turn % inputsOfKind), ...(signal && { signal }), ...(line !== undefined && { line }) };
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
