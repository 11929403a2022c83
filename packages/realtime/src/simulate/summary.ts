/**
 * What a trace comes to, task by task, beside the bounds of the analysis. Of traces of a device it says what was observed, which bounds
 * nothing; `bound` holds as far as the WCETs do.
 */
import { runToEnd } from "@dechirp/core/internal";
import { analyseChecked } from "../bounds.ts";
import type { JobRecord } from "../executors/executor.ts";
import type { TaskSet } from "../model.ts";
import { checkTaskSet, taskCopies } from "../validate.ts";
import { pieces } from "./pieces.ts";

/** What has happened on a device, simulated or real: the jobs that finished. */
export interface Trace {
  readonly jobs: readonly JobRecord[];
}

/** Of an entry of `tasks`, all copies together. Times are microseconds, 0 without jobs. */
export interface TaskSummary {
  readonly id: string;
  readonly jobs: number;
  /** Mean time from request to grant. */
  readonly meanWait: number;
  /** Longest time from request to grant. */
  readonly maxWait: number;
  /** Mean time from request to end. */
  readonly meanResponse: number;
  /** Longest time from request to end. */
  readonly maxResponse: number;
  /** Of the response: the smaller of Lemma 2 and the partition bound. */
  readonly bound: number;
  /** `maxResponse` / `bound`. */
  readonly reached: number;
}

/** A trace in numbers. */
export interface TraceSummary {
  readonly tasks: readonly TaskSummary[];
  readonly jobs: number;
  /** From the first request to the last end, in microseconds. */
  readonly span: number;
  /** Σ units · time of the jobs. */
  readonly unitTime: number;
  /** `unitTime` as a share of ℋ · span. */
  readonly used: number;
  readonly jobsPerSecond: number;
  /** Σ L[1] of the jobs as a share of ℋ · span: 1 where every unit is always as busy as a job alone on it. */
  readonly throughput: number;
}

/** Sums a trace up; jobs of tasks that the set lacks are left out. Throws `input` for a bad set. */
export const summariseTrace = (set: TaskSet, trace: Trace): TraceSummary => runToEnd(summariseSteps(set, trace));

/** `summarise` in steps of milliseconds, for `runInPieces` of core. */
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
