/** Work that is begun now and whose result or error is looked at later. */

/** How work ended that is looked at later. */
export type Settled<T> = { readonly value: T } | { readonly error: unknown };

/** Begins work whose result is looked at later. The promise never rejects. */
export const begun = <T>(work: Promise<T>): Promise<Settled<T>> =>
  work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

/** The value of work that has ended. Throws what the work threw. */
export function resultOf<T>(settled: Settled<T>): T {
  if ("error" in settled) throw settled.error;
  return settled.value;
}
