/** `dechirp job plan`: decides what a job makes. Options of the images are those of `focus` and `backproject`. */
import { isRadarError } from "@dechirp/core";
import { argumentError, blame, blameSettings, CommandError, isA, optionFault } from "../errors.ts";
import { defaultMemoryBytes } from "../focus-blocks.ts";
import { productNames } from "../folder-names.ts";
import { checkTiffOptions, type OutputArguments, outputOf } from "../image-output.ts";
import { statInput } from "../inputs.ts";
import { type Io, print, printWarnings } from "../io.ts";
import { checkWritable, openClass, openStoreOf } from "../jobs/open.ts";
import { parseMemorySize } from "../memory-size.ts";
import { optional, parseInteger } from "../options.ts";
import { identity } from "../output.ts";
import { createProgress } from "../progress.ts";
import { type BackprojectArguments, backprojectOptionOf, backprojectSettings } from "./backproject.ts";
import { type FocusArguments, focusOptionOf, focusSettings } from "./focus.ts";

/** The options as commander passes them. */
export type JobPlanArguments = Omit<FocusArguments & BackprojectArguments, "out" | "device"> &
  OutputArguments & {
    readonly out?: string;
    readonly what?: "focus" | "backproject";
    /** Whether an image of each input is made. */
    readonly each?: boolean;
    readonly deviceClass: "cpu" | "gpu";
    readonly copy?: boolean;
    readonly segment?: string;
    readonly pulseSets?: string;
    readonly workers?: string;
  };

/** Options, by their names in commander, that belong to one kind of job alone. */
const own = {
  focus: {
    dopplerCentroid: "--doppler-centroid",
    velocity: "--velocity",
    bandwidth: "--bandwidth",
    azimuthWindow: "--azimuth-window",
    rangeWindow: "--range-window",
    rcmc: "--rcmc",
    src: "--src",
    azimuthLength: "--azimuth-length",
    rows: "--rows",
    agc: "--agc",
    segment: "--segment",
  },
  backproject: {
    grid: "--grid",
    map: "--map",
    channel: "--channel",
    convention: "--convention",
    mode: "--mode",
    interpolation: "--interpolation",
    bins: "--bins",
    carrier: "--carrier",
    scale: "--scale",
    scheme: "--scheme",
    sets: "--sets",
    pulseSets: "--pulse-sets",
    workers: "--workers",
  },
} as const;

/** Names of fields of a request, and the options that give them. */
const optionOfField = {
  paths: "INPUT",
  agcFile: "--agc",
  tile: "--tile",
  channel: "--channel",
  segment: "--segment",
  pulseSets: "--pulse-sets",
  workers: "--workers",
  memoryBytes: "--memory",
  store: "--out",
} as const;

const eachHint = "an image is made of each";

/** Runs `dechirp job plan`. */
export async function jobPlanCommand(inputs: readonly string[], options: JobPlanArguments, io: Io): Promise<void> {
  const { out, deviceClass, each = false, copy = false, agc, channel, json, tile: tileText, ...rest } = options;
  if (out === undefined) throw new CommandError("argument", "--out is missing: the store of the job", { option: "--out" });
  const store = await openStoreOf(out, io, "--out");
  for (const input of inputs) await statInput(input, "file or folder");
  if (each) await checkDifferent(inputs);
  if (agc !== undefined) await statInput(agc, "file", "--agc");
  const what = options.what ?? (await kindOf(each ? inputs : inputs.slice(0, 1), io));
  const isJoined = !each && inputs.length > 1;
  if (what === "focus" && isJoined)
    throw new CommandError("argument", `several stripmap recordings need --each: ${eachHint}`, { option: "--each", actual: inputs });
  for (const [kind, names] of Object.entries(own))
    if (kind !== what)
      for (const [name, option] of Object.entries(names)) {
        const given = (options as unknown as Record<string, unknown>)[name];
        if (given !== undefined) throw argumentError(option, `left out with --what ${what}`, given);
      }
  const settings = what === "focus" ? await focusSettings(rest) : await backprojectSettings(rest);
  if ("azimuthLength" in settings) throw argumentError("--azimuth-length", "left out for images in blocks", options.azimuthLength);
  const output = outputOf({ ...options, format: options.format ?? "png" });
  if (output.formats.includes("zarr"))
    throw argumentError("--format", "npy, sicd, cog or png: the image of a job is a Zarr store already", "zarr");
  checkTiffOptions(output, "map" in settings);
  const memoryBytes = options.memory === undefined ? Math.floor(defaultMemoryBytes()) : parseMemorySize("--memory", options.memory);
  const request = {
    what: each ? `${what}-each` : what,
    paths: inputs,
    ...(each && { names: productNames(inputs) }),
    settings: settings as Readonly<Record<string, unknown>>,
    memoryBytes,
    output: { ...output },
    copy,
    signal: io.signal,
    ...(agc !== undefined && { agcFile: agc }),
    ...(channel !== undefined && { channel }),
    ...optional("tile", tileText, (text) => parseInteger("--tile", text, 1, 2 ** 20)),
    ...optional("pulseSets", options.pulseSets, (text) => parseInteger("--pulse-sets", text, 1, 2 ** 16)),
    ...optional("workers", options.workers, (text) => parseInteger("--workers", text, 1, 2 ** 20)),
    ...optional("segment", options.segment, (text) => parseInteger("--segment", text, 1, 2 ** 16)),
  };
  await checkWritable(store, "--out", out);
  using progress = createProgress(io, "job plan");
  using device = await openClass(deviceClass);
  const { planJob } = await import("@dechirp/jobs");
  const { job, work, notes, warnings } = await blameSettings(what === "focus" ? focusOptionOf : backprojectOptionOf, () =>
    blameFields(() => planJob(store, device, { ...request, onProgress: progress.update })),
  ).catch((error) => {
    if (!isJoined || !isA(CommandError, error) || error.kind !== "file") throw error;
    throw new CommandError(
      "file",
      `${error.message}; the inputs are read as one recording, and with --each ${eachHint}`,
      error.fields,
      error,
    );
  });
  progress[Symbol.dispose]();
  printWarnings(
    io,
    warnings.map((text) => `${text}; its task will fail`),
  );
  const { id, tasks, image } = job;
  const data = {
    store: store.address,
    id,
    what: job.what,
    tasks,
    notes,
    warnings,
    ...(image && { image }),
    ...(work && { work }),
    device: job.device,
  };
  print(io, json, data, () =>
    [
      `job ${id.slice(0, 12)} in ${store.address}: ${what}${each ? ", an image of each input" : ""}, ${tasks} tasks for ${deviceClass === "cpu" ? "processors" : job.device.description}`,
      ...(image ? [`  image ${image.shape.join(" × ")}, chunks of ${image.chunk.join(" × ")}`] : []),
      ...(work ? [`  ${work.amount.toPrecision(3)} ${work.unit} in all`] : []),
      ...notes.map((note) => `  ${note}`),
      `  make it with: dechirp job run ${store.address}`,
    ].join("\n"),
  );
}

/** Throws `argument`, which names both, if two inputs are one file or folder, also by links. Files with equal contents are different recordings. */
async function checkDifferent(inputs: readonly string[]): Promise<void> {
  const found = new Map<string, string>();
  for (const input of inputs) {
    const own = (await identity(input)) ?? input;
    const other = found.get(own);
    if (other !== undefined) {
      const message = `INPUT must be different recordings with --each: ${other} and ${input} are the same`;
      throw new CommandError("argument", message, { option: "INPUT", actual: [other, input] });
    }
    found.set(own, input);
  }
}

/** What is made of recordings, as the first one that is of a known kind says. Throws `file` if none is of a kind that jobs take. */
async function kindOf(inputs: readonly string[], io: Io): Promise<"focus" | "backproject"> {
  const { formatAt } = await import("@dechirp/io/node");
  let first: unknown;
  for (const input of inputs)
    try {
      const { kind, title } = await blame("file", undefined, () => formatAt(input, { signal: io.signal }));
      if (kind === "stripmap") return "focus";
      if (kind === "phase-history") return "backproject";
      throw new CommandError("file", `${input}: a job takes stripmap recordings and phase histories, not a ${title}`, { file: input });
    } catch (error) {
      if (!isA(CommandError, error)) throw error;
      first ??= error;
    }
  throw first;
}

/** Runs `work`. If it throws `input` about a field of the request, the error is about its option. */
async function blameFields<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw (isRadarError(error, "input") && optionFault(error, optionOfField)) || error;
  }
}
