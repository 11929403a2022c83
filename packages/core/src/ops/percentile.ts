/** Percentiles from a histogram's counts, on the host. */
import { inputError } from "../errors.ts";

/**
 * The value below which `percent` of the counted values lie, for example 99 for the 99th percentile. `counts` are those of bins of equal
 * widths between `low` and `high`, as `histogram` makes them. Within a bin, values are taken to be spread evenly, so the result is
 * within a bin of the exact percentile, if that is between `low` and `high`. Throws `input`, naming the argument, if no value was counted, if `percent`
 * is not between 0 and 100, or if `low` and `high` are not finite numbers in this order.
 */
export function percentileOf(counts: ArrayLike<number>, low: number, high: number, percent: number): number {
  if (!Number.isFinite(low)) throw inputError("low", "a finite number", low);
  if (!Number.isFinite(high) || high <= low) throw inputError("high", "a finite number above low", high);
  if (!Number.isFinite(high - low)) throw inputError("high", `at a finite distance from low, ${low}`, high);
  if (!Number.isFinite(percent) || percent < 0 || percent > 100) throw inputError("percent", "a number from 0 to 100", percent);
  const isList = Array.isArray(counts) || ArrayBuffer.isView(counts);
  const length = isList ? counts.length : 0;
  let total = 0;
  for (let bin = 0; bin < length; bin++) total += typeof counts[bin] === "number" && counts[bin] >= 0 ? counts[bin] : Number.NaN;
  if (!(total > 0 && total < Number.POSITIVE_INFINITY)) throw inputError("counts", "a list of counts of at least one value", counts);
  const wanted = (percent / 100) * total;
  let before = 0;
  for (let bin = 0; bin < length; bin++) {
    const count = counts[bin];
    if (count > 0 && before + count >= wanted) return low + ((high - low) * (bin + (wanted - before) / count)) / length;
    before += count;
  }
  return high;
}
