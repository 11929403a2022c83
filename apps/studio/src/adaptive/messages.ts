/** What the page and the worker of adaptive processing say to each other. */
import type { CurvePlot } from "@dechirp/pictures";
import type { StapDetection, StapPanel, StapParameters, StapReport, StapTargetReport } from "@dechirp/processor";
import type { OpenedSource, RecordingPlace } from "../opened/source.ts";
import type { DeviceFacts } from "../work/devices.ts";
import type { FileTraits } from "./scenario.ts";

/** What was read from a file. */
export interface FileFacts {
  readonly name: string;
  readonly format: string;
  readonly place: RecordingPlace;
  readonly channels: number;
  readonly pulses: number;
  readonly ranges: number;
  readonly cpi: { readonly number: number; readonly count: number; readonly name: string };
  readonly notes: readonly string[];
  readonly traits: FileTraits;
}

/** A recording, and how it is read. */
export interface FileRequest {
  readonly source: OpenedSource;
  /** Letters of the axes, outermost first, or `auto`. */
  readonly axes: string;
  readonly cpi: number;
}

/** What is shown as soon as the data is processed. */
export interface Found {
  readonly device: DeviceFacts;
  /** Maps over Doppler and range: with adaptive processing, and without. */
  readonly on: StapPanel;
  readonly off: StapPanel;
  /** Maps over Doppler and angle: the spectrum, the filter's response, and the AMF if azimuths were scanned. */
  readonly angleDoppler: readonly StapPanel[];
  readonly cuts: readonly CurvePlot[];
  readonly target: StapTargetReport;
  /** How far the examined cell is above the next in its Doppler line, in dB, in both maps; null if there is none. */
  readonly aboveNext: { readonly on: number | null; readonly off: number | null };
  readonly detections: { readonly count: number; readonly listed: readonly StapDetection[] };
  readonly threshold: StapReport["threshold"];
  readonly parameters: StapParameters;
  readonly sizes: { readonly channels: number; readonly pulses: number; readonly ranges: number; readonly order: number };
  /** Parts of the work with their milliseconds. */
  readonly times: readonly (readonly [name: string, milliseconds: number])[];
}
