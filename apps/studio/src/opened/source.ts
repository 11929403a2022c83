/** Where a recording of the user is: plain data, which workers get. */
import type { Files } from "./dropped.ts";

/** Kinds of recordings, by what can be done with them. */
export type RecordingKind = "stripmap" | "phase-history" | "array";

/** Files by their paths below the folder that was chosen. `id` differs for each choice. */
export interface OpenedFiles {
  readonly kind: "files";
  readonly files: Files;
  /** A file of AGC values that was added. */
  readonly agcFile?: File;
  readonly id: number;
}

/** An address. `times` counts how often the user has opened it, because a server may answer differently each time. */
export interface OpenedAddress {
  readonly kind: "url";
  readonly url: string;
  readonly times: number;
}

/** Where a recording of the user is. */
export type OpenedSource = OpenedFiles | OpenedAddress;

/** A text that differs for sources that may have other data. */
export const keyOf = (source: OpenedSource): string =>
  source.kind === "files" ? `files ${source.id}` : `url ${source.times} ${source.url}`;

/** Where a recording is, for a program that reads it. */
export interface RecordingPlace {
  /** Path of its folder, or of its files: absolute if it is known, else as far as the page knows it. `.` is the folder of loose files. */
  readonly paths: readonly string[];
  readonly isFolder: boolean;
  /** Names of its files. */
  readonly files: readonly string[];
  /** The AGC file of a RADARSAT-1 scene, as a path from its folder or an absolute one; false if there is none. Absent for other recordings. */
  readonly agcFile?: string | false;
  /** Whether the user has added the AGC file, so that it may be anywhere. */
  readonly isAgcAdded?: boolean;
  /** Addresses of files by their names, if they are on a server. */
  readonly addresses?: Readonly<Record<string, string>>;
}
