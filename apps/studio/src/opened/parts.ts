/**
 * Finds the recordings among files that were opened together: folders that are recordings, or else single files, of which those that belong together
 * are one recording. Runs in a worker.
 */
import { isRadarError } from "@dechirp/core";
import type { RandomAccess } from "@dechirp/io";
import { detectFormat, type Format, type Place, placeOf } from "@dechirp/io/formats";
import { nameOf, nameOfFiles } from "../ui/file-name.ts";
import type { RecordingKind } from "./source.ts";

/** Files by their paths. */
export type OpenFiles = Readonly<Record<string, File | RandomAccess>>;

/** A recording among files. */
export interface Part {
  /** Path of its folder or file; empty for loose files. */
  readonly path: string;
  /** Paths of its files. */
  readonly files: readonly string[];
  readonly isFolder: boolean;
  /** A folder, a file, or files that are one recording. */
  readonly places: readonly Place[];
  /** The same as one place, for a description. */
  readonly whole: Place;
  readonly format: Format;
}

/** The most single files whose first bytes are looked at. */
const mostLooked = 200;

/** The folder of a path, without a slash at the end. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** A folder of files, with those in the two folders above it, in which formats may look for files, too. Only the folder's own are listed. */
export function folderPlace(files: OpenFiles, folder: string, unlisted: OpenFiles = {}): Place {
  const inside = filesIn(files, folder);
  const [parent, grandparent] = [folderOf(folder), folderOf(folderOf(folder))];
  const above = {
    ...(parent !== folder && prefixed("../", filesIn(files, parent))),
    ...(grandparent !== parent && prefixed("../../", filesIn(files, grandparent))),
  };
  const place = placeOf({ ...above, ...unlisted, ...inside }, { path: folder === "" ? "files" : folder });
  return { ...place, names: Object.keys(inside).sort(), name: folder === "" ? nameOfFiles(inside) : nameOf(folder) };
}

const prefixed = (prefix: string, files: OpenFiles): OpenFiles =>
  Object.fromEntries(Object.entries(files).map(([name, file]) => [prefix + name, file]));

const filesIn = (files: OpenFiles, folder: string): OpenFiles =>
  Object.fromEntries(Object.entries(files).flatMap(([path, file]) => (folderOf(path) === folder ? [[nameOf(path), file] as const] : [])));

const filePlace = (files: OpenFiles, path: string): Place => placeOf({ [nameOf(path)]: files[path]! }, { file: nameOf(path) });

/** What was found: recordings, or the places that are none and the error of the first. */
export interface Parts {
  readonly parts: readonly Part[];
  readonly wholes: readonly Place[];
  readonly error: unknown;
}

/** Finds the recordings of some kinds. Rejects with `aborted`. */
export async function partsOf(files: OpenFiles, kinds: readonly RecordingKind[], signal: AbortSignal): Promise<Parts> {
  const paths = Object.keys(files).sort();
  const errors: unknown[] = [];
  const detect = async (place: Place): Promise<Format | undefined> => {
    try {
      const format = await detectFormat(place, { signal, ...(kinds.length === 1 && { kind: kinds[0]! }) });
      return kinds.includes(format.kind) ? format : undefined;
    } catch (error) {
      if (!isRadarError(error, "input")) throw error;
      errors.push(error);
      return undefined;
    }
  };
  const [only] = paths;
  // Of a folder, only its description may have been given: what is said of the folder says what is missing.
  const isFile = paths.length === 1 && !/^(scene|report)\.json$/.test(nameOf(only!));
  const folders = isFile ? [] : [...new Set(paths.map(folderOf))].sort((a, b) => depthOf(a) - depthOf(b));
  const wholes: Place[] = [];
  const parts: Part[] = [];
  for (const folder of folders) {
    const whole = folderPlace(files, folder);
    wholes.push(whole);
    const format = await detect(whole);
    const own = paths.filter((path) => folderOf(path) === folder);
    if (format) parts.push({ path: folder, files: own, isFolder: true, places: [whole], whole, format });
  }
  if (parts.length === 0) {
    const joined = new Map<Format, string[]>();
    for (const path of paths.slice(0, mostLooked)) {
      const whole = filePlace(files, path);
      if (isFile) wholes.push(whole);
      const format = await detect(whole);
      if (format?.join) joined.set(format, [...(joined.get(format) ?? []), path]);
      else if (format) parts.push({ path, files: [path], isFolder: false, places: [whole], whole, format });
    }
    for (const [format, own] of joined) {
      const whole = placeOf(Object.fromEntries(own.map((path) => [nameOf(path), files[path]!])));
      parts.push({
        path: own.length === 1 ? own[0]! : "",
        files: own,
        isFolder: false,
        places: own.map((path) => filePlace(files, path)),
        whole,
        format,
      });
    }
    if (!isFile) wholes.push(placeOf(Object.fromEntries(paths.map((path) => [nameOf(path), files[path]!]))));
  }
  return { parts, wholes, error: errors[0] };
}

const depthOf = (folder: string): number => (folder === "" ? 0 : folder.split("/").length);
