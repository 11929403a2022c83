/** Functions of the user's that are called while work is under way: listeners, which may return promises, and those that must not. */
import { onAbort } from "./abort.ts";
import { asRadarError, RadarError, throwIfAborted } from "./errors.ts";

const isPromise = (value: unknown): boolean => typeof (value as PromiseLike<unknown> | undefined | null)?.then === "function";

/**
 * Calls a listener and waits for what it returns. Rejects with `failed`, whose cause is what the listener throws or rejects with, and with
 * `aborted` where `signal` has fired or fires meanwhile. `name` is the listener's field, `what` is the work that it listens to.
 */
export async function callListener(call: () => unknown, name: string, signal: AbortSignal | undefined, what: string): Promise<void> {
  let deaf = (): void => {};
  try {
    throwIfAborted(signal, what);
    const returned = call();
    throwIfAborted(signal, what);
    if (isPromise(returned)) {
      const aborted = new Promise<void>((resolve) => {
        deaf = onAbort(signal, resolve);
      });
      await Promise.race([returned, aborted]);
    }
    throwIfAborted(signal, what);
  } catch (error) {
    throw asRadarError(error, name);
  } finally {
    deaf();
  }
}

/** `value`, which a function `what` of the user's returned. Throws `failed` where it is a promise: nobody would wait for it, or hear that it rejects. */
export function requireSynchronous<T>(value: T, what: string): T {
  if (!isPromise(value)) return value;
  Promise.resolve(value).catch(() => {});
  throw new RadarError("failed", `${what} returned a promise`, { what });
}
