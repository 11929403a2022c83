/** Options that all pictures have. Uses no type of Vega, so that declarations compile without DOM types. */

// Importing this makes the host's types known that the declarations use.
export type {} from "@dechirp/core";

/** Options of all pictures. */
export interface PictureOptions {
  /** Cancels the drawing, which rejects with `aborted`. */
  readonly signal?: AbortSignal;
}
