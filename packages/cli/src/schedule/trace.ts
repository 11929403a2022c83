/** Draws a trace of jobs: a chart of unit grants over time. */

import { oneLine, runAbortable } from "@dechirp/core/internal";
import { gantt } from "@dechirp/pictures";
import type { JobRecord, SimulatedSchedule } from "@dechirp/realtime";
import type { ScheduleSimulationReport } from "./report.ts";

/** Jobs that are converted to text at once. */
const chunk = 4096;

/** Draws the beginning of a simulated trace as SVG. Rejects with `aborted` if the signal fires. */
export function tracePicture(
  { units, jobs }: SimulatedSchedule,
  { settings }: ScheduleSimulationReport,
  signal: AbortSignal,
): Promise<string> {
  const title = `Simulated grants by unit: ${settings.policy}, ${settings.release}, execution ${settings.execution}, seed ${settings.seed}`;
  return grantsPicture(jobs, units, title, signal);
}

/** Draws the beginning of a trace as SVG, at most `most` jobs if given. Rejects with `aborted` if the signal fires. */
export async function grantsPicture(
  jobs: readonly JobRecord[],
  units: number,
  title: string,
  signal: AbortSignal,
  most?: number,
): Promise<string> {
  return gantt(
    { jobs: await runAbortable(signal, "drawing", named(jobs)) },
    { units, title, signal, ...(most !== undefined && { jobs: most }) },
  );
}

/** Reduces the names of tasks to one printable line. */
function* named(jobs: readonly JobRecord[]): Generator<void, readonly JobRecord[]> {
  const all: JobRecord[] = [];
  for (let start = 0; start < jobs.length; start += chunk) {
    for (const job of jobs.slice(start, start + chunk)) all.push({ ...job, task: oneLine(job.task) });
    yield;
  }
  return all;
}
