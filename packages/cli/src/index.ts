/** The `dechirp` command as a library: the whole command line in this process. What makes images and detections is `@dechirp/processor`. */

export type { Io, TextStream } from "./io.ts";
export { run } from "./run.ts";
export type { ScheduleAnalysisReport, ScheduleRunReport, ScheduleSimulationReport } from "./schedule/report.ts";
export { exitCodes, signalCodes } from "./status.ts";
