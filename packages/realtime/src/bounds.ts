/**
 * Upper bounds on the waiting and response times of a job under the FIFO SMLP: Lemmas 1 and 2 of the paper, and a partition bound that is
 * tighter when there are many units.
 *
 * The bounds hold for every schedule of a task set if the given WCETs hold. With observed WCETs they are estimates. They assume this
 * scheduler: requests are served in order; the first request takes the largest permitted size that the idle units allow; size 1 is
 * permitted to every task; a task has one outstanding job; nothing else uses the units. Neither lemma needs S to be without gaps or L to
 * fall with k, because both take the maximum over S, whichever size the lock chooses.
 */
import type { TaskSet, WcetTable } from "./model.ts";
import { grantSize, taskSizes } from "./permitted.ts";
import { checkInteger, checkTaskSet } from "./validate.ts";

/** Which bound is the smaller one: Lemma 2's or the partition bound. */
export type BoundKind = "lemma2" | "partition";

/** The bounds of one entry of `tasks`. They hold for each of its copies. Times are in microseconds. */
export interface TaskAnalysis {
  /** The task's id. */
  readonly id: string;
  /** Number of copies of the task. */
  readonly count: number;
  /** S, the permitted numbers of units, ascending. */
  readonly sizes: readonly number[];
  /** L^max, the largest WCET over S. */
  readonly longest: number;
  /** A^max, the largest k·L[k] over S (Eq. 1). */
  readonly area: number;
  /** Lemma 1: the longest time that a job waits for units. A job does not wait at all if the task has a partition bound. */
  readonly wait: number;
  /** Lemma 2: the longest time from a job's request to its end. */
  readonly response: number;
  /** The partition bound on the response. Null if the other tasks can occupy all units at once. */
  readonly partition: number | null;
  /** The smaller of `response` and `partition`. */
  readonly bound: number;
  /** Which bound is the smaller one. */
  readonly binding: BoundKind;
  /** The limit for the bound: the smaller of deadline and period. Null if the task has neither. */
  readonly deadline: number | null;
  /** `deadline` − `bound`. */
  readonly slack: number | null;
  /** Whether the bound is within deadline and period, so that a job ends before the next one is requested. True if the task has neither. */
  readonly schedulable: boolean;
}

/** The bounds of a task set. */
export interface Analysis {
  /** ℋ: the number of units. */
  readonly units: number;
  /** One for each entry of the set's `tasks`, in their order. */
  readonly tasks: readonly TaskAnalysis[];
  /** Whether all tasks are schedulable. */
  readonly schedulable: boolean;
  /**
   * Σ A^max/(ℋ·period) over the tasks with a period, including copies: the share of the device that they may demand. Null if no task has a
   * period.
   */
  readonly demand: number | null;
}

/** Computes the bounds of every task of a set. Throws `input` as `checkTaskSet` does. Time is linear in the size of the set. */
export function analyseTaskSet(set: TaskSet): Analysis {
  return analyseChecked(checkTaskSet(set));
}

/**
 * Lemma 1: the longest wait of a copy of `tasks[index]`, Σ_{j≠i} A_j^max/ℋ, in microseconds. The task's other copies count among the j.
 * While a job waits, every unit is busy with jobs that were requested before it. There is at most one of these per task, and none takes
 * more than A_j^max of unit time.
 */
export function waitBound(set: TaskSet, index: number): number {
  return analysisOf(set, index).wait;
}

/** Lemma 2: the longest response of a copy of `tasks[index]`, L_i^max + Σ_{j≠i} A_j^max/ℋ, in microseconds. */
export function responseBound(set: TaskSet, index: number): number {
  return analysisOf(set, index).response;
}

/**
 * The partition bound on the response of a copy of `tasks[index]`, in microseconds, or null if it does not apply. It is not in the paper.
 *
 * The other tasks hold at most Σ_{j≠i} max S_j units, as each has one job at a time. So g = ℋ − that sum is the number of units that are
 * always idle when τ_i holds none. If g ≥ 1, no request queues at such a time: 1 is in every S, so a queue means that no unit is idle. A
 * job of τ_i therefore gets units at its request, and by the lock's rule at least k* = max{k ∈ S_i : k ≤ g}. So its response is at most
 * max{L_i[k] : k ∈ S_i, k ≥ k*}.
 */
export function partitionBound(set: TaskSet, index: number): number | null {
  return analysisOf(set, index).partition;
}

function analysisOf(set: TaskSet, index: number): TaskAnalysis {
  const { tasks } = analyseTaskSet(set);
  checkInteger(index, "index", 0, tasks.length - 1);
  return tasks[index];
}

/** `analyseTaskSet` for a set that has been checked. `sizes` are the S of the entries, if the caller has them already. */
export function analyseChecked(set: TaskSet, sizes = set.tasks.map((task) => taskSizes(set, task))): Analysis {
  const { units, tasks } = set;
  const longest = tasks.map(({ wcet }, i) => greatest(sizes[i], (k) => wcet[k]));
  const areas = tasks.map(({ wcet }, i) => greatest(sizes[i], (k) => k * wcet[k]));
  const counts = tasks.map(({ count }) => count ?? 1);
  const widest = sizes.map((of) => of[of.length - 1]);
  const allWidest = widest.reduce((sum, k, i) => sum + counts[i] * k, 0);
  // Adds the areas before and after each task instead of subtracting the task's own area from the total. The result is exactly 0 for a
  // single task, and no digits are lost to cancellation.
  const after = new Float64Array(tasks.length + 1);
  for (let i = tasks.length - 1; i >= 0; i--) after[i] = after[i + 1] + counts[i] * areas[i];
  let before = 0;
  const entries = tasks.map((task, i): TaskAnalysis => {
    const wait = (before + (counts[i] - 1) * areas[i] + after[i + 1]) / units;
    before += counts[i] * areas[i];
    const response = longest[i] + wait;
    const partition = partitionOf(sizes[i], task.wcet, units - (allWidest - widest[i]));
    const binding: BoundKind = partition !== null && partition < response ? "partition" : "lemma2";
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

/** The partition bound of a task for which `idle` units are always idle. */
function partitionOf(sizes: readonly number[], wcet: WcetTable, idle: number): number | null {
  if (idle < 1) return null;
  const least = grantSize(sizes, idle);
  return greatest(
    sizes.filter((k) => k >= least),
    (k) => wcet[k],
  );
}

const greatest = (sizes: readonly number[], of: (k: number) => number): number => sizes.reduce((most, k) => Math.max(most, of(k)), 0);
