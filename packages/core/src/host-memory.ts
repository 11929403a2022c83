/** Arrays of the host's own that there is no memory for: engines throw a RangeError, users get what they get of devices. */
import { asRadarError, RadarError } from "./errors.ts";

/** `error` as a `RadarError`: `out-of-memory` where it says that the host has no memory for an array. */
export function asHostError(error: unknown, what: string): RadarError {
  try {
    if (error instanceof RangeError) return new RadarError("out-of-memory", `the host has no memory for ${what}`, { what }, error);
  } catch {
    // A proxy that has no prototype to look at.
  }
  return asRadarError(error, what);
}
