/**
 * The paper's experiment on an executor (section IV): all tasks are released at once, each then runs one job after another. What comes
 * out was observed on this machine at this time and is no guarantee; beside bounds it says how often they were exceeded.
 */

import { inputError, isRadarError, type RadarError, throwIfAborted } from "@dechirp/core";
import { asRadarError } from "@dechirp/core/backend";
import { callListener, checkFields, type FieldsOf } from "@dechirp/core/internal";
import type { Executor, JobRecord } from "./executors/executor.ts";
import { type TimeStatistics, timeStatistics } from "./statistics.ts";
import { checkInteger } from "./validate.ts";

/** How often jobs run, what they are compared with, and hooks around each. */
export interface MeasureOptions {
  /** Jobs of each task; 100 where left out. */
  readonly jobs?: number;
  /** Jobs of each task before these, which count nowhere; 1 where left out. */
  readonly warmUp?: number;
  /** Samples that a job of a task processes, by task; for the throughput. */
  readonly samples?: Readonly<Record<string, number>>;
  /** Microseconds that a response should not exceed, by task. */
  readonly bounds?: Readonly<Record<string, number>>;
  /** Called before each job, outside of its time: what it works on can be copied in. */
  prepare?(task: string): void | Promise<void>;
  /** Called after each job, outside of its time: what came out can be looked at. What it throws ends the measurement. */
  check?(record: JobRecord): void | Promise<void>;
  readonly signal?: AbortSignal;
  /** After every job; awaited, outside of its time. */
  onProgress?(progress: { readonly done: number; readonly total: number }): void;
}

/** Observed times of the jobs of a task. */
export interface MeasuredTask {
  readonly id: string;
  /** Jobs that ended well. */
  readonly finished: number;
  /** Jobs that ended with another error. */
  readonly failed: number;
  /** Jobs that ended with `aborted`. */
  readonly aborted: number;
  /** From request to grant, and to end, of those that finished. */
  readonly wait: TimeStatistics;
  readonly response: TimeStatistics;
  /** What was given; null where nothing was. */
  readonly bound: number | null;
  /** Responses above the bound. */
  readonly exceedances: number;
  /** The longest response / the bound; null without. */
  readonly worst: number | null;
}

/** Samples a second, in two ways of counting. */
export interface Throughput {
  /** The paper's: samples / sum of all response times, in samples per second. */
  readonly byResponse: number;
  /** Samples / time from the release to the last end, in samples per second. */
  readonly byWall: number;
}

/** Observed times of tasks that ran together. */
export interface Measurement {
  readonly kind: Executor["kind"];
  readonly units: number;
  readonly jobs: number;
  /** Jobs of each task before those that count. */
  readonly warmUp: number;
  readonly tasks: readonly MeasuredTask[];
  /** All tasks together; its `bound` is null, its `worst` the worst of any. */
  readonly overall: Omit<MeasuredTask, "id">;
  /** Null where no samples were given. */
  readonly throughput: Throughput | null;
  /** Microseconds from the release to the last end. */
  readonly span: number;
  /** Of the jobs that finished, in the order of their ends. */
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
 * Runs `jobs` jobs of every task, which nothing else may submit meanwhile. Jobs that fail are counted, and the next one is run. Throws
 * `input`, `aborted`, `failed` with what `prepare`, `check` or `onProgress` throws as its cause, and `disposed` or `device-lost` where the executor or its device ends.
 */
export async function measureResponses(executor: Executor, options: MeasureOptions = {}): Promise<Measurement> {
  if (!Array.isArray(executor?.tasks)) throw inputError("executor", "an executor, as cpuPool makes", executor);
  checkFields(options, fieldsOfOptions, "options of measure");
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

  /** `count` jobs of every task, the first ones all at once; who fails stops the others after their job. */
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

/** What is given for a task, whatever it is called. */
const own = (values: Readonly<Record<string, number>>, task: string): number | undefined =>
  Object.hasOwn(values, task) ? values[task] : undefined;

const perSecond = (samples: number, time: number): number => (time > 0 ? (1e6 * samples) / time : 0);

/** When each task asked first. */
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
      if (!tasks.includes(task)) throw inputError(`${field}.${task}`, "of a task of the executor", task);
      if (!(Number.isFinite(value) && value > 0)) throw inputError(`${field}.${task}`, "a positive number", value);
    }
  }
}
