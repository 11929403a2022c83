/**
 * The task model of the FIFO SMLP as plain data (Ali, Goh, Bakita, Chakraborty, Anderson, "Concurrent FFT execution on GPUs in real time",
 * section II-C): ℋ equal units, tasks with one outstanding job each, and the worst-case execution times of a job on k units. All times are
 * in microseconds. bounds.ts computes bounds from it; permitted.ts says how many units a job may get.
 */

/**
 * L[k]: worst-case execution time of a job on exactly k units, in microseconds. The table may be sparse, but it must have an entry for 1.
 */
export type WcetTable = Readonly<Record<number, number>>;

/** A task: jobs with the same execution times, one outstanding at a time. */
export interface Task {
  /** The task's id, which must be unique, 1 to 200 characters. */
  readonly id: string;
  /** L: worst-case execution times by number of units. */
  readonly wcet: WcetTable;
  /** ρ of Eq. 4 for this task, at least 1. Default: the set's. */
  readonly rho?: number;
  /** S: the numbers of units that a job may get. Must include 1, and each needs a WCET. Default: by Eq. 4. */
  readonly sizes?: readonly number[];
  /** The time from a job's request by which the job must end, in microseconds. */
  readonly deadline?: number;
  /** The least time between the requests of two jobs, in microseconds. */
  readonly period?: number;
  /** The number of identical tasks that this entry stands for. Default: 1. */
  readonly count?: number;
}

/** The tasks that share the units of a device. */
export interface TaskSet {
  /** ℋ: the number of units of the device. */
  readonly units: number;
  /** ρ of Eq. 4. Default: 1.1, as in the paper. */
  readonly rho?: number;
  /** The tasks, 1 to 10,000 including copies. */
  readonly tasks: readonly Task[];
}

/** The ρ of a task set that has none of its own. */
export const defaultRho = 1.1;
