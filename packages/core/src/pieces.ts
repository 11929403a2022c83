/**
 * Long work in pieces, so that the event loop can run in between. Such work is a generator that yields after every millisecond or so of
 * work. The caller decides what happens at each yield. Below are also loops over large arrays with pauses.
 */
import { throwIfAborted } from "./errors.ts";
import { afterTurn, createPause, type Pause } from "./pause.ts";

/**
 * Runs a generator to its end and returns its result. The generator yields after every millisecond or so of work; `pause` is called at
 * each yield.
 */
export async function runInPieces<T>(work: Generator<unknown, T>, pause: Pause): Promise<T> {
  for (;;) {
    const piece = work.next();
    if (piece.done) return piece.value;
    const waiting = pause();
    if (waiting) await waiting;
  }
}

/** Gives the event loop one turn. Rejects with `aborted` if `signal` has fired; `what` names the work. */
export async function nextTurn(signal: AbortSignal | undefined, what: string): Promise<void> {
  await new Promise<void>(afterTurn);
  throwIfAborted(signal, what);
}

/**
 * Runs a generator to its end with turns of the event loop: one before the first piece, then one every 10 ms. Rejects with `aborted` if
 * `signal` has fired; `what` names the work.
 */
export async function runAbortable<T>(signal: AbortSignal | undefined, what: string, work: Generator<unknown, T>): Promise<T> {
  await nextTurn(signal, what);
  return runInPieces(work, createPause(what, signal));
}

/** Runs a generator to its end without pauses and returns its result. */
export function runToEnd<T>(work: Generator<unknown, T>): T {
  for (;;) {
    const piece = work.next();
    if (piece.done) return piece.value;
  }
}

/** Number of items that are sorted at a time. */
const pieceItems = 1024;

/** A stable sort in steps of about a millisecond, for `runInPieces`: it sorts runs of items and merges them. Returns a new list. */
export function* sortSteps<T>(items: readonly T[], compare: (a: T, b: T) => number): Generator<void, readonly T[]> {
  const n = items.length;
  let from: T[] = [];
  for (let start = 0; start < n; start += pieceItems) {
    from.push(...items.slice(start, start + pieceItems).sort(compare));
    yield;
  }
  let to = new Array<T>(n);
  for (let width = pieceItems; width < n; width *= 2) {
    for (let start = 0; start < n; start += 2 * width) {
      const [middle, end] = [Math.min(start + width, n), Math.min(start + 2 * width, n)];
      let [a, b] = [start, middle];
      for (let at = start; at < end; at++) {
        to[at] = b >= end || (a < middle && compare(from[a], from[b]) <= 0) ? from[a++] : from[b++];
        if (at % pieceItems === 0) yield;
      }
    }
    [from, to] = [to, from];
  }
  return from;
}

/** Scalars per slice. The slowest loops process a few million in 10 ms. */
const sliceLength = 2 ** 16;

/** Calls `work(from, to)` for one slice after the other of 0 … `length` − 1, with pauses between them. `to` is exclusive. */
export async function forEachSlice(length: number, pause: Pause, work: (from: number, to: number) => void): Promise<void> {
  for (let from = 0; from < length; from += sliceLength) {
    work(from, Math.min(length, from + sliceLength));
    const waiting = pause();
    if (waiting) await waiting;
  }
}

/** Whether float32 numbers are all finite, by their bits: the exponent of infinities and NaN is all ones. */
function areFinite(bits: Int32Array, from: number, to: number): boolean {
  let sign = 0;
  for (let i = from; i < to; i++) sign |= ((bits[i] & 0x7f800000) + 0x00800000) | 0;
  return sign >= 0;
}

/** Whether all numbers are finite: zero times any other is NaN, and stays so in the sum. */
function hasFiniteSum(data: ArrayLike<number>, from: number, to: number, single: boolean): boolean {
  let sum = 0;
  for (let i = from; i < to; i++) sum += 0 * (single ? Math.fround(data[i]) : data[i]);
  return sum === 0;
}

/**
 * Index of the first number that is not finite, or −1 if all are. With `single`, numbers are rounded to float32 first. Default: false.
 */
export async function firstNotFinite(data: ArrayLike<number>, pause: Pause, single = false): Promise<number> {
  const bits = data instanceof Float32Array ? new Int32Array(data.buffer, data.byteOffset, data.length) : undefined;
  let found = -1;
  await forEachSlice(data.length, pause, (from, to) => {
    if (found >= 0 || (bits ? areFinite(bits, from, to) : hasFiniteSum(data, from, to, single))) return;
    for (let i = from; i < to && found < 0; i++) if (!Number.isFinite(single ? Math.fround(data[i]) : data[i])) found = i;
  });
  return found;
}

/** A typed array of any type. */
interface Settable {
  readonly length: number;
  set(values: ArrayLike<number>, at: number): void;
  subarray(from: number, to: number): ArrayLike<number>;
}

/** Copies `from` to `to`, beginning at index `at` of `to`, as `TypedArray.set` does, with pauses. */
export async function copyInto(to: Settable, from: Settable, at: number, pause: Pause): Promise<void> {
  await forEachSlice(from.length, pause, (start, end) => to.set(from.subarray(start, end), at + start));
}
