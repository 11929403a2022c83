/**
 * Types of a recording format. Each format is one object, defined in a file of its own and listed in the table (table.ts). Help texts
 * and documentation tables are made from its texts, and its reader enforces its limits. A format imports its parser only when it reads,
 * so that listing the formats loads little code.
 */
import type { ArrayAxes, RecordedArray } from "./array-recording.ts";
import type { PerfectSet } from "./perfect.ts";
import type { RecordedPhaseHistory } from "./phase-history.ts";
import type { Place, ReadFilesOptions } from "./place.ts";
import type { Scene, SceneData } from "./scene.ts";

/**
 * The type of a recording by its kind: raw echoes to focus (`stripmap`), spectra to backproject (`phase-history`), or the data cube of
 * an antenna array (`array`).
 */
export interface Recordings {
  readonly stripmap: Scene;
  readonly "phase-history": RecordedPhaseHistory;
  readonly array: RecordedArray;
}

/** The data needed to write a recording of each kind. Plain data is enough. */
export interface Writable extends Omit<Recordings, "stripmap"> {
  readonly stripmap: SceneData;
}

/** A kind of recording: `stripmap`, `phase-history` or `array`. */
export type RecordingKind = keyof Recordings;

/** Options that only some formats have. Each format lists the ones that it accepts in `options`. */
export interface FormatOptions {
  /**
   * RADARSAT-1 CD: path of AGC_attenuation_values.mat, or `false` to leave the lines at the gain that they were recorded with. Default: the
   * file is looked for in the folder and in the two folders above it.
   */
  readonly agcFile?: string | false;
  /**
   * Gotcha: which evenly spaced frequencies replace the frequencies of the files (see `GotchaOptions`). Those of CPHD files are evenly spaced
   * already. Default: `fit`.
   */
  readonly frequencies?: "fit" | "ends";
  /**
   * Arrays whose file does not describe its axes: the order of the axes, outermost first for .npy files and first index first for
   * MAT-files.
   */
  readonly axes?: ArrayAxes;
  /** Arrays: which coherent processing interval (CPI) to read, counted from 1. Default: 1. */
  readonly cpi?: number;
  /** CPHD: identifier of the channel to read. Default: the first channel of the file. */
  readonly channel?: string;
  /** PERFECT: which set of the folder to read. Default: the smallest one found. */
  readonly set?: PerfectSet;
}

/** A limit that a reader enforces: at most `most` of the thing that `of` names. */
export interface Limit {
  /** The largest number or size that is taken, of what `of` names. */
  readonly most: number;
  /** What is counted, worded for a table. */
  readonly of: string;
}

/** Whether a place holds a format. `maybe` means that only reading it can tell. */
export type FormatMatch = "yes" | "maybe" | "no";

/** One recording format: a row of the table. */
export interface Format<K extends RecordingKind = RecordingKind> {
  readonly name: string;
  readonly kind: K;
  /** What the format is called in a sentence: `scene folder`. */
  readonly title: string;
  /** What a folder of this format must contain, worded for a sentence: `scene.json`. Left out if the format is never a folder. */
  readonly folder?: string;
  /**
   * What a file of this format is, worded for a sentence: `a Mountain Top file (.mat with cpi1 and trecord)`. Left out if the format is
   * never a single file.
   */
  readonly file?: string;
  /** What is read and what is refused, in Markdown, for documentation tables. */
  readonly reads: string;
  readonly refuses: string;
  /** Limits that the reader enforces, under names of its own. */
  readonly limits: Readonly<Record<string, Limit>>;
  /** Files that may be of any size, because they are read in parts, in Markdown. */
  readonly inParts?: string;
  /** The options of `FormatOptions` that this format accepts. */
  readonly options?: readonly (keyof FormatOptions)[];
  /**
   * Tells whether a place holds this format. Looks at file names first, then at the first bytes, then at names of variables. Throws
   * `input` if they can't be read, and `aborted`.
   */
  detect(place: Place, options: FormatOptions & ReadFilesOptions): FormatMatch | Promise<FormatMatch>;
  /** Reads the recording. Rejects with `input`, which names the file and the field or byte, and with `aborted` if the signal fires. */
  read(place: Place, options: FormatOptions & ReadFilesOptions): Promise<Recordings[K]>;
  /**
   * Finds the files that `read` looks for if the options that name them are left out. Resolves with these options: a path, or `false` if there
   * is no such file. Files may be outside of the place's folder. Left out if `read` looks for none.
   */
  fileOptions?(place: Place): Promise<Pick<FormatOptions, "agcFile">>;
  /** Reads several places, one after another, as one recording. Left out if a recording is always one place. */
  join?(places: readonly Place[], options: FormatOptions & ReadFilesOptions): Promise<Recordings[K]>;
  /** How recordings of this format are written. Left out if they can't be. */
  readonly writes?: {
    readonly files: string;
    /**
     * Returns the files by name, each as a list of chunks of bytes. Rejects with `input` if the written recording could not be read
     * back, and with `aborted`.
     */
    make(recording: Writable[K], options: { readonly signal?: AbortSignal }): Promise<Readonly<Record<string, Uint8Array[]>>>;
  };
}
