/**
 * Summarises a trace task by task, with the bounds of the analysis. For traces of a device, the summary says what was observed, which
 * bounds nothing; `bound` is as good as the WCETs.
 */
import { runToEnd } from "@dechirp/core/internal";
import { analyseChecked } from "../bounds.ts";
import type { JobRecord } from "../executors/executor.ts";
import type { TaskSet } from "../model.ts";
import { checkTaskSet, taskCopies } from "../validate.ts";
import { pieces } from "./pieces.ts";

/** The jobs that finished on a device, simulated or real. */
export interface Trace {
  /** The records of the jobs. */
  readonly jobs: readonly JobRecord[];
}

/** The jobs of an entry of `tasks`, with all its copies. Times are in microseconds, and 0 without jobs. */
export interface TaskSummary {
  /** Id of the task. */
  readonly id: string;
  /** Number of jobs. */
  readonly jobs: number;
  /** Mean time from request to grant. */
  readonly meanWait: number;
  /** Longest time from request to grant. */
  readonly maxWait: number;
  /** Mean time from request to end. */
  readonly meanResponse: number;
  /** Longest time from request to end. */
  readonly maxResponse: number;
  /** The bound on the response: the smaller of Lemma 2 and the partition bound. */
  readonly bound: number;
  /** `maxResponse` / `bound`. */
  readonly reached: number;
}

/** The summary of a trace. */
export interface TraceSummary {
  /** One entry for each entry of the set's `tasks`. */
  readonly tasks: readonly TaskSummary[];
  /** Number of jobs. */
  readonly jobs: number;
  /** Time from the first request to the last end, in microseconds. */
  readonly span: number;
  /** Σ units · time over the jobs, in microseconds. */
  readonly unitTime: number;
  /** `unitTime` divided by ℋ · span. */
  readonly used: number;
  /** Jobs divided by span, per second. */
  readonly jobsPerSecond: number;
  /** Σ L[1] over the jobs, divided by ℋ · span. It is 1 if every unit is always as efficient as a job that runs alone on one unit. */
  readonly throughput: number;
}

/** Summarises a trace. Jobs of tasks that are not in the set are ignored. Throws `input` for an invalid set. */
export const summariseTrace = (set: TaskSet, trace: Trace): TraceSummary => runToEnd(summariseSteps(set, trace));

/** `summariseTrace` as a generator that yields every few milliseconds, for `runInPieces` of core. */
export function* summariseSteps(set: TaskSet, trace: Trace): Generator<void, TraceSummary> {
  const checked = checkTaskSet(set);
  const { tasks } = analyseChecked(checked);
  const entryOf = new Map(taskCopies(checked).map(({ id, entry }) => [id, entry]));
  const sums = tasks.map(() => ({ jobs: 0, wait: 0, maxWait: 0, response: 0, maxResponse: 0 }));
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  let unitTime = 0;
  let work = 0;
  let jobs = 0;
  const add = ({ task, requested, granted, finished, units }: JobRecord): void => {
    const entry = entryOf.get(task);
    if (entry === undefined) return;
    const sum = sums[entry];
    sum.jobs++;
    sum.wait += granted - requested;
    sum.maxWait = Math.max(sum.maxWait, granted - requested);
    sum.response += finished - requested;
    sum.maxResponse = Math.max(sum.maxResponse, finished - requested);
    jobs++;
    from = Math.min(from, requested);
    to = Math.max(to, finished);
    unitTime += units.length * (finished - granted);
    work += checked.tasks[entry].wcet[1];
  };
  for (const some of pieces(trace.jobs)) {
    for (const job of some) add(job);
    yield;
  }
  const span = jobs > 0 ? to - from : 0;
  const perSpan = (value: number): number => (span > 0 ? value / span : 0);
  return {
    tasks: sums.map(({ jobs: n, wait, maxWait, response, maxResponse }, i) => ({
      id: tasks[i].id,
      jobs: n,
      meanWait: wait / Math.max(n, 1),
      maxWait,
      meanResponse: response / Math.max(n, 1),
      maxResponse,
      bound: tasks[i].bound,
      reached: maxResponse / tasks[i].bound,
    })),
    jobs,
    span,
    unitTime,
    used: perSpan(unitTime) / checked.units,
    jobsPerSecond: perSpan(1e6 * jobs),
    throughput: perSpan(work) / checked.units,
  };
}
