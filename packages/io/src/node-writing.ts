/**
 * Writes sets of files into folders in Node: all files of a set or none, even if the process is killed or other processes write there
 * at the same time. This file stages files in hidden folders, removes what killed processes left, and makes parent folders.
 * node-commit.ts moves the files into place. It knows no format.
 */
import { mkdirSync, rmdirSync } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { inputError, RadarError, throwIfAborted } from "@dechirp/core";
import { isArrayOf } from "@dechirp/core/internal";
import { beforePrefix, codeOf, commit, remove, type Write } from "./node-commit.ts";
import { checkPath, checkReplaceable, chunkBytes, systemError } from "./node-files.ts";
import { ownerOf, ownName, stateOf } from "./node-owner.ts";
import { checkOptions } from "./random-access.ts";

/** The content of one file: bytes, or a sequence of chunks of bytes. */
export type FileContent = Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** After this many bytes the file is synced to the disk, so that the last sync is short and a signal does not wait long. */
const unsyncedBytes = 2 ** 24;
/** Prefix and suffix around the owner's name in the name of a hidden folder. */
const [hiddenPrefix, hiddenSuffix] = [".dechirp-", ".tmp"];
export const hiddenIn = (dir: string, owner: string): string => join(dir, `${hiddenPrefix}${owner}${hiddenSuffix}`);
/** A hidden folder of another host, whose process can't be checked, counts as abandoned after this time without a change. */
const abandonedMilliseconds = 24 * 3_600_000;

/** Hidden folders and files of writes in progress, and parent folders made for them. A process that must exit at once can remove them. */
export const temporaries = new Set<string>();
export const madeFolders = new Set<MadeFolders>();

/** Folders that were newly made: `folder` and its parents up to `top`. */
export interface MadeFolders {
  /** The folder that was asked for. */
  readonly folder: string;
  /** The first of its parents that was not there, or the folder itself. */
  readonly top: string;
}

/**
 * Removes, synchronously, everything that writes in progress have made. For signal handlers, right before they exit. It may be called
 * several times.
 */
export function cleanupTemporaries(): void {
  for (const path of temporaries) remove(path);
  for (const made of madeFolders) removeEmptyFolders(made);
}

/**
 * Writes `files` (plain names) into folder `dir`, all or none. The folder is made if it does not exist; other files in it stay as they
 * are. All files are first written to the disk under hidden names, and get their names only when all are complete. If writing fails or
 * is aborted before that, the folder stays as it was. If a file can't be moved into place, the moves before it are undone. A new folder
 * appears with all its files at once. In an existing folder files are moved into place one after another. If the process is killed in
 * between, the next write into the folder (or `readScene`) moves the remaining files. If several processes write into one folder, each
 * set is written as a whole, one after another; the last one stays. Leftovers of killed processes are removed. Rejects with `input`,
 * which names the path, if the system refuses (disk full, read-only, no permission), and with `aborted` if `signal` fires.
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
    // Compared without case, for file systems that ignore it.
    if (/^\.dechirp-(commit$|.*\.tmp$)/i.test(name))
      throw inputError("files", "names that dechirp does not use for its hidden folders", name);
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
    // Removes only folders that were made here and are still empty.
    if (made) removeEmptyFolders(made);
    throw error;
  } finally {
    temporaries.delete(write.hidden);
    if (made) madeFolders.delete(made);
  }
  await syncFolder(folder);
  await syncFolder(place);
}

/**
 * Tests whether files can be made in folder `dir`, by making and removing a hidden folder synchronously. Throws `input`, with the
 * system's `reason`, if not.
 */
export function checkFolderWritable(dir: string): void {
  checkPath(dir, "dir");
  const path = hiddenIn(dir, ownName());
  try {
    mkdirSync(path);
    rmdirSync(path);
  } catch (error) {
    throw systemError(dir, "write there", error);
  }
}

/** Chooses where to make the hidden folder: in the target folder, or beside it if the target does not exist. Throws as writing does. */
async function stagingPlace(dir: string, folder: string): Promise<{ readonly place: string; readonly made: MadeFolders | undefined }> {
  let made: MadeFolders | undefined;
  try {
    if (!(await exists(folder)) && dirname(folder) !== folder) made = await makeFolders(dirname(folder));
    // A dangling link counts as existing.
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
    await checkReplaceable(shown, join(folder, name));
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
        if (bytesWritten === 0) throw new RadarError("input", `${shown}: can't write it: the system writes no byte`, { file: shown });
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

/** Removes hidden folders of processes that have ended, in `folder` and beside it. Folders that can't be inspected or removed stay. */
export async function removeLeftovers(folder: string): Promise<void> {
  for (const place of new Set([folder, dirname(folder)])) {
    for (const name of await readdir(place).catch(() => [])) {
      const owner = ownerOf(name, hiddenPrefix, hiddenSuffix);
      if (owner && (await isLeftOver(join(place, name), stateOf(owner)))) remove(join(place, name));
    }
  }
}

/** Whether the folder at `path` of an owner whose process is in this state is abandoned. */
export async function isLeftOver(path: string, state: ReturnType<typeof stateOf>): Promise<boolean> {
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
 * Makes `folder` and its missing parents, and returns which were made. It goes step by step because Node's recursive mkdir never
 * returns if the system answers ENOENT for a folder that can't be made, as /proc does, and reports ENOENT on a read-only file system. Rejects with `input` if `folder` is no path, and with system errors.
 */
export async function makeFolders(folder: string): Promise<MadeFolders | undefined> {
  checkPath(folder, "folder");
  let made: MadeFolders | undefined;
  try {
    const absent: string[] = [];
    for (let path = folder; !(await exists(path)); path = dirname(path)) {
      absent.unshift(path);
      // The drive does not exist.
      if (dirname(path) === path) break;
    }
    for (const path of absent) {
      try {
        await mkdir(path);
        made ??= { folder, top: path };
      } catch (error) {
        // Another process has made it in the meantime, or it existed.
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

export function removeEmptyFolders({ folder, top }: MadeFolders): void {
  for (let path = folder; path.startsWith(top); path = dirname(path)) {
    try {
      rmdirSync(path);
    } catch {
      // The folder was not made yet, or another process has put something there.
    }
  }
}

/** Makes renames durable, if the system can sync a folder. */
export async function syncFolder(folder: string): Promise<void> {
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
