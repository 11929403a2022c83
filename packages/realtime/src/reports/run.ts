/**
 * `runTasks`: times tasks on a device, computes bounds from the times, then runs jobs under the lock and by best effort. It takes open
 * devices and returns a report and a trace. run-results.ts makes the report from the measurements.
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
import { measureAndVerify } from "../transforms/measure-and-verify.ts";
import { createTransforms, inputsOfKind } from "../transforms/transform-task.ts";
import { chunkWay, hostCores, poolWay, slotWay, type TaskTimes, type Way } from "../transforms/ways.ts";
import { checkInteger, checkNumber, checkRho } from "../validate.ts";
import { checkTraceJobs } from "./faults.ts";
import { fieldsOfHooks, tellHooks } from "./hooks.ts";
import type { ExecutorName, ReportHooks, RunReport, RunSettings } from "./report.ts";
import { type Copy, runReport, sinceFirst } from "./run-results.ts";
import { checkRunTasks, checkUnits, copiesOf, type RunTask, type RunTasks, workKind } from "./run-tasks.ts";

/** Options of `runTasks`. */
export interface RunTasksOptions extends ReportHooks {
  /** A device with float64, such as the CPU's. Outputs are compared with its results. The caller keeps ownership. */
  readonly reference: Device;
  /**
   * Number of cores of the processor, for the report and for the default number of slots on a CPU or software device. Default: as the host
   * reports.
   */
  readonly cores?: number;
}

/** The result of `runTasks`. */
export interface RunResult {
  /** The report. */
  readonly report: RunReport;
  /** The jobs under the lock, in the order of their ends. Times are in microseconds since the first request. */
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

/** The largest number of cores, of slots and of timed runs of every L[k], and the largest margin. */
const mostCores = 65_536;
const mostSlots = 4096;
const mostRuns = 100_000;
const mostMargin = 1000;
/** Uncounted jobs before the timed ones in each block on one set of units. */
const warmUp = 3;
/** The share of the whole work that is done when each part begins. */
const starts = { profile: 0.1, lock: 0.6, bestEffort: 0.8 } as const;

/**
 * Runs `tasks` on `device`. It profiles each kind of work, bounds the responses by the observed times, then runs the jobs under the lock
 * and by best effort ("Concurrent FFT execution on GPUs in real time", sections III and IV). `checkRunTasks` describes the tasks.
 *
 * Throws `input` that names the field: for invalid tasks and settings, for `sizes` larger than the number of units, for more `jobs` than a
 * trace can hold; `unsupported`, `limit` and `out-of-memory` that name the task; `failed` if a job fails or a hook throws; `aborted`; and
 * the device's errors.
 */
export async function runTasks(device: Device, tasks: RunTasks, settings: RunSettings, options: RunTasksOptions): Promise<RunResult> {
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
  const parts = way.together ? 1 : units * new Set(input.tasks.map(workKind)).size;
  let timed = 0;
  const timing = (what: string): RepeatOptions => ({
    ...repeat,
    onProgress: () => onProgress(what, starts.profile + ((starts.lock - starts.profile) * ++timed) / (runs * parts)),
  });
  const times = new Map<string, TaskTimes>();
  const knownOf = (entry: number): TaskTimes | undefined => times.get(workKind(input.tasks[entry]));
  if (!way.together)
    await part("profile", async () => {
      for (const { entry, made } of copies) {
        if (knownOf(entry)) continue;
        const known = await way.profile(device, [made.task], timing(`timing ${made.task.id}`));
        times.set(workKind(input.tasks[entry]), known);
      }
    });

  const sizesOf = (task: RunTask, known: TaskTimes): readonly number[] =>
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
  const locked = await part("lock", () => measureAndVerify(open.executor, all, measuring("lock", starts.lock)));
  using free = bestEffort(device, executable);
  const best = await part("best effort", () => measureAndVerify(free, all, measuring("best effort", starts.bestEffort)));

  const sizes = copies.map(({ entry }, i) => sizesOf(input.tasks[entry], open.known[i]));
  const steps = runReport({ input, settings, device, cores, units, copies, sizes, open, locked, best });
  const report = await runAbortable(signal, "the report", steps);
  return { report, trace: await runAbortable(signal, "the report", sinceFirst(locked.measured.records)) };
}

/** Throws `input` that names the field of an invalid setting. */
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

/** Applies the settings to the tasks and drops what the executor ignores, with a note. */
function settle({ rho, tasks, notes }: RunTasks, { executor, rho: given }: RunSettings): RunTasks {
  const named = tasks.some(({ sizes }) => sizes !== undefined);
  const dropped = executor === "chunks" && named ? ["sizes of tasks are ignored, as this executor runs one dispatch at a time"] : [];
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

/** Plans every copy of every task and writes its input. Throws as `runTasks` does. */
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
      onProgress(`preparing ${id}`, (starts.profile * copies.length) / ids.length);
      const { samples, line } = set.tasks[entry];
      const kind = workKind(set.tasks[entry]);
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

/** Adds the task's id to errors about missing memory or support, as the memory of a plan has no name of its own. */
async function naming<T>(task: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isRadarError(error, "limit") && !isRadarError(error, "out-of-memory") && !isRadarError(error, "unsupported")) throw error;
    throw new RadarError(error.code, `task ${task}: ${error.message}`, { ...error.fields, task }, error);
  }
}
