/**
 * Courtesy of long computations on a thread with an event loop: a function to await often that mostly returns at once
 * and, about every 30 ms, lets timers, input and abort signals through.
 */
import { throwIfAborted } from "@dechirp/core";

interface Timers {
  readonly setImmediate?: (callback: () => void) => unknown;
  readonly setTimeout: (callback: () => void, milliseconds: number) => unknown;
}

/** Milliseconds of work between two yields. */
const sliceMs = 30;

/** `pause` throws `aborted`, naming `what`, where `signal` has fired; `onYield` is called before every yield. */
export function createPause(what: string, signal: AbortSignal | undefined, onYield: () => void): () => Promise<void> {
  const timers = globalThis as unknown as Timers;
  const turn = (): Promise<void> =>
    new Promise((resolve) => {
      if (timers.setImmediate) timers.setImmediate(resolve);
      else timers.setTimeout(resolve, 0);
    });
  const ready = Promise.resolve();
  let last = Date.now();
  const yieldNow = async (): Promise<void> => {
    onYield();
    await turn();
    throwIfAborted(signal, what);
    last = Date.now();
  };
  return () => {
    throwIfAborted(signal, what);
    return Date.now() - last < sliceMs ? ready : yieldNow();
  };
}
