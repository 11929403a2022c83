/** Lengths that transforms like: what to pad to, where padding is free. */
import { inputError } from "@dechirp/core";
import { stagesOf } from "./shape.ts";

/** Fewest stages count, then length: a stage is an exchange of every value, or a pass over memory. */
const weight = (n: number): number => n * (1 + (stagesOf(n)?.length ?? Number.POSITIVE_INFINITY) / 8);

/**
 * The length ≥ `n` (a positive integer) that is transformed fastest: a product of primes up to 13, at most a power of two
 * away. Throws `input`.
 */
export function goodSize(n: number): number {
  if (!Number.isInteger(n) || n < 1) throw inputError("n", "a positive integer", n);
  let best = 2 ** Math.ceil(Math.log2(n));
  for (const odd of [3, 5, 7, 9, 11, 13, 15, 21, 25, 27, 35, 45, 49, 63, 75, 81]) {
    const m = odd * 2 ** Math.max(0, Math.ceil(Math.log2(n / odd)));
    if (m >= n && weight(m) < weight(best)) best = m;
  }
  if (stagesOf(n) && weight(n) <= weight(best)) best = n;
  return best;
}
