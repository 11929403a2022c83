/** The experiment's report: plain data, version 1; what tables.ts makes texts of, and plots.ts pictures. All times are microseconds. */

import type { DeviceReport } from "@dechirp/processor";
import type { ObservedTimes, WayName } from "@dechirp/realtime/transforms";
import type { experimentFormat } from "../experiment.ts";

export type { WayName };

/** L[k], observed with the other units loaded. */
export type SizeProfile = Omit<ObservedTimes, "slowdown">;

/** Jobs of all tasks, run one after another by each. */
export interface Responses {
  readonly jobs: number;
  readonly mean: number;
  readonly p99: number;
  readonly max: number;
  /** Samples of all jobs over the sum of their responses, as published: millions a second. */
  readonly publishedThroughput: number;
  /** Samples of all jobs over the time that they took together: millions a second. */
  readonly throughput: number;
}

/** So many tasks under the lock and by best effort. Times are microseconds. */
export interface TaskCountRow {
  /** 𝒩. */
  readonly tasks: number;
  /** Lemma 2, or what stands in for it. */
  readonly response: number;
  /** Null where it does not apply. */
  readonly partition: number | null;
  readonly smlp: Responses;
  /** Jobs whose response was above the smaller bound. */
  readonly exceedances: number;
  readonly bestEffort: Responses;
  /** Words of units taken and given back under the lock, and how many were not as they had to be. */
  readonly ownershipChecks: number;
  readonly ownershipViolations: number;
  /** Outputs that were not what float64 gives: of every task, after all jobs. */
  readonly wrong: number;
}

/** Rows for another ρ. */
export interface RhoRow {
  readonly rho: number;
  readonly sizes: readonly number[];
  readonly rows: readonly TaskCountRow[];
}

/** What was measured of tasks of a size, shared in a way. */
export interface SizeResults {
  readonly way: WayName;
  /** Real samples of a job. */
  readonly samples: number;
  /** Points of complex lines; of one real transform where left out. */
  readonly line?: number;
  /** ℋ. */
  readonly units: number;
  /** What ran. */
  readonly text: string;
  readonly profile: readonly SizeProfile[];
  /** Of unequal units: the slowest subset's median over the median of all. */
  readonly slowdown: number;
  /** S by Eq. 4. */
  readonly sizes: readonly number[];
  readonly rows: readonly TaskCountRow[];
  /** The same with other ρ, where that was asked for. */
  readonly rhos?: readonly RhoRow[];
}

/** What was measured on a device. */
export interface RealtimeDeviceResults {
  readonly device: DeviceReport & { readonly units: number; readonly cores: number };
  readonly clock: { readonly name: string; readonly resolution: number };
  readonly results: readonly SizeResults[];
  /** Units of the first jobs of the largest number of tasks, by file name: SVG. */
  readonly pictures: Readonly<Record<string, string>>;
}

/** The report of `realtimeExperiment`. */
export interface RealtimeReport {
  readonly format: typeof experimentFormat;
  readonly version: 1;
  readonly experiment: "realtime-paper";
  readonly date: string;
  /** ρ of Eq. 4 of the paper. */
  readonly rho: number;
  /** Factor on the longest observed time. */
  readonly margin: number;
  /** Consecutive jobs of every task. */
  readonly jobs: number;
  readonly devices: readonly RealtimeDeviceResults[];
}
