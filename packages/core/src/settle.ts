/** Waiting for several promises, some of which may reject. */

/**
 * Waits until all promises have settled, then rejects with the reason of the first in the list that rejected. `Promise.all` would reject
 * while other work is under way and still uses its arrays.
 */
export async function allSettle(promises: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(promises);
  await Promise.all(promises);
}
