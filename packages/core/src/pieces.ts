/** Work that comes in pieces, such as the making of a table: a generator that yields wherever others may have a turn. */
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
