/**
 * Errors of the host when it has no memory for an array. JavaScript engines throw a RangeError; users get `out-of-memory`, as from
 * devices.
 */
import { asRadarError, RadarError } from "./errors.ts";

/** Converts `error` to a `RadarError`: `out-of-memory` for a RangeError, else as `asRadarError` does. `what` names what failed. */
export function asHostError(error: unknown, what: string): RadarError {
  try {
    if (error instanceof RangeError) return new RadarError("out-of-memory", `the host has no memory for ${what}`, { what }, error);
  } catch {
    // A proxy whose prototype can't be read.
  }
  return asRadarError(error, what);
}
