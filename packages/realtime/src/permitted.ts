/**
 * The numbers of units that a job may get: Eq. 4 of the paper, and the lock's choice among them. The analysis, the simulator and the lock
 * all use these functions, so they always agree. The functions do not check their arguments; `checkTaskSet` does.
 */
import { defaultRho, type Task, type TaskSet, type WcetTable } from "./model.ts";

/**
 * S = {k : k·L[k] ≤ ρ·L[1]}, ascending: the sizes that spend at most ρ times the unit time of a single unit (Eq. 4). 1 is always among
 * them, and sizes without a WCET never are. S may have gaps, as a larger size can be cheap again. `rho` must be at least 1 and the table
 * must have an entry for 1; `checkTaskSet` checks both.
 */
export function permittedSizes(wcet: WcetTable, rho: number, units: number): readonly number[] {
  const sizes: number[] = [];
  // Object.keys returns integer keys in ascending order (ECMA-262, OrdinaryOwnPropertyKeys).
  for (const key of Object.keys(wcet)) {
    const k = Number(key);
    if (k <= units && (k === 1 || k * wcet[k] <= rho * wcet[1])) sizes.push(k);
  }
  return sizes;
}

/**
 * S of a task of a set: the task's own `sizes` if it has them, else those of Eq. 4 with the task's ρ or, without one, the set's. The set
 * must have been checked.
 */
export function taskSizes(set: TaskSet, task: Task): readonly number[] {
  return task.sizes ?? permittedSizes(task.wcet, task.rho ?? set.rho ?? defaultRho, set.units);
}

/** The largest permitted size that `idle` units allow, or 0 if there is none. `sizes` must ascend. */
export function grantSize(sizes: readonly number[], idle: number): number {
  const index = grantIndex(sizes, idle);
  return index < 0 ? 0 : sizes[index];
}

/** The index in `sizes` of what `grantSize` returns, or −1. */
export function grantIndex(sizes: readonly number[], idle: number): number {
  let index = -1;
  while (index + 1 < sizes.length && sizes[index + 1] <= idle) index++;
  return index;
}
