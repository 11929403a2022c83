/** What the writers of `dechirp convert` get and return. */
import type { Progress } from "../progress.ts";
import type { ConvertArguments } from "./formats.ts";

/** Where and how something is written. */
export interface Work {
  /** The path as it was given. */
  readonly out: string;
  readonly options: ConvertArguments;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/** What was written. */
export interface Made {
  readonly shape: readonly number[];
  /** Type of a sample or pixel as it is stored. */
  readonly type: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly notes: readonly string[];
}
