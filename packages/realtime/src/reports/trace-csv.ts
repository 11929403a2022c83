/** Traces of jobs as CSV. */
import type { JobRecord } from "../executors/executor.ts";

/** Jobs that are converted to text at once. */
const chunk = 4096;

/**
 * Makes trace.csv with the columns `task,job,requested,granted,finished,units`. Times are in microseconds; units are numbers separated
 * by spaces.
 */
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

/** Quotes a field as in RFC 4180. */
const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
