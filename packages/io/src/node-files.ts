/**
 * Files and folders for Node: whole files into memory within a bound, and sets of files written so that none is ever
 * seen half done. Knows no format.
 */
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { inputError, RadarError, throwIfAborted } from "@dechirp/core";
import { pathError } from "./file-error.ts";

/** The most bytes of one file that the readers here take where the caller says nothing: 4 GiB. */
export const defaultMaxBytes = 2 ** 32;

/** One system call moves less than 2 GiB. */
const chunkBytes = 2 ** 26;

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

/**
 * The whole of a regular file. Throws `input` where it is absent, not a regular file, not readable or over `maxBytes`;
 * `aborted` where `signal` fires. `onProgress` is told after every 64 MiB.
 */
export async function readBytes(
  path: string,
  options: { readonly maxBytes?: number; readonly signal?: AbortSignal; readonly onProgress?: OnProgress } = {},
): Promise<Uint8Array> {
  const { maxBytes = defaultMaxBytes, signal, onProgress } = options;
  throwIfAborted(signal, `reading ${path}`);
  let handle: FileHandle | undefined;
  try {
    // Asked before opening: to open a pipe would wait for its other end.
    const { size } = await stat(path).then((found) => {
      if (!found.isFile()) throw pathError(path, "a regular file", found.isDirectory() ? "a folder" : "a device, pipe or socket");
      return found;
    });
    if (size > maxBytes) throw pathError(path, `at most ${maxBytes} bytes long`, `${size}`);
    handle = await open(path, "r");
    const bytes = new Uint8Array(size);
    let at = 0;
    while (at < size) {
      throwIfAborted(signal, `reading ${path}`);
      const { bytesRead } = await handle.read(bytes, at, Math.min(chunkBytes, size - at), at);
      // Somebody cut the file short meanwhile: the format's own checks see what there is.
      if (bytesRead === 0) break;
      at += bytesRead;
      onProgress?.(at / size);
    }
    return bytes.subarray(0, at);
  } catch (error) {
    throw systemError(path, "read it", error);
  } finally {
    await handle?.close();
  }
}

/** The content of one file: bytes, or chunks of them one after another. */
export type FileContent = Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Temporary files of writes under way, so that a process that has to end at once can remove them. */
const temporaries = new Set<string>();

/** Removes, synchronously, the temporary files of every write under way: for signal handlers before they exit. */
export function cleanupTemporaries(): void {
  for (const path of temporaries) {
    try {
      rmSync(path, { force: true });
    } catch {
      // The process is going down; a file that can't be removed stays.
    }
  }
  temporaries.clear();
}

/**
 * Writes `files` (plain names) into folder `dir`, which is made where absent. Each file goes to a temporary name in the
 * same folder and to the disk; only when all are there are they renamed, so a failure or an abort before that leaves
 * the folder as it was. (Each rename is atomic, their sequence is not: a crash within it may leave some files new.)
 * Throws `input`, naming the path, where the system refuses (full, read-only, denied); `aborted` where `signal` fires.
 */
export async function writeFolderAtomically(
  dir: string,
  files: Readonly<Record<string, FileContent>>,
  options: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  const { signal } = options;
  const what = `writing ${dir}`;
  for (const name of Object.keys(files)) {
    if (name === "" || name === "." || name === ".." || name !== basename(name) || /[\\\0]/.test(name))
      throw inputError("files", "named by plain file names", name);
  }
  throwIfAborted(signal, what);
  const folder = resolve(dir);
  let made: string | undefined;
  try {
    made = await makeFolders(folder);
  } catch (error) {
    throw systemError(dir, "make the folder", error);
  }
  const written: { readonly temporary: string; readonly path: string }[] = [];
  let doing = "write it";
  let current = dir;
  try {
    for (const [name, content] of Object.entries(files)) {
      const path = join(folder, name);
      current = join(dir, name);
      const found = await stat(path).catch(() => undefined);
      if (found?.isDirectory())
        throw new RadarError("input", `${current}: can't write it: it is a folder`, { file: current, reason: "EISDIR" });
      const temporary = join(folder, `.${name.slice(0, 100)}.${process.pid}-${randomBytes(6).toString("hex")}.tmp`);
      temporaries.add(temporary);
      written.push({ temporary, path });
      await writeTemporary(temporary, content, signal, what);
    }
    throwIfAborted(signal, what);
    doing = "rename it into place";
    for (const { temporary, path } of written) {
      current = join(dir, basename(path));
      await rename(temporary, path);
      temporaries.delete(temporary);
    }
  } catch (error) {
    await Promise.all(written.map(({ temporary }) => rm(temporary, { force: true }).catch(() => undefined)));
    // Only the folders made here, and only while empty.
    if (made !== undefined) await removeEmptyFolders(folder, made);
    throw systemError(current, doing, error);
  } finally {
    for (const { temporary } of written) temporaries.delete(temporary);
  }
  await syncFolder(folder);
}

async function writeTemporary(path: string, content: FileContent, signal: AbortSignal | undefined, what: string): Promise<void> {
  const handle = await open(path, "wx");
  try {
    for await (const chunk of content instanceof Uint8Array ? [content] : content) {
      for (let at = 0; at < chunk.length; ) {
        throwIfAborted(signal, what);
        const { bytesWritten } = await handle.write(chunk, at, Math.min(chunkBytes, chunk.length - at));
        at += bytesWritten;
      }
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Makes `folder` and those above it that are absent; answers the topmost one made. Step by step, because Node's recursive
 * mkdir never ends where the system answers ENOENT for a folder that can't be made, as /proc does.
 */
async function makeFolders(folder: string): Promise<string | undefined> {
  const absent: string[] = [];
  for (let path = folder; !(await exists(path)); path = dirname(path)) {
    absent.unshift(path);
    // The root of a drive that is not there.
    if (dirname(path) === path) break;
  }
  let made: string | undefined;
  for (const path of absent.length > 0 ? absent : [folder]) {
    try {
      await mkdir(path);
      made ??= path;
    } catch (error) {
      // Somebody else made it meanwhile, or it was there.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !(await stat(path)).isDirectory()) throw error;
    }
  }
  return made;
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return false;
      throw error;
    },
  );

async function removeEmptyFolders(from: string, top: string): Promise<void> {
  for (let folder = from; folder.startsWith(top); folder = resolve(folder, "..")) {
    try {
      await rmdir(folder);
    } catch {
      return;
    }
    if (folder === top) return;
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
