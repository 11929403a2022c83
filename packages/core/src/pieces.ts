/**
 * Long work in pieces: a generator that does a millisecond of it or so, yields, and goes on when it is asked to. Who runs it decides what
 * happens in between.
 */
import type { Pause } from "./pause.ts";

/** Does the work of a generator, which yields between pieces of a millisecond or so, with pauses there; returns what it returns. */
export async function inPieces<T>(work: Generator<unknown, T>, pause: Pause): Promise<T> {
  for (;;) {
    const piece = work.next();
    if (piece.done) return piece.value;
    const waiting = pause();
    if (waiting) await waiting;
  }
}

/** Does the work of a generator without any pause; returns what it returns. */
export function atOnce<T>(work: Generator<unknown, T>): T {
  for (;;) {
    const piece = work.next();
    if (piece.done) return piece.value;
  }
}
