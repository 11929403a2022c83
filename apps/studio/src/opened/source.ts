/** Where a recording of the user is: plain data, which workers get. */
import type { Files } from "./dropped.ts";

/** Kinds of recordings, by what can be done with them. */
export type RecordingKind = "stripmap" | "phase-history" | "array";

/** Files by their paths below the folder that was chosen. `id` differs for each choice. */
export interface OpenedFiles {
  readonly kind: "files";
  readonly files: Files;
  readonly id: number;
}

/** Where a recording of the user is. */
export type OpenedSource = OpenedFiles | { readonly kind: "url"; readonly url: string };

/** A text that differs for sources that may have other data. */
export const keyOf = (source: OpenedSource): string => (source.kind === "files" ? `files ${source.id}` : `url ${source.url}`);
