/** Reports of analyses, simulations and runs: what was asked, what came of it. Plain data. Times are microseconds. */
import type { Analysis, Binding } from "../bounds.ts";
import type { Throughput } from "../measure.ts";
import type { WcetTable } from "../model.ts";
import type { RhoGoal, RhoPoint } from "../recommend.ts";
import type { FaultKind, TraceFault } from "../simulate/faults.ts";
import type { BrokenScheduler } from "../simulate/simulate.ts";
import type { TaskSummary, TraceSummary } from "../simulate/summary.ts";
import type { ObservedTimes } from "../transforms/observed.ts";

/** What every report has. */
interface ScheduleReport {
  /** ρ for tasks that have neither ρ nor sizes of their own. */
  readonly rho: number;
  /** Sentences about what the numbers rest on. */
  readonly notes: readonly string[];
}

/** What is told, and heeded, while a report is made. */
export interface ReportHooks {
  readonly signal?: AbortSignal;
  /** What is done now, and the share of the whole that is done, 0 to 1. What it throws ends the work: `failed`. */
  readonly onProgress?: (what: string, share: number) => void;
  /** A part of the work is done: what it is called, and the milliseconds that it took. What it throws ends the work: `failed`. */
  readonly onPart?: (name: string, milliseconds: number) => void;
}

/** A recommended ρ: the least that is best for a goal. */
export interface RhoChoice extends RhoPoint {
  readonly goal: RhoGoal;
  /** `response`: the largest bound relative to its deadline, in microseconds where there are no deadlines; `throughput`: that. */
  readonly objective: number;
}

/** What `analyseTasks` gives: bounds, and the ρ that are best. */
export interface AnalysisReport extends ScheduleReport, Analysis {
  readonly kind: "analysis";
  readonly recommended: readonly RhoChoice[];
  /** Every ρ that makes a difference, ascending; where it was asked for. */
  readonly sweep?: readonly RhoPoint[];
}

/** The lock's own order, or a mutant of it. */
export type Policy = "fifo" | BrokenScheduler;

/** How a simulation was asked for. */
export interface SimulationSettings {
  readonly seed: number;
  /** Of every task. */
  readonly jobs: number;
  readonly policy: Policy;
  readonly release: "consecutive" | "sporadic";
  readonly execution: "worst" | "random";
}

/** Of an entry of `tasks`, all its copies together. */
export interface SimulatedTask extends TaskSummary {
  readonly count: number;
  /** S: the numbers of units that a job may get. */
  readonly sizes: readonly number[];
  /** Lemma 1, or 0 where units are always idle for the task. */
  readonly waitBound: number;
  /** Deadline in microseconds; null where the task has none. */
  readonly deadline: number | null;
  /** Largest response over the deadline; null without one. */
  readonly reachedDeadline: number | null;
}

/** What `simulateTasks` gives: what was observed in a trace, beside the bounds. */
export interface SimulationReport extends ScheduleReport, Omit<TraceSummary, "tasks"> {
  readonly kind: "simulation";
  readonly units: number;
  readonly settings: SimulationSettings;
  readonly tasks: readonly SimulatedTask[];
  /** How often the trace breaks a rule or exceeds a bound, by kind; those that it never does are left out. */
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>;
  /** The first of each kind. */
  readonly examples: readonly TraceFault[];
}

/** Who runs tasks: units are workers; there is one unit; units are slots of a dispatch. */
export type ExecutorName = "pool" | "chunks" | "slots";

/** How a run is asked for. */
export interface RunSettings {
  readonly executor: ExecutorName;
  /** Of a dispatch, where units are slots; what suits the device where left out. */
  readonly slots?: number;
  /** In place of every ρ of the tasks. */
  readonly rho?: number;
  /** Consecutive jobs of every task. */
  readonly jobs: number;
  /** Jobs timed for every L[k]. */
  readonly runs: number;
  /** What the longest of them is multiplied with. */
  readonly margin: number;
}

/** Responses of the jobs of all copies of a task. */
export interface ObservedResponses {
  readonly jobs: number;
  /** Arithmetic mean, in microseconds. */
  readonly mean: number;
  /** Median, in microseconds. */
  readonly p50: number;
  /** 99th percentile, in microseconds. */
  readonly p99: number;
  /** The longest, in microseconds. */
  readonly max: number;
}

/** Of an entry of `tasks`, all its copies together. */
export interface RanTask {
  readonly id: string;
  readonly count: number;
  readonly samples: number;
  /** Points of a line, where a job transforms complex lines. */
  readonly line?: number;
  /** What ran. */
  readonly text: string;
  readonly profile: readonly ObservedTimes[];
  /** L[k] by k, of `slots` what a dispatch with all tasks takes. */
  readonly wcet: WcetTable;
  /** S: the numbers of units that a job may get. */
  readonly sizes: readonly number[];
  /** Bound on the wait, in microseconds. */
  readonly wait: number;
  /** Lemma 2, or what stands in for it where units are no workers. */
  readonly response: number;
  /** The partition bound in microseconds; null where it does not hold. */
  readonly partition: number | null;
  /** The smallest bound on the response, in microseconds. */
  readonly bound: number;
  readonly binding: Binding | "chunks" | "slots";
  /** Deadline in microseconds; null where the task has none. */
  readonly deadline: number | null;
  /** Deadline less bound, in microseconds; null without a deadline. */
  readonly slack: number | null;
  readonly schedulable: boolean;
  /** Under the lock. */
  readonly observed: ObservedResponses & {
    /** Mean wait in microseconds. */
    readonly meanWait: number;
    /** Longest wait in microseconds. */
    readonly maxWait: number;
    /** Responses beyond `bound`. */
    readonly exceedances: number;
  };
  readonly bestEffort: ObservedResponses;
}

/** What `runTasks` gives: observed times, bounds that follow from them, and what jobs took under the lock and by best effort. */
export interface RunReport extends ScheduleReport {
  readonly kind: "run";
  readonly device: {
    readonly id: string;
    readonly description: string;
    readonly notes: readonly string[];
    readonly units: number;
    /** Of the processor. */
    readonly cores: number;
  };
  readonly executor: ExecutorName;
  /** ℋ: what is granted. */
  readonly units: number;
  /** The clock, and its resolution in microseconds, `resolution`. */
  readonly clock: { readonly name: string; readonly resolution: number };
  /** Factor on the longest observed time. */
  readonly margin: number;
  readonly settings: { readonly jobs: number; readonly runs: number };
  readonly tasks: readonly RanTask[];
  readonly schedulable: boolean;
  /** Samples a second. */
  readonly throughput: { readonly lock: Throughput; readonly bestEffort: Throughput };
  /** Words of units taken and given back under the lock, and how many were not as they had to be. */
  readonly ownershipChecks: number;
  /** Words that were not as they had to be. */
  readonly ownershipViolations: number;
  /** Names of tasks whose output was not what float64 gives. */
  readonly wrong: { readonly lock: readonly string[]; readonly bestEffort: readonly string[] };
  /** How often the trace under the lock breaks a rule of granting, by kind; those that it never does are left out. */
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>;
  /** The first of each kind. */
  readonly examples: readonly TraceFault[];
}
