/**
 * What a kind of job is: how it is planned, and how its tasks are made. Each kind is one file and one row of the table in `kinds.ts`. A task
 * is a pure function of the job: two processes that make it, also at the same time, write the same bytes under the same keys.
 */
import type { Device } from "@dechirp/core";
import type { ImageMetadata } from "@dechirp/io";
import type { BackprojectReport, ImageDescription, PartSink, Report } from "@dechirp/processor";
import type { GrayPicture, Looks, QuicklookOptions } from "@dechirp/sar";
import type { Job, JobBody, JobPixels } from "./document.ts";
import type { JobStore } from "./store.ts";

/** What is asked of a job when it is planned. */
export interface JobRequest {
  /** Paths of the recording, or of several recordings for a job with a product each. */
  readonly paths: readonly string[];
  /** Names of the products, for a job with a product each. They differ in more than capitals. Default: numbers from 0. */
  readonly names?: readonly string[];
  /** Path of a RADARSAT-1 scene's AGC file. Default: the one that belongs to the scene, if it is found. */
  readonly agcFile?: string;
  /** Settings of the processor (`FocusSettings`, `BackprojectSettings`). */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Which channel of a phase history. Needed if there are several. */
  readonly channel?: string;
  /** Which segment of a recording whose PRF changes, from 1. Needed if there are several. */
  readonly segment?: number;
  /** Edge in pixels of the part of an image that a task makes. Default: a size that suits the device's memory. */
  readonly tile?: number;
  /**
   * Into how many sets pulses are divided. Each set has tasks of its own, and the tiles of the image are sums over the sets. Default: what the cost
   * model chooses for `workers`, else 1.
   */
  readonly pulseSets?: number;
  /** How many workers will make the image, for the cost model (`chooseDivision`). Default: not known. */
  readonly workers?: number;
  /** Bytes that a worker may use for a task. */
  readonly memoryBytes: number;
  /** What the products are: formats and their options, as the caller understands them. */
  readonly output: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
  /** Called with the step, and the share of the planning that is done, 0 to 1. */
  readonly onProgress?: (what: string, share: number) => void;
}

/** What a kind decides when a job is planned. */
export interface JobParts extends Pick<JobBody, "settings" | "plan" | "tasks"> {
  /** Absent if each task makes a product of its own. */
  readonly image?: JobPixels;
  /** Paths of all inputs with their roles. */
  readonly inputs: readonly { readonly path: string; readonly role: "recording" | "agc" }[];
  /** The work of all tasks together, such as backprojections. */
  readonly work?: { readonly amount: number; readonly unit: string };
  /** How the image is divided and why, a sentence each. */
  readonly notes?: readonly string[];
  /** Recordings that can't be processed, a sentence each. Their tasks will fail. */
  readonly warnings?: readonly string[];
}

/** What a kind is told when it makes tasks. */
export interface JobWorkPlace {
  readonly job: Job;
  readonly store: JobStore;
  /** The path of an input on this machine, by its number in the job. Rejects with `input` if it is missing or has changed. */
  pathOf(input: number): Promise<string>;
  readonly device: Device;
  readonly signal?: AbortSignal;
}

/** What is known of an image when all of its parts are there. */
export interface AssembledImage {
  readonly report: Report | BackprojectReport;
  readonly quicklook: GrayPicture & Looks;
}

/** How an image is assembled. */
export interface AssembleHooks {
  readonly signal?: AbortSignal;
  /** Called with the step, and the share that is done, 0 to 1. */
  readonly onProgress?: (what: string, share: number) => void;
  /** Options of the quicklook. Its spacings are those of the image. */
  readonly quicklook?: Omit<QuicklookOptions, "rowSpacingMeters" | "columnSpacingMeters">;
}

/** The image of a job. */
export interface JobImage {
  readonly axes: NonNullable<ImageMetadata["axes"]>;
  readonly description: ImageDescription;
  /** What the pixels depend on, for the metadata of files. Plain JSON. */
  readonly provenance: unknown;
  /**
   * Measures an image whose parts `parts` reads, and makes its report and quicklook. Rejects with what the recording, the device and `parts`
   * throw, and with `aborted`.
   */
  assemble(parts: Required<PartSink>, hooks: AssembleHooks): Promise<AssembledImage>;
}

/** The product of a task that makes an image of its own. Dispose of it to close its recording. */
export interface JobProduct extends AsyncDisposable {
  /** A name that other products of the job do not have, also as that of a folder. */
  readonly name: string;
  /** The job of this image alone. Its id is that of the whole job. */
  readonly job: Job;
  /** The part of the store that has the image. */
  readonly store: JobStore;
  readonly image: JobImage;
}

/** What a task makes: bytes by keys of the store, in the order in which they are to be written. */
export type TaskOutput = Iterable<readonly [key: string, bytes: Uint8Array]> | AsyncIterable<readonly [key: string, bytes: Uint8Array]>;

/** The tasks of a job on one device. Dispose of it to free its memory and close its files. */
export interface JobWork extends AsyncDisposable {
  /**
   * Makes the output of a task. One call at a time, and the output is read to its end before the next one. Rejects, as the output does, with what
   * the recording and the device throw, and with `aborted`; nothing can be made after that.
   */
  make(task: number, options: { readonly signal?: AbortSignal; readonly onProgress?: (share: number) => void }): Promise<TaskOutput>;
  /** Makes what can be made when a task has been marked as done. Rejects with what the store throws, and with `aborted`. */
  settle?(task: number, options: { readonly signal?: AbortSignal }): Promise<void>;
  /** Absent if every task makes a product of its own. */
  readonly image?: JobImage;
  /** The product of a task that is done. Absent if all tasks make one image. Rejects as `make` does. */
  product?(task: number): Promise<JobProduct>;
}

/** A kind of job. */
export interface JobKind {
  readonly name: string;
  /** What is made, in a sentence. */
  readonly title: string;
  /**
   * Decides everything that the output depends on, for a device of the class that will make it. Rejects with `input`, which names the field,
   * if a setting is wrong or does not suit the recording.
   */
  plan(request: JobRequest, device: Device): Promise<JobParts>;
  /** Opens the recording and prepares the tasks. Rejects with `input` if the job does not suit the recording or the device. */
  open(place: JobWorkPlace): Promise<JobWork>;
}
