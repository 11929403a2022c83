/** `dechirp backproject`: makes images of the phase histories in files. Every argument is checked before the first file is read. */
import { join } from "node:path";
import { isRadarError } from "@dechirp/core";
import type { RecordedPhaseHistory } from "@dechirp/io";
import type {
  BackprojectedImagePlan,
  BackprojectReport,
  BackprojectSettings,
  Convention,
  GridSetting,
  MapSetting,
  WindowedImagePlan,
} from "@dechirp/processor";
import { type Clock, createClock } from "@dechirp/processor/clock";
import { type Chooser, checkDevice, createChooser } from "../devices.ts";
import { argumentError, blame, blameMemory, blameSettings, optionFault } from "../errors.ts";
import { distinctNames } from "../folder-names.ts";
import { checkTiffOptions, type ImageOutput, isPlain, type OutputArguments, outputOf, parseEpsg } from "../image-output.ts";
import { statInput } from "../inputs.ts";
import { type Io, print } from "../io.ts";
import { parseMemorySize } from "../memory-size.ts";
import { type DrawingArguments, drawingOf, neededOut, optional, parseInteger, parseNumber, parseWindowOption } from "../options.ts";
import { checkOutputFolder, imageFilesOf, prepareDrawing, type Written } from "../output.ts";
import { createProgress } from "../progress.ts";
import type { Drawing } from "../quicklook.ts";

/** The option that gives each setting of the processor. */
export const backprojectOptionOf: Readonly<Record<keyof BackprojectSettings, string>> = {
  convention: "--convention",
  grid: "--grid",
  map: "--map",
  heightMeters: "--height",
  autofocus: "--no-autofocus",
  mode: "--mode",
  interpolation: "--interpolation",
  bins: "--bins",
  window: "--window",
  carrier: "--carrier",
  scale: "--scale",
  scheme: "--scheme",
  tile: "--tile",
  sets: "--sets",
};

/** The options as commander passes them. */
export interface BackprojectArguments extends DrawingArguments, OutputArguments {
  readonly out?: string;
  readonly device: string;
  readonly grid?: string;
  readonly height?: string;
  /** False if --no-autofocus is given. */
  readonly autofocus?: boolean;
  readonly convention?: Convention;
  readonly mode?: NonNullable<BackprojectSettings["mode"]>;
  readonly interpolation?: string;
  readonly bins?: string;
  readonly window?: string;
  readonly carrier?: NonNullable<BackprojectSettings["carrier"]>;
  readonly scale?: NonNullable<BackprojectSettings["scale"]>;
  readonly scheme?: NonNullable<BackprojectSettings["scheme"]>;
  readonly tile?: string;
  readonly sets?: string;
  readonly memory?: string;
  readonly map?: string;
  readonly channel?: string;
  readonly resume?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Runs `dechirp backproject`. */
export async function backprojectCommand(inputs: readonly string[], options: BackprojectArguments, io: Io): Promise<void> {
  const { json, resume = false, dryRun = false, channel } = options;
  const out = dryRun ? options.out : neededOut(options.out);
  const { signal } = io;
  checkDevice(options.device);
  const settings = await backprojectSettings(options);
  const output = outputOf(options);
  checkTiffOptions(output, settings.map !== undefined);
  const memory = optional("memoryBytes", options.memory, (text) => parseMemorySize("--memory", text));
  const drawing = drawingOf(options);
  if (out !== undefined) await checkOutputFolder(out, imageFilesOf(output), inputs);
  for (const input of inputs) await checkInput(input);

  using chooser = await createChooser(options.device);
  if (out !== undefined) prepareDrawing(drawing, output, resume, options.memory);
  using progress = createProgress(io, "backproject");
  const clock = createClock();
  progress.update("reading", 0);
  const [{ readPhaseHistory }, { frequenciesFor }, { backprojectPlanText, backprojectText }] = await clock.time("load", () =>
    Promise.all([import("@dechirp/io/node"), import("@dechirp/processor"), import("../summary.ts")]),
  );
  const read = (which: string | undefined, on: Clock, share: (part: number) => void) =>
    on.time("read", () =>
      blameChannel(() =>
        readPhaseHistory(inputs, {
          signal,
          frequencies: frequenciesFor(settings),
          ...(which !== undefined && { channel: which }),
          onProgress: share,
        }),
      ),
    );
  const given = { inputs, settings, output, resume, memory, drawing, chooser, signal };
  const images: (Written<BackprojectReport> & { readonly folder: string })[] = [];
  const plans: ImagePlan[] = [];
  let channels: readonly (string | undefined)[] = [channel];
  let folders: readonly string[] = [];
  for (let i = 0; i < channels.length; i++) {
    const own = i === 0 ? clock : createClock();
    const show = (what: string, part: number): void =>
      progress.update(channels.length === 1 ? what : `channel ${channels[i]}: ${what}`, (i + part) / channels.length);
    await using history = await read(channels[i], own, (share) => show("reading", 0.1 * share));
    // All channels are processed, unless one is asked for. The first one is open already.
    if (i === 0 && channel === undefined && (history.channels?.length ?? 0) > 1) {
      channels = history.channels ?? channels;
      folders = distinctNames(channels.map((name) => name ?? ""));
      for (const folder of folders) if (out !== undefined) await checkOutputFolder(join(out, folder), imageFilesOf(output), inputs);
    }
    const folder = out === undefined ? undefined : channels.length === 1 ? out : join(out, folders[i]);
    const made = await imageOf(history, dryRun ? undefined : folder, { ...given, clock: own, onProgress: show });
    if ("report" in made) images.push(made);
    else plans.push(made);
  }
  progress[Symbol.dispose]();
  if (dryRun) {
    // One channel gives its plan, several a list.
    const data = plans.map(({ device, division: { backprojections, ...planned } }) => ({ device, backprojections, ...planned }));
    const text = (): string => plans.map(({ plan, division, device }) => backprojectPlanText(plan, division, device)).join("\n\n");
    return print(io, json, data.length === 1 ? data[0] : { plans: data }, text);
  }
  print(io, json, { images }, () => images.map(({ report, folder, files }) => backprojectText(report, folder, files)).join("\n\n"));
}

/** What all images of a run have in common, and where the progress of one is told. */
interface ImageJob {
  readonly inputs: readonly string[];
  readonly settings: BackprojectSettings;
  readonly output: ImageOutput;
  readonly resume: boolean;
  readonly memory: { readonly memoryBytes?: number };
  readonly drawing: Drawing;
  readonly chooser: Chooser;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onProgress: (what: string, part: number) => void;
}

/** What a dry run prints. */
interface ImagePlan {
  readonly plan: BackprojectedImagePlan;
  readonly division: WindowedImagePlan;
  readonly device: string;
}

/** Makes the image of a phase history and writes it into `folder`, or only plans it if there is none. */
async function imageOf(
  history: RecordedPhaseHistory,
  folder: string | undefined,
  { inputs, settings, output, resume, memory, drawing, chooser, clock, signal, onProgress }: ImageJob,
): Promise<Written<BackprojectReport> | ImagePlan> {
  const [
    { backprojectInWindows, backprojectRecording, backprojectionWork, planBackprojectedImage, planImageWindows },
    { writeImageFolder },
    { checkOutput },
  ] = await Promise.all([import("@dechirp/processor"), import("../output.ts"), import("../image-sinks.ts")]);
  const plan = await blameSettings(backprojectOptionOf, () => planBackprojectedImage(history, settings, { inputs }));
  checkOutput(plan.description, output);
  const work = backprojectionWork(plan);
  // A device need not hold more than a window.
  const { device, why } = await chooser.choose({ ...work, largestBytes: Math.min(work.largestBytes, largestWindowBytes) });
  const division = await blamed(() => planImageWindows(plan, device, memory));
  if (folder === undefined) return { plan, division, device: device.id };
  const hooks = {
    inputs,
    ...(why === undefined ? {} : { whyDevice: why }),
    clock,
    signal,
    onProgress: (what: string, part: number) => onProgress(what, 0.1 + 0.8 * part),
  };
  if (division.windows === 1 && !resume && isPlain(output)) {
    const image = await blamed(() => backprojectRecording(plan, device, hooks));
    onProgress("writing", 0.9);
    return writeImageFolder(folder, image, clock, signal, drawing);
  }
  const { writeWindows } = await import("../backproject-windows.ts");
  const onFinishing = (what: string, share: number): void => onProgress(what, 0.9 + 0.1 * share);
  return writeWindows(plan, division, inputs, device, { folder, output, resume, drawing, clock, onFinishing, signal }, (sink) =>
    blamed(() => backprojectInWindows(plan, device, sink, { ...hooks, ...memory })),
  );
}

/** Runs `work`. If it throws `input` about the channel, throws an error about `--channel`, else about the file. */
const blameChannel = <T>(work: () => Promise<T>): Promise<T> =>
  blame("file", undefined, async () => {
    try {
      return await work();
    } catch (error) {
      throw (isRadarError(error, "input") && optionFault(error, { channel: "--channel" })) || error;
    }
  });

/** Bytes of the image of a window that is large enough for any device to be busy. */
const largestWindowBytes = 2 ** 28;

/** Runs `work`. If it throws `input`, throws an error about `--memory`, about the option of a setting, or about the file. */
const blamed = <T>(work: () => Promise<T>): Promise<T> => blameSettings(backprojectOptionOf, () => blameMemory(work));

/** Parses the options into settings. Throws `argument`. */
export async function backprojectSettings(given: Omit<BackprojectArguments, "out" | "device">): Promise<BackprojectSettings> {
  const window = given.window === undefined ? undefined : await parseWindowOption("--window", given.window);
  const grid = given.grid === undefined ? undefined : await parseGrid("--grid", given.grid);
  const map = given.map === undefined ? undefined : parseMap(given.map, given.epsg);
  if (grid && map) throw argumentError("--map", "left out with --grid", given.map);
  return {
    ...(grid ? { grid } : {}),
    ...(map ? { map } : {}),
    ...optional("heightMeters", given.height, (text) =>
      parseNumber("--height", text, `a height of at most ${farthest} m in magnitude`, (z) => Math.abs(z) <= farthest),
    ),
    ...(given.autofocus === false ? { autofocus: false } : {}),
    ...(given.convention ? { convention: given.convention } : {}),
    ...(given.mode ? { mode: given.mode } : {}),
    ...optional("interpolation", given.interpolation, (text) =>
      text === "linear" || text === "quadratic"
        ? text
        : parseNumber(
            "--interpolation",
            text,
            "quadratic, linear, or an even number of taps from 2 to 32",
            (n) => n >= 2 && n <= 32 && n % 2 === 0,
          ),
    ),
    ...optional("bins", given.bins, (text) =>
      parseNumber("--bins", text, "a power of two from 2 to 1048576", (n) => n >= 2 && n <= 2 ** 20 && Number.isInteger(Math.log2(n))),
    ),
    ...(window ? { window } : {}),
    ...(given.carrier ? { carrier: given.carrier } : {}),
    ...(given.scale ? { scale: given.scale } : {}),
    ...(given.scheme ? { scheme: given.scheme } : {}),
    ...optional("tile", given.tile, (text) =>
      parseNumber("--tile", text, "a multiple of 8 from 8 to 128", (n) => n >= 8 && n <= 128 && n % 8 === 0),
    ),
    ...optional("sets", given.sets, (text) => parseSets(text, given.scheme)),
  };
}

function parseSets(text: string, scheme: BackprojectArguments["scheme"]): number {
  const sets = parseInteger("--sets", text, 1, 1024);
  if (sets > 1 && (scheme === "unpartitioned" || scheme === "tiles")) throw argumentError("--sets", `1 if --scheme is ${scheme}`, sets);
  return sets;
}

/** Limit on coordinates in metres. Scenes of airborne and spaceborne radars are smaller. */
const farthest = 1e9;

/** Parses `x0,y0,dx,dy,nx,ny`. */
async function parseGrid(option: string, text: string): Promise<GridSetting> {
  const { maxImagePixels } = await import("@dechirp/sar");
  const parts = text.split(",");
  if (parts.length !== 6) throw argumentError(option, "six numbers x0,y0,dx,dy,nx,ny", text);
  const [xMeters, yMeters] = parts
    .slice(0, 2)
    .map((part, i) =>
      parseNumber(`${option} ${["x0", "y0"][i]}`, part, `a number of at most ${farthest}`, (value) => Math.abs(value) <= farthest),
    );
  const [xStepMeters, yStepMeters] = parts
    .slice(2, 4)
    .map((part, i) =>
      parseNumber(`${option} ${["dx", "dy"][i]}`, part, `a positive number of at most ${farthest}`, (step) => step > 0 && step <= farthest),
    );
  const [nx, ny] = parts.slice(4).map((part, i) => parseInteger(`${option} ${["nx", "ny"][i]}`, part, 1, 65536));
  if (nx * ny > maxImagePixels) throw argumentError(option, `of at most ${maxImagePixels} pixels`, `${nx} · ${ny}`);
  return { xMeters, yMeters, xStepMeters, yStepMeters, nx, ny };
}

/** Parses `west,south,east,north,step` of a map with an EPSG code. */
function parseMap(text: string, epsg = "4326"): MapSetting {
  const parts = text.split(",");
  if (parts.length !== 5) throw argumentError("--map", "five numbers west,south,east,north,step", text);
  const names = ["west", "south", "east", "north", "step"] as const;
  const [west, south, east, north, step] = parts.map((part, i) =>
    parseNumber(`--map ${names[i]}`, part, `a number of at most ${farthest}`, (value) => Math.abs(value) <= farthest),
  );
  return { epsg: parseEpsg(epsg), west, south, east, north, step };
}

/** Throws `argument` if `input` is empty, and `file` if it does not exist. */
async function checkInput(input: string): Promise<void> {
  if (input === "") throw argumentError("FILE", "a Gotcha file or a folder of them", input);
  await statInput(input, "file or folder");
}
