/**
 * `dechirp schedule analyse` and `dechirp schedule simulate`: bounds and simulations of a tasks.json, and helpers that all `schedule`
 * commands share. Every argument is checked before the file is read.
 */

import { nextTurn } from "@dechirp/core/internal";
import type { FileContent } from "@dechirp/io/node";
import { type Clock, createClock } from "@dechirp/processor/clock";
import type { Policy, SimulationSettings } from "@dechirp/realtime/reports";
import { blameOptions } from "../errors.ts";
import { type Io, print } from "../io.ts";
import { optional, parseInteger, parseNumber } from "../options.ts";
import { analysisFiles, checkOutputFolder, simulationFiles, writeReportFolder } from "../output.ts";
import { createProgress } from "../progress.ts";
import type { TasksInput } from "../schedule/input.ts";
import { filed, type ScheduleAnalysisReport, type ScheduleRunReport, type ScheduleSimulationReport } from "../schedule/report.ts";
import { exitCodes } from "../status.ts";

/** Options of all `schedule` commands, as commander passes them. */
export interface ScheduleArguments {
  readonly rho?: string;
  readonly out?: string;
  readonly json?: boolean;
}

/** The options of `schedule analyse` as commander passes them. */
export interface AnalyseArguments extends ScheduleArguments {
  readonly sweep?: boolean;
  readonly strict?: boolean;
}

/** The options of `schedule simulate` as commander passes them. */
export interface SimulateTasksArguments extends ScheduleArguments {
  readonly seed: string;
  readonly jobs: string;
  readonly policy: Policy;
  readonly release: SimulationSettings["release"];
  readonly execution: SimulationSettings["execution"];
}

/** The most jobs per task. A trace has its own limit on the total. */
export const mostJobs = 1_000_000;

/** Runs `dechirp schedule analyse` and resolves with the exit status. */
export async function analyseCommand(file: string, options: AnalyseArguments, io: Io): Promise<number> {
  const { out, json, strict = false, sweep = false } = options;
  const rho = parseRho(options.rho);
  if (out !== undefined) await checkOutputFolder(out, analysisFiles, [file]);
  using progress = createProgress(io, "analyse");
  const clock = createClock();
  progress.update("reading", 0);
  const input = await clock.time("read", () => readSet(file, rho, io));
  const [{ analyseTasks }, { analysisMarkdown, analysisText }, { analysisPictures }] = await Promise.all([
    import("@dechirp/realtime/reports"),
    import("../schedule/tables.ts"),
    import("../schedule/pictures.ts"),
  ]);
  const made = await blameOptions({}, input.file, () =>
    analyseTasks(input.set, {
      sweep: sweep || out !== undefined,
      signal: io.signal,
      onPart: clock.note,
      onProgress: (what, share) => progress.update(what, share),
    }),
  );
  const report = filed(made, input.file, clock);
  const { written, where } = await writeReport(out, report, clock, io.signal, async () => {
    const pictures = await analysisPictures(input.set, report.sweep ?? [], io.signal);
    const files = Object.entries(pictures).map(([name, svg]) => [`${name}.svg`, svg] as const);
    return texts({ "report.md": analysisMarkdown(report, Object.keys(pictures)), ...Object.fromEntries(files) });
  });
  progress[Symbol.dispose]();
  print(io, json, written, () => `${analysisText(written, sweep)}${where}`);
  return strict && !written.schedulable ? exitCodes.unschedulable : exitCodes.ok;
}

/** Runs `dechirp schedule simulate`. */
export async function simulateTasksCommand(file: string, options: SimulateTasksArguments, io: Io): Promise<void> {
  const { out, json, policy, release, execution } = options;
  const rho = parseRho(options.rho);
  const settings: SimulationSettings = {
    seed: parseInteger("--seed", options.seed, 0, 2 ** 32 - 1),
    jobs: parseInteger("--jobs", options.jobs, 1, mostJobs),
    policy,
    release,
    execution,
  };
  if (out !== undefined) await checkOutputFolder(out, simulationFiles, [file]);
  using progress = createProgress(io, "simulate");
  const clock = createClock();
  progress.update("reading", 0);
  const input = await clock.time("read", () => readSet(file, rho, io));
  const [{ simulateTasks, traceCsv }, { simulationMarkdown, simulationText }, { tracePicture }] = await Promise.all([
    import("@dechirp/realtime/reports"),
    import("../schedule/tables.ts"),
    import("../schedule/trace.ts"),
  ]);
  const { report: made, trace } = await blameOptions(settingOptions, input.file, () =>
    simulateTasks(input.set, settings, {
      signal: io.signal,
      onPart: clock.note,
      onProgress: (what, share) => progress.update(what, 0.1 + 0.7 * share),
    }),
  );
  const report = filed(made, input.file, clock);
  progress.update("writing", 0.8);
  const { written, where } = await writeReport(out, report, clock, io.signal, async () => {
    const gantt = await tracePicture(trace, report, io.signal);
    return { "trace.csv": traceCsv(trace.jobs), ...texts({ "gantt.svg": gantt, "report.md": simulationMarkdown(report, ["gantt"]) }) };
  });
  progress[Symbol.dispose]();
  print(io, json, written, () => `${simulationText(written)}${where}`);
}

/** The option that gives each setting. */
export const settingOptions = {
  executor: "--executor",
  slots: "--slots",
  rho: "--rho",
  runs: "--runs",
  margin: "--margin",
  jobs: "--jobs",
  seed: "--seed",
  policy: "--policy",
  release: "--release",
  execution: "--execution",
} as const;

/** Parses --rho, if given. Throws `argument`. */
export function parseRho(text: string | undefined): number | undefined {
  return optional("rho", text, (given) => parseNumber("--rho", given, "a number from 1 to 1000000", (rho) => rho >= 1 && rho <= 1e6)).rho;
}

async function readSet(file: string, rho: number | undefined, io: Io): Promise<TasksInput> {
  const [{ readTasks }, { withRho }] = await Promise.all([import("../schedule/input.ts"), import("@dechirp/realtime/reports")]);
  const input = await readTasks(file, io);
  return rho === undefined ? input : { ...input, set: withRho(input.set, rho) };
}

/** Encodes texts as UTF-8 files. */
export function texts(files: Readonly<Record<string, string>>): Readonly<Record<string, Uint8Array>> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, new TextEncoder().encode(text)]));
}

/** Writes the report and its files into `out`, if given. Resolves with the report as written, and a line that says where. */
export async function writeReport<R extends ScheduleAnalysisReport | ScheduleSimulationReport | ScheduleRunReport>(
  out: string | undefined,
  report: R,
  clock: Clock,
  signal: AbortSignal,
  files: () => Promise<Readonly<Record<string, FileContent>>>,
): Promise<{ readonly written: R; readonly where: string }> {
  if (out === undefined) return { written: report, where: "" };
  const made = await clock.time("pictures", files);
  await nextTurn(signal, "writing");
  const done = await writeReportFolder(out, made, report, clock, signal);
  return { written: done.report, where: `\n  written: ${out}: ${done.files.join(", ")}` };
}
