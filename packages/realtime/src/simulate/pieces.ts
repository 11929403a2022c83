/** Long lists in pieces of a millisecond or so, for work that gives others their turn. */
import { sortSteps } from "@dechirp/core/internal";

/** Items of a piece. */
export const pieceItems = 1024;

/** The items of a list, some at a time, in order. */
export function* pieces<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += pieceItems) yield items.slice(start, start + pieceItems);
}

/** The items of a list for which `test` holds, in pieces. */
export function* selected<T>(items: readonly T[], test: (item: T) => boolean): Generator<void, T[]> {
  const found: T[] = [];
  for (const some of pieces(items)) {
    for (const item of some) if (test(item)) found.push(item);
    yield;
  }
  return found;
}

/** The items by ascending keys, which are numbers, in pieces; those with equal keys stay in their order. */
export const sorted = <T>(items: readonly T[], key: (item: T) => number): Generator<void, readonly T[]> =>
  sortSteps(items, (a, b) => key(a) - key(b));
