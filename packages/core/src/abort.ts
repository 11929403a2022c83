/**
 * `onAbort`: a callback for when an `AbortSignal` fires; `unlessAborted`: a promise that is awaited only until then. Many requests, runs and jobs may share one signal, and hosts warn of a leak if a
 * signal has many listeners. So each signal gets at most one listener here, and none while nothing waits for it.
 */
import { inputError } from "./errors.ts";
import { hasMethod } from "./fields.ts";

export type {} from "./host.ts";

interface Waiting {
  readonly calls: Set<() => void>;
  readonly listener: () => void;
}

const waitingFor = new WeakMap<AbortSignal, Waiting>();

/**
 * Calls `call` once when `signal` fires. Callbacks run in the order in which they were registered; they must not throw. Returns a
 * function that unregisters the callback and may be called at any time, any number of times. If `signal` has fired already, `call` is
 * never called. Throws `input` if `signal` is not an `AbortSignal`.
 */
export function onAbort(signal: AbortSignal | undefined, call: () => void): () => void {
  if (!signal) return () => {};
  if (!hasMethod(signal, "addEventListener")) throw inputError("signal", "an AbortSignal", signal);
  const { calls, listener } = waitingFor.get(signal) ?? listen(signal);
  const own = (): void => call(); // a new function, so that a callback registered twice is called twice
  calls.add(own);
  return () => {
    if (!calls.delete(own) || calls.size > 0) return;
    signal.removeEventListener("abort", listener);
    if (waitingFor.get(signal)?.calls === calls) waitingFor.delete(signal);
  };
}

function listen(signal: AbortSignal): Waiting {
  const calls = new Set<() => void>();
  const listener = (): void => {
    waitingFor.delete(signal);
    // A callback may unregister others, which are then not called.
    for (const call of calls) {
      calls.delete(call);
      call();
    }
  };
  signal.addEventListener("abort", listener, { once: true });
  const waiting = { calls, listener };
  waitingFor.set(signal, waiting);
  return waiting;
}

/**
 * Waits for a promise of foreign code, which may never settle: resolves with the result of `work`, or with `undefined` if `signal` has fired
 * or as soon as it fires. Rejects as `work` does.
 */
export async function unlessAborted<T>(work: T | PromiseLike<T>, signal: AbortSignal | undefined): Promise<T | undefined> {
  let stopListening = (): void => {};
  const aborted = new Promise<undefined>((resolve) => {
    if (signal?.aborted) resolve(undefined);
    else stopListening = onAbort(signal, () => resolve(undefined));
  });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    stopListening();
  }
}
