/** Selects the part of a trace that a Gantt chart shows: which jobs, from when to when, and how many jobs were waiting. */
import { inputError } from "@dechirp/core";
import { sortSteps } from "@dechirp/core/internal";
import { checkList, checkTexts } from "./check.ts";

/** A job that had units for some time, such as a `JobRecord` of `@dechirp/realtime`. Times are in microseconds. */
export interface GanttJob {
  readonly task: string;
  /** When it was requested, in microseconds. */
  readonly requested: number;
  /** When it got its units, in microseconds. */
  readonly granted: number;
  /** When it ended, in microseconds. */
  readonly finished: number;
  /** Numbers of the units that it had. */
  readonly units: readonly number[];
}

/** Options of `gantt`. */
export interface GanttOptions {
  /** Number of units. Default: one more than the highest unit of the trace. */
  readonly units?: number;
  /** Default: `Grants by unit`. */
  readonly title?: string;
  /** Draw only from this time on, in microseconds after the first request. Default: from the beginning. */
  readonly from?: number;
  /** Draw only up to this time, in microseconds after the first request. Default: to the end. */
  readonly to?: number;
  /** The most jobs to draw, 1 to 5,000: the picture ends when that many have been granted. Default: 300. */
  readonly jobs?: number;
}

/** The selected part of a trace. */
export interface GanttPart {
  readonly drawn: readonly GanttJob[];
  /** All tasks of the trace, sorted by name, with numbers in names compared as numbers. */
  readonly tasks: readonly string[];
  /** Start and end of the picture (`from`, `to`), and time of the first request (`start`), in microseconds. */
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly units: number;
  /** Describes the part: `all 7 jobs`, or how many jobs and from when to when. */
  readonly text: string;
  /** The number of waiting jobs at each time where it changes. */
  readonly waiting: readonly { readonly time: number; readonly count: number }[];
}

const maxUnits = 65536;
/** Jobs that are processed between two pauses. */
const pieceJobs = 1024;

/** Selects the part in steps of milliseconds. Throws `input` for bad options, and if there is nothing to draw. */
export function* ganttPart(jobs: readonly GanttJob[], options: GanttOptions): Generator<void, GanttPart> {
  const { jobs: most = 300 } = options;
  if (!Array.isArray(jobs)) throw inputError("trace.jobs", "a list of jobs", jobs);
  if (jobs.length === 0) throw inputError("trace.jobs", "a list of at least one job", jobs);
  if (!Number.isInteger(most) || most < 1 || most > 5000) throw inputError("jobs", "an integer from 1 to 5000", most);
  if (options.units !== undefined && !(Number.isInteger(options.units) && options.units >= 1 && options.units <= maxUnits))
    throw inputError("units", `an integer from 1 to ${maxUnits}`, options.units);
  for (const end of ["from", "to"] as const) {
    if (options[end] !== undefined && !Number.isFinite(options[end]))
      throw inputError(end, "a finite number of microseconds", options[end]);
  }
  for (const [i, job] of jobs.entries()) {
    const field = `trace.jobs[${i}]`;
    checkTexts(job, ["task"], field);
    for (const time of ["requested", "granted", "finished"] as const)
      if (!Number.isFinite(job[time])) throw inputError(`${field}.${time}`, "a finite number of microseconds", job[time]);
    checkList(job.units as readonly number[], `${field}.units`, (unit, at) => {
      if (!Number.isInteger(unit) || unit < 0) throw inputError(at, "the number of a unit", unit);
    });
    if (i % pieceJobs === 0) yield;
  }
  let [start, end] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const names = new Set<string>();
  for (const [i, { task, requested, finished }] of jobs.entries()) {
    start = Math.min(start, requested);
    end = Math.max(end, finished);
    names.add(task);
    if (i % pieceJobs === 0) yield;
  }
  const from = start + (options.from ?? 0);
  const until = Math.min(start + (options.to ?? Number.POSITIVE_INFINITY), end);
  const inside = yield* selected(jobs, ({ granted, finished }) => finished > from && granted < until);
  const within = yield* sortSteps(inside, (a, b) => a.granted - b.granted);
  if (within.length === 0 || !(until > from))
    throw inputError("from and to", "a time span in which a job has units", [options.from, options.to]);
  // If jobs are left out, the picture ends before the first of them. Otherwise it would show units as idle that are not.
  let count = Math.min(most, within.length);
  while (count < within.length && within[count].granted <= from) count++;
  const drawn = within.slice(0, count);
  const to = count < within.length ? within[count].granted : until;
  const highest = drawn.reduce((top, job) => job.units.reduce((a, b) => Math.max(a, b), top), 0);
  const units = options.units ?? Math.min(maxUnits, 1 + highest);
  if (highest >= units) throw inputError("units", "more than the highest unit of the trace", units);
  const waiters = yield* selected(jobs, ({ requested, granted }) => granted > requested && granted >= from && requested <= to);
  return {
    drawn,
    tasks: [...names].sort(inOrder),
    from,
    to,
    start,
    units,
    text: partText(count, jobs.length, [from - start, to - start, end - start]),
    waiting: yield* countsOf(waiters),
  };
}

function* selected(jobs: readonly GanttJob[], test: (job: GanttJob) => boolean): Generator<void, GanttJob[]> {
  const found: GanttJob[] = [];
  for (const [i, job] of jobs.entries()) {
    if (test(job)) found.push(job);
    if (i % pieceJobs === 0) yield;
  }
  return found;
}

function partText(drawn: number, all: number, times: readonly number[]): string {
  if (drawn === all) return `all ${all} jobs`;
  const [from, to, end] = times.map((microseconds) => String(Number(microseconds.toPrecision(6))));
  return `${drawn} of ${all} jobs: ${from} to ${to} µs of ${end} µs`;
}

/** Counts the jobs that wait, at each time where the number changes. */
function* countsOf(jobs: readonly GanttJob[]): Generator<void, GanttPart["waiting"]> {
  const unsorted: [time: number, change: number][] = [];
  for (const [i, { requested, granted }] of jobs.entries()) {
    unsorted.push([requested, 1], [granted, -1]);
    if (i % pieceJobs === 0) yield;
  }
  const changes = yield* sortSteps(unsorted, (a, b) => a[0] - b[0]);
  const counts: { time: number; count: number }[] = [];
  let count = 0;
  for (const [i, [time, change]] of changes.entries()) {
    count += change;
    if (i + 1 < changes.length && changes[i + 1][0] === time) continue;
    counts.push({ time, count });
    if (i % pieceJobs === 0) yield;
  }
  return counts;
}

/** Compares names, with numbers in them compared as numbers. */
const { compare: inOrder } = /* @__PURE__ */ new Intl.Collator("en", { numeric: true });
