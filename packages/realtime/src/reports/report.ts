/** The types of the reports of analyses, simulations and runs, with their settings. They are plain data. Times are in microseconds. */
import type { Analysis, BoundKind } from "../bounds.ts";
import type { Throughput } from "../measure.ts";
import type { WcetTable } from "../model.ts";
import type { RhoGoal, RhoPoint } from "../recommend.ts";
import type { FaultKind, TraceFault } from "../simulate/faults.ts";
import type { BrokenScheduler } from "../simulate/simulate.ts";
import type { TaskSummary, TraceSummary } from "../simulate/summary.ts";
import type { ObservedTimes } from "../transforms/observed.ts";

/** Fields of every report. */
interface ScheduleReport {
  /** ρ for tasks that have neither ρ nor sizes of their own. */
  readonly rho: number;
  /** Sentences that say what the numbers depend on. */
  readonly notes: readonly string[];
}

/** Hooks that are called, and the signal that is checked, while a report is made. */
export interface ReportHooks {
  /** Ends the work with `aborted`. */
  readonly signal?: AbortSignal;
  /** Called with the current activity and the share of the whole work that is done, 0 to 1. If it throws, the work ends with `failed`. */
  readonly onProgress?: (what: string, share: number) => void;
  /** Called when a part of the work is done, with its name and time. If it throws, the work ends with `failed`. */
  readonly onPart?: (name: string, milliseconds: number) => void;
}

/** A recommended ρ: the smallest of those that are best for a goal. */
export interface RhoChoice extends RhoPoint {
  /** What was minimised or maximised. */
  readonly goal: RhoGoal;
  /**
   * For `response`: the largest ratio of a bound to its deadline, or the largest bound in microseconds if there are no deadlines. For
   * `throughput`: the throughput.
   */
  readonly objective: number;
}

/** The result of `analyseTasks`: bounds, and the best values of ρ. */
export interface AnalysisReport extends ScheduleReport, Analysis {
  /** The kind of report. */
  readonly kind: "analysis";
  /** The best ρ for each goal. */
  readonly recommended: readonly RhoChoice[];
  /** Every ρ at which some S changes, ascending. Present if the option `sweep` is set. */
  readonly sweep?: readonly RhoPoint[];
}

/** The order of the lock (`fifo`), or a broken scheduler, for which the bounds do not hold. */
export type Policy = "fifo" | BrokenScheduler;

/** Settings of a simulation. */
export interface SimulationSettings {
  /** Seed of the random numbers, 0 to 2³² − 1. */
  readonly seed: number;
  /** Number of jobs of every task. */
  readonly jobs: number;
  /** The order in which requests are served. */
  readonly policy: Policy;
  /** When requests are made: when the previous job has finished, or at random distances of one to two periods. */
  readonly release: "consecutive" | "sporadic";
  /** Whether jobs take their WCETs, or random times of at least half of them. */
  readonly execution: "worst" | "random";
}

/** The simulated jobs of an entry of `tasks`, with all its copies. */
export interface SimulatedTask extends TaskSummary {
  /** Number of copies of the task. */
  readonly count: number;
  /** S: the permitted numbers of units. */
  readonly sizes: readonly number[];
  /** Lemma 1 in microseconds, or 0 if some units are always idle for the task. */
  readonly waitBound: number;
  /** The smaller of deadline and period in microseconds. Null if the task has neither. */
  readonly deadline: number | null;
  /** The largest response divided by the deadline. Null without a deadline. */
  readonly reachedDeadline: number | null;
}

/** The report of `simulateTasks`: what was observed in the trace, and the bounds. */
export interface SimulationReport extends ScheduleReport, Omit<TraceSummary, "tasks"> {
  /** The kind of report. */
  readonly kind: "simulation";
  /** ℋ: the number of units. */
  readonly units: number;
  /** The settings of the simulation. */
  readonly settings: SimulationSettings;
  /** One entry for each entry of the set's `tasks`. */
  readonly tasks: readonly SimulatedTask[];
  /** How often the trace breaks a rule or exceeds a bound, by kind. Kinds that do not occur are missing. */
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>;
  /** The first faults of each kind. */
  readonly examples: readonly TraceFault[];
}

/** What a unit is: a worker (`pool`), the whole device (`chunks`), or a slot of a dispatch (`slots`). */
export type ExecutorName = "pool" | "chunks" | "slots";

/** Settings of a run. */
export interface RunSettings {
  /** What a unit is. */
  readonly executor: ExecutorName;
  /** Number of slots of a dispatch, for the executor `slots`. Default: depends on the device. */
  readonly slots?: number;
  /** Replaces every ρ of the tasks. */
  readonly rho?: number;
  /** Number of consecutive jobs of every task. */
  readonly jobs: number;
  /** Number of timed jobs for every L[k]. */
  readonly runs: number;
  /** The factor that the longest time is multiplied with. */
  readonly margin: number;
}

/** Response times of the jobs of all copies of a task, in microseconds. */
export interface ObservedResponses {
  /** Number of jobs. */
  readonly jobs: number;
  /** Mean in microseconds. */
  readonly mean: number;
  /** Median in microseconds. */
  readonly p50: number;
  /** 99th percentile in microseconds. */
  readonly p99: number;
  /** Longest response in microseconds. */
  readonly max: number;
}

/** The results of an entry of `tasks`, with all its copies. */
export interface TaskRunReport {
  /** Id of the task. */
  readonly id: string;
  /** Number of copies of the task. */
  readonly count: number;
  /** Number of real float32 samples of a job. */
  readonly samples: number;
  /** Points of a line, if jobs transform complex lines. */
  readonly line?: number;
  /** The text of the plan that ran. */
  readonly text: string;
  /** The observed times for each number of units. */
  readonly profile: readonly ObservedTimes[];
  /** L[k] by k. For `slots`, the time of a dispatch with all tasks. */
  readonly wcet: WcetTable;
  /** S: the permitted numbers of units. */
  readonly sizes: readonly number[];
  /** Bound on the wait, in microseconds. */
  readonly wait: number;
  /** Lemma 2 for the executor `pool`, else the bound of the executor. */
  readonly response: number;
  /** The partition bound in microseconds. Null if it does not apply. */
  readonly partition: number | null;
  /** The smaller bound on the response, in microseconds. */
  readonly bound: number;
  /** Which bound `bound` is. */
  readonly binding: BoundKind | "chunks" | "slots";
  /** The smaller of deadline and period in microseconds. Null if the task has neither. */
  readonly deadline: number | null;
  /** `deadline` − `bound`, in microseconds. Null without a deadline. */
  readonly slack: number | null;
  /** Whether the bound is within the deadline. */
  readonly schedulable: boolean;
  /** Observed under the lock. */
  readonly observed: ObservedResponses & {
    /** Mean wait in microseconds. */
    readonly meanWait: number;
    /** Longest wait in microseconds. */
    readonly maxWait: number;
    /** Number of responses above `bound`. */
    readonly exceedances: number;
  };
  /** Response times by best effort. */
  readonly bestEffort: ObservedResponses;
}

/** The report of `runTasks`: observed times, the bounds that follow from them, and the response times under the lock and by best effort. */
export interface RunReport extends ScheduleReport {
  /** The kind of report. */
  readonly kind: "run";
  /** The device that ran the tasks. */
  readonly device: {
    readonly id: string;
    readonly description: string;
    readonly notes: readonly string[];
    readonly units: number;
    /** Number of cores of the processor. */
    readonly cores: number;
  };
  /** What a unit is. */
  readonly executor: ExecutorName;
  /** ℋ: the number of units. */
  readonly units: number;
  /** The clock, and its `resolution` in microseconds. */
  readonly clock: { readonly name: string; readonly resolution: number };
  /** The factor that the longest observed times were multiplied with. */
  readonly margin: number;
  /** Number of jobs of every task, and of timed jobs for every L[k]. */
  readonly settings: { readonly jobs: number; readonly runs: number };
  /** One entry for each entry of the set's `tasks`. */
  readonly tasks: readonly TaskRunReport[];
  /** Whether all tasks are schedulable. */
  readonly schedulable: boolean;
  /** In samples per second. */
  readonly throughput: { readonly lock: Throughput; readonly bestEffort: Throughput };
  /** How many ownership words were taken or released under the lock, and how many of them had an unexpected value. */
  readonly ownershipChecks: number;
  /** How many ownership words had an unexpected value. */
  readonly ownershipViolations: number;
  /** Ids of tasks whose output differs from the float64 reference. */
  readonly wrong: { readonly lock: readonly string[]; readonly bestEffort: readonly string[] };
  /** How often the trace under the lock breaks a rule of granting, by kind. Kinds that do not occur are missing. */
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>;
  /** The first faults of each kind. */
  readonly examples: readonly TraceFault[];
}
