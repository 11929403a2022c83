/**
 * Shared by the MAT-file decoders: bytes with their byte order and position in the file, and a budget that limits how much memory a
 * file can make the reader allocate.
 */
import type { Pause, RadarError } from "@dechirp/core";
import { forEachSlice, oneLine } from "@dechirp/core/internal";
import { brief, fileError } from "./file-error.ts";
import { decodeNumbers, type NumericArray, type Storage } from "./numbers.ts";

/** How many bytes decoded data may still take. */
export interface Budget {
  left: number;
  readonly total: number;
}

/** A file that is read piece by piece. */
export interface MatInput {
  readonly file: string;
  readonly size: number;
  /** Loads `length` bytes from byte `at`, or fewer if the file has been cut short meanwhile. The bytes must not be changed. */
  readonly load: (at: number, length: number) => Promise<Uint8Array>;
  readonly budget: Budget;
  readonly notes: string[];
  readonly pause: Pause;
}

/** A piece of a file that is being decoded. */
export interface MatContext {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** File offset of the first of `bytes`. */
  readonly origin: number;
  readonly little: boolean;
  /** File offset of the compressed variable that `bytes` was inflated from, or `undefined` if `bytes` come straight from the file. */
  readonly inflatedAt: number | undefined;
  readonly budget: Budget;
  readonly notes: string[];
  readonly pause: Pause;
}

/** The longest name that is read. MATLAB's own names have at most 63 bytes. */
const mostNameBytes = 2 ** 16;

/** Throws `input` if a name is longer than the limit. */
export function checkNameBytes(context: MatContext, at: number, length: number): void {
  if (length > mostNameBytes) throw matError(context, at, `a name of at most ${mostNameBytes} bytes`, length);
}

/** Number of bytes at the beginning of a variable that hold everything before its numbers. */
export const headBytes = mostNameBytes + 1024;

/** Loads bytes `at` to `at + length` of the file. Throws `input` if the file has been cut short. */
export async function contextAt(input: MatInput, at: number, length: number, little: boolean): Promise<MatContext> {
  const { file, budget, notes, pause } = input;
  const bytes = await input.load(at, length);
  if (bytes.length < length) throw fileError(file, at, `${length} bytes`, `${bytes.length} bytes`);
  const waiting = pause();
  if (waiting) await waiting;
  return { file, bytes, view: viewOf(bytes), origin: at, little, inflatedAt: undefined, budget, notes, pause };
}

/** Throws `input` if `n` bytes exceed the budget. Called before the bytes are read. */
export function checkBudget(context: MatContext, at: number, n: number): void {
  if (n > context.budget.left) throw matError(context, at, `at most ${context.budget.total} bytes of decoded data`, "more");
}

/** Memory that a decoded value takes beside its numbers: a few objects. */
export const valueBytes = 256;

/** A DataView of the same bytes. */
export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Makes an `input` error at byte `at` of the context. For a compressed variable the file offset is that of the variable. */
export function matError(context: MatContext, at: number, expected: string, actual: unknown, cause?: unknown): RadarError {
  if (context.inflatedAt === undefined) return fileError(context.file, context.origin + at, expected, actual, cause);
  return fileError(context.file, context.inflatedAt, `${expected} at byte ${at} of the inflated variable`, actual, cause);
}

/** Takes `n` bytes from the budget. Throws `input` if fewer are left. */
export function charge(context: MatContext, at: number, n: number): void {
  checkBudget(context, at, n);
  context.budget.left -= n;
}

/** Number of elements of `shape`. Throws `input` if an extent is negative or the product is too large. */
export function elementCount(context: MatContext, at: number, shape: readonly number[]): number {
  let product = 1;
  for (const extent of shape) {
    if (extent < 0) throw matError(context, at, "dimensions that are not negative", shape);
    product *= extent;
  }
  if (!Number.isSafeInteger(product)) throw matError(context, at, "dimensions with a product below 2^53", shape);
  return product;
}

/** Interleaves real and imaginary parts. The result has their common array type, or float64 if they differ. */
export async function interleave(context: MatContext, at: number, re: NumericArray, im: NumericArray): Promise<NumericArray> {
  const Ctor = re.constructor === im.constructor ? (re.constructor as Float64ArrayConstructor) : Float64Array;
  charge(context, at, 2 * re.length * Ctor.BYTES_PER_ELEMENT);
  const out = new Ctor(2 * re.length);
  await forEachSlice(re.length, context.pause, (from, to) => {
    for (let i = from; i < to; i++) {
      out[2 * i] = re[i];
      out[2 * i + 1] = im[i];
    }
  });
  return out;
}

/** Decodes numbers of the context's bytes and charges them to the budget. Returns `undefined` as `decodeNumbers` does. */
export async function numbersAt(
  context: MatContext,
  at: number,
  count: number,
  storage: Storage,
  size: number,
): Promise<NumericArray | undefined> {
  charge(context, at, count * size);
  return decodeNumbers(context.bytes, at, count, storage, context.little, context.pause);
}

const mostNotes = 100;

/** Adds a note about variable `name`, which can be any text. After a hundred notes, adds one more that says there are more. */
export function noteVariable({ file, notes }: Pick<MatContext, "file" | "notes">, name: string, remark: string): void {
  if (notes.length === mostNotes) notes.push(`${file}: there are more remarks than these`);
  if (notes.length < mostNotes) notes.push(oneLine(`${file}: variable ${brief(name)} ${remark}`));
}

/** The longest text that is read. The limits of JavaScript engines are not far above. */
const mostCharacters = 2 ** 28;

/** Throws `input` if a text has more code units than the limit. */
export function checkTextLength(context: MatContext, at: number, units: number): void {
  if (units > mostCharacters) throw matError(context, at, `a text of at most ${mostCharacters} characters`, units);
}

/** Decodes text of 16-bit code units. A value that is not one becomes U+FFFD. */
export async function textOf(
  codes: ArrayLike<number> & { subarray(from: number, to: number): Iterable<number> },
  pause: Pause,
): Promise<string> {
  const parts: string[] = [];
  for (let at = 0; at < codes.length; at += 8192) {
    const part = Array.from(codes.subarray(at, at + 8192), (code) =>
      code >= 0 && code <= 0xffff && Number.isInteger(code) ? code : 0xfffd,
    );
    parts.push(String.fromCharCode(...part));
    const waiting = pause();
    if (waiting) await waiting;
  }
  return parts.join("");
}
