/** Waiting for several things of which some may fail. */

/**
 * Waits until all have settled, then rejects with the failure of the first that failed. `Promise.all` would tell of it while
 * others are still under way, and hold their arrays.
 */
export async function allSettle(promises: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(promises);
  await Promise.all(promises);
}
