/** The experiment's report as plain data, version 1. tables.ts formats it as text and plots.ts as plots. All times are in microseconds. */

import type { DeviceReport } from "@dechirp/processor";
import type { ObservedTimes, WayName } from "@dechirp/realtime/transforms";
import type { experimentFormat } from "../experiment.ts";

export type { WayName };

/** L[k], observed while the other units were loaded. */
export type SizeProfile = Omit<ObservedTimes, "slowdown">;

/** Response times of the jobs of all tasks, each of which runs one job after another. */
export interface Responses {
  /** Number of jobs. */
  readonly jobs: number;
  /** Mean response in microseconds. */
  readonly mean: number;
  /** 99th percentile of the responses in microseconds. */
  readonly p99: number;
  /** Longest response in microseconds. */
  readonly max: number;
  /** As published: samples of all jobs divided by the sum of their responses, in millions per second. */
  readonly publishedThroughput: number;
  /** Samples of all jobs divided by the total time, in millions per second. */
  readonly throughput: number;
}

/** Results for a number of tasks under the lock and by best effort. Times are in microseconds. */
export interface TaskCountRow {
  /** 𝒩: the number of tasks. */
  readonly tasks: number;
  /** Lemma 2 or the executor's own bound. */
  readonly response: number;
  /** The partition bound. Null if it does not apply. */
  readonly partition: number | null;
  /** Responses under the lock. */
  readonly smlp: Responses;
  /** Number of jobs whose response was above the smaller bound. */
  readonly exceedances: number;
  /** Responses by best effort. */
  readonly bestEffort: Responses;
  /** How many ownership words were taken or released under the lock, and how many of them had an unexpected value. */
  readonly ownershipChecks: number;
  /** How many ownership words had an unexpected value. */
  readonly ownershipViolations: number;
  /** Number of tasks whose output after all jobs differs from float64. */
  readonly wrong: number;
}

/** Rows for another ρ. */
export interface RhoRow {
  /** The value of ρ. */
  readonly rho: number;
  /** S by Eq. 4 with this ρ. */
  readonly sizes: readonly number[];
  /** One row for each number of tasks. */
  readonly rows: readonly TaskCountRow[];
}

/** The measurements of tasks of one size that share a device in one way. */
export interface SizeResults {
  /** The way of sharing the device. */
  readonly way: WayName;
  /** Number of real samples of a job. */
  readonly samples: number;
  /** Points of complex lines. Missing for one real transform. */
  readonly line?: number;
  /** ℋ, the number of units. */
  readonly units: number;
  /** The text of the plan. */
  readonly text: string;
  /** The observed times for each number of units. */
  readonly profile: readonly SizeProfile[];
  /** How unequal the units are: the largest median of a set of units divided by the median over all. */
  readonly slowdown: number;
  /** S by Eq. 4. */
  readonly sizes: readonly number[];
  /** One row for each number of tasks. */
  readonly rows: readonly TaskCountRow[];
  /** The same for other values of ρ, if requested. */
  readonly rhos?: readonly RhoRow[];
}

/** The measurements on a device. */
export interface RealtimeDeviceResults {
  /** The device, its number of units, and the cores of the host. */
  readonly device: DeviceReport & { readonly units: number; readonly cores: number };
  /** The clock, and its `resolution` in microseconds. */
  readonly clock: { readonly name: string; readonly resolution: number };
  /** One entry for each way and size. */
  readonly results: readonly SizeResults[];
  /** SVG documents by file name: which units the first jobs had, with the largest number of tasks. */
  readonly pictures: Readonly<Record<string, string>>;
}

/** The report of `realtimeExperiment`. */
export interface RealtimeReport {
  /** The value `dechirp-experiment`. */
  readonly format: typeof experimentFormat;
  /** Version of the report's form. */
  readonly version: 1;
  /** Name of the experiment. */
  readonly experiment: "realtime-paper";
  /** Date and time, ISO 8601. */
  readonly date: string;
  /** ρ of Eq. 4. */
  readonly rho: number;
  /** The factor that the longest observed times were multiplied with. */
  readonly margin: number;
  /** Number of consecutive jobs of every task. */
  readonly jobs: number;
  /** One entry for each device. */
  readonly devices: readonly RealtimeDeviceResults[];
}
