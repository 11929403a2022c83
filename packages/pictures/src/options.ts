/** What all pictures take beside their data. Names no type of Vega's, so that declarations compile without a page's types. */

// With it come the host's types that declarations name.
export type {} from "@dechirp/core";

/** Options of every picture. */
export interface PictureOptions {
  /** Ends the drawing early: it rejects with `aborted`. */
  readonly signal?: AbortSignal;
}
