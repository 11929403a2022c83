/** Opens files of the user, of this machine or of a server, and reads recordings of them. Runs in workers. */
import { inputError } from "@dechirp/core";
import { parseSceneDescription, type RandomAccess } from "@dechirp/io";
import { type ReadRecordingOptions, readRecordingFrom } from "@dechirp/io/formats";
import { nameOf } from "../ui/file-name.ts";
import { folderOf, type OpenFiles, type Part, partsOf } from "./parts.ts";
import { reach } from "./reach.ts";
import { diskBeside, servedFolder } from "./served-folder.ts";
import type { OpenedSource, RecordingKind, RecordingPlace } from "./source.ts";

/** Files that were opened together, and what is known of where they are. */
export interface OpenedPlaces {
  /** Files by their paths. */
  readonly files: OpenFiles;
  /** The path of a file or folder on the disk of the machine that runs `dechirp studio`. */
  readonly diskOf?: ((path: string) => string | undefined) | undefined;
  /** The address of a file. */
  readonly addressOf?: (path: string) => string;
  close(): Promise<void>;
}

/** Opens the files of a source. Rejects with `input`, of a source without files too, and with `aborted`. */
export async function openPlaces(source: OpenedSource, signal: AbortSignal): Promise<OpenedPlaces> {
  const opened = source.kind === "url" ? await placesAt(source.url, signal) : { files: source.files, close: async () => {} };
  if (Object.keys(opened.files).length > 0) return opened;
  await opened.close();
  throw inputError("files", "a file or a folder with files", "none");
}

/**
 * The files at an address: a file on a server, which is read by ranges, or a folder that the server lists. For a scene.json, the files that it
 * names are read beside it. Rejects with `input` and `aborted`.
 */
async function placesAt(url: string, signal: AbortSignal): Promise<OpenedPlaces> {
  if (URL.canParse(url) && new URL(url).pathname.endsWith("/")) {
    const folder = await servedFolder(url, signal);
    return {
      ...folder,
      async close() {
        for (const file of Object.values(folder.files)) await file.close();
      },
    };
  }
  const addresses: Record<string, string> = {};
  const files: Record<string, RandomAccess> = {};
  const close = async (): Promise<void> => {
    for (const one of Object.values(files)) await one.close();
  };
  try {
    const get = async (name: string, address: string): Promise<RandomAccess> => {
      const access = await reach(address, signal);
      addresses[name] = address;
      files[name] = access;
      return access;
    };
    const name = (URL.canParse(url) && decodeURIComponent(nameOf(new URL(url).pathname))) || "recording";
    const first = await get(name, url);
    if (name === "scene.json") {
      const description = parseSceneDescription(new TextDecoder().decode(await first.read(0, first.size, { signal })), url);
      for (const other of namesIn(description)) await get(other, besideOf(url, other));
    }
    return { files, addressOf: (path) => addresses[path]!, diskOf: await diskBeside(url, signal), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Names of .npy files in a description. */
function namesIn(description: object): readonly string[] {
  return Object.values(description).filter((value): value is string => typeof value === "string" && value.endsWith(".npy"));
}

/**
 * The address of a file beside another. It keeps the query, which may be what grants access. Throws `input` if it is on another server, which the
 * user has not agreed to contact.
 */
export function besideOf(url: string, name: string): string {
  const beside = new URL(name, url);
  if (beside.origin !== new URL(url).origin) throw inputError(name, "a file of the same server", beside.origin);
  beside.search = new URL(url).search;
  return beside.href;
}

/** How a recording is read, and of which kind it must be. */
type Reading<K extends RecordingKind> = ReadRecordingOptions<K> & { readonly kind: K; readonly signal: AbortSignal };

/**
 * Reads the first recording of one kind among opened files, which the caller closes, and says where it is. Rejects as `detectFormat` does if there
 * is none, and as `readRecordingFrom`.
 */
export async function readOpened<K extends RecordingKind>(opened: OpenedPlaces, options: Reading<K>) {
  const { parts, error } = await partsOf(opened.files, [options.kind], options.signal);
  const [part] = parts;
  if (!part) throw error;
  return { ...(await readRecordingFrom(part.places, options)), place: placeIn(opened, part) };
}

/** Where a recording is, for a program that reads it. */
export function placeIn({ diskOf, addressOf }: OpenedPlaces, part: Part, agcFile?: string | false, isAdded = false): RecordingPlace {
  const { path, files, isFolder } = part;
  const agc = agcFile === undefined ? {} : { agcFile, isAgcAdded: isAdded };
  const contents = { files: files.map(nameOf), ...agc };
  if (addressOf && !diskOf) {
    const own = files.map((file) => [nameOf(file), addressOf(file)] as const);
    const found = agcFile && !isAdded ? [[agcFile, addressOf(above(path, agcFile))] as const] : [];
    return { ...contents, isFolder, paths: [path], addresses: Object.fromEntries([...own, ...found]) };
  }
  const onDisk = (one: string): string => diskOf?.(one) ?? one;
  if (!isFolder) return { ...contents, isFolder, paths: files.map(onDisk) };
  const folder = path === "" ? (diskOf?.(path) ?? commonFolder(files.map(onDisk))) : onDisk(path);
  if (!agcFile || isAdded || !diskOf) return { ...contents, isFolder, paths: [folder] };
  const agcPath = onDisk(above(path, agcFile));
  return { ...contents, isFolder, paths: [folder], agcFile: agcPath === above(folder, agcFile) ? agcFile : agcPath };
}

/** The path of a file whose name may begin with `../`, from a folder. */
function above(folder: string, name: string): string {
  if (name.startsWith("../")) return above(folderOf(folder), name.slice(3));
  return folder === "" ? name : `${folder}/${name}`;
}

/** The folder that holds all files; `.` if it is not known. */
function commonFolder(paths: readonly string[]): string {
  const folder = folderOf(paths[0]!);
  return folder !== "" && paths.every((path) => folderOf(path) === folder) ? folder : ".";
}
