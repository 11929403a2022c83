/**
 * Sums over intervals of an axis with few additions. Level k of a line holds the sums of 4^k neighbours, made of four values of level
 * k − 1 each. An interval is a few such runs, so a window of n cells takes about 5·log₄n additions. Nothing is subtracted: no sum depends on
 * a cell outside its interval, and the rounding errors are those of the interval's own cells.
 */
import type { Offsets } from "../ops/stencil.ts";

/** Values of each level that make one of the next. */
export const radix = 4;

/** A value of a level at an offset from the own index. */
export interface Term {
  readonly level: number;
  readonly offset: number;
}

/** So many cells are added one by one. */
const few = 9;

/** The terms whose sum is that of the cells of all these intervals. */
export function termsOf(intervals: readonly Offsets[]): readonly Term[] {
  const cells = intervals.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  const terms: Term[] = [];
  for (const [first, last] of intervals) {
    let level = cells <= few ? 0 : Math.floor(Math.log2(last - first + 1) / Math.log2(radix));
    for (let offset = first; offset <= last; offset += radix ** level) {
      while (offset + radix ** level - 1 > last) level -= 1;
      terms.push({ level, offset });
    }
  }
  return terms;
}
