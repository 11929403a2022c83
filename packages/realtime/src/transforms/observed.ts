/** Times of jobs by number of units, as reports contain them. */
import type { SizeProfile } from "../profile.ts";

/** Observed times of a job on k units while the other units are loaded, in microseconds. They are no guarantee. */
export interface ObservedTimes {
  /** The number of units. */
  readonly k: number;
  /** Number of timed jobs. */
  readonly runs: number;
  /** Arithmetic mean. */
  readonly mean: number;
  /** Median. */
  readonly p50: number;
  /** 99th percentile. */
  readonly p99: number;
  /** The longest time. */
  readonly max: number;
  /** The largest median of a set of units divided by the median over all sets. */
  readonly slowdown: number;
  /** L[k]: `max` multiplied with the margin. */
  readonly wcet: number;
}

/** Converts one size of a profile to the form of reports. */
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
