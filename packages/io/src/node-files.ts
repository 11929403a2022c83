/**
 * Opens files and lists folders in Node, and translates errors of the system. Files are read within a size limit. This file knows no
 * format; node-writing.ts writes.
 */
import * as fs from "node:fs";
import { lstat, readdir, stat } from "node:fs/promises";
import { promisify } from "node:util";
import { inputError, isRadarError, RadarError, throwIfAborted } from "@dechirp/core";
import { callListener } from "@dechirp/core/internal";
import { pathError } from "./file-error.ts";
import { mostFileBytes, type OnProgress } from "./place.ts";
import { checkOptions, type RandomAccess, shrunkError } from "./random-access.ts";

/**
 * Bytes per system call. The signal is checked between calls, so the pieces are small enough for a disk that reads a few megabytes per
 * second.
 */
export const chunkBytes = 2 ** 21;

/** Pieces of a long read that are read at the same time. */
const readsAtOnce = 4;

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
  EEXIST: "it exists already and is not a folder",
  ENOTEMPTY: "other files are in the way",
  EFBIG: "the file would be too large",
  EMFILE: "this process may open no more files (see ulimit -n)",
  ENFILE: "the system can open no more files",
  ENOMEM: "the system has no memory left",
  EIO: "the device reports an error",
  ERR_INVALID_ARG_VALUE: "the name contains a zero character",
};

/**
 * Converts a system error into an `input` error that names `path`, with fields `{ file, reason }`. Returns any other error unchanged.
 * `doing` is the failed action: `read it`.
 */
export function systemError(path: string, doing: string, error: unknown): unknown {
  checkPath(path);
  if (isRadarError(error)) return error;
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (typeof code !== "string") return error;
  if (!/^E[A-Z0-9]+$/.test(code) && !Object.hasOwn(reasons, code)) return error;
  return new RadarError("input", `${path}: can't ${doing}: ${reasons[code] ?? code}`, { file: path, reason: code }, error);
}

/** Resolves as `work` does. Errors of the system become the `systemError` of `path` and `doing`. */
export async function translated<T>(path: string, doing: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw systemError(path, doing, error);
  }
}

/** Lists the names in folder `dir`, sorted. Throws `input` if it does not exist, is not a folder or can't be read. */
export async function listFolder(dir: string): Promise<string[]> {
  checkPath(dir, "dir");
  return translated(dir, "read the folder", async () => {
    const found = await stat(dir);
    if (!found.isDirectory()) throw pathError(dir, "a folder", "a file");
    return (await readdir(dir)).sort();
  });
}

/**
 * Rejects with `input` unless a file at `target` may be written, which replaces what is there: a file, a link (itself), or nothing. Folders,
 * devices, pipes and sockets stay. `path` is its name in messages.
 */
export async function checkReplaceable(path: string, target: string): Promise<void> {
  const missing = (error: unknown): undefined => {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw systemError(path, "write it", error);
  };
  const found = await lstat(target).catch(missing);
  const led = found?.isSymbolicLink() ? await stat(target).catch(() => undefined) : found;
  if (led?.isDirectory()) throw new RadarError("input", `${path}: can't write it: it is a folder`, { file: path, reason: "EISDIR" });
  if (found && !found.isFile() && !found.isSymbolicLink())
    throw new RadarError("input", `${path}: can't write it: it is a device, a pipe or a socket`, { file: path, reason: "EEXIST" });
}

/** Whether there is a regular file at `path`. */
export async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** Options of `openFile`. */
export interface OpenFileOptions {
  /** The most bytes of the file. Default: 4 GiB. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
  /** Called after every piece that is read, with the share of the file up to its end. */
  readonly onProgress?: OnProgress;
}

/**
 * Opens a regular file for reading at any position. Nothing is read yet. The caller must close it. The size is the one that the system
 * states now; it states 0 for files of /proc, so they are empty. Rejects with `input` if the file does not exist, is not a regular
 * file, can't be read or is longer than `maxBytes`, and for wrong arguments. Reads reject with `input` if the bytes have been cut off
 * meanwhile, or if the file has as many bytes but was written again, so that two versions are never mixed. A file may grow. Rejects with `aborted` if `signal` fires, as every read does that has no signal of its own.
 */
export async function openFile(path: string, options: OpenFileOptions = {}): Promise<RandomAccess> {
  const { maxBytes = mostFileBytes, signal, onProgress } = checkOptions(options, openFileFields, "openFile");
  checkPath(path);
  if (!(maxBytes > 0)) throw inputError("maxBytes", "a positive number of bytes", maxBytes);
  const what = `reading ${path}`;
  throwIfAborted(signal, what);
  const sizeOf = (found: fs.Stats): number => {
    if (!found.isFile()) throw pathError(path, "a regular file", found.isDirectory() ? "a folder" : "a device, pipe or socket");
    if (found.size > maxBytes) throw pathError(path, `at most ${maxBytes} bytes long`, `${found.size}`);
    return found.size;
  };
  return translated(path, "read it", async () => {
    // Checked before opening, because opening has effects on some devices. Checked again after opening, because the file may have been
    // replaced; O_NONBLOCK keeps the opening of a pipe from waiting.
    sizeOf(await stat(path));
    const fd = await openDescriptor(path, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
    try {
      const opened = await statDescriptor(fd);
      const size = sizeOf(opened);
      const file: OpenedFile = { fd, reads: new Set() };
      forgotten.register(file, fd, file);
      return {
        name: path,
        size,
        close: () => {
          file.closing ??= closeWhenRead(file);
          return file.closing;
        },
        read: (at, length, given) => {
          const read = translated(path, "read it", () => readAt(at, length, given?.signal ?? signal, given?.into)).finally(() =>
            file.reads.delete(read),
          );
          file.reads.add(read);
          return read;
        },
      };

      function throwIfClosed(): void {
        if (file.closing) throw new RadarError("disposed", `${path} was closed`, { file: path });
      }

      async function readAt(
        from: number,
        length: number,
        heard: AbortSignal | undefined,
        into: Uint8Array | undefined,
      ): Promise<Uint8Array> {
        throwIfClosed();
        const most = Math.max(0, Math.min(length, size - from));
        // Every byte is overwritten below, so the memory need not be cleared. A buffer of its own is never part of Node's pool.
        const bytes = into && into.length >= most ? into.subarray(0, most) : new Uint8Array(Buffer.allocUnsafeSlow(most).buffer);
        /** Fills the bytes from `begin` to before `end`. */
        const fill = async (begin: number, end: number): Promise<void> => {
          for (let done = begin; done < end; ) {
            throwIfAborted(heard, what);
            throwIfClosed();
            const { bytesRead } = await readDescriptor(file.fd, bytes, done, Math.min(chunkBytes, end - done), from + done);
            // Another process has cut the file short.
            if (bytesRead === 0) throw shrunkError(path, from + done, size);
            done += bytesRead;
            if (onProgress) await callListener(() => onProgress((from + done) / size), "onProgress", heard, what);
          }
        };
        const turns = onProgress ? 1 : Math.max(1, Math.min(readsAtOnce, Math.ceil(bytes.length / chunkBytes)));
        const each = Math.ceil(bytes.length / turns);
        // All are awaited, so that nothing is read any more after an error.
        const ends = await Promise.allSettled(
          Array.from({ length: turns }, (_, i) => fill(i * each, Math.min(bytes.length, (i + 1) * each))),
        );
        for (const end of ends) if (end.status === "rejected") throw end.reason;
        throwIfAborted(heard, what);
        // Checked after reading, so that what is returned was there before the change.
        const now = await statDescriptor(file.fd);
        throwIfAborted(heard, what);
        if (now.size === size && now.mtimeMs !== opened.mtimeMs)
          throw new RadarError("input", `${path}: the file has changed since it was opened`, { file: path, reason: "changed" });
        return bytes;
      }
    } catch (error) {
      await closeDescriptor(fd);
      throw error;
    }
  });
}

/** An open file. The functions of its `RandomAccess` hold it. */
interface OpenedFile {
  readonly fd: number;
  /** Reads in progress. */
  readonly reads: Set<Promise<unknown>>;
  closing?: Promise<void>;
}

/** Closes a file after the reads in progress, which end soon: its number may belong to another file afterwards. */
async function closeWhenRead(file: OpenedFile): Promise<void> {
  forgotten.unregister(file);
  await Promise.allSettled(file.reads);
  await closeDescriptor(file.fd);
}

// Descriptors instead of Node's FileHandle: Node warns if one is collected that was not closed, and says that it will throw in the future.
const openDescriptor = promisify(fs.open);
const statDescriptor = promisify(fs.fstat);
const readDescriptor = promisify(fs.read);
const closeDescriptor = promisify(fs.close);
/** Closes files that were collected without having been closed. */
const forgotten = new FinalizationRegistry<number>((fd) => fs.close(fd, () => {}));

const openFileFields = { maxBytes: true, signal: true, onProgress: true } as const;

/** Throws `input` if a path is not text. */
export function checkPath(path: unknown, field = "path"): void {
  if (typeof path !== "string") throw inputError(field, "a path, a text", path);
}

/** Opens the file at `path`, passes it to `work` and closes it. */
export async function withFile<T>(path: string, options: OpenFileOptions, work: (file: RandomAccess) => Promise<T>): Promise<T> {
  const file = await openFile(path, options);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

/** Reads a whole regular file. If its header should be checked first, use `openFile`. Rejects as `openFile` does. */
export const readBytes = (path: string, options: OpenFileOptions = {}): Promise<Uint8Array> =>
  withFile(path, options, (file) => file.read(0, file.size));
