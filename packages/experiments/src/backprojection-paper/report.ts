/** The experiment's report as plain data, version 1. tables.ts formats it as text and plots.ts as plots. */

import type { DeviceReport } from "@dechirp/processor";
import type { Scheme, SineSource, Traffic } from "@dechirp/sar";
import type { experimentFormat } from "../experiment.ts";
import type { published } from "./published.ts";
import type { SampleForm } from "./workload.ts";

/** Which table or figure a measurement belongs to, by what it varies. */
export type Section = "sizes" | "schemes" | "tiles" | "sets" | "sines" | "threads" | "transfers" | "pulses";

/** The time for all pulses of a workload. */
export interface Timed {
  /** Seconds for all pulses of the workload. */
  readonly seconds: number;
  /** Number of pulses that were timed. If it is less than the workload's, `seconds` is scaled up. */
  readonly timedPulses: number;
  /** The clock that measured the time. */
  readonly clock: "device" | "host";
  /** 10⁹ pixels times pulses per second. */
  readonly gigaprojections: number;
  /** Signal-to-error ratio of a patch of the image against float64, in dB. */
  readonly serDb: number;
}

/** The time of the kernel alone, including the sum of pulse sets. */
export interface KernelTime extends Timed {
  /** The partitioning that was used. */
  readonly scheme: Scheme;
  /** Edge of a tile, in pixels. */
  readonly tile: number;
  /** Number of pulse sets. */
  readonly sets: number;
  /** How sine and cosine were computed. */
  readonly sine: SineSource;
  /** Seconds of the projection without the sum of the sets (`projectSeconds`), and of that sum (`sumSeconds`). */
  readonly projectSeconds: number;
  /** Seconds of the sum of the sets. */
  readonly sumSeconds: number;
  /** Predicted traffic of all pulses for the four partitionings with this tile and these sets. */
  readonly trafficBytes: Traffic;
  /** Relative L2 difference to the image with the polynomial sine. Only in measurements of the sine. */
  readonly sineError?: number;
  /** The text of the program. */
  readonly text: string;
}

/** The time from samples on the host to an image on the host. Planning is not included. */
export interface WholeTime extends Timed {
  /** Bytes of the samples of all pulses. */
  readonly sampleBytes: number;
  /** Seconds of planning and compiling. */
  readonly planSeconds: number;
}

/** A measurement of the kernel alone, with samples on the device. */
export interface KernelRow {
  /** The table or figure that it belongs to. */
  readonly section: Exclude<Section, "transfers" | "pulses">;
  /** Edge of the image, in pixels. */
  readonly side: number;
  /** Number of units of the device. Default: all. */
  readonly units?: number;
  /** The reason if `measured` is missing. */
  readonly why?: string;
  /** The measurement, if the device could do it. */
  readonly measured?: KernelTime;
}

/** A measurement from samples on the host to the image on the host. */
export interface WholeRow {
  /** The table or figure that it belongs to. */
  readonly section: Extract<Section, "transfers" | "pulses">;
  /** Edge of the image, in pixels. */
  readonly side: number;
  /** Number of pulses. */
  readonly pulses: number;
  /** The form in which samples are sent. */
  readonly form: SampleForm;
  /** Whether blocks are transferred while others are projected. */
  readonly asynchronous: boolean;
  /** The reason if `measured` is missing. */
  readonly why?: string;
  /** The measurement, if the device could do it. */
  readonly measured?: WholeTime;
}

/** The measurements on a device. */
export interface DeviceResults {
  /** The device, and its number of units. */
  readonly device: DeviceReport & { readonly units: number };
  /** The partition that the model chooses for each image size, as text. */
  readonly partitions: readonly { readonly side: number; readonly text: string }[];
  /** Measurements of the kernel alone. */
  readonly kernels: readonly KernelRow[];
  /** Measurements of whole images. */
  readonly wholes: readonly WholeRow[];
}

/** The report of `backprojectionExperiment`. */
export interface BackprojectionReport {
  /** The value `dechirp-experiment`. */
  readonly format: typeof experimentFormat;
  /** Version of the report's form. */
  readonly version: 1;
  /** Name of the experiment. */
  readonly experiment: "backprojection-paper";
  /** Date and time, ISO 8601. */
  readonly date: string;
  /** Number of pulses. */
  readonly pulses: number;
  /** Number of bins of a profile. */
  readonly bins: number;
  /** Edges of the images, in pixels. */
  readonly sides: readonly number[];
  /** One entry for each device. */
  readonly devices: readonly DeviceResults[];
  /** The published results. */
  readonly published: typeof published;
}
