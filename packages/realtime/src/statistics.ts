/** What is told of many times: mean, percentiles, largest. All of observed values, which bound nothing. */

/** Microseconds; all 0 of none. */
export interface TimeStatistics {
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
  /** The longest. */
  readonly max: number;
}

/** Percentiles are those of nearest rank: the smallest value that at least so many are not above. */
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
