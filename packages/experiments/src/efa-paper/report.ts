/** The experiment's report as plain data, version 1. tables.ts formats it as text and plots.ts as plots. */

import type { DeviceReport } from "@dechirp/processor";
import type { experimentFormat } from "../experiment.ts";
import type { published, StageName } from "./published.ts";

/** The parts of the experiment, by what they vary. */
export const sections = ["stages", "blocking", "products", "channels", "steering", "ranges", "perfect"] as const;

/** A part of the experiment. */
export type Section = (typeof sections)[number];

/** Sizes of a problem. */
export interface EfaSizes {
  readonly channels: number;
  readonly pulses: number;
  readonly dopplerBins: number;
  readonly ranges: number;
  readonly blockRanges: number;
  readonly temporalTaps: number;
  readonly steeringVectors: number;
}

/** Time of one data set. */
export interface SetTime {
  /** The mean over data sets, as in the paper, and the median. */
  readonly meanMilliseconds: number;
  readonly medianMilliseconds: number;
}

/** Time of a stage. */
export interface StageTime extends SetTime {
  readonly name: StageName;
  /** Operations, as flops.ts counts them. */
  readonly flops: number;
  /** The text of its plan. */
  readonly text: string;
}

/** The measurement of a variant. */
export interface EfaMeasured {
  readonly clock: "device" | "host";
  /** Number of data sets. Each is timed separately. */
  readonly dataSets: number;
  readonly stages: readonly StageTime[];
  readonly total: SetTime;
  /** The lowest SNR of all data sets in dB, against float64, in sampled Doppler bins. */
  readonly snrDb: number;
}

/** A variant of the algorithm at some sizes, with its times or the reason why it has none. */
export interface EfaRow {
  readonly section: Section;
  /** How this row differs from the others. */
  readonly name: string;
  readonly sizes: EfaSizes;
  /** B_T, if it was set. */
  readonly blocking?: number;
  /** The reason if `measured` is missing. */
  readonly why?: string;
  readonly measured?: EfaMeasured;
}

/** The measurements on a device. */
export interface EfaDeviceResults {
  readonly device: DeviceReport & { readonly units: number };
  readonly rows: readonly EfaRow[];
}

/** The report of `efaExperiment`. */
export interface EfaReport {
  readonly format: typeof experimentFormat;
  readonly version: 1;
  readonly experiment: "efa-paper";
  readonly date: string;
  readonly sizes: EfaSizes;
  readonly dataSets: number;
  /** The power limit of the device in watts, for data sets per second and watt. */
  readonly watts?: number;
  readonly devices: readonly EfaDeviceResults[];
  readonly published: typeof published;
}
