/** Arrays of the host's own that there is no memory for: engines throw a RangeError, users get what they get of devices. */
import { RadarError } from "./errors.ts";

/** `error`, typed where it says that the host has no memory for an array. */
export const typed = (error: unknown, what: string): unknown =>
  error instanceof RangeError ? new RadarError("out-of-memory", `the host has no memory for ${what}`, { what }, error) : error;
