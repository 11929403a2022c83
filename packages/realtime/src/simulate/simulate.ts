/**
 * Simulates a task set under the FIFO SMLP and returns every job as data, in the form of the executors' records. Options can break the
 * assumptions of the bounds, to show that the checks detect that; `brokenSchedulers` names three such cases. It simulates the model, not a
 * device: jobs take at most their WCETs, and the lock takes no time.
 */
import { inputError } from "@dechirp/core";
import { checkFields, checkSeed, type FieldsOf, runToEnd } from "@dechirp/core/internal";
import type { JobRecord } from "../executors/executor.ts";
import type { TaskSet } from "../model.ts";
import { taskSizes } from "../permitted.ts";
import { UnitMap } from "../unit-map.ts";
import { checkInteger, checkMicroseconds, checkNumber, checkSizes, checkTaskSet, taskCopies } from "../validate.ts";
import { engineTask, runEvents } from "./engine.ts";
import { summariseSteps, type Trace, type TraceSummary } from "./summary.ts";

/** The largest number of jobs of a trace, and of the units that they hold, summed over jobs. */
export const maxTraceJobs = 2_000_000;
const maxTraceUnits = 30_000_000;

/** Options of `simulateTaskSet`. */
export interface SimulateOptions {
  /** Seed of the random numbers, 0 to 2³² − 1. Default: 1. It also decides the order of the requests at time 0. */
  readonly seed?: number;
  /** Number of jobs of each task. Default: 100, as in the paper, or unlimited if `horizon` is given. */
  readonly jobs?: number;
  /** No requests are made after this time, in microseconds. Jobs that were requested before still finish. */
  readonly horizon?: number;
  /**
   * `consecutive`, the paper's experiment and the default: every task requests a job at time 0 and the next one as soon as a job has
   * finished. `sporadic`: requests have random distances of one to two periods, or more if the previous job has not finished; every task
   * must have a period.
   */
  readonly release?: "consecutive" | "sporadic";
  /**
   * The mean pause of consecutive tasks between a job and the next request, as a multiple of L[1]. Pauses are uniform from 0 to twice the
   * mean. Default: 0.
   */
  readonly think?: number;
  /** The time of a job on k units is uniform from this share of L[k] to L[k]. Default: 1, the worst case. */
  readonly leastShare?: number;
  /** `fifo`, or for a broken scheduler `lifo`, which serves the latest request first. Default: `fifo`. */
  readonly policy?: "fifo" | "lifo";
  /** The number of jobs that a task may have outstanding: 1, or for a broken scheduler 2. Default: 1. */
  readonly jobsPerTask?: 1 | 2;
  /** For a broken scheduler: S of each entry of `tasks`, instead of the set's. 1 may be missing. Each size must have a WCET. */
  readonly sizes?: readonly (readonly number[])[];
}

const fieldsOfOptions: FieldsOf<SimulateOptions> = {
  seed: "number",
  jobs: "number",
  horizon: "number",
  release: "string",
  think: "number",
  leastShare: "number",
  policy: "string",
  jobsPerTask: "number",
  sizes: "object",
};

/** The result of `simulateTaskSet`: the jobs in the order of their ends. */
export interface SimulatedSchedule extends Trace {
  /** ℋ: the number of units. */
  readonly units: number;
  /** The ids of the tasks; copies are named as by `taskCopies`. */
  readonly tasks: readonly string[];
  /** The summary of the trace. */
  readonly summary: TraceSummary;
}

/** A name of a scheduler that violates an assumption of the bounds. */
export type BrokenScheduler = "lifo" | "two-jobs" | "without-one";

/**
 * Three schedulers that each violate an assumption of the proofs, as functions that return options for a set. Traces of each exceed the
 * bounds sooner or later.
 */
export const brokenSchedulers: Readonly<Record<BrokenScheduler, (set: TaskSet) => SimulateOptions>> = {
  /** The latest request is served first, so others can overtake a job without end. */
  lifo: () => ({ policy: "lifo" }),
  /** A task may have two outstanding jobs, so twice as much work can be ahead of a job. */
  "two-jobs": () => ({ jobsPerTask: 2 }),
  /** 1 is not in S if S has other sizes, so units stay idle while the first request waits for a second one. */
  "without-one": (set) => ({ sizes: set.tasks.map((task) => withoutOne(taskSizes(set, task))) }),
};

const withoutOne = (sizes: readonly number[]): readonly number[] => (sizes.length > 1 ? sizes.slice(1) : sizes);

/**
 * Simulates a task set. Jobs are in the order of their ends. Equal arguments give equal traces. Throws `input` for an invalid set or
 * option, and if the trace would have more than 2,000,000 jobs, or more than 30,000,000 units summed over jobs.
 */
export function simulateTaskSet(set: TaskSet, options: SimulateOptions = {}): SimulatedSchedule {
  return runToEnd(simulateTaskSetSteps(set, options));
}

/**
 * `simulateTaskSet` as a generator that yields every few milliseconds, for `runInPieces` of core, which lets other work run and checks a
 * signal in between. Throws as `simulateTaskSet` does.
 */
export function* simulateTaskSetSteps(set: TaskSet, options: SimulateOptions = {}): Generator<void, SimulatedSchedule> {
  const checked = checkTaskSet(set);
  checkFields(options, fieldsOfOptions, "options");
  const { seed = 1, horizon, release = "consecutive", think = 0, leastShare = 1, policy = "fifo", jobsPerTask = 1 } = options;
  const jobs = options.jobs ?? (horizon === undefined ? 100 : Number.POSITIVE_INFINITY);
  const copies = taskCopies(checked);
  checkSeed(seed);
  if (options.jobs !== undefined) checkInteger(options.jobs, "jobs", 1, Math.floor(maxTraceJobs / copies.length));
  if (horizon !== undefined) checkMicroseconds(horizon, "horizon");
  if (release !== "consecutive" && release !== "sporadic") throw inputError("release", '"consecutive" or "sporadic"', release);
  if (release === "sporadic") checkPeriods(checked);
  checkNumber(think, "think", 0, 1e6);
  checkNumber(leastShare, "leastShare", 0, 1);
  if (policy !== "fifo" && policy !== "lifo") throw inputError("policy", '"fifo" or "lifo"', policy);
  checkInteger(jobsPerTask, "jobsPerTask", 1, 2);
  const sizes = options.sizes === undefined ? checked.tasks.map((task) => taskSizes(checked, task)) : checkAllSizes(checked, options.sizes);

  const entries = checked.tasks.map(({ wcet, period }, i) => engineTask(wcet, sizes[i], period));
  const records: JobRecord[] = [];
  const map = new UnitMap(checked.units);
  const held: (readonly number[])[] = new Array(copies.length * jobsPerTask).fill([]);
  let unitsLeft = maxTraceUnits;
  yield* runEvents(
    {
      units: checked.units,
      tasks: copies.map(({ entry }) => entries[entry]),
      seed,
      lifo: policy === "lifo",
      jobsPerTask,
      leastShare,
      think,
      sporadic: release === "sporadic",
      jobs,
      horizon: horizon ?? Number.POSITIVE_INFINITY,
      total: Number.POSITIVE_INFINITY,
    },
    {
      granted(slot, size) {
        unitsLeft -= size;
        if (unitsLeft < 0) throw tooLong(options, `small enough that all jobs together hold at most ${maxTraceUnits} units`);
        held[slot] = map.take(size);
      },
      finished(slot, job, requested, granted, finished) {
        if (records.length === maxTraceJobs) throw tooLong(options, `small enough that at most ${maxTraceJobs} jobs finish`);
        const units = held[slot];
        map.give(units);
        records.push({ task: copies[Math.floor(slot / jobsPerTask)].id, job, requested, granted, finished, units });
      },
    },
  );
  const summary = yield* summariseSteps(checked, { jobs: records });
  return { units: checked.units, tasks: copies.map(({ id }) => id), jobs: records, summary };
}

const tooLong = ({ horizon, jobs }: SimulateOptions, expected: string): Error =>
  horizon === undefined ? inputError("jobs", expected, jobs ?? 100) : inputError("horizon", expected, horizon);

function checkPeriods(set: TaskSet): void {
  for (const [i, { period }] of set.tasks.entries())
    if (period === undefined) throw inputError(`tasks[${i}].period`, "given, as releases are sporadic", period);
}

function checkAllSizes(set: TaskSet, sizes: unknown): readonly (readonly number[])[] {
  if (!Array.isArray(sizes) || sizes.length !== set.tasks.length)
    throw inputError("sizes", `a list of ${set.tasks.length} lists of numbers`, sizes);
  for (const [i, { wcet }] of set.tasks.entries()) checkSizes(sizes[i], `sizes[${i}]`, wcet, set.units);
  return sizes as number[][];
}
