/**
 * Access to bytes in any order, in an open file (`openFile` in node-files.ts) or in memory. Readers use it to check magic numbers and
 * headers against the size of the file before they read more. It knows no file format.
 */
import { inputError } from "@dechirp/core";
import { checkFields, type FieldsOf } from "@dechirp/core/internal";

/** Bytes that can be read in any order. */
export interface RandomAccess {
  /** Number of bytes. Readers never ask for bytes beyond it. */
  readonly size: number;
  /**
   * Resolves with `length` bytes starting at byte `at`, or with fewer if the data ends earlier. The caller owns the returned bytes and
   * may change them. Rejects with `aborted` if `signal` fires.
   */
  read(at: number, length: number, options?: { readonly signal?: AbortSignal }): Promise<Uint8Array>;
  /** Releases the file or the memory behind the bytes. */
  close(): Promise<void>;
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
  for (const name of ["file", "steeringFile", "agcFile"]) {
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

/** A `RandomAccess` that also tells whether the caller may change the bytes that `read` returns (`owned`). */
export interface Access extends RandomAccess {
  readonly owned: boolean;
}

/** Turns bytes in memory or a `RandomAccess` into an `Access`. Throws `input` if `source` is neither. */
export function accessTo(source: ByteSource, field = "source"): Access {
  if (isBytes(source)) {
    const { length: size } = source;
    return { size, owned: false, read: async (at, length) => source.subarray(at, at + length), close: async () => {} };
  }
  const { size, read } = (source ?? {}) as Partial<RandomAccess>;
  if (typeof read !== "function" || !(Number.isSafeInteger(size) && (size as number) >= 0))
    throw inputError(field, "a Uint8Array, or a RandomAccess with size and read", source);
  return { size: size as number, owned: true, read: (at, length, options) => source.read(at, length, options), close: async () => {} };
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
