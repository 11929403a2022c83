/**
 * What a format of recordings is: one object, which a file of its own makes and which stands in the table (formats.ts). Its texts make help
 * and tables, its limits are those that its reader heeds. It imports what parses only when it reads, so that whoever wants the texts loads little.
 */
import type { ArrayAxes, RecordedArray } from "./array-recording.ts";
import type { PerfectSet } from "./perfect.ts";
import type { RecordedPhaseHistory } from "./phase-history.ts";
import type { Place, ReadFilesOptions } from "./place.ts";
import type { Scene, SceneData } from "./scene.ts";

/** What a recording is: echoes to be focused, spectra to be backprojected, or an array's cube. */
export interface Recordings {
  readonly stripmap: Scene;
  readonly "phase-history": RecordedPhaseHistory;
  readonly array: RecordedArray;
}

/** What is written of a recording: plain data suffices. */
export interface Writable extends Omit<Recordings, "stripmap"> {
  readonly stripmap: SceneData;
}

export type RecordingKind = keyof Recordings;

/** Options that some formats have, each those that it names in `options`. */
export interface FormatOptions {
  /** RADARSAT-1 CD: AGC_attenuation_values.mat where it is neither in the folder nor in the two above it. */
  readonly agcFile?: string;
  /** Gotcha: which evenly spaced frequencies stand for those of the files (see `GotchaOptions`). */
  readonly frequencies?: "fit" | "ends";
  /** Arrays that say nothing of their axes: these, outermost first; in MATLAB's files the first index first. */
  readonly axes?: ArrayAxes;
  /** Arrays: which of several coherent processing intervals, from 1; the first where left out. */
  readonly cpi?: number;
  /** PERFECT: which set of a folder; the smallest where left out. */
  readonly set?: PerfectSet;
}

/** The most of something that a reader takes. */
export interface Limit {
  /** The largest number or size that is taken, of what `of` names. */
  readonly most: number;
  /** What is counted, in a table's words. */
  readonly of: string;
}

/** Whether a place holds a format: surely, perhaps (only the reader can tell), or not. */
export type FormatMatch = "yes" | "maybe" | "no";

/** A row of the table. */
export interface Format<K extends RecordingKind = RecordingKind> {
  readonly name: string;
  readonly kind: K;
  /** In a sentence: `scene folder`. */
  readonly title: string;
  /** What a folder must have to be of this format, in a sentence: `scene.json`. Left out where none is. */
  readonly folder?: string;
  /** What a file of this format is, in a sentence: `a Mountain Top file (.mat with cpi1 and trecord)`. Left out where none is. */
  readonly file?: string;
  /** What is read and what is refused, in Markdown, for tables. */
  readonly reads: string;
  readonly refuses: string;
  /** What the reader heeds, by names of its own. */
  readonly limits: Readonly<Record<string, Limit>>;
  /** Those options of `FormatOptions` that it has. */
  readonly options?: readonly (keyof FormatOptions)[];
  /** Looks at names, then at first bytes, then at names of variables. Throws `input` where what it looks at can't be read; `aborted`. */
  detect(place: Place, options: FormatOptions & ReadFilesOptions): FormatMatch | Promise<FormatMatch>;
  /** Reads what is there. Rejects with `input` naming file and field or byte; with `aborted` where the signal fires. */
  read(place: Place, options: FormatOptions & ReadFilesOptions): Promise<Recordings[K]>;
  /** Where several places make one recording: reads them one after another. */
  join?(places: readonly Place[], options: FormatOptions & ReadFilesOptions): Promise<Recordings[K]>;
  /** Where it is written, too: which files, and what is in them. */
  readonly writes?: {
    readonly files: string;
    /** The files by their names, as chunks of bytes. Rejects with `input` for a recording that could not be read back; with `aborted`. */
    make(recording: Writable[K], options: { readonly signal?: AbortSignal }): Promise<Readonly<Record<string, Uint8Array[]>>>;
  };
}
