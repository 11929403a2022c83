/**
 * Sets of files written into folders for Node, all of a set or none, whatever ends the process and whoever else writes
 * there: hidden folders that files are written into, what is left of them, and the folders above. node-commit.ts puts files into
 * place. Knows no format.
 */
import { mkdirSync, rmdirSync } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { inputError, RadarError, throwIfAborted } from "@dechirp/core";
import { isArrayOf } from "@dechirp/core/internal";
import { beforePrefix, codeOf, commit, remove, type Write } from "./node-commit.ts";
import { checkPath, chunkBytes, systemError } from "./node-files.ts";
import { ownerOf, ownName, stateOf } from "./node-owner.ts";
import { checkOptions } from "./random-access.ts";

/** The content of one file: bytes, or chunks of them one after another. */
export type FileContent = Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Bytes that wait for the disk, at most: what comes last to the disk is soon there, and a signal does not wait long. */
const unsyncedBytes = 2 ** 24;
/** What the name of a hidden folder has around its owner's. */
const [hiddenPrefix, hiddenSuffix] = [".dechirp-", ".tmp"];
const hiddenIn = (dir: string, owner: string): string => join(dir, `${hiddenPrefix}${owner}${hiddenSuffix}`);
/** After so long without a change, a hidden folder whose process can't be asked for, as it is another host's, is left over. */
const abandonedMilliseconds = 24 * 3_600_000;

/** Hidden folders of writes under way, and folders made for them, so that a process that has to end at once can remove them. */
const temporaries = new Set<string>();
const madeFolders = new Set<MadeFolders>();

/** `folder` and those above it up to `top` were not there before. */
interface MadeFolders {
  readonly folder: string;
  readonly top: string;
}

/** Removes, synchronously, what writes under way have made: for signal handlers, right before they exit. May be called again. */
export function cleanupTemporaries(): void {
  for (const path of temporaries) remove(path);
  for (const made of madeFolders) removeEmptyFolders(made);
}

/**
 * Writes `files` (plain names) into folder `dir`, which is made where absent; other files in it stay as they are. All files
 * are written under hidden names first, and to the disk; only when all are complete do they get their names. A failure or
 * an abort before that leaves the folder as it was; where a file can't be put into place, those before it are undone. A new folder
 * appears with all its files at once. In a folder that is there, files are put into place one after another: where the process is
 * killed meanwhile, the next write into the folder (or `readScene`) puts the rest into place.
 * Writes of several processes into one folder come one after another, each as a whole; the last one stays. Leftovers of
 * processes that were killed are removed.
 * Throws `input`, naming the path, where the system refuses (full, read-only, denied); `aborted` where `signal` fires.
 */
export async function writeFolderAtomically(
  dir: string,
  files: Readonly<Record<string, FileContent>>,
  options: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  const { signal } = checkOptions(options, { signal: true }, "writeFolderAtomically");
  checkPath(dir, "dir");
  if (typeof files !== "object" || files === null) throw inputError("files", "contents by name", files);
  const what = `writing ${dir}`;
  const names = Object.keys(files);
  for (const name of names) {
    if (name === "" || name === "." || name === ".." || name !== basename(name) || /[\\\0]/.test(name))
      throw inputError("files", "named by plain file names", name);
    // Also where cases are the same.
    if (/^\.dechirp-(commit$|.*\.tmp$)/i.test(name)) throw inputError("files", "other names than those of hidden folders", name);
  }
  throwIfAborted(signal, what);
  const folder = resolve(dir);
  await removeLeftovers(folder);
  const { place, made } = await stagingPlace(dir, folder);
  if (made) madeFolders.add(made);
  const owner = ownName();
  const write: Write = { dir, folder, names, hidden: hiddenIn(place, owner), owner, what, signal };
  temporaries.add(write.hidden);
  try {
    await stage(write, files);
    await commit(write);
  } catch (error) {
    remove(write.hidden);
    // Only the folders made here, and only while empty.
    if (made) removeEmptyFolders(made);
    throw error;
  } finally {
    temporaries.delete(write.hidden);
    if (made) madeFolders.delete(made);
  }
  await syncFolder(folder);
  await syncFolder(place);
}

/** Makes a hidden folder in folder `dir` and removes it, in one go. Throws `input`, with the system's `reason`, where nothing can be made there. */
export function tryFolder(dir: string): void {
  checkPath(dir, "dir");
  const path = hiddenIn(dir, ownName());
  try {
    mkdirSync(path);
    rmdirSync(path);
  } catch (error) {
    throw systemError(dir, "write there", error);
  }
}

/** Where the hidden folder is made: in the target, or beside it where it is not there yet. Throws as writing does. */
async function stagingPlace(dir: string, folder: string): Promise<{ readonly place: string; readonly made: MadeFolders | undefined }> {
  let made: MadeFolders | undefined;
  try {
    if (!(await exists(folder)) && dirname(folder) !== folder) made = await makeFolders(dirname(folder));
    // A link to nowhere is something.
    const found = await lstat(folder).catch((error) => {
      if (codeOf(error) !== "ENOENT") throw error;
    });
    if (!found) return { place: dirname(folder), made };
    if (!(await stat(folder).catch(() => found)).isDirectory()) throw Object.assign(new Error(folder), { code: "EEXIST" });
    return { place: folder, made };
  } catch (error) {
    if (made) removeEmptyFolders(made);
    throw systemError(dir, "make the folder", error);
  }
}

/** Writes every file into the hidden folder. */
async function stage({ dir, folder, hidden, owner, what, signal }: Write, files: Readonly<Record<string, FileContent>>): Promise<void> {
  try {
    for (const path of [hidden, join(hidden, owner), join(hidden, beforePrefix + owner)]) await mkdir(path);
  } catch (error) {
    throw systemError(dir, "make a folder for it", error);
  }
  for (const [name, content] of Object.entries(files)) {
    const shown = join(dir, name);
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found?.isDirectory()) throw new RadarError("input", `${shown}: can't write it: it is a folder`, { file: shown, reason: "EISDIR" });
    try {
      await writeFile(join(hidden, owner, name), shown, content, signal, what);
    } catch (error) {
      throw systemError(shown, "write it", error);
    }
  }
  await syncFolder(join(hidden, owner));
}

async function writeFile(path: string, shown: string, content: FileContent, signal: AbortSignal | undefined, what: string): Promise<void> {
  const handle = await open(path, "wx");
  let unsynced = 0;
  try {
    const chunks = isArrayOf(content, Uint8Array) ? [content] : (content as Exclude<FileContent, Uint8Array>);
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length; ) {
        throwIfAborted(signal, what);
        const { bytesWritten } = await handle.write(chunk, at, Math.min(chunkBytes, chunk.length - at));
        if (bytesWritten === 0) throw new RadarError("input", `${shown}: can't write it: no byte is taken`, { file: shown });
        at += bytesWritten;
        unsynced += bytesWritten;
        if (unsynced < unsyncedBytes) continue;
        await handle.datasync();
        unsynced = 0;
      }
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes hidden folders of processes that have ended, in `folder` and beside it. What can't be looked at or removed stays. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const place of new Set([folder, dirname(folder)])) {
    for (const name of await readdir(place).catch(() => [])) {
      const owner = ownerOf(name, hiddenPrefix, hiddenSuffix);
      if (owner && (await isLeftOver(join(place, name), stateOf(owner)))) remove(join(place, name));
    }
  }
}

async function isLeftOver(path: string, state: ReturnType<typeof stateOf>): Promise<boolean> {
  if (state !== "unknown") return state === "ended";
  let last = 0;
  for (const name of await readdir(path, { recursive: true }).then(
    (names) => ["", ...names],
    () => [],
  )) {
    const found = await stat(join(path, name)).catch(() => undefined);
    last = Math.max(last, found?.mtimeMs ?? Number.POSITIVE_INFINITY);
  }
  return last > 0 && Date.now() - last > abandonedMilliseconds;
}

/**
 * Makes `folder` and those above it that are absent; answers what was made. Step by step, because Node's recursive
 * mkdir never ends where the system answers ENOENT for a folder that can't be made, as /proc does. Throws as the system does.
 */
async function makeFolders(folder: string): Promise<MadeFolders | undefined> {
  let made: MadeFolders | undefined;
  try {
    const absent: string[] = [];
    for (let path = folder; !(await exists(path)); path = dirname(path)) {
      absent.unshift(path);
      // The root of a drive that is not there.
      if (dirname(path) === path) break;
    }
    for (const path of absent) {
      try {
        await mkdir(path);
        made ??= { folder, top: path };
      } catch (error) {
        // Somebody else made it meanwhile, or it was there.
        if (codeOf(error) !== "EEXIST" || !(await stat(path)).isDirectory()) throw error;
      }
    }
    return made;
  } catch (error) {
    if (made) removeEmptyFolders(made);
    throw error;
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return false;
      throw error;
    },
  );

function removeEmptyFolders({ folder, top }: MadeFolders): void {
  for (let path = folder; path.startsWith(top); path = dirname(path)) {
    try {
      rmdirSync(path);
    } catch {
      // It was not made yet, or somebody else has put something there.
    }
  }
}

/** Makes renames durable where the system can sync a folder. */
async function syncFolder(folder: string): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(folder, "r");
    await handle.sync();
  } catch {
    // Windows can't; the files themselves are synced.
  } finally {
    await handle?.close().catch(() => undefined);
  }
}
