/** The reasons why a device can't do something, which are results of a measurement and no failures. */
import { isRadarError, type RadarErrorCode } from "@dechirp/core";

/** The errors that say that a device can't do something: a limit, memory, or missing support. */
const inability: readonly RadarErrorCode[] = ["limit", "out-of-memory", "unsupported"];

/** The reason why a device can't do something. `more` are further codes that count as one. Throws any other error. */
export function whyUnable(error: unknown, more: readonly RadarErrorCode[] = []): string {
  if (![...inability, ...more].some((code) => isRadarError(error, code))) throw error;
  return (error as Error).message;
}
