/**
 * Files and folders for Node: whole files into memory within a bound, and what the system's refusals mean. Knows no
 * format; node-writing.ts writes.
 */
import { constants, type Stats } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { inputError, isRadarError, RadarError, throwIfAborted } from "@dechirp/core";
import { callListener } from "@dechirp/core/internal";
import { pathError } from "./file-error.ts";
import { mostFileBytes, type OnProgress } from "./place.ts";
import { checkOptions, type RandomAccess } from "./random-access.ts";

/** What one system call moves: a signal is heard between two of them, also where a disk gives a few megabytes a second. */
export const chunkBytes = 2 ** 21;

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
  ENOTEMPTY: "what is there is in the way",
  EFBIG: "the file would be too large",
  EMFILE: "this process may open no more files (see ulimit -n)",
  ENFILE: "the system can open no more files",
  ENOMEM: "the system has no memory left",
  EIO: "the device reports an error",
  ERR_INVALID_ARG_VALUE: "the name holds a zero character",
};

/** A system error as `input`, naming `path`, with fields `{ file, reason }`; any other error as it is. */
export function systemError(path: string, doing: string, error: unknown): unknown {
  checkPath(path);
  if (isRadarError(error)) return error;
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (typeof code !== "string") return error;
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

/** Limits, cancelling and progress of reading a file. */
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
  const { maxBytes = mostFileBytes, signal, onProgress } = checkOptions(options, openFileFields, "openFile");
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
          await callListener(() => onProgress?.((from + done) / size), "onProgress", heard, what);
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
