/** Breaks in long work on this thread: timers, progress bars and Ctrl-C have their turn. */
import { setImmediate } from "node:timers/promises";
import { createPause, inPieces, throwIfAborted } from "@dechirp/core";

/** Lets the event loop have a turn, in which a signal can arrive. Throws `aborted`, naming `what`, where it has. */
export async function heedSignal(signal: AbortSignal | undefined, what: string): Promise<void> {
  await setImmediate();
  throwIfAborted(signal, what);
}

/**
 * Does work that comes in pieces; the event loop has a turn before it, and every few milliseconds. Throws `aborted`, naming `what`, where a
 * signal has come.
 */
export async function heeding<T>(signal: AbortSignal | undefined, what: string, work: Generator<unknown, T>): Promise<T> {
  await heedSignal(signal, what);
  return inPieces(work, createPause(what, signal));
}
