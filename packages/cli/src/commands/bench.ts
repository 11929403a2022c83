/**
 * `dechirp bench`: runs a published experiment on this machine, or all of them, and prints its tables beside the published ones. Without a
 * name it lists the experiments.
 */
import { byteLength, layout } from "@dechirp/core";
import type { EfaSection, ExperimentHooks } from "@dechirp/experiments";
import { type Outcome, outcomeFiles, type Part, runAll } from "../bench/all.ts";
import { fftPaper } from "../bench/fft-paper.ts";
import { checkDevice, createChooser, openEvery, openOnlyGpu, whyNoGpu, workerUnits } from "../devices.ts";
import { argumentError, blame, CommandError } from "../errors.ts";
import { type Io, print } from "../io.ts";
import { optional, parseInteger, parseNumber } from "../options.ts";
import { checkOutputFolder, reportFiles } from "../output.ts";
import { createProgress } from "../progress.ts";
import { table } from "../table.ts";
import { reportText } from "../text-tables.ts";

/** The options as commander passes them. */
export interface BenchArguments {
  /** Default: that of the experiment. */
  readonly device?: string;
  readonly size?: string;
  readonly turns?: string;
  readonly sizes?: string;
  readonly pulses?: string;
  readonly seconds?: string;
  readonly full?: boolean;
  readonly quick?: boolean;
  readonly dataSets?: string;
  readonly watts?: string;
  readonly parts?: string;
  readonly exponents?: string;
  readonly tasks?: string;
  readonly jobs?: string;
  readonly runs?: string;
  readonly rho?: string;
  readonly workers?: string;
  readonly submitFile?: string;
  readonly out?: string;
  readonly json?: boolean;
}

/** The options of an experiment, with the device that runs it. */
type Arguments = BenchArguments & { readonly device: string };

/** An experiment of the list. */
interface Experiment {
  readonly title: string;
  /** The options that this experiment accepts. */
  readonly options: readonly (keyof BenchArguments)[];
  /** The device if none is named. Default: cpu. */
  readonly device?: string;
  /** Whether it measures GPUs only. `bench all` leaves it out where there is none. Default: false. */
  readonly gpuOnly?: boolean;
  /** The options with which `bench all --quick` runs it. */
  readonly quickly: Omit<BenchArguments, "device">;
  /** Checks the options and returns the function that runs the experiment. Throws `argument`. */
  prepare(options: Arguments): Promise<(hooks: ExperimentHooks) => Promise<Outcome>>;
}

/** All experiments by name. */
export const experiments: Readonly<Record<string, Experiment>> = {
  "backprojection-paper": {
    title: "backprojection by image tiles and pulse sets: 42,208 pulses of 4096 bins, as published for a Tesla C1060",
    options: ["sizes", "pulses", "seconds", "full"],
    quickly: { sizes: "32", pulses: "16", seconds: "0.01" },
    prepare: backprojectionPaper,
  },
  "efa-paper": {
    title: "space-time adaptive processing by the extended factored algorithm, stage by stage, as published for Fermi and Kepler GPUs",
    options: ["seconds", "quick", "dataSets", "watts", "parts"],
    quickly: { quick: true, seconds: "0.01", dataSets: "2", parts: "stages,products" },
    prepare: efaPaper,
  },
  "fft-paper": {
    title: "transforms of 256 to 16384 points by every kernel, with batches and copies, as published for an Apple M1",
    options: ["seconds", "quick", "sizes", "submitFile"],
    device: "auto",
    quickly: { quick: true, seconds: "0.02" },
    prepare: fftPaper,
  },
  "fused-sar-paper": {
    title: "range-Doppler with fused kernels: five targets, fused and unfused, as published for an Apple M1",
    options: ["size", "turns"],
    quickly: { size: "256", turns: "1" },
    prepare: fusedSarPaper,
  },
  memory: {
    title: "microbenchmarks of a GPU: workgroup and device memory, registers, shuffles, barriers, dispatches, beside an Apple M1",
    options: ["seconds", "quick"],
    device: "gpu",
    gpuOnly: true,
    quickly: { quick: true, seconds: "0.02" },
    prepare: memory,
  },
  "realtime-paper": {
    title: "concurrent transforms with bounded responses under a lock on units, and by best effort, as published for three NVIDIA GPUs",
    options: ["quick", "exponents", "tasks", "jobs", "runs", "rho", "workers"],
    quickly: { quick: true, exponents: "10", tasks: "2", jobs: "10", runs: "20", rho: "1.1" },
    prepare: realtimePaper,
  },
};

const sizeText = /^(\d{1,6})(?:x(\d{1,6}))?$/;

/** Parses `4096` or `1536x2048`, lines by samples. Throws `argument`. */
function parseSize(text: string): { readonly lines: number; readonly samples: number } {
  const [, first, second = first] = sizeText.exec(text) ?? [];
  const [lines, samples] = [Number(first), Number(second)];
  if (!(lines >= 256 && samples >= 256 && lines * samples <= 2 ** 26))
    throw argumentError("--size", "N or LINESxSAMPLES, each at least 256, with at most 2^26 samples in all", text);
  return { lines, samples };
}

/** Parses a list such as `stages,perfect`. Throws `argument`. */
function parseParts(text: string, sections: readonly EfaSection[]): readonly EfaSection[] {
  const parts = text.split(",");
  const known = sections.filter((part) => parts.includes(part));
  if (known.length === 0 || known.length !== new Set(parts).size)
    throw argumentError("--parts", `a list of ${sections.join(",")}, separated by commas`, text);
  return known;
}

/** Parses integers separated by commas. Anything else, and integers of more than six digits, become NaN. */
const integers = (text: string): readonly number[] => text.split(",").map((part) => (/^\d{1,6}$/.test(part) ? Number(part) : Number.NaN));

/** Parses a list such as `512,1024`. Throws `argument`. */
function parseSizes(text: string): readonly number[] {
  const sizes = integers(text);
  if (sizes.length > 8 || !sizes.every((size) => size >= 16 && size <= 8192))
    throw argumentError("--sizes", "up to eight edges from 16 to 8192, separated by commas", text);
  return sizes;
}

/** Parses a positive number of at most `most`, the limit of the experiment. Throws `argument`. */
const parseUpTo = (option: string, text: string, most: number): number =>
  parseNumber(option, text, `a positive number of at most ${most}`, (value) => value > 0 && value <= most);

async function fusedSarPaper({ device: deviceName, size = "4096", turns: turnsText = "5" }: Arguments) {
  const { lines, samples } = parseSize(size);
  const turns = parseInteger("--turns", turnsText, 1, 1000);
  return async (hooks: ExperimentHooks): Promise<Outcome> => {
    const { fusedSarExperiment, fusedSarTables } = await import("@dechirp/experiments");
    using chooser = await createChooser(deviceName);
    const arrayBytes = byteLength(layout("c64", [lines, samples]));
    const { device, why } = await chooser.choose({ kind: "transforms", bytes: arrayBytes, largestBytes: arrayBytes, repeated: true });
    const options = { lines, samples, turns, ...(why === undefined ? {} : { whyDevice: why }) };
    const report = await fusedSarExperiment(device, options, hooks);
    return { report, tables: fusedSarTables(report) };
  };
}

async function backprojectionPaper(given: Arguments) {
  const { device: deviceName, sizes = "512,1024,2048", pulses: pulsesText = "42208", seconds: secondsText = "2", full = false } = given;
  const sides = parseSizes(sizes);
  const pulses = parseInteger("--pulses", pulsesText, 1, 42_208);
  const seconds = parseUpTo("--seconds", secondsText, 3600);
  return async (hooks: ExperimentHooks): Promise<Outcome> => {
    const { backprojectionExperiment, backprojectionPlots, backprojectionTables } = await import("@dechirp/experiments");
    using devices = await openEvery(deviceName);
    const report = await backprojectionExperiment(devices.opened, { sides, pulses, seconds, full }, hooks);
    return { report, tables: backprojectionTables(report), pictures: await backprojectionPlots(report, hooks) };
  };
}

async function efaPaper({
  device: deviceName,
  seconds: secondsText = "2",
  dataSets: dataSetsText,
  watts: wattsText,
  parts,
  quick = false,
}: Arguments) {
  const { efaExperiment, efaPlots, efaSections, efaTables } = await import("@dechirp/experiments");
  const seconds = parseUpTo("--seconds", secondsText, 3600);
  const options = {
    seconds,
    quick,
    ...optional("dataSets", dataSetsText, (text) => parseInteger("--data-sets", text, 1, 32)),
    ...optional("only", parts, (text) => parseParts(text, efaSections)),
    ...optional("watts", wattsText, (text) => parseUpTo("--watts", text, 1e6)),
  };
  return async (hooks: ExperimentHooks): Promise<Outcome> => {
    using devices = await openEvery(deviceName);
    const report = await efaExperiment(devices.opened, options, hooks);
    return { report, tables: efaTables(report), pictures: await efaPlots(report, hooks) };
  };
}

async function memory({ device: deviceName, seconds: secondsText, quick = false }: Arguments) {
  if (deviceName === "cpu") throw argumentError("--device", "gpu for memory, which measures GPUs only", deviceName);
  const options = { quick, ...optional("seconds", secondsText, (text) => parseUpTo("--seconds", text, 60)) };
  return async (hooks: ExperimentHooks): Promise<Outcome> => {
    const { memoryExperiment, memoryPlots, memoryTables } = await import("@dechirp/experiments");
    using device = await openOnlyGpu(deviceName);
    const report = await memoryExperiment(device, options, hooks);
    return { report, tables: memoryTables(report), pictures: await memoryPlots(report, hooks) };
  };
}

/** Parses `10,14` or `10-22`, log₂ of samples. Throws `argument`. */
function parseExponents(text: string): readonly number[] {
  const [, first, last] = /^(\d{1,2})-(\d{1,2})$/.exec(text) ?? [];
  const exponents =
    first === undefined ? integers(text) : Array.from({ length: Number(last) - Number(first) + 1 }, (_, i) => i + Number(first));
  if (exponents.length === 0 || !exponents.every((e) => e >= 4 && e <= 24))
    throw argumentError("--exponents", "integers from 4 to 24 separated by commas, or FIRST-LAST", text);
  return exponents;
}

/** Parses numbers of tasks: `21`, or `1,2,8`. Throws `argument`. */
function parseTasks(text: string): number | readonly number[] {
  const counts = integers(text);
  if (!counts.every((count) => count >= 1 && count <= 64))
    throw argumentError("--tasks", "an integer from 1 to 64, or several separated by commas", text);
  return counts.length === 1 ? counts[0] : counts;
}

async function realtimePaper({ device: deviceName, quick = false, ...given }: Arguments) {
  const units = given.workers === undefined ? workerUnits() : parseInteger("--workers", given.workers, 1, 64);
  const options = {
    quick,
    ...optional("exponents", given.exponents, parseExponents),
    ...optional("tasks", given.tasks, parseTasks),
    ...optional("jobs", given.jobs, (text) => parseInteger("--jobs", text, 1, 10_000)),
    ...optional("runs", given.runs, (text) => parseInteger("--runs", text, 1, 100_000)),
    ...optional("rho", given.rho, (text) => parseNumber("--rho", text, "a number from 1 to 1000000", (rho) => rho >= 1 && rho <= 1e6)),
  };
  return async (hooks: ExperimentHooks): Promise<Outcome> => {
    const { realtimeExperiment, realtimePlots, realtimeTables } = await import("@dechirp/experiments");
    using devices = await openEvery(deviceName, units);
    const report = await realtimeExperiment(devices.opened, options, hooks);
    return { report, tables: realtimeTables(report), pictures: await realtimePlots(report, hooks) };
  };
}

const optionTexts = {
  size: "--size",
  turns: "--turns",
  sizes: "--sizes",
  pulses: "--pulses",
  seconds: "--seconds",
  full: "--full",
  quick: "--quick",
  dataSets: "--data-sets",
  watts: "--watts",
  parts: "--parts",
  exponents: "--exponents",
  tasks: "--tasks",
  jobs: "--jobs",
  runs: "--runs",
  rho: "--rho",
  workers: "--workers",
  submitFile: "--submit-file",
} as const;

/** The name that stands for all experiments, and the options that it accepts. */
const everything = "all";
const names = (): string => [...Object.keys(experiments), everything].join(", ");
const optionsOfAll: readonly (keyof BenchArguments)[] = ["quick", "seconds"];

/** Prepares every experiment with the options that it accepts. Throws `argument`. */
async function allParts({ quick = false, seconds, device = "auto" }: BenchArguments): Promise<readonly Part[]> {
  const parts: Part[] = [];
  for (const [name, { options, quickly, prepare, gpuOnly = false }] of Object.entries(experiments)) {
    const why = gpuOnly ? await whyNoGpu(device) : undefined;
    const own = { ...(quick && quickly), ...(seconds !== undefined && options.includes("seconds") && { seconds }) };
    // Options are checked even if the experiment is left out, so that all machines accept the same.
    const run = await prepare({ ...own, device: gpuOnly ? "gpu" : device }).catch((error: unknown) => {
      if (!(error instanceof CommandError)) throw error;
      throw new CommandError(error.kind, `${error.message} (${name})`, error.fields, error);
    });
    parts.push(why === undefined ? { name, run } : { name, why });
  }
  return parts;
}

/** Throws `argument` if an option was given without an experiment that could use it. */
function checkNoOptions({ json: _, ...options }: BenchArguments): void {
  for (const [key, value] of Object.entries(options)) {
    const option = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value !== undefined)
      throw new CommandError("argument", `${option} needs the name of an experiment: ${names()}`, { option, actual: value });
  }
}

/** Throws `argument` if an option was given that `name` does not accept. */
function checkOptions(name: string, options: BenchArguments, accepted: readonly (keyof BenchArguments)[]): void {
  for (const [key, option] of Object.entries(optionTexts) as [keyof typeof optionTexts, string][]) {
    const value = options[key];
    if (value !== undefined && !accepted.includes(key)) throw argumentError(option, `left out for ${name}`, value);
  }
}

/** Runs `dechirp bench`. */
export async function benchCommand(name: string | undefined, options: BenchArguments, io: Io): Promise<void> {
  const { out, json } = options;
  if (name === undefined) {
    checkNoOptions(options);
    const list = Object.entries(experiments).map(([key, { title }]) => ({ name: key, title }));
    print(io, json, { experiments: list }, () =>
      table(
        list.map(({ name: key, title }) => [key, title]),
        [0, 1],
      ),
    );
    return;
  }
  if (name !== everything && !Object.hasOwn(experiments, name)) throw argumentError("NAME", `one of ${names()}`, name);
  if (name === everything) {
    checkOptions(name, options, optionsOfAll);
    checkDevice(options.device ?? "auto");
    const parts = await allParts(options);
    if (out !== undefined) await checkOutputFolder(out, reportFiles);
    const failed = Object.keys(await runAll(parts, io, { ...(out !== undefined && { out }), ...(json && { json }) }));
    if (failed.length > 0) throw new CommandError("internal", `${failed.join(", ")} failed; the others are complete`, { failed });
    return;
  }
  const { options: own, device: usual = "cpu", prepare } = experiments[name];
  checkOptions(name, options, own);
  const device = options.device ?? usual;
  checkDevice(device);
  const experiment = await prepare({ ...options, device });
  if (out !== undefined) await checkOutputFolder(out, reportFiles);
  const { signal } = io;
  using progress = createProgress(io, "bench");
  // Experiments read no files, so an `input` error is about an option.
  const outcome = await blame("argument", undefined, () =>
    experiment({ signal, onProgress: (what, share) => progress.update(what, share) }),
  );
  const { report, tables } = outcome;
  const files = outcomeFiles(outcome);
  if (out !== undefined) {
    const { writeFolderAtomically } = await import("@dechirp/io/node");
    await blame("write", undefined, () => writeFolderAtomically(out, files, { signal }));
  }
  const further = (await outcome.write?.(signal)) ?? [];
  progress[Symbol.dispose]();
  const where = [...(out === undefined ? [] : [`${out}: ${Object.keys(files).join(", ")}`]), ...further];
  print(io, json, report, () => `${reportText(tables)}${where.length > 0 ? `\n\nwritten: ${where.join("; ")}` : ""}`);
}
