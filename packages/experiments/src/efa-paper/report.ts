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
  /** M: number of channels. */
  readonly channels: number;
  /** N_CPI: number of pulses. */
  readonly pulses: number;
  /** N_D: number of Doppler bins. */
  readonly dopplerBins: number;
  /** L: number of range cells. */
  readonly ranges: number;
  /** B: number of range cells in a training block. */
  readonly blockRanges: number;
  /** T: number of adjacent Doppler bins in a window. */
  readonly temporalTaps: number;
  /** P: number of steering vectors. */
  readonly steeringVectors: number;
}

/** Time of one data set. */
export interface SetTime {
  /** The mean over data sets, as in the paper, and the median. */
  readonly meanMilliseconds: number;
  /** The median over data sets. */
  readonly medianMilliseconds: number;
}

/** Time of a stage. */
export interface StageTime extends SetTime {
  /** Name of the stage. */
  readonly name: StageName;
  /** Operations, as flops.ts counts them. */
  readonly flops: number;
  /** The text of its plan. */
  readonly text: string;
}

/** The measurement of a variant. */
export interface EfaMeasured {
  /** The clock that measured the times. */
  readonly clock: "device" | "host";
  /** Number of data sets. Each is timed separately. */
  readonly dataSets: number;
  /** The time of each stage. */
  readonly stages: readonly StageTime[];
  /** The time of the whole chain. */
  readonly total: SetTime;
  /** The lowest SNR of all data sets in dB, against float64, in sampled Doppler bins. */
  readonly snrDb: number;
}

/** A variant of the algorithm at some sizes, with its times or the reason why it has none. */
export interface EfaRow {
  /** The part of the experiment that it belongs to. */
  readonly section: Section;
  /** How this row differs from the others. */
  readonly name: string;
  /** Sizes of the problem. */
  readonly sizes: EfaSizes;
  /** B_T, if it was set. */
  readonly blocking?: number;
  /** The reason if `measured` is missing. */
  readonly why?: string;
  /** The measurement, if the device could do it. */
  readonly measured?: EfaMeasured;
}

/** The measurements on a device. */
export interface EfaDeviceResults {
  /** The device, and its number of units. */
  readonly device: DeviceReport & { readonly units: number };
  /** The measurements. */
  readonly rows: readonly EfaRow[];
}

/** The report of `efaExperiment`. */
export interface EfaReport {
  /** The value `dechirp-experiment`. */
  readonly format: typeof experimentFormat;
  /** Version of the report's form. */
  readonly version: 1;
  /** Name of the experiment. */
  readonly experiment: "efa-paper";
  /** Date and time, ISO 8601. */
  readonly date: string;
  /** Sizes of the problem, except in sweeps. */
  readonly sizes: EfaSizes;
  /** Number of data sets. */
  readonly dataSets: number;
  /** The power limit of the device in watts, for data sets per second and watt. */
  readonly watts?: number;
  /** One entry for each device. */
  readonly devices: readonly EfaDeviceResults[];
  /** The published results. */
  readonly published: typeof published;
}
