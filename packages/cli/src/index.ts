/** The `dechirp` command as a library: the whole command line in this process, and the piece that focuses a scene. */

export { exitCodes, signalCodes } from "./errors.ts";
export { type FocusedScene, type FocusHooks, type FocusOptions, focusScene } from "./focus-scene.ts";
export type { Io, TextStream } from "./io.ts";
export type { AxisMeasures, AxisTheory, Report, TargetMeasures, TargetReport, Used } from "./report.ts";
export { run } from "./run.ts";
