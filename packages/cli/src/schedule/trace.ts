/** A trace as files: every job as a line of text, and a picture of who has which unit when. */

import { oneLine, runAbortable } from "@dechirp/core/internal";
import { gantt } from "@dechirp/pictures";
import type { JobRecord, SimulatedSchedule } from "@dechirp/realtime";
import type { ScheduleSimulationReport } from "./report.ts";

/** Jobs that are made to text at once. */
const chunk = 4096;

/** `task,job,requested,granted,finished,units`, microseconds; units by number with spaces between them. */
export function* traceCsv(jobs: readonly JobRecord[]): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  yield encoder.encode("task,job,requested,granted,finished,units\n");
  for (let start = 0; start < jobs.length; start += chunk) {
    const lines = jobs
      .slice(start, start + chunk)
      .map(
        ({ task, job, requested, granted, finished, units }) =>
          `${[quoted(task), job, requested, granted, finished, units.join(" ")].join(",")}\n`,
      );
    yield encoder.encode(lines.join(""));
  }
}

/** As RFC 4180 has it. */
const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The beginning of a simulated trace, as SVG. Throws `aborted` where the signal fires. */
export function tracePicture(
  { units, jobs }: SimulatedSchedule,
  { settings }: ScheduleSimulationReport,
  signal: AbortSignal,
): Promise<string> {
  const title = `Simulated grants by unit: ${settings.policy}, ${settings.release}, execution ${settings.execution}, seed ${settings.seed}`;
  return grantsPicture(jobs, units, title, signal);
}

/** The beginning of a trace as SVG, of so many jobs where `most` is given. Throws `aborted` where the signal fires. */
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

/** Jobs with their tasks' names as one line of what can be printed. */
function* named(jobs: readonly JobRecord[]): Generator<void, readonly JobRecord[]> {
  const all: JobRecord[] = [];
  for (let start = 0; start < jobs.length; start += chunk) {
    for (const job of jobs.slice(start, start + chunk)) all.push({ ...job, task: oneLine(job.task) });
    yield;
  }
  return all;
}
