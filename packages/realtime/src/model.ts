/**
 * The task model of the FIFO SMLP (Ali, Goh, Bakita, Chakraborty, Anderson, "Concurrent FFT execution on GPUs in real time",
 * section II-C) as plain data: ℋ equal units, tasks with one outstanding job each, and what a job takes at most on k units. All
 * times are microseconds. Nothing here computes; bounds.ts does, and permitted.ts says which numbers of units a job may get.
 */

/** L[k]: worst-case execution time of a job on exactly k units, in microseconds. Sparse; 1 must be among the keys. */
export type WcetTable = Readonly<Record<number, number>>;

/** A task: how long its jobs take on how many units, and when they must have finished. */
export interface Task {
  readonly id: string;
  readonly wcet: WcetTable;
  /** ρ of Eq. 4 for this task, at least 1; the set's where left out. */
  readonly rho?: number;
  /** S: numbers of units that a job may get, 1 among them, all with a WCET. By Eq. 4 where left out. */
  readonly sizes?: readonly number[];
  /** Microseconds from a job's request by which it must have finished. */
  readonly deadline?: number;
  /** Least microseconds between the requests of two jobs. */
  readonly period?: number;
  /** So many tasks alike; 1 where left out. */
  readonly count?: number;
}

/** Tasks that share the units of a device. */
export interface TaskSet {
  /** ℋ: units of the device. */
  readonly units: number;
  /** ρ of Eq. 4; 1.1, as the paper has it, where left out. */
  readonly rho?: number;
  readonly tasks: readonly Task[];
}

/** The ρ of a task set that names none. */
export const defaultRho = 1.1;
