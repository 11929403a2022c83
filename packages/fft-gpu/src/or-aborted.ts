/** Waits for work of a plan that others may share, such as a compilation. */
import { RadarError, throwIfAborted } from "@dechirp/core";
import { onAbort } from "@dechirp/core/internal";

/** Returns the result of `work`. If the signal fires first, throws `aborted` without waiting for the work. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined, what: string): Promise<T> {
  work.catch(() => {}); // handles its rejection if the signal has fired or fires first
  throwIfAborted(signal, what);
  let ignore = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    ignore = onAbort(signal, () => reject(new RadarError("aborted", `${what} was aborted`, { what }, signal?.reason)));
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    ignore();
  }
}
