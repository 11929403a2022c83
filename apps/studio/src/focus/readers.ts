/** Reads recordings from files of the user and from files on servers, with the table of formats of `@dechirp/io`. Runs in a worker. */
import { inputError, isRadarError, RadarError } from "@dechirp/core";
import { openUrl, parseSceneDescription, type RandomAccess } from "@dechirp/io";
import { formats, type Place, placeOf, type ReadFilesOptions, type Recording, readRecordingFrom } from "@dechirp/io/formats";
import { regularRecordings } from "@dechirp/processor";
import { describeFiles, notOpened } from "./described.ts";
import type { OpenHooks, OpenRecording } from "./recordings.ts";
import { servedFolder } from "./served-folder.ts";

/** Files that may be a recording. */
interface Candidate {
  readonly places: readonly Place[];
  /** The same files as one place, for their description. */
  readonly whole: Place;
}

const single = (place: Place): Candidate => ({ places: [place], whole: place });

/** Reads a channel of a recording, or, if it has none of that name, what is read if no channel is named. */
async function readChannel(places: readonly Place[], channel: string, options: ReadFilesOptions): Promise<Recording> {
  if (channel === "") return readRecordingFrom(places, options);
  try {
    return await readRecordingFrom(places, { ...options, channel });
  } catch (error) {
    if (!isRadarError(error, "input") || error.fields["field"] !== "channel") throw error;
    return readRecordingFrom(places, options);
  }
}

/** Reads a recording from the first candidate that is one. Rejects with what can be done with something else that is known, or with the error of the first. */
async function read(
  candidates: readonly Candidate[],
  names: readonly string[],
  { signal, onProgress, channel }: OpenHooks,
  closeAll: () => Promise<void>,
): Promise<OpenRecording> {
  const errors: unknown[] = [];
  try {
    for (const { places, whole } of candidates) {
      try {
        const found = await readChannel(places, channel, { signal, onProgress: (share) => onProgress("reading", share) });
        const format = formats.find(({ name }) => name === found.format)!.title;
        if (found.kind === "array") break;
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
        const read = found.kind === "phase-history" && found.recording.channel !== undefined ? { channel: found.recording.channel } : {};
        return { format, ...read, ...(stated && { stated }), files: names, content, close };
      } catch (error) {
        if (!isRadarError(error, "input")) throw error;
        errors.push(error);
      }
    }
    const wholes = candidates.map(({ whole }) => whole);
    throw await notOpened(wholes, signal, errors[0]);
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/**
 * Reads files of the user, or of a folder on a server, by their paths. Folders that hold several files may be a recording; so may single files, or all of
 * them together. Rejects with `input`.
 */
export async function readFiles(
  files: Readonly<Record<string, File | RandomAccess>>,
  hooks: OpenHooks,
  closeAll = async (): Promise<void> => {},
): Promise<OpenRecording> {
  const paths = Object.keys(files).sort();
  if (paths.length === 0) throw inputError("files", "a file or a folder with files", "none");
  const [only] = paths;
  if (paths.length === 1) {
    const name = nameOf(only!);
    // Of a folder, only its description may have been dropped: what is said of the folder says what is missing.
    const file = files[only!]!;
    const place = /^(scene|report)\.json$/.test(name) ? placeOf({ [name]: file }) : placeOf({ [name]: file }, { file: name });
    return read([single(place)], paths, hooks, closeAll);
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
  return read([...candidates, together], paths, hooks, closeAll);
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/**
 * A file on a server, which is read by ranges, or a folder that the server lists. For a scene.json, the files that it names are read beside it.
 */
export async function readUrl(url: string, hooks: OpenHooks): Promise<OpenRecording> {
  const { signal, onProgress } = hooks;
  onProgress("asking the server");
  if (URL.canParse(url) && new URL(url).pathname.endsWith("/")) {
    const files = await servedFolder(url, signal);
    return readFiles(files, hooks, async () => {
      for (const file of Object.values(files)) await file.close();
    });
  }
  const open: RandomAccess[] = [];
  const closeAll = async (): Promise<void> => {
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
      for (const other of namesIn(description)) files[other] = await get(new URL(other, url).href);
    }
    const place = /^(scene|report)\.json$/.test(name) ? placeOf(files) : placeOf(files, { file: name });
    return await read([single(place)], Object.keys(files), hooks, closeAll);
  } catch (error) {
    await closeAll();
    throw error;
  }
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
