/** The experiment's report: plain data, version 1; what tables.ts makes texts of. */

import type { DeviceReport, Report, TargetReport } from "@dechirp/processor";
import type { StripmapRadar } from "@dechirp/radar";
import type { experimentFormat } from "../experiment.ts";
import type { Part, published } from "./published.ts";

/** The time of a part of the algorithm. */
export interface PartReport {
  readonly part: Part;
  /** Median over the turns, on `clock`. */
  readonly milliseconds: number;
  /** The plans that ran. */
  readonly plans: readonly string[];
}

/** A way to make the image: measured, or why not. */
export interface VariantReport {
  readonly name: string;
  readonly title: string;
  /** Why it did not run; nothing else is there then. */
  readonly why?: string;
  readonly measured?: {
    /** Whose time `milliseconds` are. */
    readonly clock: "device" | "host";
    /** From raw samples on the device to the image there. Medians over the turns. */
    readonly milliseconds: number;
    /** The same on the host's clock, until the device is done. */
    readonly wallMilliseconds: number;
    readonly turns: number;
    readonly parts: readonly PartReport[];
    /** Parts with a step in plain JavaScript, by reference: their times, and ratios with them, say nothing of fusion. */
    readonly byReference: readonly Part[];
    /** Predicted: passes over memory, and bytes to and from it. */
    readonly passes: number;
    readonly bytes: number;
    /** From the unfused image. */
    readonly difference: { readonly relativeL2: number; readonly maxAbsolute: number };
    readonly targets: readonly TargetReport[];
  };
}

/** The report of `fusedSarExperiment`. */
export interface PaperReport {
  readonly format: typeof experimentFormat;
  readonly version: 1;
  readonly experiment: "fused-sar-paper";
  readonly date: string;
  readonly device: DeviceReport;
  readonly scene: {
    readonly title: string;
    readonly radar: StripmapRadar;
    readonly lines: number;
    readonly samples: number;
    /** Rows and columns of the image. */
    readonly image: readonly [rows: number, columns: number];
    readonly processedBandwidthHz: number;
    /** Of a target in the middle, in a raw sample. */
    readonly rawSnrDb: number;
    readonly windows: string;
  };
  readonly theory: Report["theory"];
  readonly variants: readonly VariantReport[];
  readonly published: typeof published;
  /** What float32 may leave between fused and unfused. */
  readonly differenceBound: number;
}
