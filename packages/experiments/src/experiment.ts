/** What all experiments have in common: what they run on, whom they tell how far they are, and what their reports are called. */
import type { Device } from "@dechirp/core";

/** What reports of all experiments have as their `format`. */
export const experimentFormat = "dechirp-experiment";

/** A device that an experiment runs on; it stays the caller's. */
export interface OpenDevice {
  readonly device: Device;
  /** For the report: why this device. */
  readonly why?: string;
}

/** Whom an experiment tells how far it is, and what ends it. */
export interface ExperimentHooks {
  readonly signal?: AbortSignal;
  /** `share` of the whole, 0 to 1. */
  readonly onProgress?: (what: string, share: number) => void;
}
