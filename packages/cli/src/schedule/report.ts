/**
 * report.json of `schedule`: a report of @dechirp/realtime with its input file and the times of the run. Plain data, version 1; no
 * command reads it back. Times are in microseconds.
 */

import type { Clock, Timing } from "@dechirp/processor/clock";
import type * as reports from "@dechirp/realtime/reports";

/** Value of the field `format` in a schedule report. */
export const scheduleFormat = "dechirp-schedule";
/** Value of its field `version`. */
export const scheduleVersion = 1;

/** What the command adds to a report. */
interface FiledReport {
  readonly format: typeof scheduleFormat;
  readonly version: typeof scheduleVersion;
  /** The path as it was given, or `stdin`. */
  readonly input: string;
  /** Parts of the run, in order. */
  readonly timings: readonly Timing[];
}

/** The report of `schedule analyse`. */
export type ScheduleAnalysisReport = FiledReport & reports.AnalysisReport;
/** The report of `schedule simulate`. */
export type ScheduleSimulationReport = FiledReport & reports.SimulationReport;
/** The report of `schedule run`. */
export type ScheduleRunReport = FiledReport & reports.RunReport;

/** Adds the input file and the times to a report. */
export function filed<R extends reports.AnalysisReport | reports.SimulationReport | reports.RunReport>(
  report: R,
  input: string,
  clock: Clock,
): FiledReport & R {
  const own: FiledReport = { format: scheduleFormat, version: scheduleVersion, input, timings: [...clock.timings] };
  return { ...own, ...report };
}
