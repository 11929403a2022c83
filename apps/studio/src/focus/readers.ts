/** Reads recordings from files of the user and from files on servers, with the table of formats of `@dechirp/io`. Runs in a worker. */
import { inputError, isRadarError, RadarError } from "@dechirp/core";
import { openUrl, parseSceneDescription, type RandomAccess } from "@dechirp/io";
import { type Place, type ReadRecordingOptions, type Recording, readRecordingFrom } from "@dechirp/io/formats";
import { regularRecordings } from "@dechirp/processor";
import { nameOf } from "../ui/file-name.ts";
import { describeFiles, notOpened } from "./described.ts";
import type { RecordingPlace } from "./messages.ts";
import { folderOf, folderPlace, type OpenFiles, type Part, partsOf } from "./parts.ts";
import type { OpenHooks, OpenRecording } from "./recordings.ts";
import { placesOf, servedFolder } from "./served-folder.ts";

/** Files that were opened together, and what is known of them. */
interface Opened {
  readonly files: OpenFiles;
  /** Which of the recordings among them is read, by its path. Default: the first. */
  readonly part?: string;
  /** A file of AGC values that the user has added. */
  readonly agcFile?: File | undefined;
  /** The path of a file or folder on the disk of the machine that runs `dechirp studio`. */
  readonly diskOf?: ((path: string) => string | undefined) | undefined;
  /** The address of a file. */
  readonly addressOf?: (path: string) => string;
  readonly close?: () => Promise<void>;
}

/** Reads a channel of a recording, or, if it has none of that name, what is read if no channel is named. */
async function readChannel(places: readonly Place[], channel: string, options: ReadRecordingOptions): Promise<Recording> {
  if (channel === "") return readRecordingFrom(places, options);
  try {
    return await readRecordingFrom(places, { ...options, channel });
  } catch (error) {
    if (!isRadarError(error, "input") || error.fields["field"] !== "channel") throw error;
    return readRecordingFrom(places, options);
  }
}

/**
 * Reads a recording from files of the user, or of a folder on a server, by their paths. Rejects with `input`, which says what can be done with
 * something else that is known, and with `aborted`.
 */
export async function readFiles(opened: Opened, { signal, onProgress, channel }: OpenHooks): Promise<OpenRecording> {
  const { files, part: wanted, agcFile, close: closeAll = async () => {} } = opened;
  try {
    if (Object.keys(files).length === 0) throw inputError("files", "a file or a folder with files", "none");
    const { parts, wholes, error } = await partsOf(files, signal);
    const part = parts.find(({ path }) => path === wanted) ?? parts[0];
    if (!part) throw await notOpened(wholes, signal, error);
    const { format, whole } = part;
    const added = format.fileOptions && agcFile ? { [agcFile.name]: agcFile } : undefined;
    const places = added ? [folderPlace(files, part.path, added)] : part.places;
    const options = added ? { agcFile: agcFile!.name } : await format.fileOptions?.(whole);
    const found = await readChannel(places, channel, {
      ...{ signal, format: format.name, onProgress: (share: number) => onProgress("reading", share) },
      ...(options?.agcFile && { agcFile: options.agcFile }),
    });
    if (found.kind === "array") throw inputError("files", "a recording for imaging", found.format);
    const { recording } = found;
    const close = async (): Promise<void> => {
      await recording.close();
      await closeAll();
    };
    const stated = await describeFiles([whole], signal, found.kind === "phase-history" ? found.recording.channel : undefined);
    const content =
      found.kind === "stripmap"
        ? ({ kind: "stripmap", recordings: regularRecordings(found.recording) } as const)
        : ({ kind: "phase-history", recording: found.recording } as const);
    const place = placeIn(opened, part, options?.agcFile, added !== undefined);
    return {
      format: format.title,
      ...(found.kind === "phase-history" && found.recording.channel !== undefined && { channel: found.recording.channel }),
      ...(stated && { stated }),
      place,
      part: part.path,
      parts: parts.map(({ path }) => path),
      content,
      close,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** Where a recording is, for a program that reads it. */
function placeIn({ diskOf, addressOf }: Opened, part: Part, agcFile: string | false | undefined, isAdded: boolean): RecordingPlace {
  const { path, files, isFolder } = part;
  const agc = agcFile === undefined ? {} : { agcFile: agcFile as string | false, isAgcAdded: isAdded };
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

/**
 * A file on a server, which is read by ranges, or a folder that the server lists. For a scene.json, the files that it names are read beside it.
 */
export async function readUrl(url: string, part: string, hooks: OpenHooks): Promise<OpenRecording> {
  const { signal, onProgress } = hooks;
  onProgress("asking the server");
  if (URL.canParse(url) && new URL(url).pathname.endsWith("/")) {
    const { files, addressOf, diskOf } = await servedFolder(url, signal);
    const close = async (): Promise<void> => {
      for (const file of Object.values(files)) await file.close();
    };
    return readFiles({ files, part, addressOf, diskOf, close }, hooks);
  }
  const open: RandomAccess[] = [];
  const close = async (): Promise<void> => {
    for (const one of open) await one.close();
  };
  const addresses: Record<string, string> = {};
  const files: Record<string, RandomAccess> = {};
  let diskOf: Opened["diskOf"];
  try {
    const get = async (name: string, address: string): Promise<RandomAccess> => {
      const access = await reach(address, signal);
      open.push(access);
      addresses[name] = address;
      files[name] = access;
      return access;
    };
    const name = (URL.canParse(url) && decodeURIComponent(nameOf(new URL(url).pathname))) || "recording";
    const first = await get(name, url);
    if (name === "scene.json") {
      const description = parseSceneDescription(new TextDecoder().decode(await first.read(0, first.size, { signal })), url);
      for (const other of namesIn(description)) await get(other, besideUrl(url, other));
    }
    diskOf = await placesOf(url, signal);
  } catch (error) {
    await close();
    throw error;
  }
  return readFiles({ files, addressOf: (name) => addresses[name]!, diskOf, close }, hooks);
}

/** The address of a file beside another. It keeps the query, which may be what grants access. */
function besideUrl(url: string, name: string): string {
  const beside = new URL(name, url);
  beside.search = new URL(url).search;
  return beside.href;
}

/** Names of .npy files in a description. */
function namesIn(description: object): readonly string[] {
  return Object.values(description).filter((value): value is string => typeof value === "string" && value.endsWith(".npy"));
}

/**
 * Opens a file on a server. A browser does not tell a page why a request failed, so one request says beforehand whether this page may read from
 * that server; `openUrl` would repeat it.
 */
async function reach(url: string, signal: AbortSignal): Promise<RandomAccess> {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch (cause) {
    throw inputError("url", "the address of a file, such as https://example.org/scene.cphd", url, cause);
  }
  if (/^https?:$/.test(parsed.protocol) && parsed.origin !== location.origin) {
    try {
      // With the headers that reading by ranges needs, so that the server is asked for them.
      const answer = await fetch(parsed, { headers: { Range: "bytes=0-0", "If-Range": '"0"' }, cache: "no-store", signal });
      await answer.body?.cancel();
    } catch (cause) {
      if (signal.aborted) throw new RadarError("aborted", "reading was cancelled", {}, cause);
      const headers =
        "Access-Control-Allow-Origin, Access-Control-Allow-Headers: Range, If-Range, and Access-Control-Expose-Headers: Content-Range, ETag";
      throw new RadarError(
        "input",
        `${parsed.origin} can't be reached or does not let pages of ${location.origin} read its files: it must answer with the headers ${headers} (CORS)`,
        { file: url, reason: "cors" },
        cause,
      );
    }
  }
  return openUrl(url, { signal });
}
