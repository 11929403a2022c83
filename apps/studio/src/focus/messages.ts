/** What the page of the task Focus and its workers say to each other: plain data only. */
import type { BackprojectReport, Report } from "@dechirp/processor";
import type { PointTargetOptions } from "@dechirp/sar";
import type { ImageFacts } from "../image/facts.ts";
import type { OpenedSource, RecordingPlace } from "../opened/source.ts";
import type { DeviceFacts } from "../work/devices.ts";

/** Names of the scenes that can be simulated. */
export type SceneName = "points" | "farmland" | "quality" | "large" | "spotlight";

/** Where a recording comes from. */
export type Source = { readonly kind: "scene"; readonly scene: SceneName; readonly seed: number | undefined } | OpenedSource;

/** A fact of a recording, for a list of facts. */
export interface Fact {
  readonly name: string;
  readonly value: string;
  /** Name in `data-figure`, for tests and for other pages. */
  readonly figure?: string;
}

/** What a recording is. */
export interface RecordingFacts {
  readonly name: string;
  /** What its format is called in a sentence. */
  readonly format: string;
  readonly kind: "stripmap" | "phase-history";
  readonly facts: readonly Fact[];
  /** Further facts, for those who ask. */
  readonly more: readonly Fact[];
  /** Where it is. Absent if it was simulated. */
  readonly place?: RecordingPlace;
  /** Paths of the recordings that were opened together, and which of them this one is. */
  readonly parts: readonly string[];
  readonly part: string;
  /** Channels of its file, each with an image of its own. Absent if there is only one. */
  readonly channels?: readonly ChannelFacts[];
  /** Identifier of the channel that is read. Absent if there is only one. */
  readonly channel?: string;
  /** Segments of equal PRF, each with an image of its own. */
  readonly segments: number;
  readonly notes: readonly string[];
  /** What the reader of opened files has to say, such as that a file is missing, so that the image is another one. */
  readonly warnings?: readonly string[];
  /** Values of settings that this recording does not allow, and what is used instead: one sentence each. */
  readonly unused?: readonly string[];
}

/** A channel of a file that has several. */
export interface ChannelFacts {
  readonly identifier: string;
  /** Its identifier, polarisation, centre frequency and pulses, for a choice. */
  readonly title: string;
}

/** What a file or folder is that is no recording for this task. */
export interface OtherFacts extends Pick<RecordingFacts, "name" | "format" | "facts" | "more" | "notes"> {
  /** Name of the task that reads it, if there is one. */
  readonly task?: "adaptive";
  /** What this task opens. */
  readonly opens?: readonly string[];
}

/** A parameter of the proposal: its value and why. */
export interface ProposedParameter {
  /** Name in `data-figure`, and of the setting that changes it, if there is one. */
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly why: string;
}

/** What the processor is about to do, with reasons. */
export interface Proposal {
  readonly parameters: readonly ProposedParameter[];
  readonly warnings: readonly string[];
  readonly image: ImageFacts;
  /** What is known of the spectrum of a point's response, for measurements. */
  readonly spectrum?: PointTargetOptions;
  readonly blocks: number;
  /** What the image was planned with, for the program that makes it again. */
  readonly memoryBytes: number;
  /** The Doppler centroid, for another device that should make the same image. */
  readonly centroidHz?: number;
  readonly needs: ExportNeeds;
}

/** What a recording would have to say for files of its image. Empty lists if they can be made. */
export interface ExportNeeds {
  readonly placement: readonly string[];
  readonly collection: readonly string[];
}

/** A finished image. */
export interface Focused {
  readonly report: Report | BackprojectReport;
  readonly device: DeviceFacts;
}

/** What happens while an image is made. */
export type FocusEvent =
  | { readonly kind: "progress"; readonly what: string; readonly share?: number }
  | { readonly kind: "recording"; readonly facts: RecordingFacts }
  /** The device was lost while nothing was computed. */
  | { readonly kind: "lost"; readonly message: string };

/** An event, and the number of the run that it is of. Events of a run that has been replaced can arrive late. */
export interface ToldEvent {
  readonly run: number;
  readonly event: FocusEvent;
}

/** How much two images differ. */
export interface Difference {
  /** Root mean square of the difference over that of the first image. */
  readonly relative: number;
  /** Largest magnitude of the difference over the largest magnitude of the first image. */
  readonly largest: number;
}
