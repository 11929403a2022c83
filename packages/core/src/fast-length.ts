/** Transform lengths that are fast, for padding. */
import { inputError } from "./errors.ts";

/** The radices that backends have code for. */
const radices = [16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2];
/** The candidates are these numbers times powers of two. */
const oddParts = [3, 5, 7, 9, 11, 13, 15, 21, 25, 27, 35, 45, 49, 63, 75, 81];

/** The smallest number of stages that transform n points. Infinite if n has a prime factor above 13. */
function stageCount(n: number, known: Map<number, number>): number {
  if (n === 1) return 0;
  const before = known.get(n);
  if (before !== undefined) return before;
  let fewest = Number.POSITIVE_INFINITY;
  for (const r of radices) if (n % r === 0) fewest = Math.min(fewest, 1 + stageCount(n / r, known));
  known.set(n, fewest);
  return fewest;
}

/**
 * The fastest transform length that is at least `n`. It is a product of primes up to 13, and less than 2·`n`. The estimate weighs the
 * number of points against the number of stages, because each stage exchanges every value once. Throws `input` if `n` is not a positive
 * integer.
 */
export function nextFastLength(n: number): number {
  if (!Number.isSafeInteger(n) || n < 1) throw inputError("n", "a positive integer", n);
  const known = new Map<number, number>();
  const weight = (m: number): number => m * (1 + stageCount(m, known) / 8);
  let best = 2 ** Math.ceil(Math.log2(n));
  for (const odd of oddParts) {
    const m = odd * 2 ** Math.max(0, Math.ceil(Math.log2(n / odd)));
    if (m >= n && weight(m) < weight(best)) best = m;
  }
  return weight(n) <= weight(best) ? n : best;
}
