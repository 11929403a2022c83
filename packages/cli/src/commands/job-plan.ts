/** `dechirp job plan`: decides what a job makes. Options of the images are those of `focus` and `backproject`. */
import { isRadarError } from "@dechirp/core";
import { argumentError, blame, blameSettings, CommandError, optionFault } from "../errors.ts";
import { defaultMemoryBytes } from "../focus-blocks.ts";
import { checkTiffOptions, type OutputArguments, outputOf } from "../image-output.ts";
import { statInput } from "../inputs.ts";
import { type Io, print } from "../io.ts";
import { openClass, openStoreOf } from "../jobs/open.ts";
import { parseMemorySize } from "../memory-size.ts";
import { optional, parseInteger } from "../options.ts";
import { createProgress } from "../progress.ts";
import { type BackprojectArguments, backprojectOptionOf, backprojectSettings } from "./backproject.ts";
import { type FocusArguments, focusOptionOf, focusSettings } from "./focus.ts";

/** The options as commander passes them. */
export type JobPlanArguments = Omit<FocusArguments & BackprojectArguments, "out" | "device"> &
  OutputArguments & {
    readonly out?: string;
    readonly what?: "focus" | "backproject";
    readonly deviceClass: "cpu" | "gpu";
    readonly copy?: boolean;
    readonly segment?: string;
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
  },
} as const;

/** Names of fields of a request, and the options that give them. */
const optionOfField = { tile: "--tile", channel: "--channel", segment: "--segment", memoryBytes: "--memory", store: "--out" } as const;

/** Runs `dechirp job plan`. */
export async function jobPlanCommand(inputs: readonly string[], options: JobPlanArguments, io: Io): Promise<void> {
  const { out, deviceClass, copy = false, agc, channel, json, tile: tileText, ...rest } = options;
  if (out === undefined) throw new CommandError("argument", "--out is missing: the store of the job", { option: "--out" });
  const store = await openStoreOf(out, io, "--out");
  for (const input of inputs) await statInput(input, "file or folder");
  if (agc !== undefined) await statInput(agc, "file", "--agc");
  const what = options.what ?? (await kindOf(inputs[0], io));
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
    what,
    paths: inputs,
    settings: settings as Readonly<Record<string, unknown>>,
    memoryBytes,
    output: { ...output },
    copy,
    signal: io.signal,
    ...(agc !== undefined && { agcFile: agc }),
    ...(channel !== undefined && { channel }),
    ...optional("tile", tileText, (text) => parseInteger("--tile", text, 1, 2 ** 20)),
    ...optional("segment", options.segment, (text) => parseInteger("--segment", text, 1, 2 ** 16)),
  };
  using progress = createProgress(io, "job plan");
  using device = await openClass(deviceClass);
  const { planJob } = await import("@dechirp/jobs");
  const { job, work } = await blameSettings(what === "focus" ? focusOptionOf : backprojectOptionOf, () =>
    blameFields(() => planJob(store, device, { ...request, onProgress: progress.update })),
  );
  progress[Symbol.dispose]();
  const { id, tasks, image } = job;
  const data = { store: store.address, id, what, tasks, ...(image && { image }), ...(work && { work }), device: job.device };
  print(io, json, data, () =>
    [
      `job ${id.slice(0, 12)} in ${store.address}: ${what}, ${tasks} tasks for ${deviceClass === "cpu" ? "processors" : job.device.description}`,
      ...(image ? [`  image ${image.shape.join(" × ")}, chunks of ${image.chunk.join(" × ")}`] : []),
      ...(work ? [`  ${work.amount.toPrecision(3)} ${work.unit} in all`] : []),
      `  make it with: dechirp job run ${store.address}`,
    ].join("\n"),
  );
}

/** What is made of a recording. Throws `file` if it is of no kind that jobs take. */
async function kindOf(input: string, io: Io): Promise<"focus" | "backproject"> {
  const { formatAt } = await import("@dechirp/io/node");
  const { kind, title } = await blame("file", undefined, () => formatAt(input, { signal: io.signal }));
  if (kind === "stripmap") return "focus";
  if (kind === "phase-history") return "backproject";
  throw new CommandError("file", `${input}: a job takes stripmap recordings and phase histories, not a ${title}`, { file: input });
}

/** Runs `work`. If it throws `input` about a field of the request, the error is about its option. */
async function blameFields<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw (isRadarError(error, "input") && optionFault(error, optionOfField)) || error;
  }
}
