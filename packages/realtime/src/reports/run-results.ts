/** Turns the measurements of a run into its report, entry by entry, with all copies of a task together. Nothing is run here. */
import type { Device } from "@dechirp/core";
import type { BoundKind } from "../bounds.ts";
import type { JobRecord } from "../executors/executor.ts";
import type { Measurement, Throughput } from "../measure.ts";
import { defaultRho, type TaskSet } from "../model.ts";
import { type FaultKind, type TraceFault, traceFaultSteps } from "../simulate/faults.ts";
import { timeStatistics } from "../statistics.ts";
import type { VerifiedMeasurement } from "../transforms/measure-and-verify.ts";
import { observedTimes } from "../transforms/observed.ts";
import type { TransformTask } from "../transforms/transform-task.ts";
import { type OpenSet, smallerBound } from "../transforms/ways.ts";
import { countFaults, maxFaults } from "./faults.ts";
import type { ExecutorName, ObservedResponses, RunReport, RunSettings, TaskRunReport } from "./report.ts";
import { listed, type RunTasks } from "./run-tasks.ts";

/** A task on the device: one of the `count` copies of an entry. */
export interface Copy {
  /** The index of its entry in the set's `tasks`. */
  readonly entry: number;
  readonly made: TransformTask;
}

/** Number of jobs that are processed between two yields. */
const chunk = 4096;

/** The results of a run that its report is made from. */
export interface RunResults {
  /** The tasks as they were run. */
  readonly input: RunTasks;
  readonly settings: RunSettings;
  readonly device: Device;
  readonly cores: number;
  /** ℋ, the number of units. */
  readonly units: number;
  readonly copies: readonly Copy[];
  /** S of each copy. */
  readonly sizes: readonly (readonly number[])[];
  readonly open: OpenSet;
  readonly locked: VerifiedMeasurement;
  readonly best: VerifiedMeasurement;
}

/** Makes the report. It yields now and then, as there may be two million jobs. */
export function* runReport(results: RunResults): Generator<void, RunReport> {
  const { input, settings, device, cores, units, open, locked, best } = results;
  const { executor, margin, jobs, runs } = settings;
  const tasks = yield* ranTasks(results);
  const { ownershipChecks, ownershipViolations } = open.executor.counts;
  const [{ clock: host }] = open.known;
  return {
    kind: "run",
    rho: input.rho ?? defaultRho,
    device: { id: device.id, description: device.info.description, notes: device.info.notes, units: device.units, cores },
    executor,
    units,
    clock: host,
    margin,
    settings: { jobs, runs },
    tasks,
    schedulable: tasks.every(({ schedulable }) => schedulable),
    throughput: { lock: throughputOf(locked), bestEffort: throughputOf(best) },
    ownershipChecks,
    ownershipViolations,
    wrong: { lock: locked.wrong, bestEffort: best.wrong },
    ...countFaults(yield* ruleFaults(results, tasks)),
    notes: notesOf(results),
  };
}

/** The results of every entry of the set. Times and bounds are those of its first copy, as they are equal for all copies. */
function* ranTasks({
  input,
  settings: { executor },
  copies,
  sizes,
  open,
  locked,
  best,
}: RunResults): Generator<void, readonly TaskRunReport[]> {
  const underLock = yield* recordsByEntry(copies, locked.measured);
  const free = yield* recordsByEntry(copies, best.measured);
  const firsts = new Map<number, number>();
  for (const [i, { entry }] of copies.entries()) if (!firsts.has(entry)) firsts.set(entry, i);
  const ran: TaskRunReport[] = [];
  for (const [entry, { id, count = 1, samples, line, deadline: given, period }] of input.tasks.entries()) {
    const first = firsts.get(entry) as number;
    const { wait, response, partition } = open.bounds[first];
    const { bound, binding } = smallerBound(open.bounds[first]);
    const { profile, wcet } = open.known[first];
    const deadline = Math.min(given ?? Number.POSITIVE_INFINITY, period ?? Number.POSITIVE_INFINITY);
    const waits = timeStatistics(underLock[entry].map(({ requested, granted }) => granted - requested));
    yield;
    const observed = responsesOf(underLock[entry]);
    yield;
    ran.push({
      id,
      count,
      samples,
      ...(line !== undefined && { line }),
      text: copies[first].made.text,
      profile: profile.map(observedTimes),
      wcet,
      sizes: sizes[first],
      wait,
      response,
      partition,
      bound,
      binding: bindingOf(executor, binding),
      deadline: Number.isFinite(deadline) ? deadline : null,
      slack: Number.isFinite(deadline) ? deadline - bound : null,
      schedulable: bound <= deadline,
      observed: {
        ...observed,
        meanWait: waits.mean,
        maxWait: waits.max,
        exceedances: underLock[entry].filter(({ requested, finished }) => finished - requested > bound).length,
      },
      bestEffort: responsesOf(free[entry]),
    });
    yield;
  }
  return ran;
}

const bindingOf = (executor: ExecutorName, binding: BoundKind): TaskRunReport["binding"] => (executor === "pool" ? binding : executor);

function* recordsByEntry(copies: readonly Copy[], { records }: Measurement): Generator<void, readonly (readonly JobRecord[])[]> {
  const entryOf = new Map(copies.map(({ entry, made }) => [made.task.id, entry]));
  const byEntry: JobRecord[][] = [];
  for (const { entry } of copies) byEntry[entry] ??= [];
  for (const [i, record] of records.entries()) {
    byEntry[entryOf.get(record.task) as number].push(record);
    if (i % chunk === 0) yield;
  }
  return byEntry;
}

function responsesOf(records: readonly JobRecord[]): ObservedResponses {
  const { count, mean, p50, p99, max } = timeStatistics(records.map(({ requested, finished }) => finished - requested));
  return { jobs: count, mean, p50, p99, max };
}

const throughputOf = ({ measured }: VerifiedMeasurement): Throughput => measured.throughput ?? { byResponse: 0, byWall: 0 };

/** The rules that do not depend on execution times. Observed WCETs, and bounds that follow from them, may be exceeded. */
const rules: readonly FaultKind[] = ["record", "duplicate", "outstanding", "size", "overlap", "order"];

/** The faults of these kinds in the trace. With `slots`, a job takes the time of its dispatch, whatever its share. */
function* ruleFaults({ units, locked, open }: RunResults, tasks: readonly TaskRunReport[]): Generator<void, readonly TraceFault[]> {
  const set: TaskSet = {
    units,
    tasks: tasks.map(({ id, count, sizes, wcet }) => ({
      id,
      count,
      sizes,
      wcet: Object.fromEntries(sizes.map((k) => [k, wcet[k] ?? wcet[1]])),
    })),
  };
  const tolerance = open.known[0].clock.resolution;
  const faults = yield* traceFaultSteps(set, { jobs: locked.measured.records }, { tolerance, most: maxFaults });
  return faults.filter(({ kind }) => rules.includes(kind));
}

function notesOf({ input, settings: { executor, margin }, device, copies }: RunResults): readonly string[] {
  // Such a plan runs on the caller's thread, whatever units it has been granted.
  const outside = executor === "pool" ? copies.filter(({ made }) => !made.text.includes("wasm")) : [];
  return [
    ...input.notes,
    `L[k] is the longest observed time multiplied by a margin of ${margin}, so the bounds that follow from it are estimates and no guarantee`,
    "best effort means that every job is queued at once, on all units of the device",
    ...(executor === "slots" && device.id === "cpu"
      ? ["on a CPU, slots run by reference, which is correct but slow; best effort does not"]
      : []),
    ...(input.tasks.some(({ line }) => line !== undefined)
      ? ["lines are transformed in place, so a job's input is the output of the previous job, except when outputs are checked"]
      : []),
    ...(outside.length > 0
      ? [`these tasks run on no unit, so no bound covers them: ${listed(outside.map(({ made }) => made.task.id))}`]
      : []),
  ];
}

/** Returns the records with times relative to the first request, rounded to a nanosecond. Yields now and then. */
export function* sinceFirst(records: readonly JobRecord[]): Generator<void, readonly JobRecord[]> {
  const first = records.reduce((least, { requested }) => Math.min(least, requested), Number.POSITIVE_INFINITY);
  const since = (microseconds: number): number => Math.round(1000 * (microseconds - first)) / 1000;
  const moved: JobRecord[] = [];
  for (const [i, record] of records.entries()) {
    const { requested, granted, finished } = record;
    moved.push({ ...record, requested: since(requested), granted: since(granted), finished: since(finished) });
    if (i % chunk === 0) yield;
  }
  return moved;
}
