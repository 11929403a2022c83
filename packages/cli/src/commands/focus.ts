/** `dechirp focus`: focuses scenes on disk into images on disk. Every argument is checked before the first scene is read. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { FocusedImage, FocusSettings } from "@dechirp/processor";
import { createClock } from "@dechirp/processor/clock";
import type { Question } from "@dechirp/sar";
import { type Chooser, checkDevice, createChooser } from "../devices.ts";
import { argumentError, blame, blameMemory, blameSettings, CommandError } from "../errors.ts";
import { folderNames } from "../folder-names.ts";
import { checkTiffOptions, type ImageOutput, isPlain, type OutputArguments, outputOf } from "../image-output.ts";
import { statInput } from "../inputs.ts";
import { type Io, print, printQuestions, printWarnings } from "../io.ts";
import { parseMemorySize } from "../memory-size.ts";
import {
  type DrawingArguments,
  drawingOf,
  neededOut,
  optional,
  parseHeight,
  parseInteger,
  parseNumber,
  parsePositive,
  parseWindowOption,
} from "../options.ts";
import { checkOutputFolder, imageFilesOf, prepareDrawing, type TakeImage, type Written } from "../output.ts";
import { createProgress, type Progress } from "../progress.ts";
import { type Drawing, drawnOptions } from "../quicklook.ts";
import type { FocusPlanText } from "../summary.ts";

/** The options as commander passes them. */
export interface FocusArguments extends DrawingArguments, OutputArguments {
  readonly out?: string;
  readonly device: string;
  readonly rcmc?: NonNullable<FocusSettings["rcmc"]>;
  readonly src?: "on" | "off";
  readonly window?: string;
  readonly azimuthWindow?: string;
  readonly rangeWindow?: string;
  readonly dopplerCentroid?: string;
  readonly velocity?: string;
  readonly bandwidth?: string;
  readonly agc?: string;
  readonly azimuthLength?: string;
  readonly rows?: "all" | "full";
  readonly memory?: string;
  readonly height?: string;
  readonly resume?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** The option that gives each setting of the processor. */
export const focusOptionOf: Readonly<Record<keyof FocusSettings, string>> = {
  dopplerCentroidHz: "--doppler-centroid",
  velocityMetersPerSecond: "--velocity",
  processedBandwidthHz: "--bandwidth",
  rangeWindow: "--range-window",
  azimuthWindow: "--azimuth-window",
  rcmc: "--rcmc",
  src: "--src",
  azimuthLength: "--azimuth-length",
  rows: "--rows",
};

/** The longest azimuth transform that can be requested. */
const maxAzimuthLength = 2 ** 20;

/** Runs `dechirp focus`. */
export async function focusCommand(inputs: readonly string[], options: FocusArguments, io: Io): Promise<void> {
  const { agc, json, resume = false, dryRun = false } = options;
  const out = dryRun ? (options.out ?? "") : neededOut(options.out);
  checkDevice(options.device);
  const settings = await focusSettings(options);
  const memoryBytes = options.memory === undefined ? undefined : parseMemorySize("--memory", options.memory);
  const output = outputOf(options);
  checkTiffOptions(output);
  const heightMeters = options.height === undefined ? undefined : parseHeight("--height", options.height);
  if (heightMeters !== undefined && !output.formats.includes("cog"))
    throw argumentError("--height", "left out unless --format has cog", options.height);
  if (settings.azimuthLength !== undefined && (memoryBytes !== undefined || resume || !isPlain(output)))
    throw argumentError("--azimuth-length", "left out for images in blocks (--memory, --resume, --format)", options.azimuthLength);
  const drawing = drawingOf(options);
  const folders = inputs.length > 1 ? folderNames(inputs).map((name) => join(out, name)) : [out];
  const files = [...(await Promise.all(inputs.map(filesOf))).flat(), ...(agc === undefined ? [] : [agc])];
  for (const folder of dryRun ? [] : folders) await checkOutputFolder(folder, imageFilesOf(output), files);
  await checkInputs(inputs, agc);

  const opening = createChooser(options.device);
  // Modules are loaded while the device opens. An error shows when they are used.
  modules().catch(() => {});
  using chooser = await opening;
  if (!dryRun) prepareDrawing(drawing, output, resume, options.memory);
  using progress = createProgress(io, "focus");
  const images: Written[] = [];
  const plans: FocusPlanText[] = [];
  const asked: { readonly questions: readonly Question[]; readonly where?: string }[] = [];
  try {
    for (const [i, input] of inputs.entries()) {
      const onProgress = (what: string, part: number): void => progress.update(what, (i + part) / inputs.length);
      const onQuestions = (questions: readonly Question[]): void =>
        void asked.push({ questions, ...(inputs.length > 1 ? { where: input } : {}) });
      const onWarnings = (warnings: readonly string[]): void => {
        progress.clear();
        printWarnings(io, warnings, inputs.length > 1 ? input : undefined);
      };
      const how = { drawing, memoryBytes, output, heightMeters, resume, dryRun, onWarnings, onProgress, onQuestions };
      for (const one of await focusOne(input, folders[i], settings, chooser, agc, io, how)) {
        if ("report" in one) images.push(one);
        else plans.push(one);
      }
    }
  } finally {
    progress[Symbol.dispose]();
    // Questions are printed even if focusing fails, because implausible radar parameters may be the cause.
    for (const { questions, where } of asked) printQuestions(io, questions, where);
  }
  for (const { report, folder } of images) printWarnings(io, report.warnings, images.length > 1 ? folder : undefined);
  const { focusPlanText, focusText } = await import("../summary.ts");
  if (dryRun) return print(io, json, { plans: plans.map(planData) }, () => plans.map(focusPlanText).join("\n\n"));
  print(io, json, { images }, () => images.map(({ report, folder, files }) => focusText(report, folder, files)).join("\n\n"));
}

/** Parses the options into settings. Throws `argument`. */
export async function focusSettings(given: Omit<FocusArguments, "out" | "device">): Promise<FocusSettings> {
  const azimuth =
    given.azimuthWindow === undefined ? (["--window", given.window] as const) : (["--azimuth-window", given.azimuthWindow] as const);
  const range = given.rangeWindow === undefined ? (["--window", given.window] as const) : (["--range-window", given.rangeWindow] as const);
  // Checked even if both other windows override it.
  if (given.window !== undefined) await parseWindowOption("--window", given.window, { continuous: true });
  const window = async ([option, text]: readonly [string, string | undefined]) =>
    text === undefined ? undefined : parseWindowOption(option, text, { continuous: true });
  const [azimuthWindow, rangeWindow] = [await window(azimuth), await window(range)];
  return {
    ...optional("dopplerCentroidHz", given.dopplerCentroid, (text) =>
      text === "auto"
        ? ("auto" as const)
        : parseNumber("--doppler-centroid", text, "a frequency in Hz below 1e9 in magnitude, or auto", (hz) => Math.abs(hz) < 1e9),
    ),
    ...optional("velocityMetersPerSecond", given.velocity, (text) => parsePositive("--velocity", text)),
    ...optional("processedBandwidthHz", given.bandwidth, (text) => parsePositive("--bandwidth", text)),
    ...optional("azimuthLength", given.azimuthLength, (text) => parseInteger("--azimuth-length", text, 1, maxAzimuthLength)),
    ...(azimuthWindow ? { azimuthWindow } : {}),
    ...(rangeWindow ? { rangeWindow } : {}),
    ...(given.rows ? { rows: given.rows } : {}),
    ...(given.rcmc ? { rcmc: given.rcmc } : {}),
    ...(given.src ? { src: given.src } : {}),
  };
}

interface FocusHow {
  readonly drawing: Drawing;
  readonly memoryBytes: number | undefined;
  readonly output: ImageOutput;
  readonly heightMeters: number | undefined;
  readonly resume: boolean;
  readonly dryRun: boolean;
  readonly onWarnings: (warnings: readonly string[]) => void;
  readonly onProgress: Progress["update"];
  readonly onQuestions: (questions: readonly Question[]) => void;
}

/** The plan of a dry run as JSON: how the image is divided, without the list of blocks. */
const planData = (text: FocusPlanText) => {
  if ("wholeBytes" in text) return text;
  const { scene, device, plan, seconds, warnings } = text;
  const { blocks, swaths, ...divided } = plan.plan;
  return {
    scene,
    device,
    image: plan.shape,
    blocks: blocks.length,
    subSwaths: swaths.length,
    ...divided,
    memoryBytes: plan.memoryBytes,
    seconds,
    warnings,
  };
};

/** The modules that focusing needs beside those that are loaded to check arguments. */
const modules = () =>
  Promise.all([
    import("../image-sinks.ts"),
    import("@dechirp/io/node"),
    import("@dechirp/processor"),
    import("../output.ts"),
    import("../focus-blocks.ts"),
  ]);

/**
 * Focuses the recording of an input, or each of its parts of constant PRF, into a folder. An image that does not fit the memory, or has another
 * format than .npy, or is resumed, is made in blocks. In a dry run, returns plans.
 */
async function focusOne(
  input: string,
  folder: string,
  settings: FocusSettings,
  chooser: Chooser,
  agc: string | undefined,
  io: Io,
  { drawing, memoryBytes, output, heightMeters, resume, dryRun, onWarnings, onProgress, onQuestions }: FocusHow,
): Promise<readonly (Written | FocusPlanText)[]> {
  const { signal } = io;
  const clock = createClock();
  onProgress("reading", 0);
  const [
    { checkOutput },
    { readScene },
    { focusBytes, focusRecording, focusWork, planFocus, regularRecordings, timeBlock },
    { writeMadeImage },
    blocks,
  ] = await clock.time("load", modules);
  await using scene = await clock.time("read", () =>
    blame("file", undefined, () =>
      readScene(input, { signal, onProgress: (share) => onProgress("reading", 0.1 * share), ...(agc ? { agcFile: agc } : {}) }),
    ),
  );
  const allowed = memoryBytes ?? blocks.defaultMemoryBytes();
  const recordings = await blame("file", undefined, async () => regularRecordings(scene));
  const files = [input, ...(agc === undefined ? [] : [agc])];
  const made: (Written | FocusPlanText)[] = [];
  for (const [i, recording] of recordings.entries()) {
    const target = recordings.length === 1 ? folder : join(folder, `segment-${i + 1}`);
    const own = i === 0 ? clock : createClock();
    const needed = focusBytes(recording, settings);
    const fits = needed <= allowed;
    const work = focusWork(recording, settings);
    // A device need not hold more than a block.
    const largestBytes = fits ? work.largestBytes : Math.min(work.largestBytes, allowed / 4);
    const { device, why } = await chooser.choose({ ...work, largestBytes });
    // All arrays of a CPU device are in one memory.
    const budget = Math.min(allowed, device.id === "cpu" ? usableShare * device.limits.maxBufferBytes : allowed);
    const whole = settings.azimuthLength !== undefined || needed <= budget;
    const show = (what: string, part: number): void => onProgress(what, (i + 0.1 + 0.8 * part) / recordings.length);
    const hooks = { inputs: [input], ...(why === undefined ? {} : { whyDevice: why }), clock: own, signal, onQuestions, onProgress: show };
    const asWhole = whole && !resume && isPlain(output);
    if (asWhole && dryRun) {
      made.push({ scene: recording.name, device: device.id, wholeBytes: needed, memoryBytes: budget });
      continue;
    }
    if (asWhole) {
      const quicklook = drawnOptions(drawing);
      let focused: FocusedImage | undefined;
      const make = async (onImage: TakeImage): Promise<FocusedImage> => {
        focused = await blameSettings(focusOptionOf, () => focusRecording(recording, settings, device, { ...hooks, quicklook, onImage }));
        onProgress("writing", 0.9);
        return focused;
      };
      try {
        made.push(await writeMadeImage(target, make, own, signal, drawing));
      } finally {
        focused?.[Symbol.dispose]();
      }
      continue;
    }
    const plan = await blameSettings(focusOptionOf, () =>
      blameMemory(() => planFocus(recording, settings, device, { ...hooks, memoryBytes: budget })),
    );
    checkOutput(plan.description, output);
    const warning = await blocks.workWarning(plan);
    const warnings = warning === undefined ? [] : [warning];
    onWarnings(warnings);
    if (dryRun) {
      const seconds = (await timeBlock(plan, device, { signal })) * plan.plan.blocks.length;
      made.push({ scene: recording.name, device: device.id, plan, seconds, warnings });
      continue;
    }
    const start = performance.now();
    const onBlock = (block: number, count: number, rate: number): void => {
      const left = ((performance.now() - start) / 1000 / block) * (count - block);
      show(
        `block ${Math.min(block + 1, count)} of ${count}, ${(rate / 1e6).toPrecision(3)} Msamples/s, ${timeText(left)} left`,
        0.4 + (0.55 * block) / count,
      );
    };
    const { onProgress: _, ...quiet } = hooks;
    const ground = heightMeters ?? recording.radar.orbit?.groundHeightMeters;
    const stored = { output, resume, drawing, ...(ground !== undefined && { heightMeters: ground }) };
    const job = { ...stored, recording, device, plan, folder: target, inputs: files, clock: own, notes: warnings, signal };
    const onFinishing = (what: string, share: number): void => show(what, 0.95 + 0.05 * share);
    made.push(await blameSettings(focusOptionOf, () => blocks.focusJob({ ...job, onFinishing, hooks: { ...quiet, onBlock } })));
  }
  return made;
}

/** The share of a CPU device's memory that an image may take: tables and transforms of the Doppler centroid need some, too. */
const usableShare = 0.85;

/** Seconds as text for people: `45 s`, `3 min`, `2 h 10 min`. */
function timeText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/**
 * Throws `argument` if an input is empty or --agc is given for a scene that takes no AGC values, and `file` if an input is not a scene.
 */
async function checkInputs(inputs: readonly string[], agc: string | undefined): Promise<void> {
  for (const input of inputs) {
    if (input === "") throw argumentError("INPUT", "a scene's folder", input);
    await statInput(input, "folder");
  }
  const { formatAt } = await import("@dechirp/io/node");
  const found = await Promise.allSettled(inputs.map((input) => formatAt(input, { kind: "stripmap" })));
  for (const one of found) {
    if (agc === undefined || one.status === "rejected" || one.value.options?.includes("agcFile")) continue;
    throw argumentError("--agc", `left out for a ${one.value.title}, whose gains are in its own files`, agc);
  }
  if (agc !== undefined) await checkFile("--agc", agc);
  const wrong = found.find((one) => one.status === "rejected");
  if (wrong)
    await blame("file", undefined, () => {
      throw wrong.reason;
    });
}

/** Lists the files of a scene folder, as far as its description can be read. Errors in it are reported when the scene is read. */
async function filesOf(input: string): Promise<readonly string[]> {
  const [{ parseSceneDescription }, { readBytes }] = await Promise.all([import("@dechirp/io"), import("@dechirp/io/node")]);
  const description = join(input, "scene.json");
  try {
    const { raw } = parseSceneDescription(new TextDecoder().decode(await readBytes(description, { maxBytes: 2 ** 24 })), description);
    return [description, join(input, raw)];
  } catch {
    return [description];
  }
}

async function checkFile(option: string, path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile())
    throw new CommandError("file", `${option} ${path}: ${found ? "it is not a file" : "there is no such file"}`, { option, file: path });
}
