/** `dechirp backproject`: makes an image of a phase history on disk. Every argument is checked before the first file is read. */
import type { BackprojectSettings, Convention, GridSetting } from "@dechirp/processor";
import { createClock } from "@dechirp/processor/clock";
import { checkDevice, createChooser } from "../devices.ts";
import { argumentError, blame, blameMemory, blameSettings } from "../errors.ts";
import { statInput } from "../inputs.ts";
import { type Io, print } from "../io.ts";
import { parseMemorySize } from "../memory-size.ts";
import { type DrawingArguments, drawingOf, neededOut, optional, parseInteger, parseNumber, parseWindowOption } from "../options.ts";
import { checkOutputFolder, type ImageFormat, imageFiles } from "../output.ts";
import { createProgress } from "../progress.ts";

/** The option that gives each setting of the processor. */
const optionOf: Readonly<Record<keyof BackprojectSettings, string>> = {
  convention: "--convention",
  grid: "--grid",
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
export interface BackprojectArguments extends DrawingArguments {
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
  readonly format?: ImageFormat;
  readonly resume?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Runs `dechirp backproject`. */
export async function backprojectCommand(inputs: readonly string[], options: BackprojectArguments, io: Io): Promise<void> {
  const { json, resume = false, format = "npy", dryRun = false } = options;
  const out = dryRun ? options.out : neededOut(options.out);
  const { signal } = io;
  checkDevice(options.device);
  const settings = await backprojectSettings(options);
  const memory = optional("memoryBytes", options.memory, (text) => parseMemorySize("--memory", text));
  const drawing = drawingOf(options);
  if (out !== undefined) await checkOutputFolder(out, imageFiles, inputs);
  for (const input of inputs) await checkInput(input);

  using chooser = await createChooser(options.device);
  using progress = createProgress(io, "backproject");
  const clock = createClock();
  progress.update("reading", 0);
  const [
    { readPhaseHistory },
    { backprojectInWindows, backprojectRecording, frequenciesFor, planBackprojectedImage, planImageWindows, backprojectionWork },
    { writeImageFolder },
    { backprojectPlanText, backprojectText },
  ] = await clock.time("load", () =>
    Promise.all([import("@dechirp/io/node"), import("@dechirp/processor"), import("../output.ts"), import("../summary.ts")]),
  );
  await using history = await clock.time("read", () =>
    blame("file", undefined, () =>
      readPhaseHistory(inputs, {
        signal,
        frequencies: frequenciesFor(settings),
        onProgress: (share) => progress.update("reading", 0.1 * share),
      }),
    ),
  );
  const plan = await blameSettings(optionOf, () => planBackprojectedImage(history, settings, { inputs }));
  const work = backprojectionWork(plan);
  // A device need not hold more than a window.
  const { device, why } = await chooser.choose({ ...work, largestBytes: Math.min(work.largestBytes, largestWindowBytes) });
  const division = await blamed(() => planImageWindows(plan, device, memory));
  if (dryRun || out === undefined) {
    progress[Symbol.dispose]();
    const { backprojections, ...planned } = division;
    print(io, json, { device: device.id, backprojections, ...planned }, () => backprojectPlanText(plan, division, device.id));
    return;
  }
  const hooks = {
    inputs,
    ...(why === undefined ? {} : { whyDevice: why }),
    clock,
    signal,
    onProgress: (what: string, part: number) => progress.update(what, 0.1 + 0.8 * part),
  };
  const whole = async () => {
    const image = await blamed(() => backprojectRecording(plan, device, hooks));
    progress.update("writing", 0.9);
    return writeImageFolder(out, image, clock, signal, drawing);
  };
  const inWindows = async () => {
    const { writeWindows } = await import("../backproject-windows.ts");
    const target = { folder: out, format, resume, drawing, clock, signal };
    return writeWindows(plan, division, inputs, device, target, (sink) =>
      blamed(() => backprojectInWindows(plan, device, sink, { ...hooks, ...memory })),
    );
  };
  const asWhole = division.windows === 1 && !resume && format === "npy";
  const written = await (asWhole ? whole() : inWindows());
  progress[Symbol.dispose]();
  print(io, json, { images: [written] }, () => backprojectText(written.report, out, written.files));
}

/** Bytes of the image of a window that is large enough for any device to be busy. */
const largestWindowBytes = 2 ** 28;

/** Runs `work`. If it throws `input`, throws an error about `--memory`, about the option of a setting, or about the file. */
const blamed = <T>(work: () => Promise<T>): Promise<T> => blameSettings(optionOf, () => blameMemory(work));

/** Parses the options into settings. Throws `argument`. */
export async function backprojectSettings(given: Omit<BackprojectArguments, "out" | "device">): Promise<BackprojectSettings> {
  const window = given.window === undefined ? undefined : await parseWindowOption("--window", given.window);
  const grid = given.grid === undefined ? undefined : await parseGrid("--grid", given.grid);
  return {
    ...(grid ? { grid } : {}),
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

/** Throws `argument` if `input` is empty, and `file` if it does not exist. */
async function checkInput(input: string): Promise<void> {
  if (input === "") throw argumentError("FILE", "a Gotcha file or a folder of them", input);
  await statInput(input, "file or folder");
}
