/** A trace as files: every job as a line of text, and a picture of who has which unit when. */

import { oneLine } from "@dechirp/core";
import { ganttSvg, type JobRecord, type Simulation } from "@dechirp/realtime";
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

/** The beginning of a simulated trace. */
export function tracePicture({ units, jobs }: Simulation, { settings }: SimulationReport): string {
  const title = `Simulated grants by unit: ${settings.policy}, ${settings.release}, execution ${settings.execution}, seed ${settings.seed}`;
  return grantsPicture(jobs, units, title);
}

/** The beginning of a trace, of so many jobs where `most` is given; names may hold what SVG may not. */
export const grantsPicture = (jobs: readonly JobRecord[], units: number, title: string, most?: number): string =>
  ganttSvg({ jobs: jobs.map((job) => ({ ...job, task: oneLine(job.task) })) }, { units, title, ...(most !== undefined && { jobs: most }) });
