/**
 * `dechirp schedule run`: runs the tasks of a tasks.json on a device. Every argument is checked before the file is read, and the file
 * before a device is opened.
 */
import { availableParallelism } from "node:os";
import { createClock } from "@dechirp/processor/clock";
import type { ExecutorName, RunSettings } from "@dechirp/realtime/reports";
import { isGpu, openDevice, openReference, workerUnits } from "../devices.ts";
import { argumentError, blameOptions } from "../errors.ts";
import { type Io, print } from "../io.ts";
import { optional, parseInteger, parseNumber } from "../options.ts";
import { checkOutputFolder, runFiles } from "../output.ts";
import { createProgress } from "../progress.ts";
import { filed } from "../schedule/report.ts";
import { exitCodes } from "../status.ts";
import { mostJobs, parseRho, type ScheduleArguments, settingOptions, texts, writeReport } from "./schedule.ts";

/** The options as commander passes them. */
export interface RunTasksArguments extends ScheduleArguments {
  readonly device: string;
  readonly executor?: ExecutorName;
  readonly workers?: string;
  readonly slots?: string;
  readonly jobs: string;
  readonly runs: string;
  readonly margin: string;
}

const mostWorkers = 64;
const mostSlots = 4096;
const mostRuns = 100_000;
const mostMargin = 1000;

/** Runs `dechirp schedule run` and resolves with the exit status. */
export async function runTasksCommand(file: string, options: RunTasksArguments, io: Io): Promise<number> {
  const { out, json } = options;
  const { settings, units } = runSettings(options);
  if (out !== undefined) await checkOutputFolder(out, runFiles, [file]);
  using progress = createProgress(io, "run");
  const clock = createClock();
  progress.update("reading", 0);
  const { readRunTasks } = await import("../schedule/input.ts");
  const { file: name, tasks } = await clock.time("read", () => readRunTasks(file, settings.executor === "slots", io));
  const [{ runTasks, traceCsv }, { isSound, runMarkdown, runText }, { runPictures }] = await Promise.all([
    import("@dechirp/realtime/reports"),
    import("../schedule/run-tables.ts"),
    import("../schedule/run-pictures.ts"),
  ]);
  using device = await clock.time("open device", () => openDevice(options.device, units));
  using reference = await openReference();
  const { report: made, trace } = await blameOptions(settingOptions, name, () =>
    runTasks(device, tasks, settings, {
      reference,
      cores: availableParallelism(),
      signal: io.signal,
      onPart: clock.note,
      onProgress: (what, share) => progress.update(what, share),
    }),
  );
  const report = filed(made, name, clock);
  const { written, where } = await writeReport(out, report, clock, io.signal, async () => {
    const pictures = await runPictures(report, trace, io.signal);
    const files = Object.entries(pictures).map(([name, svg]) => [`${name}.svg`, svg] as const);
    return {
      "trace.csv": traceCsv(trace),
      ...texts({ ...Object.fromEntries(files), "report.md": runMarkdown(report, Object.keys(pictures)) }),
    };
  });
  progress[Symbol.dispose]();
  print(io, json, written, () => `${runText(written)}${where}`);
  return isSound(written) ? exitCodes.ok : exitCodes.internal;
}

/** Parses the options. Throws `argument`, also for options that do not apply to the device or the executor. */
function runSettings(given: RunTasksArguments): { readonly settings: RunSettings; readonly units: number | undefined } {
  const { device, executor = isGpu(device) ? "chunks" : "pool" } = given;
  if (executor === "pool" && isGpu(device)) throw argumentError("--executor", "chunks or slots on a gpu, which has no workers", executor);
  const only = (option: string, value: string | undefined, used: boolean, where: string): void => {
    if (value !== undefined && !used) throw argumentError(option, `left out ${where}`, value);
  };
  only("--workers", given.workers, device === "cpu", "on a gpu");
  only("--slots", given.slots, executor === "slots", `for ${executor}`);
  only("--rho", given.rho, executor === "pool", `for ${executor}`);
  const rho = parseRho(given.rho);
  const units = given.workers === undefined ? workerUnits() : parseInteger("--workers", given.workers, 1, mostWorkers);
  return {
    settings: {
      executor,
      ...optional("slots", given.slots, (text) => parseInteger("--slots", text, 1, mostSlots)),
      ...(rho !== undefined && { rho }),
      jobs: parseInteger("--jobs", given.jobs, 1, mostJobs),
      runs: parseInteger("--runs", given.runs, 1, mostRuns),
      margin: parseNumber("--margin", given.margin, `a number from 1 to ${mostMargin}`, (value) => value >= 1 && value <= mostMargin),
    },
    units: device === "cpu" ? units : undefined,
  };
}
