/**
 * The host's clock in microseconds, and how fine it is: what every time of an executor, a profile and a measurement is read from.
 * It is the wall's time, so that it counts whatever the machine does meanwhile.
 */

import { RadarError } from "@dechirp/core";

export interface Clock {
  readonly name: string;
  /** The smallest step seen between two readings, in microseconds: below it times mean nothing. */
  readonly resolution: number;
  /** Microseconds since some moment. */
  now(): number;
}

/** Microseconds since some moment that is the same for all of a thread's readings. */
export const microseconds = (): number => 1000 * performance.now();

/** Steps of the clock that are looked at, and how long that may take where steps are coarse. */
const steps = 100;
const mostMicroseconds = 20_000;
/** Readings without a step after which a clock stands still: half a second of them and more, five steps of the coarsest browser's. */
const mostReadings = 20_000_000;

/**
 * The clock, its resolution measured now: microseconds of work in Node, up to 20 ms where a browser coarsens it. Throws `unsupported` for
 * one that stands still, as that of a test may.
 */
export function clock(): Clock {
  const begin = microseconds();
  let resolution = Number.POSITIVE_INFINITY;
  let last = begin;
  let readings = 0;
  for (let seen = 0; seen < steps && last - begin < mostMicroseconds; ) {
    const now = microseconds();
    if (now === last) {
      if (++readings > mostReadings) throw new RadarError("unsupported", "performance.now stands still: nothing can be timed");
      continue;
    }
    readings = 0;
    resolution = Math.min(resolution, now - last);
    last = now;
    seen++;
  }
  return { name: "performance.now", resolution, now: microseconds };
}
