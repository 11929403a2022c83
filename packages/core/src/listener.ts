/** Functions of the user's that are called while work is under way: listeners, which may return promises, and those that must not. */
import { asRadarError, RadarError, throwIfAborted } from "./errors.ts";

const isPromise = (value: unknown): boolean => typeof (value as PromiseLike<unknown> | undefined | null)?.then === "function";

/**
 * Calls a listener and waits for what it returns. Rejects with `failed`, whose cause is what the listener throws or rejects with, and with
 * `aborted` where `signal` has fired or fires meanwhile. `name` is the listener's field, `what` is the work that it listens to.
 */
export async function tell(call: () => unknown, name: string, signal: AbortSignal | undefined, what: string): Promise<void> {
  const settled = new AbortController();
  try {
    throwIfAborted(signal, what);
    const returned = call();
    throwIfAborted(signal, what);
    const aborted = (resolve: (value?: unknown) => void): void => signal?.addEventListener("abort", resolve, settled);
    if (isPromise(returned)) await Promise.race([returned, new Promise(aborted)]);
    throwIfAborted(signal, what);
  } catch (error) {
    throw asRadarError(error, name);
  } finally {
    settled.abort();
  }
}

/** `value`, which a function `what` of the user's returned. Throws `failed` where it is a promise: nobody would wait for it, or hear that it rejects. */
export function immediate<T>(value: T, what: string): T {
  if (!isPromise(value)) return value;
  Promise.resolve(value).catch(() => {});
  throw new RadarError("failed", `${what} returned a promise`, { what });
}
