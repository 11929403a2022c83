/**
 * `dechirp stap`: detects targets in one coherent processing interval of array data on disk. Every argument is checked before the first
 * file is read.
 */
import { extname } from "node:path";
import { isRadarError } from "@dechirp/core";
import type { ArrayAxes, PerfectSet } from "@dechirp/io";
import type { AzimuthScan, StapPresetName, StapSettings, StapTarget } from "@dechirp/processor";
import { createClock } from "@dechirp/processor/clock";
import type { Chirp, ElementSpacing, RangeAxis } from "@dechirp/radar";
import { checkDevice, createChooser, openDevice } from "../devices.ts";
import { argumentError, blame, blameSettings, CommandError } from "../errors.ts";
import { statInput } from "../inputs.ts";
import { type Io, print } from "../io.ts";
import { neededOut, optional, parseInteger, parseNumber, parsePositive, parseWindowOption } from "../options.ts";
import { checkOutputFolder, stapFiles } from "../output.ts";
import { createProgress } from "../progress.ts";

/** The options as commander passes them. */
export interface StapArguments {
  readonly out?: string;
  readonly device: string;
  readonly preset?: string;
  readonly axes?: string;
  readonly set?: PerfectSet;
  readonly cpi?: string;
  readonly withoutChannels?: string;
  readonly prf?: string;
  readonly carrier?: string;
  readonly spacing?: string;
  readonly broadside?: string;
  readonly chirp?: string;
  readonly ranges?: string;
  readonly steering?: string;
  readonly azimuth?: string;
  readonly dopplerBins?: string;
  readonly tdof?: string;
  readonly window?: string;
  readonly centred?: boolean;
  readonly training?: NonNullable<StapSettings["training"]>;
  readonly block?: string;
  readonly cells?: string;
  readonly guard?: string;
  readonly loading?: string;
  readonly solver?: NonNullable<StapSettings["solver"]>;
  readonly output?: NonNullable<StapSettings["output"]>;
  readonly maxOverSteering?: boolean;
  readonly pfa?: string;
  readonly cfar?: NonNullable<StapSettings["cfar"]>;
  readonly cfarCells?: string;
  readonly cfarGuard?: string;
  readonly target?: string;
  readonly json?: boolean;
}

/** The option that gives each setting of the processor. */
const optionOf: Readonly<Record<keyof StapSettings, string>> = {
  preset: "--preset",
  withoutChannels: "--without-channels",
  prfHz: "--prf",
  carrierHz: "--carrier",
  spacing: "--spacing",
  broadsideDegrees: "--broadside",
  chirp: "--chirp",
  rangeAxis: "--ranges",
  azimuth: "--azimuth",
  steering: "--steering",
  dopplerBins: "--doppler-bins",
  temporalTaps: "--tdof",
  window: "--window",
  centred: "--centred",
  training: "--training",
  blockRanges: "--block",
  cells: "--cells",
  guard: "--guard",
  loading: "--loading",
  solver: "--solver",
  output: "--output",
  maxOverSteering: "--max-over-steering",
  falseAlarm: "--pfa",
  cfar: "--cfar",
  cfarCells: "--cfar-cells",
  cfarGuard: "--cfar-guard",
  target: "--target",
};

/** Options that apply to reading the files. */
export interface StapReading {
  /** Order of the axes if the file does not state it, outermost first. With several CPIs it includes `cpi`. */
  readonly axes?: ArrayAxes;
  readonly set?: PerfectSet;
  /** Which coherent processing interval to read, counted from 1. */
  readonly cpi?: number;
  readonly steeringFile?: string;
}

/** Runs `dechirp stap`. */
export async function stapCommand(input: string, options: StapArguments, io: Io): Promise<void> {
  const { json } = options;
  const out = neededOut(options.out);
  const { signal } = io;
  checkDevice(options.device);
  const reading = stapReading(options);
  const given = await stapSettings(options);
  const { steeringFile } = reading;
  const inputs = [input, ...(steeringFile === undefined ? [] : [steeringFile])];
  await checkOutputFolder(out, stapFiles, inputs);
  await checkThere("INPUT", input);
  if (steeringFile !== undefined) await checkThere("--steering", steeringFile);

  using chooser = await createChooser(options.device);
  using progress = createProgress(io, "stap");
  const clock = createClock();
  progress.update("reading", 0);
  const [{ readStapInput, readSteering }, { planStap, processStap, stapWork }, { writeStapFolder }, { stapText }] = await clock.time(
    "load",
    () =>
      Promise.all([import("../stap/input.ts"), import("@dechirp/processor"), import("../stap/output.ts"), import("../stap/summary.ts")]),
  );
  const { axes, set, cpi } = reading;
  const [read, steering] = await clock.time("read", () =>
    blame(
      "file",
      undefined,
      async () =>
        [
          await readStapInput(input, {
            signal,
            onProgress: (share) => progress.update("reading", 0.05 * share),
            ...(axes ? { axes } : {}),
            ...(set ? { set } : {}),
            ...(cpi === undefined ? {} : { cpi }),
          }),
          steeringFile === undefined ? undefined : await readSteering(steeringFile, signal),
        ] as const,
    ),
  );
  const recording = { ...read, ...(axes ? { axesOpen: false } : { axesHint: "use --axes to state another order" }) };
  const settings = { ...given, ...(steering ? { steering } : {}) };
  const blamed = <T>(work: () => Promise<T>): Promise<T> => blameSettings(optionOf, () => blameVectors(steeringFile, work));
  const plan = await clock.time("prepare", () =>
    blamed(() => planStap(recording, settings, { inputs, signal, onProgress: (what, part) => progress.update(what, 0.05 + 0.05 * part) })),
  );
  const { device, why } = await chooser.choose(stapWork(plan));
  const result = await blamed(() =>
    processStap(plan, device, {
      inputs,
      ...(why === undefined ? {} : { whyDevice: why }),
      clock,
      signal,
      onProgress: (what, part) => progress.update(what, 0.1 + 0.8 * part),
      openFloat64: () => openDevice("cpu"),
    }),
  );
  progress.update("writing", 0.9);
  const written = await writeStapFolder(out, plan, result, clock, signal);
  progress[Symbol.dispose]();
  print(io, json, { results: [written] }, () => stapText(written));
}

/** Runs `work`. Errors about steering vectors become errors about the file that they were read from. */
async function blameVectors<T>(file: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (file === undefined || !isRadarError(error, "input") || error.fields["field"] !== "settings.steering.data") throw error;
    const { problem, ...fields } = error.fields;
    throw new CommandError("file", `--steering ${file}: ${problem}`, { ...fields, file }, error);
  }
}

const maxLoading = 1e6;
/** Limit on metres and hertz. No radar parameter is larger. */
const largest = 1e15;

/** Parses the options for reading. Throws `argument`. */
export function stapReading(given: Pick<StapArguments, "axes" | "set" | "cpi" | "steering">): StapReading {
  return {
    ...optional("axes", given.axes, parseAxes),
    ...(given.set ? { set: given.set } : {}),
    ...optional("cpi", given.cpi, (text) => parseInteger("--cpi", text, 1, 2 ** 24)),
    ...optional("steeringFile", given.steering, parseNpyName),
  };
}

/** Parses the options into settings. Throws `argument`. */
export async function stapSettings(given: Omit<StapArguments, "out" | "device">): Promise<StapSettings> {
  const preset = given.preset === undefined ? undefined : await parsePreset(given.preset);
  const window = given.window === undefined ? undefined : await parseWindowOption("--window", given.window, { none: true });
  const integer = (option: string, low: number, high: number) => (text: string) => parseInteger(option, text, low, high);
  return {
    ...(preset ? { preset } : {}),
    ...optional("withoutChannels", given.withoutChannels, parseChannels),
    ...optional("prfHz", given.prf, (text) => parsePositive("--prf", text)),
    ...optional("carrierHz", given.carrier, (text) => parsePositive("--carrier", text)),
    ...optional("spacing", given.spacing, parseSpacing),
    ...optional("broadsideDegrees", given.broadside, (text) => parseDegrees("--broadside", text)),
    ...optional("chirp", given.chirp, parseChirp),
    ...optional("rangeAxis", given.ranges, parseRanges),
    ...optional("azimuth", given.azimuth, parseAzimuth),
    ...optional("dopplerBins", given.dopplerBins, integer("--doppler-bins", 1, 65536)),
    ...optional("temporalTaps", given.tdof, integer("--tdof", 1, 1024)),
    ...(window ? { window } : {}),
    ...(given.centred ? { centred: true } : {}),
    ...(given.training ? { training: given.training } : {}),
    ...optional("blockRanges", given.block, integer("--block", 1, 2 ** 24)),
    ...optional("cells", given.cells, integer("--cells", 1, 2 ** 24)),
    ...optional("guard", given.guard, integer("--guard", 0, 2 ** 24)),
    ...optional("loading", given.loading, (text) =>
      parseNumber("--loading", text, `a number from 0 to ${maxLoading}`, (share) => share >= 0 && share <= maxLoading),
    ),
    ...(given.solver ? { solver: given.solver } : {}),
    ...(given.output ? { output: given.output } : {}),
    ...(given.maxOverSteering ? { maxOverSteering: true } : {}),
    ...optional("falseAlarm", given.pfa, (text) => parseNumber("--pfa", text, "from 1e-15 to 0.5", (pfa) => pfa >= 1e-15 && pfa <= 0.5)),
    ...(given.cfar ? { cfar: given.cfar } : {}),
    ...optional("cfarCells", given.cfarCells, integer("--cfar-cells", 1, 65536)),
    ...optional("cfarGuard", given.cfarGuard, integer("--cfar-guard", 0, 65536)),
    ...optional("target", given.target, parseTarget),
  };
}

const axisNames = ["channel", "pulse", "range", "cpi"] as const;

async function parsePreset(text: string): Promise<StapPresetName> {
  const { stapPresets } = await import("@dechirp/processor");
  const names = Object.keys(stapPresets) as StapPresetName[];
  const preset = names.find((name) => name === text);
  if (preset === undefined) throw argumentError("--preset", `one of ${names.join(", ")}`, text);
  return preset;
}

function parseAxes(text: string): ArrayAxes {
  const axes = text.split(",").map((part) => axisNames.find((name) => name === part.trim()));
  const named = axes.filter((axis) => axis !== undefined);
  const complete = axisNames.slice(0, 3).every((axis) => named.includes(axis)) && new Set(named).size === axes.length;
  if (!complete)
    throw argumentError(
      "--axes",
      "channel, pulse and range, and cpi if there are several CPIs, separated by commas, outermost first",
      text,
    );
  return named;
}

/** Parses numbers and ranges of numbers: 9 or 3,9-11. */
function parseChannels(text: string): readonly number[] {
  const expected = "channel numbers from 0, as in 9 or 3,9-11";
  const listed = text.split(",").flatMap((part) => {
    const [, first, last = first] = /^\s*(\d{1,4})(?:-(\d{1,4}))?\s*$/.exec(part) ?? [];
    if (first === undefined || Number(last) < Number(first)) throw argumentError("--without-channels", expected, text);
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, i) => Number(first) + i);
  });
  return [...new Set(listed)].sort((a, b) => a - b);
}

function parseSpacing(text: string): ElementSpacing {
  const [, number, unit] = /^(.*?)(m?)$/.exec(text) as RegExpExecArray;
  const expected = "a positive number of wavelengths, or of metres with the suffix m";
  const value = parseNumber("--spacing", number, expected, (spacing) => spacing > 0 && spacing < largest);
  return { value, unit: unit === "m" ? "m" : "wavelengths" };
}

const parseDegrees = (option: string, text: string): number =>
  parseNumber(option, text, "a number of degrees from -360 to 360", (degrees) => Math.abs(degrees) <= 360);

/** Parses numbers separated by commas: as many as `names`, or at least `least`. */
function parseList(option: string, text: string, names: readonly string[], least = names.length): readonly number[] {
  const parts = text.split(",");
  if (parts.length < least || parts.length > names.length) throw argumentError(option, `numbers ${names.join(",")}`, text);
  return parts.map((part, i) => parseNumber(`${option} ${names[i]}`, part, "a number", (value) => Math.abs(value) <= largest));
}

function parseChirp(text: string): Chirp | "none" {
  if (text === "none") return text;
  const [bandwidthHz, pulseSeconds, samplingRateHz] = parseList("--chirp", text, ["BANDWIDTH_HZ", "PULSE_S", "SAMPLING_HZ"]);
  const samples = pulseSeconds * samplingRateHz;
  if (!(pulseSeconds > 0 && samplingRateHz > 0 && samples >= 0.5 && samples <= 2 ** 24))
    throw argumentError("--chirp", "a pulse and a sampling rate that give 1 to 2^24 samples", text);
  return { bandwidthHz, pulseSeconds, samplingRateHz };
}

function parseRanges(text: string): RangeAxis {
  const [startMeters, stepMeters] = parseList("--ranges", text, ["FIRST_M", "STEP_M"]);
  if (!(stepMeters > 0)) throw argumentError("--ranges STEP_M", "a positive number", stepMeters);
  return { startMeters, stepMeters };
}

function parseNpyName(text: string): string {
  if (extname(text).toLowerCase() !== ".npy") throw argumentError("--steering", "a .npy file, complex [vector][element]", text);
  return text;
}

function parseAzimuth(text: string): AzimuthScan {
  const parts = text.split(":");
  if (parts.length !== 1 && parts.length !== 3) throw argumentError("--azimuth", "one azimuth or FROM:TO:STEP, in degrees", text);
  const [from, to = from] = parts.slice(0, 2).map((part) => parseDegrees("--azimuth", part));
  const step = parts.length === 1 ? 1 : parsePositive("--azimuth STEP", parts[2]);
  if (to < from) throw argumentError("--azimuth TO", `at least FROM, ${from}`, to);
  if ((to - from) / step >= 4096) throw argumentError("--azimuth", "of at most 4096 azimuths", text);
  return { from, to, step };
}

function parseTarget(text: string): StapTarget {
  const [range, doppler, azimuthDegrees] = parseList("--target", text, ["RANGE_BIN", "DOPPLER", "AZIMUTH"], 2);
  return { range, doppler, ...(azimuthDegrees === undefined ? {} : { azimuthDegrees }) };
}

/** Throws `argument` if `path` is empty, and `file` if it does not exist. */
async function checkThere(what: string, path: string): Promise<void> {
  if (path === "") throw argumentError(what, "a folder of the PERFECT suite, a .mat or a .npy file", path);
  await statInput(path, "file or folder", what.startsWith("--") ? what : undefined);
}
