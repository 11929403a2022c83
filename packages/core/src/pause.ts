/**
 * Pauses in long computations on a thread with an event loop. The work calls a `Pause` often. Every few milliseconds it lets the event
 * loop run, so that timers, input and abort signals are handled.
 */
import { throwIfAborted } from "./errors.ts";
import { callListener } from "./listener.ts";

export type {} from "./host.ts";

/** Milliseconds of work between two turns of the event loop. */
const sliceMilliseconds = 10;

/**
 * Calls `callback` after one turn of the event loop. Uses a message channel if there is no `setImmediate`; a timer would wait for
 * milliseconds.
 */
export function afterTurn(callback: () => void): void {
  const host = globalThis as { setImmediate?: (callback: () => void) => unknown };
  if (host.setImmediate) {
    host.setImmediate(callback);
    return;
  }
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    callback();
  };
  port2.postMessage(0);
}

/**
 * Returns a promise if it is time for a turn of the event loop, which the caller must await, and undefined otherwise. Throws or rejects
 * with `aborted` if its signal has fired.
 */
export type Pause = () => Promise<void> | undefined;

/**
 * Makes a `Pause` for work that messages call `what`. It gives the event loop a turn every 10 ms. Before each turn it calls `onTurn`, for
 * example to report progress, and awaits the result; if `onTurn` throws, the pause rejects with `failed`.
 */
export function createPause(what: string, signal?: AbortSignal, onTurn?: () => unknown): Pause {
  let last = performance.now();
  const turn = async (): Promise<void> => {
    if (onTurn) await callListener(onTurn, "onTurn", signal, what);
    await new Promise<void>(afterTurn);
    throwIfAborted(signal, what);
    last = performance.now();
  };
  return () => {
    throwIfAborted(signal, what);
    return performance.now() - last < sliceMilliseconds ? undefined : turn();
  };
}
