/**
 * Long work in pieces, so that the event loop has its turns: a generator that does a millisecond of it or so, yields, and goes on when it is
 * asked to, where who runs it decides what happens in between; and loops over big arrays with pauses.
 */
import { throwIfAborted } from "./errors.ts";
import { afterTurn, createPause, type Pause } from "./pause.ts";

/** Does the work of a generator, which yields between pieces of a millisecond or so, with pauses there; returns what it returns. */
export async function runInPieces<T>(work: Generator<unknown, T>, pause: Pause): Promise<T> {
  for (;;) {
    const piece = work.next();
    if (piece.done) return piece.value;
    const waiting = pause();
    if (waiting) await waiting;
  }
}

/** Gives the event loop a turn, in which a signal can fire. Rejects with `aborted`, naming `what`, where it has. */
export async function nextTurn(signal: AbortSignal | undefined, what: string): Promise<void> {
  await new Promise<void>(afterTurn);
  throwIfAborted(signal, what);
}

/**
 * Does the work of a generator with turns of the event loop: one before the first piece, then one every ten milliseconds. Rejects with
 * `aborted`, naming `what`, where `signal` has fired.
 */
export async function runAbortable<T>(signal: AbortSignal | undefined, what: string, work: Generator<unknown, T>): Promise<T> {
  await nextTurn(signal, what);
  return runInPieces(work, createPause(what, signal));
}

/** Does the work of a generator without any pause; returns what it returns. */
export function runToEnd<T>(work: Generator<unknown, T>): T {
  for (;;) {
    const piece = work.next();
    if (piece.done) return piece.value;
  }
}

/** Items of a piece of a list. */
const pieceItems = 1024;

/** The items as `sort(compare)` puts them, those that compare equal in their order, in steps of milliseconds: runs that are sorted and merged. */
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

/** Numbers of a slice, of which the slowest loops do a few million in ten milliseconds. */
const sliceLength = 2 ** 16;

/** Calls `work` for `from` to `to` of `length` numbers, slice after slice, with pauses between. */
export async function forEachSlice(length: number, pause: Pause, work: (from: number, to: number) => void): Promise<void> {
  for (let from = 0; from < length; from += sliceLength) {
    work(from, Math.min(length, from + sliceLength));
    const waiting = pause();
    if (waiting) await waiting;
  }
}

/** Index of the first number that is not finite, −1 where there is none. `single`: as float32. */
export async function firstNotFinite(data: ArrayLike<number>, pause: Pause, single = false): Promise<number> {
  let found = -1;
  await forEachSlice(data.length, pause, (from, to) => {
    for (let i = from; i < to && found < 0; i++) if (!Number.isFinite(single ? Math.fround(data[i]) : data[i])) found = i;
  });
  return found;
}

interface Settable {
  readonly length: number;
  set(values: ArrayLike<number>, at: number): void;
  subarray(from: number, to: number): ArrayLike<number>;
}

/** Copies `from` to `to` from number `at` on, as `set` does. */
export async function copyInto(to: Settable, from: Settable, at: number, pause: Pause): Promise<void> {
  await forEachSlice(from.length, pause, (start, end) => to.set(from.subarray(start, end), at + start));
}
