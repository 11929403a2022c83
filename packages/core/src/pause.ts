/**
 * Long computations on a thread with an event loop: a function that they await often. It mostly returns at once; every few
 * milliseconds it gives timers, input and abort signals their turn.
 */
import { throwIfAborted } from "./errors.ts";
import { callListener } from "./listener.ts";

export type {} from "./host.ts";

/** Milliseconds of work between two turns of the event loop. */
const sliceMilliseconds = 10;

/** Calls back after the event loop has had its turn. A message does that where there is no `setImmediate`: a timer would wait for milliseconds. */
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
 * Gives the event loop a turn if the last one was long enough ago, and returns what to await then; nothing otherwise. Throws
 * or rejects with `aborted` if its signal has fired.
 */
export type Pause = () => Promise<void> | undefined;

/**
 * A `Pause` for work called `what`. It calls `onTurn` before every turn of the event loop, a place to report progress, and awaits what that
 * returns; where it throws, the pause rejects with `failed`.
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
