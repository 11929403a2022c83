/** The experiment's report: plain data, version 1; what tables.ts makes texts of, and plots.ts pictures. */

import type { DeviceReport } from "@dechirp/processor";
import type { Scheme, SineSource, Traffic } from "@dechirp/sar";
import type { experimentFormat } from "../experiment.ts";
import type { published } from "./published.ts";
import type { SampleForm } from "./workload.ts";

/** What a measurement is of, and for which table or figure. */
export type Section = "sizes" | "schemes" | "tiles" | "sets" | "sines" | "threads" | "transfers" | "pulses";

/** A time of all pulses of its workload. */
export interface Timed {
  readonly seconds: number;
  /** Pulses that were timed. Fewer than the workload's: `seconds` is scaled up from them. */
  readonly timedPulses: number;
  readonly clock: "device" | "host";
  /** 10⁹ pixels times pulses a second. */
  readonly gigaprojections: number;
  /** Signal-to-error ratio against float64 on a patch of the image, in dB. */
  readonly serDb: number;
}

/** The kernel alone, the sum of pulse sets with it. */
export interface KernelTime extends Timed {
  readonly scheme: Scheme;
  /** Edge of a tile in pixels. */
  readonly tile: number;
  readonly sets: number;
  readonly sine: SineSource;
  /** Seconds of the projection without the sum of the sets, and of that sum. */
  readonly projectSeconds: number;
  readonly sumSeconds: number;
  /** Of all pulses, predicted for the four partitionings with this tile and these sets. */
  readonly trafficBytes: Traffic;
  /** Relative L2 from the image with the polynomial sine, where that was asked for. */
  readonly sineError?: number;
  /** What ran. */
  readonly text: string;
}

/** From samples on the host to an image on the host; what is planned before is not timed. */
export interface WholeTime extends Timed {
  /** Of the samples of all pulses. */
  readonly sampleBytes: number;
  /** To plan and compile. */
  readonly planSeconds: number;
}

/** A measurement of the kernel alone: samples lie on the device. */
export interface KernelRow {
  readonly section: Exclude<Section, "transfers" | "pulses">;
  /** Edge of the image in pixels. */
  readonly side: number;
  /** Units of the device; all where left out. */
  readonly units?: number;
  /** Why there is nothing below. */
  readonly why?: string;
  readonly measured?: KernelTime;
}

/** A measurement from samples on the host to the image on the host. */
export interface WholeRow {
  readonly section: Extract<Section, "transfers" | "pulses">;
  /** Edge of the image in pixels. */
  readonly side: number;
  readonly pulses: number;
  readonly form: SampleForm;
  /** Whether blocks are sent while others are projected. */
  readonly asynchronous: boolean;
  readonly why?: string;
  readonly measured?: WholeTime;
}

/** What was measured on a device. */
export interface DeviceResults {
  readonly device: DeviceReport & { readonly units: number };
  /** The partition that the model chooses for each size of image, as text. */
  readonly partitions: readonly { readonly side: number; readonly text: string }[];
  readonly kernels: readonly KernelRow[];
  readonly wholes: readonly WholeRow[];
}

/** The report of `backprojectionExperiment`. */
export interface BackprojectionReport {
  readonly format: typeof experimentFormat;
  readonly version: 1;
  readonly experiment: "backprojection-paper";
  readonly date: string;
  readonly pulses: number;
  readonly bins: number;
  /** Edges of the images in pixels. */
  readonly sides: readonly number[];
  readonly devices: readonly DeviceResults[];
  readonly published: typeof published;
}
