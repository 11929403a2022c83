/**
 * report.json of `schedule`: a report of @dechirp/realtime with the file it is of and the times it took. Plain data, version 1; nothing
 * reads it back. Times are microseconds.
 */

import type { Clock, Timing } from "@dechirp/processor/clock";
import type * as reports from "@dechirp/realtime/reports";

export const scheduleFormat = "dechirp-schedule";
export const scheduleVersion = 1;

/** What the command adds to a report. */
interface FiledReport {
  readonly format: typeof scheduleFormat;
  readonly version: typeof scheduleVersion;
  /** Path as it was given, or `stdin`. */
  readonly input: string;
  /** Parts of the run in order. */
  readonly timings: readonly Timing[];
}

/** What `dechirp schedule analyse --json` prints. */
export type ScheduleAnalysisReport = FiledReport & reports.AnalysisReport;
/** What `dechirp schedule simulate --json` prints. */
export type ScheduleSimulationReport = FiledReport & reports.SimulationReport;
/** What `dechirp schedule run --json` prints. */
export type ScheduleRunReport = FiledReport & reports.RunReport;

/** A report with what the command knows. */
export function filed<R extends reports.AnalysisReport | reports.SimulationReport | reports.RunReport>(
  report: R,
  input: string,
  clock: Clock,
): FiledReport & R {
  const own: FiledReport = { format: scheduleFormat, version: scheduleVersion, input, timings: [...clock.timings] };
  return { ...own, ...report };
}
