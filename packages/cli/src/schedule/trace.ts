/** A trace as files: every job as a line of text, and a picture of who has which unit when. */

import { oneLine } from "@dechirp/core";
import { ganttSteps, type JobRecord, type Simulation } from "@dechirp/realtime";
import type { SimulationReport } from "./report.ts";

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

/** The beginning of a simulated trace, in pieces. */
export function tracePicture({ units, jobs }: Simulation, { settings }: SimulationReport): Generator<void, string> {
  const title = `Simulated grants by unit: ${settings.policy}, ${settings.release}, execution ${settings.execution}, seed ${settings.seed}`;
  return grantsPicture(jobs, units, title);
}

/** The beginning of a trace, of so many jobs where `most` is given, in pieces; names may hold what SVG may not. */
export function* grantsPicture(jobs: readonly JobRecord[], units: number, title: string, most?: number): Generator<void, string> {
  const named: JobRecord[] = [];
  for (let start = 0; start < jobs.length; start += chunk) {
    for (const job of jobs.slice(start, start + chunk)) named.push({ ...job, task: oneLine(job.task) });
    yield;
  }
  return yield* ganttSteps({ jobs: named }, { units, title, ...(most !== undefined && { jobs: most }) });
}
