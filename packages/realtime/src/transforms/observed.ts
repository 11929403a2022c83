/** Times of jobs by the number of their units, as reports hold them. */
import type { SizeProfile } from "../profile.ts";

/** Times in microseconds of a job on k units while the others are loaded: observed, which is no guarantee. */
export interface ObservedTimes {
  /** Units of the job. */
  readonly k: number;
  readonly runs: number;
  /** Arithmetic mean. */
  readonly mean: number;
  /** Median. */
  readonly p50: number;
  /** 99th percentile. */
  readonly p99: number;
  /** The longest. */
  readonly max: number;
  /** The slowest choice of units by their median, over the median of all. */
  readonly slowdown: number;
  /** L[k]: `max` with the margin. */
  readonly wcet: number;
}

/** A row of a profile as a report holds it. */
export const observedTimes = ({ size, count, mean, p50, p99, max, slowdown, wcet }: SizeProfile): ObservedTimes => ({
  k: size,
  runs: count,
  mean,
  p50,
  p99,
  max,
  slowdown,
  wcet,
});
