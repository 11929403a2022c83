/**
 * Which ρ to take for a task set: every ρ at which some S changes is tried, the worst bound computed and the throughput simulated. The
 * paper fixes ρ at 1.1 and says that it is the knob (section IV-B); this turns it. Tasks with `sizes` or a `rho` of their own stay as
 * they are. Cost: candidates · (size of the set + simulated jobs).
 */

import { inputError } from "@dechirp/core";
import { asRadarError, requireSynchronous } from "@dechirp/core/backend";
import { checkFields, runToEnd } from "@dechirp/core/internal";
import { analyseChecked } from "./bounds.ts";
import type { TaskSet } from "./model.ts";
import { taskSizes } from "./permitted.ts";
import { engineTask, runEvents } from "./simulate/engine.ts";
import { checkRho, checkTaskSet, taskCopies } from "./validate.ts";

/** Most candidates of one sweep; fewer for sets with more than 62,500 WCETs, so that WCETs · candidates stays within 4,000,000. */
const maxCandidates = 64;
const maxWork = 4_000_000;
/** Jobs that a throughput is simulated over; at least 8 for each task. */
const throughputJobs = 10_000;
/** Throughputs closer than this count as equal: the end of a simulation cuts through jobs. */
const throughputTie = 1e-3;

/** What follows from one value of ρ. */
export interface RhoPoint {
  /** The value. */
  readonly rho: number;
  /** S by entry of `tasks`. */
  readonly sizes: readonly (readonly number[])[];
  /** Largest bound on a response of any task, in microseconds. */
  readonly worstResponse: number;
  /** Largest bound relative to its task's deadline or period, whichever is less; null where no task has one. At most 1: schedulable. */
  readonly worstRelative: number | null;
  /**
   * Work done while every task asks again at once and takes its WCETs: Σ L[1] of the jobs, those under way in part, as a share of ℋ · time.
   * 1 where every unit is always as busy as a job alone on it.
   */
  readonly throughput: number;
}

/** What ρ is chosen for: the smallest worst response, or the highest throughput. */
export type RhoGoal = "response" | "throughput";

/** How ρ is chosen. */
export interface RecommendOptions {
  /** `response`: least `worstRelative` where there are deadlines or periods, else least `worstResponse`. `throughput`: the most of it. */
  readonly goal: RhoGoal;
  /** Values of ρ to choose from, 1 to 64 of them; those of `rhoCandidates` where left out. */
  readonly candidates?: readonly number[];
}

/** The chosen ρ, and every candidate. */
export interface RhoRecommendation extends RhoPoint {
  readonly goal: RhoGoal;
  /** What was minimised or maximised, at `rho`. */
  readonly objective: number;
  /** Every candidate, ascending. */
  readonly sweep: readonly RhoPoint[];
}

/**
 * The best ρ among the candidates: of those with the same response, the one with the most throughput; of equals in this, too, the smallest
 * (throughputs within a thousandth are equal). Nothing between two candidates of `rhoCandidates` could be better, as every S would be
 * that of the lower one. Throws `input`.
 */
export function recommendRho(set: TaskSet, options: RecommendOptions): RhoRecommendation {
  checkFields(options, { goal: true, candidates: true }, "options of recommendRho");
  const { goal, candidates } = options;
  checkGoal(goal);
  return bestRho(rhoSweep(set, candidates), goal);
}

/** `recommendRho` of a sweep that is there already, ascending. Throws `input` for another goal and a sweep without points. */
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

/** What each candidate comes to, ascending. Throws `input`. */
export const rhoSweep = (set: TaskSet, candidates?: readonly number[]): readonly RhoPoint[] => runToEnd(rhoSweepSteps(set, candidates));

/**
 * `rhoSweep` in steps of milliseconds, for `runInPieces` of core: other work and signals have their turn in between. Throws as that does.
 * `onProgress` hears of every candidate before it is tried, and which share of them is done; where it throws or returns a promise, that is `failed`.
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
      // S only grows with ρ: as many sizes are the same sizes.
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
 * The values of ρ at which some S of the set changes, ascending: 1 and every k·L[k]/L[1] above it with k ≤ ℋ. Of more than 64 (fewer for
 * large sets) it keeps the first, the last and those at equal steps between. Throws `input`.
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
      // The quotient may be rounded down; Eq. 4 with it has to hold all the same.
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
  const until = new Float64Array(tasks.length).fill(Number.NaN); // of a job under way
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
