/** Waits for a promise of foreign code, which may never settle, but only until a signal fires. */
import { onAbort } from "@dechirp/core/internal";

/**
 * Resolves with the result of `work`, or with `undefined` as soon as `signal` fires. Rejects as `work` does. If the signal fired before
 * the call, it has no effect: check it first.
 */
export async function unlessAborted<T>(work: T | PromiseLike<T>, signal: AbortSignal | undefined): Promise<T | undefined> {
  let stopListening = (): void => {};
  const aborted = new Promise<undefined>((resolve) => {
    stopListening = onAbort(signal, () => resolve(undefined));
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    stopListening();
  }
}
