/**
 * Plots of `schedule run`: grants of units over time, execution times by number of units, and responses beside the bounds. Times are in
 * microseconds.
 */

import { nameText } from "@dechirp/experiments/schedules";
import { type DotPlot, dotPlot, type LinePlot, linePlot, seriesColours } from "@dechirp/pictures";
import type { JobRecord } from "@dechirp/realtime";
import type { ScheduleRunReport } from "./report.ts";
import { executorTexts, oneOfKind, workText } from "./run-tables.ts";
import { grantsPicture } from "./trace.ts";

/** Jobs whose grants are drawn. */
const drawnJobs = 100;
/** The most tasks for which a plot has room. */
const mostRows = 40;

/** Draws all plots. Resolves with SVG documents by name. Rejects with `aborted` if the signal fires. */
export async function runPictures(
  report: ScheduleRunReport,
  trace: readonly JobRecord[],
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  const divided = report.tasks.some(({ profile }) => profile.length > 1);
  const { executor, units, device } = report;
  return {
    gantt: await grantsPicture(trace, units, `Observed grants by unit: ${executorTexts[executor]}, on ${device.id}`, signal, drawnJobs),
    ...(divided && { wcet: await linePlot(timesByUnits(report), { signal }) }),
    responses: await dotPlot(responses(report), { signal }),
  };
}

function timesByUnits({ tasks, margin }: ScheduleRunReport): LinePlot {
  const kinds = oneOfKind(tasks);
  const drawn = kinds.slice(0, seriesColours.length);
  const few = kinds.length > drawn.length ? `; ${drawn.length} of ${kinds.length} kinds of work` : "";
  return {
    title: "L[k], the longest observed time with its margin, by number of units",
    note: `margin ${margin}, with the other units loaded; no guarantee${few}`,
    x: "k, units",
    y: "microseconds",
    lines: drawn.map((task) => ({ name: workText(task), points: task.profile.map(({ k, wcet }) => [k, wcet] as const) })),
  };
}

function responses({ tasks, executor, device, settings }: ScheduleRunReport): DotPlot {
  const drawn = [...tasks].sort((a, b) => b.bound - a.bound).slice(0, mostRows);
  const few = drawn.length < tasks.length ? `; the ${drawn.length} tasks of ${tasks.length} with the largest bounds` : "";
  return {
    title: "Observed responses beside the bounds from observed times",
    note: `${executorTexts[executor]}, on ${device.id}, ${settings.jobs} jobs per task${few}`,
    x: "microseconds",
    series: [
      { name: "lock: mean" },
      { name: "lock: worst observed" },
      { name: "best effort: worst observed" },
      { name: "bound, under the lock", limit: true },
    ],
    rows: drawn.map(({ id, count, observed, bestEffort, bound }) => ({
      name: count > 1 ? `${nameText(id)} ×${count}` : nameText(id),
      values: [observed.mean, observed.max, bestEffort.max, bound],
    })),
  };
}
