/** Statistics of measured times: mean, percentiles and maximum. They describe what was observed and bound nothing. */

/** Statistics of times in microseconds. All are 0 if there are no times. */
export interface TimeStatistics {
  /** Number of times. */
  readonly count: number;
  /** Arithmetic mean. */
  readonly mean: number;
  /** Median. */
  readonly p50: number;
  /** 90th percentile. */
  readonly p90: number;
  /** 99th percentile. */
  readonly p99: number;
  /** 99.9th percentile. */
  readonly p999: number;
  /** The longest time. */
  readonly max: number;
}

/**
 * Computes the statistics of times in microseconds. Percentiles are by nearest rank: the smallest value such that at least that share of
 * the values is not above it.
 */
export function timeStatistics(times: readonly number[]): TimeStatistics {
  const sorted = Float64Array.from(times).sort();
  const count = sorted.length;
  const rank = (share: number): number => (count === 0 ? 0 : sorted[Math.max(0, Math.ceil(share * count - 1e-9) - 1)]);
  return {
    count,
    mean: count === 0 ? 0 : sorted.reduce((sum, time) => sum + time, 0) / count,
    p50: rank(0.5),
    p90: rank(0.9),
    p99: rank(0.99),
    p999: rank(0.999),
    max: rank(1),
  };
}
