/** Waiting for what others make, which may never come, no longer than a signal allows. */
import { onAbort } from "@dechirp/core/internal";

/** What `work` resolves with, or undefined as soon as `signal` fires. Rejects as `work` does. A signal that has fired before is not heard. */
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
