/**
 * The `dechirp` command as a library: `run` runs a whole command line in this process. To process recordings without the command line,
 * use `@dechirp/processor`.
 */

export type { Io, TextStream } from "./io.ts";
export { run } from "./run.ts";
export type { ScheduleAnalysisReport, ScheduleRunReport, ScheduleSimulationReport } from "./schedule/report.ts";
export { exitCodes, signalCodes } from "./status.ts";
