/** Transform lengths that devices are fast with: what to pad to where padding is free. */
import { inputError } from "./errors.ts";

/** Radices of stages that backends have code for. */
const radices = [16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2];
/** Candidates are these times powers of two. */
const oddParts = [3, 5, 7, 9, 11, 13, 15, 21, 25, 27, 35, 45, 49, 63, 75, 81];

/** The fewest stages that transform n points, infinite where n has a prime factor above 13. */
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
 * The length from `n` (a positive integer) on that is transformed fastest: a product of primes up to 13, less than twice `n`. It
 * weighs points against stages, each of which exchanges every value once. Throws `input` for an `n` that is no positive integer.
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
