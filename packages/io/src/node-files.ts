/**
 * Files and folders for Node: whole files into memory within a bound, and what the system's refusals mean. Knows no
 * format; node-writing.ts writes.
 */
import { type FileHandle, open, readdir, stat } from "node:fs/promises";
import { RadarError, throwIfAborted } from "@dechirp/core";
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
