/**
 * Files and folders for Node: whole files into memory within a bound, and sets of files written so that none is ever
 * seen half done. Knows no format.
 */
import { randomBytes } from "node:crypto";
import { constants, linkSync, renameSync, rmdirSync, rmSync, type Stats } from "node:fs";
import { type FileHandle, mkdir, open, readdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { inputError, RadarError, throwIfAborted } from "@dechirp/core";
import { pathError } from "./file-error.ts";
import { checkOptions, type RandomAccess } from "./random-access.ts";

/** The most bytes of one file that the readers here take where the caller says nothing: 4 GiB. */
export const defaultMaxBytes = 2 ** 32;

/** What one system call moves: a signal is heard between two of them, also where a disk gives a few megabytes a second. */
const chunkBytes = 2 ** 21;

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  EACCES: "permission denied",
  EPERM: "operation not permitted",
  ENOTDIR: "a part of the path is not a folder",
  EISDIR: "it is a folder",
  EROFS: "the file system is read-only",
  ENOSPC: "no space is left on the device",
  EDQUOT: "the disk quota is used up",
  ENAMETOOLONG: "the name is too long",
  ELOOP: "too many symbolic links",
  EEXIST: "it exists already and is no folder",
  EFBIG: "the file would be too large",
  ERR_INVALID_ARG_VALUE: "the name holds a zero character",
};

/** A system error as `input`, naming `path`, with fields `{ file, reason }`; any other error as it is. */
export function systemError(path: string, doing: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (error instanceof RadarError || typeof code !== "string") return error;
  if (!/^E[A-Z0-9]+$/.test(code) && !Object.hasOwn(reasons, code)) return error;
  return new RadarError("input", `${path}: can't ${doing}: ${reasons[code] ?? code}`, { file: path, reason: code }, error);
}

/** The names in folder `dir`. Throws `input` where it is absent, no folder or not readable. */
export async function listFolder(dir: string): Promise<string[]> {
  checkPath(dir, "dir");
  try {
    const found = await stat(dir);
    if (!found.isDirectory()) throw pathError(dir, "a folder", "a file");
    return (await readdir(dir)).sort();
  } catch (error) {
    throw systemError(dir, "read the folder", error);
  }
}

export async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** Told of the share that is read, from 0 to 1 and never falling. */
export type OnProgress = (share: number) => void;

/** Of several files, one after another: what to tell while the file `i` of `count` is read. */
export const partOf = (onProgress: OnProgress | undefined, i: number, count: number): { readonly onProgress?: OnProgress } =>
  onProgress ? { onProgress: (share) => onProgress((i + share) / count) } : {};

export interface OpenFileOptions {
  /** The most bytes of the file; 4 GiB where left out. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
  /** Told, after every piece that is read, how far into the file it reaches. */
  readonly onProgress?: OnProgress;
}

/**
 * Opens a regular file to read from it at any place. Its size is what the system says now: the files of /proc, of which it says 0, are
 * empty. Nothing is read yet. Close it. Rejects with `input` where it is absent, not a regular file, not readable or over `maxBytes`, and
 * for wrong arguments; with `aborted` where `signal` fires, as every read does.
 */
export async function openFile(path: string, options: OpenFileOptions = {}): Promise<RandomAccess> {
  const { maxBytes = defaultMaxBytes, signal, onProgress } = checkOptions(options, openFileFields, "openFile");
  checkPath(path);
  if (!(maxBytes > 0)) throw inputError("maxBytes", "a positive number of bytes", maxBytes);
  const what = `reading ${path}`;
  throwIfAborted(signal, what);
  const sizeOf = (found: Stats): number => {
    if (!found.isFile()) throw pathError(path, "a regular file", found.isDirectory() ? "a folder" : "a device, pipe or socket");
    if (found.size > maxBytes) throw pathError(path, `at most ${maxBytes} bytes long`, `${found.size}`);
    return found.size;
  };
  const told = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw systemError(path, "read it", error);
    }
  };
  return told(async () => {
    // Asked before opening, which some devices notice; and asked again, since it may be another file by now: to open a pipe must not wait.
    sizeOf(await stat(path));
    const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const size = sizeOf(await handle.stat());
      return { size, close: () => handle.close(), read: (at, length, given) => told(() => readAt(at, length, given?.signal ?? signal)) };

      async function readAt(from: number, length: number, heard: AbortSignal | undefined): Promise<Uint8Array> {
        const bytes = new Uint8Array(Math.max(0, Math.min(length, size - from)));
        let done = 0;
        while (done < bytes.length) {
          throwIfAborted(heard, what);
          const { bytesRead } = await handle.read(bytes, done, Math.min(chunkBytes, bytes.length - done), from + done);
          // Somebody cut the file short meanwhile: the format's own checks see what there is.
          if (bytesRead === 0) break;
          done += bytesRead;
          onProgress?.((from + done) / size);
        }
        throwIfAborted(heard, what);
        return bytes.subarray(0, done);
      }
    } catch (error) {
      await handle.close();
      throw error;
    }
  });
}

const openFileFields = { maxBytes: true, signal: true, onProgress: true } as const;

/** Throws `input` for a path that is no text. */
export function checkPath(path: unknown, field = "path"): void {
  if (typeof path !== "string") throw inputError(field, "a path, a text", path);
}

/** Opens the file at `path`, hands it over, and closes it. */
export async function withFile<T>(path: string, options: OpenFileOptions, work: (file: RandomAccess) => Promise<T>): Promise<T> {
  const file = await openFile(path, options);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

/** The whole of a regular file; for what has a header to look at first there is `openFile`. Rejects as that does. */
export const readBytes = (path: string, options: OpenFileOptions = {}): Promise<Uint8Array> =>
  withFile(path, options, (file) => file.read(0, file.size));

/** The content of one file: bytes, or chunks of them one after another. */
export type FileContent = Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Bytes that wait for the disk, at most: what comes last to the disk is soon there, and a signal does not wait long. */
const unsyncedBytes = 2 ** 24;

/** Temporary files of writes under way, and folders made for them, so that a process that has to end at once can remove them. */
const temporaries = new Set<string>();
const madeFolders = new Set<MadeFolders>();

/** `folder` and those above it up to `top` were not there before. */
interface MadeFolders {
  readonly folder: string;
  readonly top: string;
}

/** Removes, synchronously, what writes under way have made: for signal handlers before they exit. */
export function cleanupTemporaries(): void {
  for (const path of temporaries) remove(path);
  for (const made of madeFolders) removeEmptyFolders(made);
  temporaries.clear();
  madeFolders.clear();
}

/** A file that can't be removed stays: something else has failed, which is to be told. */
function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {}
}

/** A file on its way, and what it replaces. */
interface Replacement {
  readonly content: FileContent;
  /** As an error names it. */
  readonly shown: string;
  readonly path: string;
  readonly temporary: string;
  /** A second name of what was there before. */
  readonly before: string;
}

/**
 * Writes `files` (plain names) into folder `dir`, which is made where absent. Each file goes to a temporary name in the
 * same folder and to the disk; only when all are there are they renamed, so a failure or an abort before that leaves
 * the folder as it was. Where a rename fails, those before it are undone. (Each rename is atomic, their sequence is not:
 * a crash within it may leave some files new, as may an undoing on a file system without hard links.)
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
  for (const name of Object.keys(files)) {
    if (name === "" || name === "." || name === ".." || name !== basename(name) || /[\\\0]/.test(name))
      throw inputError("files", "named by plain file names", name);
  }
  throwIfAborted(signal, what);
  const folder = resolve(dir);
  const made = await makeFolders(dir, folder);
  if (made) madeFolders.add(made);
  const replacements = Object.entries(files).map(([name, content]): Replacement => {
    const hidden = join(folder, `.${name.slice(0, 100)}.${process.pid}-${randomBytes(6).toString("hex")}`);
    return { content, shown: join(dir, name), path: join(folder, name), temporary: `${hidden}.tmp`, before: `${hidden}.old` };
  });
  try {
    for (const { content, shown, path, temporary } of replacements) {
      const found = await stat(path).catch(() => undefined);
      if (found?.isDirectory())
        throw new RadarError("input", `${shown}: can't write it: it is a folder`, { file: shown, reason: "EISDIR" });
      temporaries.add(temporary);
      try {
        await writeTemporary(temporary, content, signal, what);
      } catch (error) {
        throw systemError(shown, "write it", error);
      }
    }
    throwIfAborted(signal, what);
    replaceAll(replacements);
  } catch (error) {
    for (const { temporary } of replacements) remove(temporary);
    // Only the folders made here, and only while empty.
    if (made) removeEmptyFolders(made);
    throw error;
  } finally {
    for (const { temporary } of replacements) temporaries.delete(temporary);
    if (made) madeFolders.delete(made);
  }
  await syncFolder(folder);
}

/** Renames all or none, in one go, so that no signal of this process comes between. */
function replaceAll(replacements: readonly Replacement[]): void {
  const done: (Replacement & { readonly was: Before })[] = [];
  try {
    for (const replacement of replacements) {
      const { shown, path, temporary, before } = replacement;
      const was = keep(path, before);
      try {
        renameSync(temporary, path);
      } catch (error) {
        if (was === "kept") remove(before);
        throw systemError(shown, "rename it into place", error);
      }
      done.push({ ...replacement, was });
    }
  } catch (error) {
    for (const { path, before, was } of done.reverse()) restore(path, before, was);
    throw error;
  }
  for (const { before, was } of done) if (was === "kept") remove(before);
}

/** What was under a name: nothing, a file that has a second name now, or one that can't have one. */
type Before = "nothing" | "kept" | "lost";

function keep(path: string, before: string): Before {
  try {
    linkSync(path, before);
    return "kept";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "nothing" : "lost";
  }
}

function restore(path: string, before: string, was: Before): void {
  if (was === "nothing") remove(path);
  if (was !== "kept") return;
  try {
    renameSync(before, path);
  } catch {
    // The second name stays, which somebody may look for.
  }
}

async function writeTemporary(path: string, content: FileContent, signal: AbortSignal | undefined, what: string): Promise<void> {
  const handle = await open(path, "wx");
  let unsynced = 0;
  try {
    for await (const chunk of content instanceof Uint8Array ? [content] : content) {
      for (let at = 0; at < chunk.length; ) {
        throwIfAborted(signal, what);
        const { bytesWritten } = await handle.write(chunk, at, Math.min(chunkBytes, chunk.length - at));
        if (bytesWritten === 0) throw new RadarError("input", `${path}: can't write it: no byte is taken`, { file: path });
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

/**
 * Makes `folder` and those above it that are absent; answers what was made. Step by step, because Node's recursive
 * mkdir never ends where the system answers ENOENT for a folder that can't be made, as /proc does. Throws as writing does.
 */
async function makeFolders(dir: string, folder: string): Promise<MadeFolders | undefined> {
  let made: MadeFolders | undefined;
  try {
    const absent: string[] = [];
    for (let path = folder; !(await exists(path)); path = dirname(path)) {
      absent.unshift(path);
      // The root of a drive that is not there.
      if (dirname(path) === path) break;
    }
    for (const path of absent.length > 0 ? absent : [folder]) {
      try {
        await mkdir(path);
        made ??= { folder, top: path };
      } catch (error) {
        // Somebody else made it meanwhile, or it was there.
        if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !(await stat(path)).isDirectory()) throw error;
      }
    }
    return made;
  } catch (error) {
    if (made) removeEmptyFolders(made);
    throw systemError(dir, "make the folder", error);
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
