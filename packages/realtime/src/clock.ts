/**
 * The host's clock in microseconds and its resolution. Executors, profiles and measurements take all their times from it. It measures wall
 * time, so whatever else the machine does is included.
 */

import { RadarError } from "@dechirp/core";

/** A clock that was checked to run, with its measured resolution. */
export interface Clock {
  /** Name of the clock. */
  readonly name: string;
  /** The smallest step seen between two readings, in microseconds. Shorter times cannot be measured. */
  readonly resolution: number;
  /** Microseconds since an arbitrary moment. */
  now(): number;
}

/** Microseconds since an arbitrary moment, which is the same for all readings of a thread. */
export const microseconds = (): number => 1000 * performance.now();

/** How many steps of the clock to observe, and how long to observe at most if the steps are coarse. */
const steps = 100;
const mostMicroseconds = 20_000;
/**
 * A clock that returns the same value this many times is taken to stand still. That takes at least half a second, which is five steps of
 * the coarsest browser clock.
 */
const mostReadings = 20_000_000;

/**
 * Returns the clock with its resolution, which is measured now. This takes microseconds in Node and up to 20 ms in a browser that coarsens
 * its clock. Throws `unsupported` if the clock stands still, as a mocked clock in a test may.
 */
export function clock(): Clock {
  const begin = microseconds();
  let resolution = Number.POSITIVE_INFINITY;
  let last = begin;
  let readings = 0;
  for (let seen = 0; seen < steps && last - begin < mostMicroseconds; ) {
    const now = microseconds();
    if (now === last) {
      if (++readings > mostReadings) throw new RadarError("unsupported", "performance.now does not advance, so nothing can be timed");
      continue;
    }
    readings = 0;
    resolution = Math.min(resolution, now - last);
    last = now;
    seen++;
  }
  return { name: "performance.now", resolution, now: microseconds };
}
