/**
 * Simulates a task set under the FIFO SMLP and gives every job as data, in the form in which executors report theirs. Options turn it
 * into something else that the bounds do not cover, so that checks can be seen to fail; `mutants` names three of these. It simulates the
 * model, not a device: jobs take their WCETs or less, the lock takes no time.
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

/** Most jobs of a trace, and most units that they hold, summed over jobs. */
export const maxTraceJobs = 2_000_000;
const maxTraceUnits = 30_000_000;

/** How tasks release their jobs, and for how long. */
export interface SimulateOptions {
  /** Of the random numbers, from 0 to 2³² − 1; 1 where left out. It also decides who comes first among equals at time 0. */
  readonly seed?: number;
  /** Jobs of each task; 100, as the paper has it, where neither is given. */
  readonly jobs?: number;
  /** Microseconds after which nobody asks any more; what has been asked for is still done. */
  readonly horizon?: number;
  /**
   * `consecutive`, the paper's experiment and the default: every task asks at time 0 and again as soon as it has finished. `sporadic`:
   * at random gaps of one to two periods, later where the job before is not done; every task has a period, then.
   */
  readonly release?: "consecutive" | "sporadic";
  /** Mean pause of consecutive tasks between a job and the next request, in multiples of L[1], uniform from 0 to twice that; 0. */
  readonly think?: number;
  /** A job on k units takes uniformly from this share of L[k] to L[k]; 1, the worst case, where left out. */
  readonly leastShare?: number;
  /** `fifo`, or for mutants whoever asked last first. */
  readonly policy?: "fifo" | "lifo";
  /** 1, or for mutants 2 jobs of a task at once. */
  readonly jobsPerTask?: 1 | 2;
  /** For mutants: S by entry of `tasks`, instead of the set's; 1 may be missing. Each has a WCET. */
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

export interface SimulatedSchedule extends Trace {
  readonly units: number;
  /** Names of the tasks, copies by `taskCopies`. */
  readonly tasks: readonly string[];
  readonly summary: TraceSummary;
}

/** Name of a scheduler that breaks one rule. */
export type BrokenScheduler = "lifo" | "two-jobs" | "without-one";

/** Three ways to break what the proofs rest on, as options for a set: traces of each exceed the bounds sooner or later. */
export const brokenSchedulers: Readonly<Record<BrokenScheduler, (set: TaskSet) => SimulateOptions>> = {
  /** The newest request first: others overtake without end. */
  lifo: () => ({ policy: "lifo" }),
  /** Two outstanding jobs a task: twice as much may be ahead. */
  "two-jobs": () => ({ jobsPerTask: 2 }),
  /** 1 ∉ S wherever S has more: units stay idle while the first in the queue waits for a second one. */
  "without-one": (set) => ({ sizes: set.tasks.map((task) => withoutOne(taskSizes(set, task))) }),
};

const withoutOne = (sizes: readonly number[]): readonly number[] => (sizes.length > 1 ? sizes.slice(1) : sizes);

/**
 * Simulates; jobs in the order in which they finish. Equal arguments give equal traces. Throws `input` for a bad set or option, and where
 * the trace would have more than 2,000,000 jobs or 30,000,000 units in them.
 */
export function simulateTaskSet(set: TaskSet, options: SimulateOptions = {}): SimulatedSchedule {
  return runToEnd(simulateTaskSetSteps(set, options));
}

/** `simulate` in steps of milliseconds, for `runInPieces` of core: other work and signals have their turn in between. Throws as that does. */
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
        if (unitsLeft < 0) throw tooLong(options, `such that jobs hold at most ${maxTraceUnits} units in all`);
        held[slot] = map.take(size);
      },
      finished(slot, job, requested, granted, finished) {
        if (records.length === maxTraceJobs) throw tooLong(options, `such that at most ${maxTraceJobs} jobs finish`);
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
    if (period === undefined) throw inputError(`tasks[${i}].period`, "given for sporadic releases", period);
}

function checkAllSizes(set: TaskSet, sizes: unknown): readonly (readonly number[])[] {
  if (!Array.isArray(sizes) || sizes.length !== set.tasks.length) throw inputError("sizes", `a list of ${set.tasks.length} lists`, sizes);
  for (const [i, { wcet }] of set.tasks.entries()) checkSizes(sizes[i], `sizes[${i}]`, wcet, set.units);
  return sizes as number[][];
}
