/**
 * Which numbers of units a job may get: Eq. 4 of the paper, and the lock's choice among them. Used by the analysis, the
 * simulator and the lock alike, so that they cannot disagree. Nothing here checks: `checkTaskSet` has.
 */
import { defaultRho, type Task, type TaskSet, type WcetTable } from "./model.ts";

/**
 * S = {k : k·L[k] ≤ ρ·L[1]}, ascending: the sizes that spend at most ρ times the unit time of a single unit (Eq. 4). 1 is always among
 * them. Sizes without a WCET are none. S need not be all of 1…max S: where a larger size is cheap again, there is a gap. `rho` is at
 * least 1, the table has an entry for 1; both are checked by `checkTaskSet`.
 */
export function permittedSizes(wcet: WcetTable, rho: number, units: number): readonly number[] {
  const sizes: number[] = [];
  // Integer keys ascend (ECMA-262, OrdinaryOwnPropertyKeys).
  for (const key of Object.keys(wcet)) {
    const k = Number(key);
    if (k <= units && (k === 1 || k * wcet[k] <= rho * wcet[1])) sizes.push(k);
  }
  return sizes;
}

/** S of a task of a set: the sizes it names, else those of Eq. 4 with its own ρ, else with the set's. The set is checked. */
export function taskSizes(set: TaskSet, task: Task): readonly number[] {
  return task.sizes ?? permittedSizes(task.wcet, task.rho ?? set.rho ?? defaultRho, set.units);
}

/** The largest permitted size that `idle` units allow, or 0 where there is none. `sizes` ascend. */
export function grantSize(sizes: readonly number[], idle: number): number {
  const index = grantIndex(sizes, idle);
  return index < 0 ? 0 : sizes[index];
}

/** Where among `sizes` `grantSize` is; −1 where there is none. */
export function grantIndex(sizes: readonly number[], idle: number): number {
  let index = -1;
  while (index + 1 < sizes.length && sizes[index + 1] <= idle) index++;
  return index;
}
