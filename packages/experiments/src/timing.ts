/** What the measurements of several experiments share: quantiles of times, rounds until a device is warm, and reasons why it can't do something. */
import { isRadarError, type RadarErrorCode } from "@dechirp/core";

/** The q-quantile, interpolated linearly. NaN if there are no values. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const low = Math.floor(at);
  return at === low ? sorted[low] : sorted[low] + (at - low) * (sorted[low + 1] - sorted[low]);
}

/** The median. NaN if there are no values. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** A round is faster if it takes this share of the best one's time. */
const faster = 0.98;

/**
 * A GPU lowers its clock while the host works and raises it over seconds (up to four on an H100). So rounds are repeated until none has
 * been faster for `still` milliseconds, or `most` milliseconds have passed. `round` returns the milliseconds that it measured.
 */
export async function warmUp(
  { still, most }: { readonly still: number; readonly most: number },
  round: () => Promise<number>,
): Promise<void> {
  let best = { milliseconds: Number.POSITIVE_INFINITY, at: performance.now() };
  for (const start = best.at; performance.now() - start < most && performance.now() - best.at < still; ) {
    const milliseconds = await round();
    if (milliseconds < faster * best.milliseconds) best = { milliseconds, at: performance.now() };
  }
}

/** The errors that say that a device can't do something: a limit, memory, or missing support. */
const inability: readonly RadarErrorCode[] = ["limit", "out-of-memory", "unsupported"];

/** The reason why a device can't do something. `more` are further codes that count as one. Throws any other error. */
export function whyUnable(error: unknown, more: readonly RadarErrorCode[] = []): string {
  if (![...inability, ...more].some((code) => isRadarError(error, code))) throw error;
  return (error as Error).message;
}
