/**
 * Files and folders for Node: whole files into memory within a bound, and sets of files written so that none is ever
 * seen half done. Knows no format.
 */
import { randomBytes } from "node:crypto";
import { linkSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { type FileHandle, mkdir, open, readdir, stat } from "node:fs/promises";
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
  const { signal } = options;
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
  try {
    for await (const chunk of content instanceof Uint8Array ? [content] : content) {
      for (let at = 0; at < chunk.length; ) {
        throwIfAborted(signal, what);
        const { bytesWritten } = await handle.write(chunk, at, Math.min(chunkBytes, chunk.length - at));
        if (bytesWritten === 0) throw new RadarError("input", `${path}: can't write it: no byte is taken`, { file: path });
        at += bytesWritten;
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
