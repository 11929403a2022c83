/** The experiment's report as plain data, version 1. tables.ts formats it as text. */

import type { DeviceReport, Report, TargetReport } from "@dechirp/processor";
import type { StripmapRadar } from "@dechirp/radar";
import type { experimentFormat } from "../experiment.ts";
import type { Part, published } from "./published.ts";

/** The time of a part of the algorithm. */
export interface PartReport {
  /** The part of the algorithm. */
  readonly part: Part;
  /** Median over the turns, on `clock`. */
  readonly milliseconds: number;
  /** The texts of the plans that ran. */
  readonly plans: readonly string[];
}

/** A variant of the program, with its times or the reason why it has none. */
export interface VariantReport {
  /** Name of the variant. */
  readonly name: string;
  /** Description of the variant for readers. */
  readonly title: string;
  /** Why it did not run. Then `measured` is missing. */
  readonly why?: string;
  /** The measurement, if the device could do it. */
  readonly measured?: {
    /** The clock of `milliseconds`. */
    readonly clock: "device" | "host";
    /** From raw samples on the device to the image on the device. Medians over the turns. */
    readonly milliseconds: number;
    /** The same on the host's clock, until the device has finished. */
    readonly wallMilliseconds: number;
    readonly turns: number;
    readonly parts: readonly PartReport[];
    /** Parts with a step that runs by reference in plain JavaScript. Their times do not measure the effect of fusion. */
    readonly byReference: readonly Part[];
    /** Predicted passes over memory, and predicted bytes read and written. */
    readonly passes: number;
    readonly bytes: number;
    /** Difference from the unfused image. */
    readonly difference: { readonly relativeL2: number; readonly maxAbsolute: number };
    readonly targets: readonly TargetReport[];
  };
}

/** The report of `fusedSarExperiment`. */
export interface PaperReport {
  /** The value `dechirp-experiment`. */
  readonly format: typeof experimentFormat;
  /** Version of the report's form. */
  readonly version: 1;
  /** Name of the experiment. */
  readonly experiment: "fused-sar-paper";
  /** Date and time, ISO 8601. */
  readonly date: string;
  /** The device. */
  readonly device: DeviceReport;
  /** The simulated scene. */
  readonly scene: {
    readonly title: string;
    readonly radar: StripmapRadar;
    readonly lines: number;
    readonly samples: number;
    /** Number of rows and columns of the image. */
    readonly image: readonly [rows: number, columns: number];
    readonly processedBandwidthHz: number;
    /** SNR in a raw sample of a target at the scene's centre. */
    readonly rawSnrDb: number;
    readonly windows: string;
  };
  /** Theoretical widths and side lobes of the impulse response. */
  readonly theory: Report["theory"];
  /** One entry for each variant. */
  readonly variants: readonly VariantReport[];
  /** The published results. */
  readonly published: typeof published;
  /** The largest difference between fused and unfused images that float32 explains. */
  readonly differenceBound: number;
}
