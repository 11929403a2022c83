/** Detects the format of a place and reads its recording. Every reader of recordings goes through here. */
import { inputError, isRadarError } from "@dechirp/core";
import { checkFields, type FieldsOf } from "@dechirp/core/internal";
import { optionError } from "./array-recording.ts";
import { namesText, pathError } from "./file-error.ts";
import type { Format, FormatOptions, RecordingKind, Recordings } from "./format.ts";
import { headOf, isFolder, type Place, type ReadFilesOptions } from "./place.ts";
import { checkOptions } from "./random-access.ts";
import { formats, kinds } from "./table.ts";

/** Restricts the kind of a recording, and its format if that is known. */
export interface FormatFilter<K extends RecordingKind = RecordingKind> {
  readonly kind?: K;
  /** Name of a format in the table. If given, nothing is detected. */
  readonly format?: string;
}

/** Options of `readRecording` and `readRecordingFrom`. */
export interface ReadRecordingOptions<K extends RecordingKind = RecordingKind> extends FormatFilter<K>, FormatOptions, ReadFilesOptions {}

/** A recording with its kind and format. */
export type Recording<K extends RecordingKind = RecordingKind> = {
  readonly [Kind in K]: {
    readonly kind: Kind;
    /** Name of the format in the table. */
    readonly format: string;
    readonly recording: Recordings[Kind];
  };
}[K];

/** The formats of a kind, or all formats. */
const formatsOf = (kind?: RecordingKind): readonly Format[] => formats.filter((one) => kind === undefined || one.kind === kind);

const fields: FieldsOf<ReadRecordingOptions> = {
  kind: true,
  format: true,
  maxBytes: true,
  signal: true,
  onProgress: true,
  agcFile: true,
  frequencies: true,
  axes: true,
  cpi: true,
  channel: true,
  set: true,
};

const choices: Readonly<Record<string, readonly string[]>> = {
  kind: kinds,
  format: formats.map(({ name }) => name),
  frequencies: ["fit", "ends"],
  set: ["small", "medium", "large"],
};

/** Throws `input`, which names the field, if an option is unknown or has a wrong value. */
export function checkReadOptions<T extends ReadRecordingOptions>(options: T, what: string): T {
  checkOptions(options, fields as FieldsOf<T>, what);
  checkFields(options, fields as FieldsOf<T>, `the options of ${what}`);
  for (const [name, known] of Object.entries(choices)) {
    const given = options[name as keyof T] as unknown;
    if (given !== undefined && !known.includes(given as string)) throw inputError(name, `one of ${known.join(", ")}`, given);
  }
  const { maxBytes, axes, cpi, channel } = options;
  if (channel !== undefined && typeof channel !== "string") throw inputError("channel", "the identifier of a channel, a text", channel);
  if (maxBytes !== undefined && !(maxBytes > 0)) throw inputError("maxBytes", "a positive number of bytes", maxBytes);
  if (cpi !== undefined && !(Number.isInteger(cpi) && cpi >= 1)) throw inputError("cpi", "an integer of at least 1", cpi);
  const known = ["channel", "pulse", "range", "cpi"] as const;
  if (
    axes !== undefined &&
    !(Array.isArray(axes) && new Set(axes).size === axes.length && known.slice(0, 3).every((a) => axes.includes(a)))
  )
    throw inputError("axes", "channel, pulse and range, and cpi if there are several CPIs, outermost first", axes);
  if (axes !== undefined && !axes.every((axis) => known.includes(axis))) throw inputError("axes", `only ${known.join(", ")}`, axes);
  return options;
}

/** Why an option does not apply to a file, worded to follow its path in a message. */
const strange: Readonly<Record<keyof FormatOptions, string>> = {
  agcFile: "which is not a RADARSAT-1 CD folder",
  frequencies: "which does not hold a phase history",
  axes: "whose axes are known",
  cpi: "which has no CPIs",
  channel: "which has no channels that can be chosen",
  set: "which is not input of the PERFECT suite",
};

/** What a place holds, worded for a sentence. */
const holding: Readonly<Record<RecordingKind, string>> = {
  stripmap: "a scene",
  "phase-history": "a phase history",
  array: "the data cube of an array",
};

/**
 * Finds the format of a place: the first one that matches for certain, else the only one that may match. Rejects with `input`, fields
 * `{ file, expected, actual }`, if there is none: the message lists everything that was looked for, and says what is there if it is a
 * recording of another kind. Rejects with `aborted` if the signal fires.
 */
export async function detectFormat<K extends RecordingKind = RecordingKind>(
  place: Place,
  options: ReadRecordingOptions<K> = {},
): Promise<Format<K>> {
  const { kind, format, ...reading } = checkReadOptions(options, "detectFormat");
  checkPlace(place);
  const rows = formatsOf(kind).filter(({ name }) => format === undefined || name === format) as unknown as readonly Format<K>[];
  if (rows.length === 0) throw inputError("format", `a format of kind ${kind}`, format);
  const there = isFolder(place) ? namesText(place.names) : undefined;
  // With a given format nothing is detected, but a folder can't be read as a file or a file as a folder.
  if (format !== undefined && rows[0][isFolder(place) ? "folder" : "file"] === undefined) throw unknownError(place, rows, there);
  const isLookedInto = format === undefined && !isFolder(place) && rows.some(({ file }) => file !== undefined);
  if (isLookedInto && (await headOf(place, reading)).length === 0) throw unknownError(place, rows, "an empty file");
  const possible: Format<K>[] = [];
  for (const row of rows) {
    const found = format === undefined ? await row.detect(place, reading) : "yes";
    if (found === "yes") return row;
    if (found === "maybe") possible.push(row);
  }
  const other = kind === undefined ? undefined : await ofOtherKind(place, kind, reading);
  if (other) throw unknownError(place, rows, `${holding[other.kind]}: ${other.title}`);
  if (possible.length === 1) return possible[0];
  throw unknownError(place, rows, there);
}

/** Finds a format of another kind that matches for certain. A place that can't be inspected matches none. */
async function ofOtherKind(place: Place, kind: RecordingKind, options: FormatOptions & ReadFilesOptions): Promise<Format | undefined> {
  for (const row of formats) {
    if (row.kind === kind) continue;
    try {
      if ((await row.detect(place, options)) === "yes") return row;
    } catch (error) {
      if (!isRadarError(error, "input")) throw error;
    }
  }
  return undefined;
}

/** Makes the error that lists what was looked for and says what was `found`. */
function unknownError(place: Place, rows: readonly Format[], found: string | undefined) {
  const folders = rows.flatMap(({ folder }) => folder ?? []);
  const files = rows.flatMap(({ file }) => file ?? []);
  const aFolder = `a folder with ${folders.join(", or with ")}`;
  const aFile = files.length > 1 ? `${files.slice(0, -1).join(", ")}, or ${files[files.length - 1]}` : files.join("");
  const [first, second] = isFolder(place) ? [folders, files] : [files, folders];
  const expected = (first.length > 0 ? first : second) === folders ? aFolder : aFile;
  return pathError(place.path, expected, found ?? (files.length > 0 ? "a file of another kind" : "a file"));
}

/**
 * Reads the recording in a place. A list of places is read as one recording, if the format allows it, as Gotcha does. Rejects with
 * `input` if no format matches or the data is damaged, naming the file and the field or byte; with `input`, naming the option, if an
 * option does not apply to the format; and with `aborted`.
 */
export async function readRecordingFrom<K extends RecordingKind = RecordingKind>(
  source: Place | readonly Place[],
  options: ReadRecordingOptions<K> = {},
): Promise<Recording<K>> {
  const { kind, format, ...reading } = checkReadOptions(options, "readRecordingFrom");
  const places = Array.isArray(source) ? (source as readonly Place[]) : [source as Place];
  if (places.length === 0) throw inputError("source", "a place or a non-empty list of places", source);
  const rows: Format<K>[] = [];
  for (const place of places) rows.push(await detectFormat(place, options));
  const [row] = rows;
  for (const name of Object.keys(strange) as (keyof FormatOptions)[]) {
    const { path } = places[0];
    if (reading[name] !== undefined && !row.options?.includes(name))
      throw optionError(path, name, `left out for ${path}, ${strange[name]}`, reading[name]);
  }
  const other = rows.findIndex(({ name }) => name !== row.name);
  if (other > 0) throw pathError(places[other].path, `of the same format as ${places[0].path}, ${row.title}`, rows[other].title);
  if (places.length > 1 && row.join === undefined)
    throw pathError(places[1].path, `left out: a recording in the format ${row.name} is in one place, ${places[0].path}`, "a second place");
  const recording = row.join ? await row.join(places, reading) : await row.read(places[0], reading);
  return { kind: row.kind, format: row.name, recording } as Recording<K>;
}

function checkPlace(place: Place): void {
  if (typeof place?.open !== "function" || typeof place.path !== "string") throw inputError("place", "a place as made by placeOf", place);
}
