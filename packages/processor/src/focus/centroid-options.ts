/** What the measurement of a Doppler centroid is given besides the recording's parameters. */
import type { Echoes } from "../recording.ts";

/** Options of `chooseCentroid`. */
export interface CentroidOptions {
  /** The setting. `auto` measures the centroid even if the recording states one. */
  readonly wanted?: number | "auto" | undefined;
  /** Number of samples up to which a recording is measured as a whole, in one read. Default: 2²⁵. */
  readonly wholeSamples?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the name of each stage of the measurement. */
  readonly onStage?: ((stage: string) => void) | undefined;
}

/** Reads lines `from` to `from + count − 1`, [count][samples], interleaved. */
export type ReadLines = (from: number, count: number) => Promise<Echoes>;
