/** Long lists in pieces of a millisecond or so, for work that gives others their turn. */

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

/** The items by ascending keys, in pieces: a merge sort, which leaves items with equal keys in their order. Keys are numbers. */
export function* sorted<T>(items: readonly T[], key: (item: T) => number): Generator<void, readonly T[]> {
  const n = items.length;
  let from: T[] = [];
  for (const some of pieces(items)) {
    for (const item of [...some].sort((a, b) => key(a) - key(b))) from.push(item);
    yield;
  }
  let to = new Array<T>(n);
  for (let width = pieceItems; width < n; width *= 2) {
    for (let start = 0; start < n; start += 2 * width) {
      const [middle, end] = [Math.min(start + width, n), Math.min(start + 2 * width, n)];
      let [a, b] = [start, middle];
      for (let at = start; at < end; ) {
        for (const stop = Math.min(at + pieceItems, end); at < stop; at++)
          to[at] = b >= end || (a < middle && key(from[a]) <= key(from[b])) ? from[a++] : from[b++];
        yield;
      }
    }
    [from, to] = [to, from];
  }
  return from;
}
