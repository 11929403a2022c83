/**
 * Bounds on how long a job waits and responds under the FIFO SMLP, from numbers alone: Lemmas 1 and 2 of the paper and a partition bound
 * that is tighter where units abound. They hold for every schedule of a task set whose WCETs hold, nothing else; from observed WCETs
 * they are estimates. The rule they assume: requests are served in order, the first takes the largest permitted size that the idle units
 * allow, 1 is permitted to every task, a task has one outstanding job, nothing else uses the units. Neither lemma needs S without gaps
 * or L falling with k: both count the largest over S, whatever the lock may choose.
 */
import type { TaskSet, WcetTable } from "./model.ts";
import { grantSize, taskSizes } from "./permitted.ts";
import { checkInteger, checkTaskSet } from "./validate.ts";

export type Binding = "lemma2" | "partition";

/** What is known of an entry of `tasks`, for each of its copies. Times are microseconds. */
export interface TaskAnalysis {
  readonly id: string;
  readonly count: number;
  /** S, ascending. */
  readonly sizes: readonly number[];
  /** L^max, the largest WCET over S. */
  readonly longest: number;
  /** A^max, the largest k·L[k] over S (Eq. 1). */
  readonly area: number;
  /** Lemma 1: a job waits at most so long. Where there is a partition bound, it does not wait at all. */
  readonly wait: number;
  /** Lemma 2: a job has finished so long after its request. */
  readonly response: number;
  /** The partition bound on the same; null where no unit is always idle for the task. */
  readonly partition: number | null;
  /** The smaller of the two. */
  readonly bound: number;
  readonly binding: Binding;
  /** What the bound must not exceed: the smaller of deadline and period; null where there is neither. */
  readonly deadline: number | null;
  /** `deadline` − `bound`. */
  readonly slack: number | null;
  /** Whether the bound is within deadline and period, so that a job is done before the next; true where there is neither. */
  readonly schedulable: boolean;
}

export interface Analysis {
  readonly units: number;
  /** One for each entry of the set's `tasks`, in their order. */
  readonly tasks: readonly TaskAnalysis[];
  readonly schedulable: boolean;
  /** Σ A^max/(ℋ·period) over the tasks with a period, copies counted: the share of the device they may ask for. Null without periods. */
  readonly demand: number | null;
}

/** Analyses a task set. Throws `input` as `checkTaskSet` does. Linear in the size of the set. */
export function analyseTaskSet(set: TaskSet): Analysis {
  return analyseChecked(checkTaskSet(set));
}

/**
 * Lemma 1: Σ_{j≠i} A_j^max/ℋ, in microseconds, for a copy of `tasks[index]`; its other copies count among the j. While a job waits, every
 * unit is busy with jobs ahead of it: one a task at most, none with more than A_j^max of unit time.
 */
export function waitBound(set: TaskSet, index: number): number {
  return analysisOf(set, index).wait;
}

/** Lemma 2: L_i^max + Σ_{j≠i} A_j^max/ℋ, in microseconds, for a copy of `tasks[index]`. */
export function responseBound(set: TaskSet, index: number): number {
  return analysisOf(set, index).response;
}

/**
 * The partition bound on the response of a copy of `tasks[index]`, in microseconds; null where it does not apply. The others hold at
 * most Σ_{j≠i} max S_j units, as each has one job at a time, so g = ℋ − that many are idle whenever τ_i holds none. If g ≥ 1, nobody
 * queues at such a time, for with 1 in every S a queue means that no unit is idle: a job of τ_i gets units at its request, and by the
 * lock's rule at least k* = max{k ∈ S_i : k ≤ g}. So its response is at most max{L_i[k] : k ∈ S_i, k ≥ k*}. (Not in the paper.)
 */
export function partitionBound(set: TaskSet, index: number): number | null {
  return analysisOf(set, index).partition;
}

function analysisOf(set: TaskSet, index: number): TaskAnalysis {
  const { tasks } = analyseTaskSet(set);
  checkInteger(index, "index", 0, tasks.length - 1);
  return tasks[index];
}

/** `analyse` of a set that is known to be sound; `sizes` are S by entry, where they are known already. */
export function analyseChecked(set: TaskSet, sizes = set.tasks.map((task) => taskSizes(set, task))): Analysis {
  const { units, tasks } = set;
  const longest = tasks.map(({ wcet }, i) => greatest(sizes[i], (k) => wcet[k]));
  const areas = tasks.map(({ wcet }, i) => greatest(sizes[i], (k) => k * wcet[k]));
  const counts = tasks.map(({ count }) => count ?? 1);
  const widest = sizes.map((of) => of[of.length - 1]);
  const allWidest = widest.reduce((sum, k, i) => sum + counts[i] * k, 0);
  // Sums of those before and those after, not the total less one's own: exactly 0 for one task, and no digit lost to cancellation.
  const after = new Float64Array(tasks.length + 1);
  for (let i = tasks.length - 1; i >= 0; i--) after[i] = after[i + 1] + counts[i] * areas[i];
  let before = 0;
  const entries = tasks.map((task, i): TaskAnalysis => {
    const wait = (before + (counts[i] - 1) * areas[i] + after[i + 1]) / units;
    before += counts[i] * areas[i];
    const response = longest[i] + wait;
    const partition = partitionOf(sizes[i], task.wcet, units - (allWidest - widest[i]));
    const binding: Binding = partition !== null && partition < response ? "partition" : "lemma2";
    const bound = partition === null ? response : Math.min(partition, response);
    const deadline = Math.min(task.deadline ?? Number.POSITIVE_INFINITY, task.period ?? Number.POSITIVE_INFINITY);
    return {
      id: task.id,
      count: counts[i],
      sizes: sizes[i],
      longest: longest[i],
      area: areas[i],
      wait,
      response,
      partition,
      bound,
      binding,
      deadline: Number.isFinite(deadline) ? deadline : null,
      slack: Number.isFinite(deadline) ? deadline - bound : null,
      schedulable: bound <= deadline,
    };
  });
  const demands = tasks.flatMap(({ period }, i) => (period === undefined ? [] : [(counts[i] * areas[i]) / (units * period)]));
  return {
    units,
    tasks: entries,
    schedulable: entries.every(({ schedulable }) => schedulable),
    demand: demands.length > 0 ? demands.reduce((a, b) => a + b) : null,
  };
}

/** With `idle` units always idle for the task. */
function partitionOf(sizes: readonly number[], wcet: WcetTable, idle: number): number | null {
  if (idle < 1) return null;
  const least = grantSize(sizes, idle);
  return greatest(
    sizes.filter((k) => k >= least),
    (k) => wcet[k],
  );
}

const greatest = (sizes: readonly number[], of: (k: number) => number): number => sizes.reduce((most, k) => Math.max(most, of(k)), 0);
