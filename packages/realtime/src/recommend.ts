/**
 * Recommends a ρ for a task set. It tries every ρ at which some S changes, computes the largest bound and simulates the throughput. The
 * paper fixes ρ at 1.1 and calls it the knob to tune (section IV-B). Tasks with `sizes` or a `rho` of their own keep them. The cost is
 * candidates · (size of the set + simulated jobs).
 */

import { inputError } from "@dechirp/core";
import { asRadarError, requireSynchronous } from "@dechirp/core/backend";
import { checkFields, runToEnd } from "@dechirp/core/internal";
import { analyseChecked } from "./bounds.ts";
import type { TaskSet } from "./model.ts";
import { taskSizes } from "./permitted.ts";
import { engineTask, runEvents } from "./simulate/engine.ts";
import { checkRho, checkTaskSet, taskCopies } from "./validate.ts";

/**
 * The largest number of candidates of one sweep. Sets with more than 62,500 WCETs get fewer, so that WCETs · candidates stays within
 * 4,000,000.
 */
const maxCandidates = 64;
const maxWork = 4_000_000;
/** The number of jobs in the simulation of a throughput, and at least 8 for each task. */
const throughputJobs = 10_000;
/** Throughputs whose relative difference is below this count as equal, because the end of a simulation cuts through jobs. */
const throughputTie = 1e-3;

/** What a task set achieves with one value of ρ. */
export interface RhoPoint {
  /** The value of ρ. */
  readonly rho: number;
  /** S of each entry of `tasks`. */
  readonly sizes: readonly (readonly number[])[];
  /** The largest response bound of any task, in microseconds. */
  readonly worstResponse: number;
  /**
   * The largest ratio of a bound to the task's limit, which is the smaller of deadline and period. Null if no task has either. The set is
   * schedulable if it is at most 1.
   */
  readonly worstRelative: number | null;
  /**
   * The simulated throughput if every task requests its next job at once and takes its WCETs: the sum of L[1] over the jobs (unfinished
   * jobs in part), divided by ℋ · time. It is 1 if every unit is always as efficient as a job that runs alone on one unit.
   */
  readonly throughput: number;
}

/** What the choice of ρ minimises (response) or maximises (throughput). */
export type RhoGoal = "response" | "throughput";

/** Options of `recommendRho`. */
export interface RecommendOptions {
  /** `response` minimises `worstRelative` if there are deadlines or periods, else `worstResponse`. `throughput` maximises `throughput`. */
  readonly goal: RhoGoal;
  /** 1 to 64 values of ρ to choose from. Default: those of `rhoCandidates`. */
  readonly candidates?: readonly number[];
}

/** The recommended ρ, with all candidates. */
export interface RhoRecommendation extends RhoPoint {
  /** What was minimised or maximised. */
  readonly goal: RhoGoal;
  /** The value that was minimised or maximised, at `rho`. */
  readonly objective: number;
  /** Every candidate, ascending by ρ. */
  readonly sweep: readonly RhoPoint[];
}

/**
 * Chooses the best ρ among the candidates. Of candidates with the same response it takes the one with the highest throughput, and of those
 * with the same throughput the smallest ρ (throughputs within a thousandth are equal). No value between two candidates of `rhoCandidates`
 * could be better, as every S would be that of the lower candidate. Throws `input`.
 */
export function recommendRho(set: TaskSet, options: RecommendOptions): RhoRecommendation {
  checkFields(options, { goal: true, candidates: true }, "options of recommendRho");
  const { goal, candidates } = options;
  checkGoal(goal);
  return bestRho(rhoSweep(set, candidates), goal);
}

/** `recommendRho` for a sweep that has been computed already and ascends. Throws `input` for an unknown goal or an empty sweep. */
export function bestRho(sweep: readonly RhoPoint[], goal: RhoGoal): RhoRecommendation {
  checkGoal(goal);
  if (sweep.length < 1) throw inputError("sweep", "a list of at least one point", sweep);
  const response = (point: RhoPoint): number => point.worstRelative ?? point.worstResponse;
  const least = Math.min(...sweep.map(response));
  const eligible = goal === "throughput" ? sweep : sweep.filter((point) => response(point) === least);
  const most = largest(eligible.map(({ throughput }) => throughput));
  const best = eligible.find(({ throughput }) => throughput >= most * (1 - throughputTie))!;
  return { ...best, goal, objective: goal === "throughput" ? best.throughput : least, sweep };
}

function checkGoal(goal: unknown): asserts goal is RhoGoal {
  if (goal !== "response" && goal !== "throughput") throw inputError("goal", '"response" or "throughput"', goal);
}

/** Evaluates each candidate and returns them ascending by ρ. Throws `input`. */
export const rhoSweep = (set: TaskSet, candidates?: readonly number[]): readonly RhoPoint[] => runToEnd(rhoSweepSteps(set, candidates));

/**
 * `rhoSweep` as a generator that yields every few milliseconds, for `runInPieces` of core, which lets other work run and checks a signal
 * in between. `onProgress` is called before each candidate with its ρ and the share of candidates that are done. Throws `input`, and
 * `failed` if `onProgress` throws or returns a promise.
 */
export function* rhoSweepSteps(
  set: TaskSet,
  candidates?: readonly number[],
  onProgress: (rho: number, share: number) => void = () => {},
): Generator<void, readonly RhoPoint[]> {
  const checked = checkTaskSet(set);
  const given = candidates === undefined ? rhoCandidates(checked) : checkCandidates(candidates);
  const points: RhoPoint[] = [];
  for (const [i, rho] of given.entries()) {
    try {
      requireSynchronous(onProgress(rho, i / given.length), "onProgress");
    } catch (error) {
      throw asRadarError(error, "onProgress");
    }
    yield;
    const at = { ...checked, rho };
    const sizes = at.tasks.map((task) => taskSizes(at, task));
    const before = points.at(-1);
    if (before?.sizes.every((of, i) => of.length === sizes[i].length)) {
      // S only grows with ρ, so if each S has as many sizes as before, nothing has changed.
      points.push({ ...before, rho });
      continue;
    }
    const { tasks } = analyseChecked(at, sizes);
    yield;
    const relative = tasks.flatMap(({ bound, deadline }) => (deadline === null ? [] : [bound / deadline]));
    points.push({
      rho,
      sizes,
      worstResponse: largest(tasks.map(({ bound }) => bound)),
      worstRelative: relative.length > 0 ? largest(relative) : null,
      throughput: yield* simulatedThroughput(at, sizes),
    });
  }
  return points;
}

/**
 * The values of ρ at which some S of the set changes, ascending: 1, and every k·L[k]/L[1] above 1 with k ≤ ℋ. If there are more than 64
 * (fewer for large sets), it keeps the first, the last and evenly spaced ones between. Throws `input`.
 */
export function rhoCandidates(set: TaskSet): readonly number[] {
  const { units, tasks } = checkTaskSet(set);
  const found = new Set([1]);
  let entries = 0;
  for (const { wcet, rho, sizes } of tasks) {
    if (rho !== undefined || sizes !== undefined) continue;
    for (const [key, microseconds] of Object.entries(wcet)) {
      entries++;
      const k = Number(key);
      if (k > units || k * microseconds <= wcet[1]) continue;
      let ratio = (k * microseconds) / wcet[1];
      // The quotient may have been rounded down, but Eq. 4 must hold with it.
      while (ratio * wcet[1] < k * microseconds) ratio += ratio * Number.EPSILON;
      if (Number.isFinite(ratio)) found.add(ratio);
    }
  }
  const all = [...found].sort((a, b) => a - b);
  const most = Math.max(2, Math.min(maxCandidates, Math.floor(maxWork / Math.max(entries, 1))));
  if (all.length <= most) return all;
  return Array.from({ length: most }, (_, i) => all[Math.round((i * (all.length - 1)) / (most - 1))]);
}

function* simulatedThroughput(set: TaskSet, sizes: readonly (readonly number[])[]): Generator<void, number> {
  const copies = taskCopies(set);
  const entries = set.tasks.map(({ wcet }, i) => engineTask(wcet, sizes[i]));
  const tasks = copies.map(({ entry }) => entries[entry]);
  const from = new Float64Array(tasks.length);
  const until = new Float64Array(tasks.length).fill(Number.NaN); // end of the job under way
  let work = 0;
  const end = yield* runEvents(
    {
      units: set.units,
      tasks,
      seed: 1,
      lifo: false,
      jobsPerTask: 1,
      leastShare: 1,
      think: 0,
      sporadic: false,
      jobs: Number.POSITIVE_INFINITY,
      horizon: Number.POSITIVE_INFINITY,
      total: Math.max(throughputJobs, 8 * tasks.length),
    },
    {
      granted(task, _size, now, then) {
        from[task] = now;
        until[task] = then;
      },
      finished(task) {
        until[task] = Number.NaN;
        work += tasks[task].alone;
      },
    },
  );
  tasks.forEach(({ alone }, i) => {
    if (!Number.isNaN(until[i])) work += alone * (until[i] > end ? (end - from[i]) / (until[i] - from[i]) : 1);
  });
  return end > 0 ? work / (set.units * end) : 0;
}

const largest = (values: readonly number[]): number => values.reduce((most, value) => Math.max(most, value));

function checkCandidates(candidates: readonly number[]): readonly number[] {
  if (!Array.isArray(candidates) || candidates.length < 1 || candidates.length > maxCandidates)
    throw inputError("candidates", `a list of 1 to ${maxCandidates} values of rho`, candidates);
  for (let i = 0; i < candidates.length; i++) checkRho(candidates[i], `candidates[${i}]`);
  return [...new Set(candidates)].sort((a, b) => a - b);
}
