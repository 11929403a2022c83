/** Processes long lists in pieces of about a millisecond, so that other work can run in between. */
import { sortSteps } from "@dechirp/core/internal";

/** Number of items of a piece. */
export const pieceItems = 1024;

/** Yields the items of a list in order, in pieces. */
export function* pieces<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += pieceItems) yield items.slice(start, start + pieceItems);
}

/** Returns the items for which `test` holds. Yields after each piece. */
export function* selected<T>(items: readonly T[], test: (item: T) => boolean): Generator<void, T[]> {
  const found: T[] = [];
  for (const some of pieces(items)) {
    for (const item of some) if (test(item)) found.push(item);
    yield;
  }
  return found;
}

/** Sorts the items by ascending numeric keys, in pieces. Items with equal keys keep their order. */
export const sorted = <T>(items: readonly T[], key: (item: T) => number): Generator<void, readonly T[]> =>
  sortSteps(items, (a, b) => key(a) - key(b));
