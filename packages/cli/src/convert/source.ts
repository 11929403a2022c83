/** Opens what `dechirp convert` reads. What it is, `describePath` says by its content. */
import type { RecordedArray, RecordedPhaseHistory, Scene } from "@dechirp/io";
import type { CphdMetadata } from "@dechirp/io/cphd";
import type { InfoThing } from "@dechirp/io/info";
import { describePath } from "../describe-path.ts";
import { argumentError, CommandError, optionFault } from "../errors.ts";
import { parseInteger } from "../options.ts";
import type { ConvertArguments, SourceKind } from "./formats.ts";
import { type ImageSource, openFolderSource, openNpySource, openSicdSource, openZarrSource } from "./image-source.ts";

/** What was opened. */
export type Source = { readonly close: () => Promise<void>; readonly files: readonly string[] } & (
  | { readonly kind: "phase-history"; readonly histories: readonly RecordedPhaseHistory[]; readonly cphd?: CphdMetadata }
  | { readonly kind: "stripmap"; readonly scene: Scene }
  | { readonly kind: "array"; readonly array: RecordedArray }
  | { readonly kind: "image"; readonly image: ImageSource }
);

/** What there is to convert. */
export interface Found {
  readonly kind: SourceKind;
  /** Name of the format, as `dechirp info` says it. */
  readonly format: string;
  readonly paths: readonly string[];
}

/** Says what is to be converted. Throws `file` if it is of no kind that can be, and if several inputs are not phase histories. */
export async function findSource(paths: readonly string[], signal: AbortSignal): Promise<Found> {
  const things: InfoThing[] = [];
  for (const path of paths) things.push(await describePath(path, signal));
  const [first] = things;
  const kinds: readonly string[] = ["phase-history", "stripmap", "array", "image"];
  for (const { file, kind, isRead, format } of things) {
    if (isRead && kinds.includes(kind)) continue;
    const expected = "a phase history, a stripmap recording, a recording of an antenna array or a complex image";
    const message = `${file}: must be ${expected}, not a ${format.title}${isRead ? "" : ", which is not read"}`;
    throw new CommandError("file", message, { file, expected, actual: format.title });
  }
  const other = things.find(({ format }) => format.name !== "gotcha");
  if (things.length > 1 && other) {
    const message = `${other.file}: several inputs must be Gotcha files, which are joined to one phase history, not a ${other.format.title}`;
    throw new CommandError("argument", message, { option: "IN", file: other.file, expected: "one input", actual: paths.length });
  }
  return { kind: first.kind as SourceKind, format: first.format.name, paths };
}

/** Images by the format that `dechirp info` names. */
const imageOpeners: Readonly<Record<string, (path: string, signal: AbortSignal) => Promise<ImageSource>>> = {
  sicd: openSicdSource,
  npy: openNpySource,
  zarr: openZarrSource,
  "dechirp-report": openFolderSource,
  "dechirp-backprojection": openFolderSource,
};

/** Options of readers by the fields of their errors. */
const readingOptions = { channel: "--channel", axes: "--axes", cpi: "--cpi", set: "--set" } as const;

/** Opens what was found. Throws `argument` for options of the reader, `file`, and `aborted`. */
export async function openSource(found: Found, options: ConvertArguments, signal: AbortSignal): Promise<Source> {
  try {
    return await openers[found.kind](found, options, signal);
  } catch (error) {
    const { isRadarError } = await import("@dechirp/core");
    throw (isRadarError(error, "input") && optionFault(error, readingOptions)) || error;
  }
}

type Opener = (found: Found, options: ConvertArguments, signal: AbortSignal) => Promise<Source>;

const openers: Readonly<Record<SourceKind, Opener>> = {
  "phase-history": async (found, options, signal) => {
    if (found.format === "cphd") return openCphdSource(found.paths[0], options, signal);
    if (options.channel !== undefined)
      throw argumentError("--channel", `left out for ${found.paths[0]}, which has no channels that can be chosen`, options.channel);
    const { readPhaseHistory } = await import("@dechirp/io/node");
    const history = await readPhaseHistory(found.paths, { signal });
    return { kind: "phase-history", histories: [history], files: found.paths, close: () => history.close() };
  },
  stripmap: async ({ paths }, _, signal) => {
    const { readScene } = await import("@dechirp/io/node");
    const scene = await readScene(paths[0], { signal });
    return { kind: "stripmap", scene, files: paths, close: () => scene.close() };
  },
  array: async ({ paths }, { axes, cpi, set }, signal) => {
    const { readArray } = await import("@dechirp/io/node");
    const array = await readArray(paths[0], {
      signal,
      ...(axes !== undefined && { axes: axes.split(",") as never }),
      ...(cpi !== undefined && { cpi: parseInteger("--cpi", cpi, 1, 2 ** 31) }),
      ...(set !== undefined && { set: set as never }),
    });
    return { kind: "array", array, files: paths, close: async () => {} };
  },
  image: async ({ format, paths }, _, signal) => {
    const image = await imageOpeners[format](paths[0], signal);
    return { kind: "image", image, files: [...paths, ...image.files], close: () => image.close() };
  },
};

/** Opens the channels of a CPHD file, all of them or the one that is asked for. */
async function openCphdSource(path: string, { channel }: ConvertArguments, signal: AbortSignal): Promise<Source> {
  const [{ openCphd }, { openFile }] = await Promise.all([import("@dechirp/io/cphd"), import("@dechirp/io/node")]);
  // Without the signal, which is for opening only; each read has its own.
  const access = await openFile(path, { maxBytes: Number.POSITIVE_INFINITY });
  try {
    const file = await openCphd(access, { file: path, signal });
    const names = channel === undefined ? file.metadata.channels.map(({ identifier }) => identifier) : [channel];
    const histories: RecordedPhaseHistory[] = [];
    for (const name of names) histories.push(await file.history(name, { signal }));
    return { kind: "phase-history", histories, cphd: file.metadata, files: [path], close: () => access.close() };
  } catch (error) {
    await access.close();
    throw error;
  }
}
