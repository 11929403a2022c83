/** Where recordings may be among opened files, of this machine or of a server. Runs in workers. */
import { inputError, isRadarError } from "@dechirp/core";
import { parseSceneDescription, type RandomAccess } from "@dechirp/io";
import { type Place, placeOf, type ReadRecordingOptions, readRecordingFrom } from "@dechirp/io/formats";
import { reach } from "./reach.ts";
import { servedFolder } from "./served-folder.ts";
import type { OpenedSource, RecordingKind } from "./source.ts";

/** Files that may be a recording. */
export interface Candidate {
  readonly places: readonly Place[];
  /** The same files as one place, for their description. */
  readonly whole: Place;
}

/** Opened files. */
export interface OpenedPlaces {
  readonly candidates: readonly Candidate[];
  /** Names of all files. */
  readonly names: readonly string[];
  close(): Promise<void>;
}

type Sources = Readonly<Record<string, File | RandomAccess>>;

const single = (place: Place): Candidate => ({ places: [place], whole: place });
const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
/** Of a scene, what is said of its folder says what is missing. */
const isDescription = (name: string): boolean => /^(scene|report)\.json$/.test(name);

/** The places of a source. Rejects with `input` and `aborted`. */
export const openPlaces = (source: OpenedSource, signal: AbortSignal): Promise<OpenedPlaces> =>
  source.kind === "url" ? placesAt(source.url, signal) : placesOf(source.files);

/**
 * The places of files by their paths. Folders that hold several files may be a recording; so may single files, or all of them together. Rejects
 * with `input` if there are none.
 */
export async function placesOf(files: Sources, close = async (): Promise<void> => {}): Promise<OpenedPlaces> {
  const paths = Object.keys(files).sort();
  if (paths.length === 0) throw inputError("files", "a file or a folder with files", "none");
  if (paths.length === 1) {
    const [only] = paths;
    const name = nameOf(only!);
    const file = files[only!]!;
    const place = isDescription(name) ? placeOf({ [name]: file }) : placeOf({ [name]: file }, { file: name });
    return { candidates: [single(place)], names: paths, close };
  }
  const folders = new Map<string, Record<string, File | RandomAccess>>();
  for (const path of paths) {
    const folder = folderOf(path);
    folders.set(folder, { ...folders.get(folder), [nameOf(path)]: files[path]! });
  }
  const byDepth = [...folders].sort(([a], [b]) => a.split("/").length - b.split("/").length);
  const candidates = byDepth.map(([folder, inside]) => {
    // Formats look for files in the folders above, too.
    const above = Object.entries(folders.get(folderOf(folder)) ?? {}).map(([name, file]) => [`../${name}`, file] as const);
    return single(placeOf({ ...Object.fromEntries(folder === "" ? [] : above), ...inside }, { path: folder === "" ? "files" : folder }));
  });
  const together = {
    places: paths.map((path) => placeOf({ [nameOf(path)]: files[path]! }, { file: nameOf(path) })),
    whole: placeOf(Object.fromEntries(paths.map((path) => [nameOf(path), files[path]!]))),
  };
  return { candidates: [...candidates, together], names: paths, close };
}

/**
 * The places at an address: a file on a server, which is read by ranges, or a folder that the server lists. For a scene.json, the files that it names
 * are read beside it. Rejects with `input` and `aborted`.
 */
export async function placesAt(url: string, signal: AbortSignal): Promise<OpenedPlaces> {
  if (URL.canParse(url) && new URL(url).pathname.endsWith("/")) {
    const files = await servedFolder(url, signal);
    return placesOf(files, async () => {
      for (const file of Object.values(files)) await file.close();
    });
  }
  const open: RandomAccess[] = [];
  const close = async (): Promise<void> => {
    for (const one of open) await one.close();
  };
  try {
    const get = async (address: string): Promise<RandomAccess> => {
      const access = await reach(address, signal);
      open.push(access);
      return access;
    };
    const first = await get(url);
    const name = decodeURIComponent(nameOf(new URL(url).pathname)) || "recording";
    const files: Record<string, RandomAccess> = { [name]: first };
    if (name === "scene.json") {
      const description = parseSceneDescription(new TextDecoder().decode(await first.read(0, first.size, { signal })), url);
      for (const other of namesIn(description)) files[other] = await get(besideOf(url, other));
    }
    const place = isDescription(name) ? placeOf(files) : placeOf(files, { file: name });
    return { candidates: [single(place)], names: Object.keys(files), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Names of .npy files in a description. */
function namesIn(description: object): readonly string[] {
  return Object.values(description).filter((value): value is string => typeof value === "string" && value.endsWith(".npy"));
}

/** The address of a file beside another. Throws `input` if it is on another server, which the user has not agreed to contact. */
export function besideOf(url: string, name: string): string {
  const beside = new URL(name, url);
  if (beside.origin !== new URL(url).origin) throw inputError(name, "a file of the same server", beside.origin);
  return beside.href;
}

/** How a recording is read, and of which kind it must be. */
type Reading<K extends RecordingKind> = ReadRecordingOptions<K> & { readonly kind: K; readonly signal: AbortSignal };

/** Reads a recording of one kind of opened files, which the caller closes. Rejects as `readRecordingFrom` does for the first candidate. */
export async function readOpened<K extends RecordingKind>({ candidates }: OpenedPlaces, options: Reading<K>) {
  const errors: unknown[] = [];
  for (const { places } of candidates) {
    try {
      return await readRecordingFrom(places, options);
    } catch (error) {
      if (!isRadarError(error, "input")) throw error;
      errors.push(error);
    }
  }
  throw errors[0];
}
