/**
 * Where readers get bytes from: a file that is open (`openFile` in node-files.ts), or bytes in memory. Readers look at magic numbers and
 * headers, and compare what they state with the size, before they ask for more. Knows no format.
 */
import { inputError } from "@dechirp/core";
import { checkFields, type FieldsOf } from "@dechirp/core/internal";

/** Bytes that are read in any order. */
export interface RandomAccess {
  /** Bytes there are; a reader does not ask for any beyond. */
  readonly size: number;
  /**
   * Answers with `length` bytes from byte `at` on, with fewer only where there are no more. The bytes are the caller's, who may change them.
   * Rejects with `aborted` where `signal` fires.
   */
  read(at: number, length: number, options?: { readonly signal?: AbortSignal }): Promise<Uint8Array>;
  /** Frees what holds the bytes. */
  close(): Promise<void>;
}

/** What a reader takes: bytes in memory, which it does not change, or something to read them from, which it does not close. */
export type ByteSource = Uint8Array | RandomAccess;

/** Options that every reader of bytes has. */
export interface ReadOptions {
  /** Name for messages. */
  readonly file: string;
  /** Ends the work: the reader rejects with `aborted` within some tens of milliseconds. */
  readonly signal?: AbortSignal;
}

/** Throws `input`, naming the field, for options that are no object, have an unknown field, a name that is no text or is `required` and absent, or a `signal` that is none. */
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

/** Whether `source` is bytes in memory, of this realm or another. */
export const isBytes = (source: unknown): source is Uint8Array => Object.prototype.toString.call(source) === "[object Uint8Array]";

/** Whether what `read` answers with may be changed. */
export interface Access extends RandomAccess {
  readonly owned: boolean;
}

/** `source` as something to read from, whatever it is. Throws `input` where it is neither. */
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

/** Bytes that are read ahead at once where a reader asks for a few. */
const windowBytes = 2 ** 16;

/** What reads small pieces one after another: of a file, not with a system call for each. What it answers with must not be changed. */
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
