/**
 * The paper's measurement (section IV) on an executor: all tasks are released at once, then each runs one job after another. The times are
 * observations on this machine at this time and guarantee nothing. If bounds are given, the result counts how often they were exceeded.
 */

import { inputError, isRadarError, type RadarError, throwIfAborted } from "@dechirp/core";
import { asRadarError } from "@dechirp/core/backend";
import { callListener, checkFields, type FieldsOf } from "@dechirp/core/internal";
import type { Executor, JobRecord } from "./executors/executor.ts";
import { type TimeStatistics, timeStatistics } from "./statistics.ts";
import { checkInteger } from "./validate.ts";

/** Options of `measureResponses`. */
export interface MeasureOptions {
  /** Number of jobs of each task. Default: 100. */
  readonly jobs?: number;
  /** Number of uncounted jobs of each task before the measurement. Default: 1. */
  readonly warmUp?: number;
  /** Number of samples that a job processes, by task. They are needed for the throughput. */
  readonly samples?: Readonly<Record<string, number>>;
  /** Expected upper bound of the response, in microseconds, by task. */
  readonly bounds?: Readonly<Record<string, number>>;
  /** Called before each job, outside the timed part, for example to copy in the job's data. */
  prepare?(task: string): void | Promise<void>;
  /** Called after each job, outside the timed part, for example to check the job's result. An exception ends the measurement. */
  check?(record: JobRecord): void | Promise<void>;
  /** Ends the measurement with `aborted`. */
  readonly signal?: AbortSignal;
  /** Called after every job and awaited, outside the timed part. */
  onProgress?(progress: { readonly done: number; readonly total: number }): void;
}

/** What was measured of one task. */
export interface MeasuredTask {
  /** Id of the task. */
  readonly id: string;
  /** Number of jobs that finished. */
  readonly finished: number;
  /** Number of jobs that failed. */
  readonly failed: number;
  /** Number of jobs that were aborted. */
  readonly aborted: number;
  /** Times from request to grant (`wait`) and from request to end (`response`) of the jobs that finished. */
  readonly wait: TimeStatistics;
  /** Times from request to end, in microseconds. */
  readonly response: TimeStatistics;
  /** The task's bound in `options.bounds`, in microseconds. Null if there is none. */
  readonly bound: number | null;
  /** Number of responses above the bound. */
  readonly exceedances: number;
  /** The longest response divided by the bound. Null without a bound. */
  readonly worst: number | null;
}

/** Samples per second, by two definitions. */
export interface Throughput {
  /** As in the paper: samples divided by the sum of all response times, in samples per second. */
  readonly byResponse: number;
  /** Samples divided by the time from the release to the last end, in samples per second. */
  readonly byWall: number;
}

/** The result of `measureResponses`. */
export interface Measurement {
  /** Kind of the executor. */
  readonly kind: Executor["kind"];
  /** Number of units. */
  readonly units: number;
  /** Number of measured jobs of each task. */
  readonly jobs: number;
  /** Number of uncounted jobs of each task before them. */
  readonly warmUp: number;
  /** One entry for each task. */
  readonly tasks: readonly MeasuredTask[];
  /** All tasks together. `bound` is null; `worst` is the largest of any task. */
  readonly overall: Omit<MeasuredTask, "id">;
  /** Null if `options.samples` was not given. */
  readonly throughput: Throughput | null;
  /** Microseconds from the release to the last end. */
  readonly span: number;
  /** The jobs that finished, in the order of their ends. */
  readonly records: readonly JobRecord[];
}

const what = "the measurement";

const fieldsOfOptions: FieldsOf<MeasureOptions> = {
  jobs: "number",
  warmUp: "number",
  samples: "object",
  bounds: "object",
  prepare: "function",
  check: "function",
  signal: "object",
  onProgress: "function",
};

/**
 * Runs `options.jobs` jobs of every task and returns their times. Nothing else may submit jobs to the executor meanwhile. If a job fails,
 * it is counted as failed and the measurement goes on. Throws `input`; `aborted`; `failed` if `prepare`, `check` or `onProgress` throws,
 * with that exception as its cause; `disposed` or `device-lost` if the executor or its device is gone.
 */
export async function measureResponses(executor: Executor, options: MeasureOptions = {}): Promise<Measurement> {
  if (!Array.isArray(executor?.tasks)) throw inputError("executor", "an executor, for example one that cpuPool returned", executor);
  checkFields(options, fieldsOfOptions, "options of measureResponses");
  const { jobs = 100, warmUp = 1, samples, bounds = {}, signal } = options;
  checkOptions(executor, options);
  const total = executor.tasks.length * (jobs + warmUp);
  const sums = new Map(executor.tasks.map((task) => [task, { failed: 0, aborted: 0, records: [] as JobRecord[] }]));
  const ended: JobRecord[] = [];
  let done = 0;
  let failure: RadarError | undefined;

  const told = (name: string, call: () => unknown): Promise<void> => callListener(call, name, signal, what);
  const one = async (task: string, counts: boolean): Promise<void> => {
    const sum = sums.get(task) as { failed: number; aborted: number; records: JobRecord[] };
    const record = await executor.submit(task, signal ? { signal } : {}).catch((error: unknown) => {
      throwIfAborted(signal, what);
      if (!isRadarError(error) || ["input", "disposed", "device-lost"].includes(error.code)) throw error;
      if (counts) sum[error.code === "aborted" ? "aborted" : "failed"]++;
      return undefined;
    });
    if (record && counts) {
      sum.records.push(record);
      ended.push(record);
    }
    if (record) await told("check", () => options.check?.(record));
    await told("onProgress", () => options.onProgress?.({ done: ++done, total }));
  };

  /**
   * Runs `count` jobs of every task. The first jobs of all tasks start together. After a failure the other tasks stop when their current
   * job ends.
   */
  const all = async (count: number, counts: boolean): Promise<void> => {
    for (const task of executor.tasks) await told("prepare", () => options.prepare?.(task));
    const loops = executor.tasks.map(async (task) => {
      try {
        for (let job = 0; job < count && failure === undefined; job++) {
          if (job > 0) await told("prepare", () => options.prepare?.(task));
          await one(task, counts);
        }
      } catch (error) {
        failure ??= asRadarError(error, what);
      }
    });
    await Promise.all(loops);
    if (failure !== undefined) throw failure;
  };

  throwIfAborted(signal, what);
  if (warmUp > 0) await all(warmUp, false);
  await all(jobs, true);

  const tasks = executor.tasks.map((id): MeasuredTask => {
    const { failed, aborted, records } = sums.get(id) as { failed: number; aborted: number; records: JobRecord[] };
    return { id, ...summary(records, own(bounds, id) ?? null), failed, aborted };
  });
  const most = (values: readonly (number | null)[]): number | null =>
    values.reduce((a, b) => (a === null || b === null ? (a ?? b) : Math.max(a, b)), null);
  const add = (what: "failed" | "aborted" | "exceedances"): number => tasks.reduce((sum, task) => sum + task[what], 0);
  const span = ended.length === 0 ? 0 : ended.reduce((end, r) => Math.max(end, r.finished), 0) - Math.min(...firstRequests(ended));
  const processed = samples && ended.reduce((sum, { task }) => sum + (own(samples, task) ?? 0), 0);
  const waited = ended.reduce((sum, { requested, finished }) => sum + finished - requested, 0);
  return {
    kind: executor.kind,
    units: executor.units,
    jobs,
    warmUp,
    tasks,
    overall: {
      ...summary(ended, null),
      failed: add("failed"),
      aborted: add("aborted"),
      exceedances: add("exceedances"),
      worst: most(tasks.map(({ worst }) => worst)),
    },
    throughput: processed === undefined ? null : { byResponse: perSecond(processed, waited), byWall: perSecond(processed, span) },
    span,
    records: ended,
  };
}

/** The value for a task. Works for every task id, also for names that objects inherit. */
const own = (values: Readonly<Record<string, number>>, task: string): number | undefined =>
  Object.hasOwn(values, task) ? values[task] : undefined;

const perSecond = (samples: number, time: number): number => (time > 0 ? (1e6 * samples) / time : 0);

/** The time of each task's first request. */
const firstRequests = (records: readonly JobRecord[]): Iterable<number> => {
  const first = new Map<string, number>();
  for (const { task, requested } of records) first.set(task, Math.min(requested, first.get(task) ?? requested));
  return first.values();
};

function summary(records: readonly JobRecord[], bound: number | null): Omit<MeasuredTask, "id" | "failed" | "aborted"> {
  const responses = records.map(({ requested, finished }) => finished - requested);
  const response = timeStatistics(responses);
  return {
    finished: records.length,
    wait: timeStatistics(records.map(({ requested, granted }) => granted - requested)),
    response,
    bound,
    exceedances: bound === null ? 0 : responses.filter((time) => time > bound).length,
    worst: bound === null ? null : response.max / bound,
  };
}

const mostJobs = 1_000_000;

function checkOptions({ tasks }: Executor, { jobs = 100, warmUp = 1, samples = {}, bounds = {} }: MeasureOptions): void {
  checkInteger(jobs, "jobs", 1, mostJobs);
  checkInteger(warmUp, "warmUp", 0, mostJobs);
  for (const [field, values] of Object.entries({ samples, bounds })) {
    for (const [task, value] of Object.entries(values)) {
      if (!tasks.includes(task)) throw inputError(`${field}.${task}`, "the id of a task of the executor", task);
      if (!(Number.isFinite(value) && value > 0)) throw inputError(`${field}.${task}`, "a positive number", value);
    }
  }
}
