/**
 * What the MAT-file decoders share: the bytes with their byte order, where they are in the file, and a budget that
 * bounds what a file may make the reader allocate. Internal to this package.
 */
import type { Pause, RadarError } from "@dechirp/core";
import { forEachSlice, oneLine } from "@dechirp/core/internal";
import { brief, fileError } from "./file-error.ts";
import { decodeNumbers, type NumericArray, type Storage } from "./numbers.ts";

/** Bytes that decoded data may still take. */
export interface Budget {
  left: number;
  readonly total: number;
}

/** A file that is read piece by piece. */
export interface MatInput {
  readonly file: string;
  readonly size: number;
  /** `length` bytes from `at` on, not to be changed; fewer only where the file has been cut short meanwhile. */
  readonly load: (at: number, length: number) => Promise<Uint8Array>;
  readonly budget: Budget;
  readonly notes: string[];
  readonly pause: Pause;
}

export interface MatContext {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Where in the file `bytes` begin. */
  readonly origin: number;
  readonly little: boolean;
  /** File offset of the compressed variable that `bytes` was inflated from; `undefined` where `bytes` is the file. */
  readonly inflatedAt: number | undefined;
  readonly budget: Budget;
  readonly notes: string[];
  readonly pause: Pause;
}

/** Bytes of a name that are read: MATLAB's own have 63. */
const mostNameBytes = 2 ** 16;

/** Throws `input` for a name that is longer than any. */
export function checkNameBytes(context: MatContext, at: number, length: number): void {
  if (length > mostNameBytes) throw matError(context, at, `a name of at most ${mostNameBytes} bytes`, length);
}

/** So many bytes at the beginning of a variable hold what there is to know before its numbers are read. */
export const headBytes = mostNameBytes + 1024;

/** Bytes `at` to `at + length` of the file. Throws `input` where the file has been cut short. */
export async function contextAt(input: MatInput, at: number, length: number, little: boolean): Promise<MatContext> {
  const { file, budget, notes, pause } = input;
  const bytes = await input.load(at, length);
  if (bytes.length < length) throw fileError(file, at, `${length} bytes`, `${bytes.length} bytes`);
  const waiting = pause();
  if (waiting) await waiting;
  return { file, bytes, view: viewOf(bytes), origin: at, little, inflatedAt: undefined, budget, notes, pause };
}

/** Throws `input`, before they are read, for `n` bytes at byte `at` that are more than decoded data may take. */
export function checkBudget(context: MatContext, at: number, n: number): void {
  if (n > context.budget.left) throw matError(context, at, `at most ${context.budget.total} bytes of decoded data`, "more");
}

/** What a decoded value costs beside its numbers: a few objects. */
export const valueBytes = 256;

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** An `input` error at byte `at` of the context; within a compressed variable the offset is that of the variable. */
export function matError(context: MatContext, at: number, expected: string, actual: unknown, cause?: unknown): RadarError {
  if (context.inflatedAt === undefined) return fileError(context.file, context.origin + at, expected, actual, cause);
  return fileError(context.file, context.inflatedAt, `${expected} at byte ${at} of the inflated variable`, actual, cause);
}

/** Takes `n` bytes from the budget. Throws `input` where they are not there. */
export function charge(context: MatContext, at: number, n: number): void {
  checkBudget(context, at, n);
  context.budget.left -= n;
}

/** Elements of `shape`. Throws `input` unless each extent and the product are plausible. */
export function elementCount(context: MatContext, at: number, shape: readonly number[]): number {
  let product = 1;
  for (const extent of shape) {
    if (extent < 0) throw matError(context, at, "dimensions that are not negative", shape);
    product *= extent;
  }
  if (!Number.isSafeInteger(product)) throw matError(context, at, "dimensions with a product below 2^53", shape);
  return product;
}

/** Real and imaginary parts as one interleaved array, of their common type or of float64. */
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

/** Numbers of the context's bytes, charged to the budget. `undefined` as in `decodeNumbers`. */
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

/** A remark on variable `name`, which may be any text; of a hundred and more only that there are more. */
export function noteVariable({ file, notes }: Pick<MatContext, "file" | "notes">, name: string, remark: string): void {
  if (notes.length === mostNotes) notes.push(`${file}: there is more to remark than this`);
  if (notes.length < mostNotes) notes.push(oneLine(`${file}: variable ${brief(name)} ${remark}`));
}

/** The longest text that is read; engines have a limit of their own not far above. */
const mostCharacters = 2 ** 28;

/** Throws `input` for a text of more units than are read. */
export function checkTextLength(context: MatContext, at: number, units: number): void {
  if (units > mostCharacters) throw matError(context, at, `a text of at most ${mostCharacters} characters`, units);
}

/** Text of 16-bit code units; a number that is none becomes U+FFFD. */
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
