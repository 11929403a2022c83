/** The experiment's report: plain data, version 1; what tables.ts makes texts of, and plots.ts pictures. */

import type { DeviceReport } from "@dechirp/processor";
import type { experimentFormat } from "../experiment.ts";
import type { published, StageName } from "./published.ts";

/** What a measurement is for. */
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

/** Of one data set. */
export interface SetTime {
  /** The mean over data sets, as it was published, and the median. */
  readonly meanMilliseconds: number;
  readonly medianMilliseconds: number;
}

/** Times of a stage. */
export interface StageTime extends SetTime {
  readonly name: StageName;
  /** As flops.ts counts them. */
  readonly flops: number;
  /** What ran. */
  readonly text: string;
}

/** What was measured of a way. */
export interface EfaMeasured {
  readonly clock: "device" | "host";
  /** Data sets, each timed by itself. */
  readonly dataSets: number;
  readonly stages: readonly StageTime[];
  readonly total: SetTime;
  /** The least of all data sets, against float64 in sampled Doppler bins. */
  readonly snrDb: number;
}

/** A way of the algorithm at some sizes: measured, or why not. */
export interface EfaRow {
  readonly section: Section;
  /** What is different in this row. */
  readonly name: string;
  readonly sizes: EfaSizes;
  /** B_T, where that was asked for. */
  readonly blocking?: number;
  /** Why there is nothing below. */
  readonly why?: string;
  readonly measured?: EfaMeasured;
}

/** What was measured on a device. */
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
  /** The power that data sets a second are divided by: the device's limit, as it was given. */
  readonly watts?: number;
  readonly devices: readonly EfaDeviceResults[];
  readonly published: typeof published;
}
