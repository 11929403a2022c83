/** Plots of `schedule analyse`: bounds by number of tasks, and bounds and throughput by ρ. Times are in microseconds. */

import { runAbortable } from "@dechirp/core/internal";
import { type LinePlot, linePlot, type PlotLine, seriesColours } from "@dechirp/pictures";
import { analyseTaskSet, defaultRho, type RhoPoint, type TaskAnalysis, type TaskSet } from "@dechirp/realtime";
import { nameText } from "./tables.ts";

/** The most numbers of tasks that are computed. */
const mostPoints = 64;

/** Draws all plots. Resolves with SVG documents by name. Rejects with `aborted` if the signal fires. */
export async function analysisPictures(
  set: TaskSet,
  sweep: readonly RhoPoint[],
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  return {
    "bounds-by-tasks": await linePlot(await runAbortable(signal, "drawing", boundsByTasks(set)), { signal }),
    "bounds-by-rho": await linePlot(boundsByRho(sweep), { signal }),
    "throughput-by-rho": await linePlot(throughputByRho(sweep), { signal }),
  };
}

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

const boundsByRho = (sweep: readonly RhoPoint[]): LinePlot => ({
  title: "Largest response-time bound by ρ",
  note: "each point is a ρ from which on one more size is permitted; nothing changes between points",
  x: "ρ",
  y: "microseconds",
  lines: [{ name: "largest bound of all tasks", points: sweep.map(({ rho, worstResponse }) => [rho, worstResponse]) }],
});

const throughputByRho = (sweep: readonly RhoPoint[]): LinePlot => ({
  title: "Simulated throughput by ρ",
  note: "Σ L[1] of the jobs over the units' time, with every task requesting again immediately",
  x: "ρ",
  y: "percent",
  lines: [{ name: "throughput", points: sweep.map(({ rho, throughput }) => [rho, 100 * throughput]) }],
});
