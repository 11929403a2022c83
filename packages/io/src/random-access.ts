/**
 * Access to bytes in any order: in memory (`openBytes`), in a Blob or File of a web page (`openBlob`), in an open file (`openFile` in
 * node-files.ts), or on an HTTP server (`openUrl` in http-access.ts). Readers use it to check magic numbers and headers against the size
 * of the file before they read more. It knows no file format.
 */
import { inputError, RadarError, throwIfAborted } from "@dechirp/core";
import { checkFields, type FieldsOf } from "@dechirp/core/internal";
import { fileError } from "./file-error.ts";
import { unlessAborted } from "./signals.ts";
import type { WebBlob } from "./web-types.ts";

/** Bytes that can be read in any order. */
export interface RandomAccess {
  /** Name for messages, such as a path or a URL. */
  readonly name: string;
  /** Number of bytes. Readers never ask for bytes beyond it. */
  readonly size: number;
  /**
   * Resolves with `length` bytes starting at byte `at`, or with fewer if they extend beyond `size`. The caller owns the returned bytes and
   * may change them. `into` is memory of the caller for at least `length` bytes, which may be shared between threads: the source may read into it
   * and return the bytes there, which saves new memory, or ignore it. Rejects with `input`, naming the source, if bytes before `size` are no longer
   * there, and with `aborted` if `signal` fires. Several reads may be in progress at the same time.
   */
  read(at: number, length: number, options?: { readonly signal?: AbortSignal; readonly into?: Uint8Array }): Promise<Uint8Array>;
  /** Releases the file or the memory behind the bytes. May be called more than once. */
  close(): Promise<void>;
}

/** Options of `openBytes` and `openBlob`. */
export interface OpenBytesOptions {
  /** Name for messages. Default: the name of a `File`, else `bytes` or `blob`. */
  readonly name?: string;
}

/** What readers accept: bytes in memory, which a reader does not change, or a `RandomAccess`, which a reader does not close. */
export type ByteSource = Uint8Array | RandomAccess;

/** Options that every reader of bytes has. */
export interface ReadOptions {
  /** File name for messages. */
  readonly file: string;
  /** Cancels the read: the reader rejects with `aborted` within some tens of milliseconds. */
  readonly signal?: AbortSignal;
}

/**
 * Checks a reader's options. Throws `input`, which names the field, if `options` is not an object, has an unknown field, has a name
 * that is not text or that is `required` but absent, or has a `signal` or an `onProgress` of the wrong type.
 */
export function checkOptions<T extends object>(options: T, fields: FieldsOf<T>, what: string, required: readonly string[] = []): T {
  checkFields(options, fields, `the options of ${what}`);
  const { signal, onProgress, ...others } = options as Readonly<Record<string, unknown>>;
  const { agcFile } = others;
  if (agcFile !== undefined && agcFile !== false && typeof agcFile !== "string") throw inputError("agcFile", "a path, or false", agcFile);
  for (const name of ["file", "steeringFile"]) {
    const given = others[name];
    if (given === undefined ? required.includes(name) : typeof given !== "string") throw inputError(name, "a name, a text", given);
  }
  if (signal !== undefined && typeof (signal as AbortSignal | null)?.addEventListener !== "function")
    throw inputError("signal", "an AbortSignal", signal);
  if (onProgress !== undefined && typeof onProgress !== "function") throw inputError("onProgress", "a function", onProgress);
  return options;
}

/** Whether `source` is a Uint8Array, from this realm or another one (such as an iframe). */
export const isBytes = (source: unknown): source is Uint8Array => Object.prototype.toString.call(source) === "[object Uint8Array]";

/** Whether `source` is a Blob or a File, from this realm or another one. */
export const isBlob = (source: unknown): source is WebBlob => /^\[object (Blob|File)\]$/.test(Object.prototype.toString.call(source));

/** Reads from bytes in memory. Each read returns a copy. Throws `input` if `bytes` is not a Uint8Array. */
export function openBytes(bytes: Uint8Array, options: OpenBytesOptions = {}): RandomAccess {
  if (!isBytes(bytes)) throw inputError("bytes", "a Uint8Array", bytes);
  const name = nameOf(options, "openBytes") ?? "bytes";
  return {
    name,
    size: bytes.length,
    async read(at, length, { signal } = {}) {
      throwIfAborted(signal, `reading ${name}`);
      // Not `slice`, which on a Node Buffer returns a view.
      return new Uint8Array(bytes.subarray(at, at + length));
    },
    close: async () => {},
  };
}

/**
 * Reads from a Blob, or from a File that the user of a web page chose. Nothing is read until `read` is called. `read` rejects with `input`
 * if the file has changed since it was chosen. Throws `input` if `blob` is not a Blob.
 */
export function openBlob(blob: WebBlob, options: OpenBytesOptions = {}): RandomAccess {
  if (!isBlob(blob)) throw inputError("blob", "a Blob or a File", blob);
  const own = (blob as { readonly name?: unknown }).name;
  const name = nameOf(options, "openBlob") ?? (typeof own === "string" && own !== "" ? own : "blob");
  const { size } = blob;
  return {
    name,
    size,
    async read(at, length, { signal } = {}) {
      throwIfAborted(signal, `reading ${name}`);
      const end = Math.min(size, at + length);
      const loading = blob
        .slice(at, end)
        .arrayBuffer()
        .catch((cause: unknown) => {
          const message = `${name}: can't read it: the file has changed since it was chosen, or it can't be read`;
          throw new RadarError("input", message, { file: name, reason: "changed" }, cause);
        });
      const bytes = new Uint8Array(await unlessAborted(loading, signal, `reading ${name}`));
      if (bytes.length < end - at) throw shrunkError(name, at + bytes.length, size);
      return bytes;
    },
    close: async () => {},
  };
}

function nameOf(options: OpenBytesOptions, what: string): string | undefined {
  checkFields(options, { name: true }, `the options of ${what}`);
  const { name } = options;
  if (name !== undefined && typeof name !== "string") throw inputError("name", "a text", name);
  return name;
}

/** Makes the error about a source that had `size` bytes when it was opened, and that now ends at byte `at`. */
export const shrunkError = (name: string, at: number, size: number): RadarError =>
  fileError(name, at, `${size} bytes, as there were when it was opened`, "the end of the file");

/**
 * Reads `length` bytes of `file` from byte `at` on, which are before its end. Rejects with `input` if the source gives fewer, because it has
 * become shorter, and with `aborted`.
 */
export async function readExactly(
  access: RandomAccess,
  file: string,
  at: number,
  length: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const bytes = await access.read(at, length, signal ? { signal } : {});
  if (bytes.length < length) throw shrunkError(file, at + bytes.length, access.size);
  return bytes;
}

/** A `RandomAccess` that also tells whether the caller may change the bytes that `read` returns (`owned`). */
export interface Access extends RandomAccess {
  readonly owned: boolean;
}

/**
 * Turns bytes in memory or a `RandomAccess` into an `Access`, which is never closed. Throws `input` if `source` is neither. `name` is the
 * name of bytes in messages.
 */
export function accessTo(source: ByteSource, field = "source", name = "bytes"): Access {
  if (isBytes(source)) {
    const { length: size } = source;
    return { name, size, owned: false, read: async (at, length) => source.subarray(at, at + length), close: async () => {} };
  }
  const { size, read, name: own } = (source ?? {}) as Partial<RandomAccess>;
  if (typeof read !== "function" || !(Number.isSafeInteger(size) && (size as number) >= 0))
    throw inputError(field, "a Uint8Array, or a RandomAccess with size and read", source);
  return {
    name: typeof own === "string" ? own : name,
    size: size as number,
    owned: true,
    read: (at, length, options) => source.read(at, length, options),
    close: async () => {},
  };
}

/** Number of bytes that are read ahead when a reader asks for a few. */
const windowBytes = 2 ** 16;

/**
 * Returns a read function for many small, consecutive pieces. It reads a window ahead, so that a file needs few system calls. Callers
 * must not change the bytes that it returns.
 */
export function windowed(access: RandomAccess, signal: AbortSignal | undefined): (at: number, length: number) => Promise<Uint8Array> {
  const options = signal ? { signal } : {};
  let start = 0;
  let window: Uint8Array = new Uint8Array(0);
  return async (at, length) => {
    if (length > windowBytes) return access.read(at, length, options);
    if (at < start || at + length > start + window.length) {
      start = at;
      window = await access.read(at, Math.min(windowBytes, access.size - at), options);
    }
    return window.subarray(at - start, at - start + length);
  };
}
