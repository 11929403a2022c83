/** Arrays of the host's own that there is no memory for: engines throw a RangeError, users get what they get of devices. */
import { asRadarError, RadarError } from "./errors.ts";
import type { TypedArrayOf } from "./layout.ts";

/** `error` as a `RadarError`: `out-of-memory` where it says that the host has no memory for an array. */
export function typed(error: unknown, what: string): RadarError {
  try {
    if (error instanceof RangeError) return new RadarError("out-of-memory", `the host has no memory for ${what}`, { what }, error);
  } catch {
    // A proxy that has no prototype to look at.
  }
  return asRadarError(error, what);
}

/** Whether `data` is a typed array whose memory is there: it may have been transferred to another thread, or have become too short. */
export function isThere(data: TypedArrayOf): boolean {
  try {
    data.at(0);
    return ArrayBuffer.isView(data);
  } catch {
    return false;
  }
}
