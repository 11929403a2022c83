/** Which format of the table a place holds, and its recording: what every reader goes through. */
import { inputError, isRadarError } from "@dechirp/core";
import { checkFields, type FieldsOf } from "@dechirp/core/internal";
import { optionError } from "./array-recording.ts";
import { namesText, pathError } from "./file-error.ts";
import type { Format, FormatOptions, RecordingKind, Recordings } from "./format.ts";
import { isFolder, type Place, type ReadFilesOptions } from "./place.ts";
import { checkOptions } from "./random-access.ts";
import { formats, kinds } from "./table.ts";

/** What a recording may be, and where it is known, of which format. */
export interface WhichFormat<K extends RecordingKind = RecordingKind> {
  readonly kind?: K;
  /** A name of the table: nothing is detected then. */
  readonly format?: string;
}

export interface ReadRecordingOptions<K extends RecordingKind = RecordingKind> extends WhichFormat<K>, FormatOptions, ReadFilesOptions {}

/** A recording with what it is. */
export type Recording<K extends RecordingKind = RecordingKind> = {
  readonly [Kind in K]: {
    readonly kind: Kind;
    /** Name of the table's row. */
    readonly format: string;
    readonly recording: Recordings[Kind];
  };
}[K];

/** Rows of a kind, or all. */
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
  set: true,
};

const choices: Readonly<Record<string, readonly string[]>> = {
  kind: kinds,
  format: formats.map(({ name }) => name),
  frequencies: ["fit", "ends"],
  set: ["small", "medium", "large"],
};

/** Throws `input`, naming the field, for options that no reader of recordings takes. */
export function checkReadOptions<T extends ReadRecordingOptions>(options: T, what: string): T {
  checkOptions(options, fields as FieldsOf<T>, what);
  checkFields(options, fields as FieldsOf<T>, `the options of ${what}`);
  for (const [name, known] of Object.entries(choices)) {
    const given = options[name as keyof T] as unknown;
    if (given !== undefined && !known.includes(given as string)) throw inputError(name, `one of ${known.join(", ")}`, given);
  }
  const { maxBytes, axes, cpi } = options;
  if (maxBytes !== undefined && !(maxBytes > 0)) throw inputError("maxBytes", "a positive number of bytes", maxBytes);
  if (cpi !== undefined && !(Number.isInteger(cpi) && cpi >= 1)) throw inputError("cpi", "an integer from 1", cpi);
  const known = ["channel", "pulse", "range", "cpi"] as const;
  if (
    axes !== undefined &&
    !(Array.isArray(axes) && new Set(axes).size === axes.length && known.slice(0, 3).every((a) => axes.includes(a)))
  )
    throw inputError("axes", "channel, pulse and range, and cpi where there are several, outermost first", axes);
  if (axes !== undefined && !axes.every((axis) => known.includes(axis))) throw inputError("axes", `of ${known.join(", ")}`, axes);
  return options;
}

/** Why an option does not go with the formats that lack it. */
const strange: Readonly<Record<keyof FormatOptions, string>> = {
  agcFile: "which is not a RADARSAT-1 CD folder",
  frequencies: "which holds no phase history",
  axes: "whose axes are known",
  cpi: "which has no intervals",
  set: "which is not the PERFECT suite's",
};

/** What a place holds, in a sentence. */
const holding: Readonly<Record<RecordingKind, string>> = {
  stripmap: "a scene",
  "phase-history": "a phase history",
  array: "an array's cube",
};

/**
 * The row of the table that a place is of: the first that surely fits, else the only one that may. Rejects with `input`, fields `{ file,
 * expected, actual }`, naming all that was looked for, where there is none, and what is there where it is of another kind; with `aborted`
 * where the signal fires.
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
  // Nothing is detected where the format is given, but folders are not files.
  if (format !== undefined && rows[0][isFolder(place) ? "folder" : "file"] === undefined) throw unknownError(place, rows, there);
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

/** A format of another kind that surely fits. What can't be looked at is of none. */
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

/** Names what was looked for, and what was `found`. */
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
 * The recording in a place, or in several that make one, as those of Gotcha do. Rejects with `input`, naming file and field or byte, for
 * what is of no format or of a damaged one, and naming the option for one that does not go with what is there; with `aborted`.
 */
export async function recordingOf<K extends RecordingKind = RecordingKind>(
  source: Place | readonly Place[],
  options: ReadRecordingOptions<K> = {},
): Promise<Recording<K>> {
  const { kind, format, ...reading } = checkReadOptions(options, "recordingOf");
  const places = Array.isArray(source) ? (source as readonly Place[]) : [source as Place];
  if (places.length === 0) throw inputError("source", "a place, or a list of one at least", source);
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
    throw pathError(places[1].path, `left out, for a recording in the format ${row.name} is in one place, ${places[0].path}`, "given, too");
  const recording = row.join ? await row.join(places, reading) : await row.read(places[0], reading);
  return { kind: row.kind, format: row.name, recording } as Recording<K>;
}

function checkPlace(place: Place): void {
  if (typeof place?.open !== "function" || typeof place.path !== "string")
    throw inputError("place", "a place, as placeOf makes one", place);
}
