/** report.json of `schedule`: what was asked, what came of it. Plain data, version 1; nothing reads it back. Times are microseconds. */
import type { Analysis, FaultKind, RhoGoal, RhoPoint, TaskSummary, TraceFault, TraceSummary } from "@dechirp/realtime";
import type { Timing } from "../clock.ts";

export const scheduleFormat = "dechirp-schedule";
export const scheduleVersion = 1;

/** Of all subcommands. */
interface ScheduleReport {
  readonly format: typeof scheduleFormat;
  readonly version: typeof scheduleVersion;
  /** Path as it was given, or `stdin`. */
  readonly input: string;
  /** ρ for tasks that have neither ρ nor sizes of their own. */
  readonly rho: number;
  /** Parts of the run in order. */
  readonly timings: readonly Timing[];
  readonly notes: readonly string[];
}

/** A recommended ρ: the least that is best. */
export interface RhoChoice extends RhoPoint {
  readonly goal: RhoGoal;
  /** `response`: the largest bound relative to its deadline, in microseconds where there are no deadlines; `throughput`: that. */
  readonly objective: number;
}

export interface AnalysisReport extends ScheduleReport, Analysis {
  readonly kind: "analysis";
  readonly recommended: readonly RhoChoice[];
  /** Every ρ that makes a difference, ascending; with --sweep or --out. */
  readonly sweep?: readonly RhoPoint[];
}

export type Policy = "fifo" | "lifo" | "two-jobs" | "without-one";

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
  readonly sizes: readonly number[];
  /** Lemma 1, or 0 where units are always idle for the task. */
  readonly waitBound: number;
  readonly deadline: number | null;
  /** Largest response over the deadline; null without one. */
  readonly reachedDeadline: number | null;
}

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
