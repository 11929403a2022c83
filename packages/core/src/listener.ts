/** Calls of users' functions during work: listeners, which may return promises, and references, which must not. */
import { onAbort } from "./abort.ts";
import { asRadarError, RadarError, throwIfAborted } from "./errors.ts";

const isPromise = (value: unknown): boolean => typeof (value as PromiseLike<unknown> | undefined | null)?.then === "function";

/**
 * Calls a listener and, if it returns a promise, awaits it. Rejects with `failed`, with the listener's error as its cause, if the
 * listener throws or its promise rejects. Rejects with `aborted` if `signal` has fired or fires meanwhile. `name` is the name of the
 * listener's field; `what` names the work.
 */
export async function callListener(call: () => unknown, name: string, signal: AbortSignal | undefined, what: string): Promise<void> {
  let unregister = (): void => {};
  try {
    throwIfAborted(signal, what);
    const returned = call();
    // If the signal fired during the call, nothing awaits the promise.
    if (isPromise(returned)) Promise.resolve(returned).catch(() => {});
    throwIfAborted(signal, what);
    if (isPromise(returned)) {
      const aborted = new Promise<void>((resolve) => {
        unregister = onAbort(signal, resolve);
      });
      await Promise.race([returned, aborted]);
    }
    throwIfAborted(signal, what);
  } catch (error) {
    throw asRadarError(error, name);
  } finally {
    unregister();
  }
}

/** Returns `value`, the result of the user's function `what`. Throws `failed` if it is a promise: nothing would await it. */
export function requireSynchronous<T>(value: T, what: string): T {
  if (!isPromise(value)) return value;
  Promise.resolve(value).catch(() => {});
  throw new RadarError("failed", `${what} returned a promise`, { what });
}
