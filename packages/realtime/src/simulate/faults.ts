/**
 * Checks a trace, simulated or real, against all rules and bounds of the FIFO SMLP. It lists faults instead of throwing. It reads only the
 * trace and shares no code with the simulator except the bounds. On a device, times are recorded slightly before or after the event;
 * `tolerance` says by how much.
 */
import { runToEnd } from "@dechirp/core/internal";
import { analyseChecked, type TaskAnalysis } from "../bounds.ts";
import type { JobRecord } from "../executors/executor.ts";
import type { TaskSet } from "../model.ts";
import { grantSize } from "../permitted.ts";
import { checkInteger, checkNumber, checkTaskSet, maxMicroseconds, taskCopies } from "../validate.ts";
import { pieceItems, pieces, selected, sorted } from "./pieces.ts";
import type { Trace } from "./summary.ts";

/** The kinds of faults of a trace. */
export type FaultKind =
  /** The task is not in the set, times are not numbers or in the wrong order, or units do not exist or occur twice. */
  | "record"
  /** The same job occurs twice. */
  | "duplicate"
  /** A task has two outstanding jobs. */
  | "outstanding"
  /** The number of units is not in S. */
  | "size"
  /** The job got fewer units than S and the idle units allowed, not counting units that changed hands at that time. */
  | "greedy"
  /** A unit has two jobs at once. */
  | "overlap"
  /** The job was granted before a job that was requested earlier. */
  | "order"
  /** Units were idle while a job waited. */
  | "idle"
  /** The job took longer on k units than L[k]. */
  | "execution"
  /** The wait is longer than Lemma 1 allows, or not 0 although units are always idle for the task. */
  | "wait"
  /** The response is longer than the smaller of Lemma 2 and the partition bound. */
  | "response";

/** One fault of a trace. */
export interface TraceFault {
  /** The kind of fault. */
  readonly kind: FaultKind;
  /** Id of the task. */
  readonly task: string;
  /** Number of the job. */
  readonly job: number;
  /** The time of the fault in microseconds. */
  readonly at: number;
  /** A description of the fault. */
  readonly text: string;
}

/** Options of `traceFaults`. */
export interface FaultOptions {
  /**
   * How far times may be off, in microseconds. Default: the rounding errors of a simulation, 2⁻⁵² of the latest time for each task, as
   * every rounded end adds at most that much to the unit time ahead of a job.
   */
  readonly tolerance?: number;
  /** The largest number of faults of a kind that are listed. Default: 20. */
  readonly most?: number;
}

/**
 * Lists what is wrong with a trace of `set`. The list is empty if the trace is correct. Tasks are named as `taskCopies` names them. Jobs
 * that failed or were cancelled are missing in traces but held units, so ignore faults of kind `idle` if there were such jobs. Throws
 * `input` for an invalid set or option. Takes O(n log n) time in the number of jobs and linear time in their units.
 */
export function traceFaults(set: TaskSet, trace: Trace, options: FaultOptions = {}): readonly TraceFault[] {
  return runToEnd(traceFaultSteps(set, trace, options));
}

/**
 * `traceFaults` as a generator that yields every few milliseconds, for `runInPieces` of core, which lets other work run and checks a
 * signal in between. Throws as `traceFaults` does.
 */
export function* traceFaultSteps(set: TaskSet, trace: Trace, options: FaultOptions = {}): Generator<void, readonly TraceFault[]> {
  const checked = checkTaskSet(set);
  const { most = 20 } = options;
  checkInteger(most, "most", 1, 1_000_000);
  if (options.tolerance !== undefined) checkNumber(options.tolerance, "tolerance", 0, maxMicroseconds);
  const faults: TraceFault[] = [];
  const counts = new Map<FaultKind, number>();
  const report: Report = (kind, { task, job }, at, text) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    if (count <= most) faults.push({ kind, task, job, at, text });
  };

  const { tasks } = analyseChecked(checked);
  const analysisOf = new Map(taskCopies(checked).map(({ id, entry }) => [id, { ...tasks[entry], wcet: checked.tasks[entry].wcet }]));
  const sound = yield* selected(trace.jobs, (job) => checkRecord(job, analysisOf, checked.units, report));
  let latest = 0;
  for (const some of pieces(sound)) {
    for (const { finished } of some) latest = Math.max(latest, Math.abs(finished));
    yield;
  }
  const tolerance = options.tolerance ?? (analysisOf.size + 1) * Number.EPSILON * latest;

  const byRequest = yield* sorted(sound, ({ requested }) => requested);
  const byGrant = yield* sorted(sound, ({ granted }) => granted);
  const byFinish = yield* sorted(byGrant, ({ finished }) => finished);
  for (const some of pieces(sound)) {
    for (const job of some) checkJob(job, analysisOf.get(job.task)!, tolerance, report);
    yield;
  }
  yield* checkOutstanding(byRequest, tolerance, report);
  yield* checkGreed(byGrant, byFinish, analysisOf, checked.units, tolerance, report);
  yield* checkOverlap(byGrant, checked.units, tolerance, report);
  yield* checkOrder(byRequest, tolerance, report);
  yield* checkIdle(byRequest, byGrant, byFinish, checked.units, tolerance, report);
  return faults;
}

type Report = (kind: FaultKind, job: JobRecord, at: number, text: string) => void;

interface Known extends TaskAnalysis {
  readonly wcet: TaskSet["tasks"][number]["wcet"];
}

const us = (microseconds: number): string => `${Number(microseconds.toPrecision(6))} µs`;

/** Whether a record is valid enough to be checked. */
function checkRecord(job: JobRecord, known: ReadonlyMap<string, Known>, units: number, report: Report): boolean {
  const { task, requested, granted, finished } = job;
  const fail = (text: string): boolean => {
    report("record", job, requested, text);
    return false;
  };
  if (!known.has(task)) return fail("its task is not in the set");
  if (![requested, granted, finished].every(Number.isFinite)) return fail("its times are not all numbers");
  if (granted < requested || finished < granted) return fail("its times are not in the order requested, granted, finished");
  if (job.units.length < 1 || new Set(job.units).size < job.units.length) return fail("it has no units, or one of them twice");
  if (!job.units.every((unit) => Number.isInteger(unit) && unit >= 0 && unit < units))
    return fail("it has units that the device does not have");
  return true;
}

function checkJob(job: JobRecord, known: Known, tolerance: number, report: Report): void {
  const k = job.units.length;
  const took = job.finished - job.granted;
  const waited = job.granted - job.requested;
  const wait = known.partition === null ? known.wait : 0;
  if (!known.sizes.includes(k)) report("size", job, job.granted, `${k} units, but only ${known.sizes.join(", ")} are permitted`);
  else if (took > known.wcet[k] + tolerance)
    report("execution", job, job.finished, `${us(took)} on ${k} units, but the WCET is ${us(known.wcet[k])}`);
  if (waited > wait + tolerance) report("wait", job, job.granted, `waited ${us(waited)}, but the bound is ${us(wait)}`);
  if (waited + took > known.bound + tolerance)
    report("response", job, job.finished, `responded in ${us(waited + took)}, but the bound is ${us(known.bound)}`);
}

/** Finds tasks with two outstanding jobs, and jobs that occur twice. */
function* checkOutstanding(byRequest: readonly JobRecord[], tolerance: number, report: Report): Generator<void> {
  const last = new Map<string, { finished: number; jobs: Set<number> }>();
  for (const some of pieces(byRequest)) {
    for (const job of some) {
      const before = last.get(job.task) ?? { finished: Number.NEGATIVE_INFINITY, jobs: new Set<number>() };
      if (before.jobs.has(job.job)) report("duplicate", job, job.requested, "the trace has this job twice");
      if (job.requested < before.finished - tolerance)
        report("outstanding", job, job.requested, `the previous job of the task finished only at ${us(before.finished)}`);
      before.jobs.add(job.job);
      before.finished = Math.max(before.finished, job.finished);
      last.set(job.task, before);
    }
    yield;
  }
}

function* checkOverlap(byGrant: readonly JobRecord[], units: number, tolerance: number, report: Report): Generator<void> {
  const free = new Float64Array(units).fill(Number.NEGATIVE_INFINITY);
  for (const some of pieces(byGrant)) {
    for (const job of some) {
      const taken = job.units.find((unit) => job.granted < free[unit] - tolerance);
      if (taken !== undefined) report("overlap", job, job.granted, `unit ${taken} was in use until ${us(free[taken])}`);
      for (const unit of job.units) free[unit] = Math.max(free[unit], job.finished);
    }
    yield;
  }
}

/**
 * Checks that a job gets the largest permitted size. Units whose last end or next grant is within the tolerance count as held, but the
 * job's own units always count as idle.
 */
function* checkGreed(
  byGrant: readonly JobRecord[],
  byFinish: readonly JobRecord[],
  known: ReadonlyMap<string, Known>,
  units: number,
  tolerance: number,
  report: Report,
): Generator<void> {
  let begun = 0;
  let ended = 0;
  let idle = units;
  for (const some of pieces(byGrant)) {
    for (const job of some) {
      for (; begun < byGrant.length && byGrant[begun].granted <= job.granted + tolerance; begun++) idle -= byGrant[begun].units.length;
      for (; byFinish[ended].finished < job.granted - tolerance; ended++) idle += byFinish[ended].units.length;
      const k = job.units.length;
      const most = grantSize(known.get(job.task)!.sizes, k + Math.max(idle, 0));
      if (k < most) report("greedy", job, job.granted, `got ${k} units although ${most} permitted units were idle`);
    }
    yield;
  }
}

/** Checks that no job is granted before one that was requested earlier. */
function* checkOrder(byRequest: readonly JobRecord[], tolerance: number, report: Report): Generator<void> {
  let earlier = 0;
  let latestGrant = Number.NEGATIVE_INFINITY;
  for (const some of pieces(byRequest)) {
    for (const job of some) {
      for (; byRequest[earlier].requested < job.requested - tolerance; earlier++)
        latestGrant = Math.max(latestGrant, byRequest[earlier].granted);
      if (job.granted < latestGrant - tolerance)
        report("order", job, job.granted, `an earlier request was granted only at ${us(latestGrant)}`);
    }
    yield;
  }
}

/** Checks work conservation: no job waits while a unit is idle, except for times within the tolerance. (1 is in every S.) */
function* checkIdle(
  byRequest: readonly JobRecord[],
  byGrant: readonly JobRecord[],
  byFinish: readonly JobRecord[],
  units: number,
  tolerance: number,
  report: Report,
): Generator<void> {
  const n = byGrant.length;
  let idle = units;
  let since = Number.NaN;
  let times = 0;
  for (let r = 0, g = 0, f = 0; f < n; ) {
    if (++times % pieceItems === 0) yield;
    const now = Math.min(
      r < n ? byRequest[r].requested : Number.POSITIVE_INFINITY,
      g < n ? byGrant[g].granted : Number.POSITIVE_INFINITY,
      byFinish[f].finished,
    );
    // First all events of this moment, then the state until the next event.
    while (r < n && byRequest[r].requested === now) r++;
    while (f < n && byFinish[f].finished === now) idle += byFinish[f++].units.length;
    while (g < n && byGrant[g].granted === now) idle -= byGrant[g++].units.length;
    const wasting = r > g && idle > 0;
    if (wasting && Number.isNaN(since)) since = now;
    if (!wasting && !Number.isNaN(since)) {
      if (now - since > tolerance)
        report("idle", byGrant[Math.max(g - 1, 0)], since, `units were idle for ${us(now - since)} while a job waited`);
      since = Number.NaN;
    }
  }
}
