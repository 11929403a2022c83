/** The report of a backprojected image: what was done, with what, why, and what came of it. Plain data, version 1. */
import type { Timing } from "../clock.ts";
import type { DeviceReport, ReportAxis, Used } from "../used.ts";

/** What the field `format` of a backprojected image's report says. */
export const backprojectionFormat = "dechirp-backprojection";
/** What its field `version` says. */
export const backprojectionVersion = 1;

/** One cut through the peak. */
export interface PeakCut {
  /** Full width at half power. */
  readonly irwMeters: number;
  readonly pslrDb: number;
  /** The first ten side lobes on each side. */
  readonly islrDb: number;
}

/** The brightest point of the image. */
export interface Peak {
  readonly xMeters: number;
  readonly yMeters: number;
  /** Magnitude of the image there. */
  readonly magnitude: number;
  readonly phaseRadians: number;
  /** Cuts along x and y, which need not be those of range and cross-range. */
  readonly x?: PeakCut;
  readonly y?: PeakCut;
  /** Why there are no cuts; the place is that of the brightest pixel then, else between pixels. */
  readonly why?: string;
}

/** The report of a backprojected image, version 1. */
export interface BackprojectReport {
  readonly format: typeof backprojectionFormat;
  readonly version: typeof backprojectionVersion;
  readonly scene: string;
  /** Paths as they were given. */
  readonly inputs: readonly string[];
  readonly device: DeviceReport;
  readonly history: {
    readonly pulses: number;
    readonly frequency: { readonly firstHz: number; readonly stepHz: number; readonly count: number };
    readonly autofocus: "applied" | "left out" | "none in the files";
  };
  /** image.npy: [y][x], y and x ascending. */
  readonly image: { readonly type: "c64"; readonly shape: readonly [ny: number, nx: number] };
  /** Of pixels' middles. */
  readonly axes: { readonly xMeters: ReportAxis; readonly yMeters: ReportAxis };
  readonly parameters: {
    readonly grid: Used<string>;
    readonly heightMeters: Used<number>;
    /** What carrier, scale, interpolation, bins and the line through the frequencies are where no option says so. */
    readonly convention: Used<string>;
    readonly mode: Used<string>;
    /** `quadratic`, `linear`, or the taps of a windowed sinc. */
    readonly interpolation: Used<string | number>;
    /** Signal over the error of interpolation that is expected of a flat spectrum, in dB. */
    readonly interpolationDb: number;
    readonly bins: Used<number>;
    readonly window: Used<string>;
    readonly carrier: Used<string>;
    readonly scale: Used<string>;
    readonly carrierHz: number;
    readonly scheme: Used<string>;
    /** Edge of a tile in pixels. */
    readonly tile: Used<number>;
    readonly sets: Used<number>;
  };
  /** How the work was divided, what that should cost, and the plans that ran. */
  readonly partition: readonly string[];
  readonly work: {
    /** Pixels times pulses. */
    readonly backprojections: number;
    /** A second of `project`, which holds sending and range compression too, in billions. */
    readonly gigaBackprojectionsPerSecond: number;
  };
  readonly peak: Peak;
  /** Entropy of the power in nats; lower is sharper. */
  readonly entropy: number;
  /** Contrast of the intensity; higher is sharper. */
  readonly contrast: number;
  /** Parts of the run in order. */
  readonly timings: readonly Timing[];
  readonly notes: readonly string[];
}
