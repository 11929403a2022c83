/** What callers hand over beside a recording and settings: how to stop the work, where to report progress, and what reports should say. */
import type { Clock } from "./clock.ts";

export interface ProcessHooks {
  /** Stops the work, which rejects with `aborted` then. */
  readonly signal?: AbortSignal;
  /** Hears what is done now, and the share of the whole that is done, 0 to 1. */
  readonly onProgress?: (what: string, share: number) => void;
  /** What the recording was read from; the report keeps these names, and errors about the recording name the first. */
  readonly inputs?: readonly string[];
  /** The report keeps this reason, where somebody chose the device among several. */
  readonly whyDevice?: string;
  /** A clock that has timed what came before; a new one where left out. */
  readonly clock?: Clock;
}
