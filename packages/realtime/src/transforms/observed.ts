/** Times of jobs by number of units, as reports contain them. */
import type { SizeProfile } from "../profile.ts";

/** Observed times of a job on k units while the other units are loaded, in microseconds. They are no guarantee. */
export interface ObservedTimes {
  readonly k: number;
  readonly runs: number;
  readonly mean: number;
  readonly p50: number;
  readonly p99: number;
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
