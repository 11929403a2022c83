/**
 * The entry point `@dechirp/experiments/schedules`: words and plots for reports of task sets, which `dechirp schedule` and pages share. Plots are
 * data, for `linePlot` and `dotPlot` of `@dechirp/pictures`. Times are in microseconds.
 */
import { oneLine } from "@dechirp/core/internal";
import { type DotPlot, type LinePlot, type PlotLine, seriesColours } from "@dechirp/pictures";
import { analyseTaskSet, defaultRho, type RhoPoint, type TaskAnalysis, type TaskSet } from "@dechirp/realtime";
import type { SimulationReport } from "@dechirp/realtime/reports";

const longestName = 40;
/** The most tasks for which a plot of responses has room. */
const mostRows = 40;
/** Reduces a name, which may come from anyone's file, to one line of limited length. */
export const nameText = (id: string): string => (id.length > longestName ? `${oneLine(id).slice(0, longestName - 1)}…` : oneLine(id));

/** Formats sizes as `1–4, 6`: runs of three or more become ranges. */
export function sizesText(sizes: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const k of sizes) {
    const last = runs[runs.length - 1];
    if (last && last[1] === k - 1) last[1] = k;
    else runs.push([k, k]);
  }
  return runs.map(([a, b]) => (a === b ? `${a}` : b === a + 1 ? `${a}, ${b}` : `${a}–${b}`)).join(", ");
}

/** The names of the bounds. */
export const bindingTexts = { lemma2: "Lemma 2", partition: "partition" } as const;

/** What a verdict is about. */
export interface Judged {
  readonly tasks: readonly Pick<TaskAnalysis, "id" | "deadline" | "schedulable">[];
  readonly schedulable: boolean;
}

/** Says in a sentence whether deadlines are met. */
export function verdict({ tasks, schedulable }: Judged): string {
  const timed = tasks.filter(({ deadline }) => deadline !== null);
  if (timed.length === 0) return "no task has a deadline or a period";
  if (schedulable) return "schedulable: every bound is within deadline and period";
  const late = timed.filter((task) => !task.schedulable).map(({ id }) => nameText(id));
  const told = late.length > 5 ? `${late.slice(0, 5).join(", ")} and ${late.length - 5} more` : late.join(", ");
  return `not schedulable: the bound is beyond deadline or period for ${told}`;
}

/** The most numbers of tasks that are computed. */
const mostPoints = 64;

/**
 * Computes bounds for more and for fewer tasks, with all entries in the set's proportion, up to two tasks per unit and at least up to
 * the set as it is. Works in pieces, because a set may have ten thousand tasks. For a single entry, Lemma 2 and the deadline are
 * plotted too. Of many entries, those with the largest bounds are plotted.
 */
export function* boundsByTasks(set: TaskSet): Generator<void, LinePlot> {
  const counts = set.tasks.map(({ count = 1 }) => count);
  const given = counts.reduce(greatestCommonDivisor);
  const each = counts.map((count) => count / given);
  const step = each.reduce((a, b) => a + b);
  const shown = analyseTaskSet(set)
    .tasks.map(({ id, bound, deadline }, i) => ({ name: nameText(id), bound, deadline, i }))
    .sort((a, b) => b.bound - a.bound)
    .slice(0, seriesColours.length);
  const points: { readonly tasks: number; readonly entries: readonly TaskAnalysis[] }[] = [];
  for (const n of steps(Math.max(Math.floor((2 * set.units) / step), given))) {
    yield;
    // Identified by number, because copies of a name might not stay unique.
    const tasks = set.tasks.map((task, i) => ({ ...task, id: String(i), count: n * each[i] }));
    points.push({ tasks: n * step, entries: analyseTaskSet({ ...set, tasks }).tasks });
  }
  const curve = (of: (task: TaskAnalysis) => number, i: number): PlotLine["points"] =>
    points.map(({ tasks, entries }) => [tasks, of(entries[i])]);
  const [{ name, deadline }] = shown;
  const lines: readonly PlotLine[] =
    set.tasks.length > 1
      ? shown.map((one) => ({ name: one.name, points: curve(({ bound }) => bound, one.i) }))
      : [
          { name: `${name}, Lemma 2`, points: curve(({ response }) => response, 0), dashed: true },
          { name: `${name}, the smaller of Lemma 2 and the partition bound`, points: curve(({ bound }) => bound, 0) },
          ...(deadline === null ? [] : [{ name: "deadline", points: curve(() => deadline, 0), dashed: true }]),
        ];
  const few = set.tasks.length > shown.length ? `; the ${shown.length} entries of ${set.tasks.length} with the largest bounds` : "";
  return {
    title: "Response-time bounds by number of tasks",
    note: `${set.units} units, ρ ${set.rho ?? defaultRho}${set.tasks.length > 1 ? `; all entries in proportion${few}` : ""}`,
    x: "tasks",
    y: "microseconds",
    lines,
  };
}

const greatestCommonDivisor = (a: number, b: number): number => (b === 0 ? a : greatestCommonDivisor(b, a % b));

/** The numbers from 1 to `most`: all, or some at equal ratios. */
function steps(most: number): readonly number[] {
  if (most <= mostPoints) return Array.from({ length: most }, (_, i) => i + 1);
  return [...new Set(Array.from({ length: mostPoints }, (_, i) => Math.round(most ** (i / (mostPoints - 1)))))];
}

/** The largest bound by ρ. */
export const boundsByRho = (sweep: readonly RhoPoint[]): LinePlot => ({
  title: "Largest response-time bound by ρ",
  note: "each point is a ρ from which on one more size is permitted; nothing changes between points",
  x: "ρ",
  y: "microseconds",
  lines: [{ name: "largest bound of all tasks", points: sweep.map(({ rho, worstResponse }) => [rho, worstResponse]) }],
});

/** The simulated throughput by ρ, in percent. */
export const throughputByRho = (sweep: readonly RhoPoint[]): LinePlot => ({
  title: "Simulated throughput by ρ",
  note: "Σ L[1] of the jobs over the units' time, with every task requesting again immediately",
  x: "ρ",
  y: "percent",
  lines: [{ name: "throughput", points: sweep.map(({ rho, throughput }) => [rho, 100 * throughput]) }],
});

/** Simulated responses beside the bounds and the deadlines, for the tasks with the largest bounds. */
export function simulatedResponses({ tasks, settings: { policy, seed } }: SimulationReport): DotPlot {
  const drawn = [...tasks].sort((a, b) => b.bound - a.bound).slice(0, mostRows);
  const few = drawn.length < tasks.length ? `; the ${drawn.length} tasks of ${tasks.length} with the largest bounds` : "";
  const hasDeadlines = drawn.some(({ deadline }) => deadline !== null);
  return {
    title: "Simulated responses beside the bounds",
    note: `policy ${policy}, seed ${seed}${few}`,
    x: "microseconds",
    series: [
      { name: "mean" },
      { name: "longest" },
      ...(hasDeadlines ? [{ name: "deadline" }] : []),
      { name: policy === "fifo" ? "bound" : "bound, which does not hold for this policy", limit: true },
    ],
    rows: drawn.map(({ id, count, meanResponse, maxResponse, deadline, bound }) => ({
      name: count > 1 ? `${nameText(id)} ×${count}` : nameText(id),
      values: [meanResponse, maxResponse, ...(hasDeadlines ? [deadline ?? 0] : []), bound],
    })),
  };
}
