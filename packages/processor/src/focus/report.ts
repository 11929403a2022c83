/** The report of a focused image: what was done, with what, why, and what came of it. Plain data, version 1; report-schema.ts checks it. */
import type { PointTarget, StripmapRadar } from "@dechirp/radar";
import type { Question } from "@dechirp/sar";
import type { Timing } from "../clock.ts";
import type { DeviceReport, ReportAxis, StageReport, Used } from "../used.ts";

/** What the field `format` of a focused image's report says. */
export const reportFormat = "dechirp-report";
/** What its field `version` says. */
export const reportVersion = 1;

/** The first row, and how many. */
export type Rows = readonly [first: number, count: number];

/** Which rows of an image the recording shows, and how much of their Doppler band. */
export interface ExposureReport {
  /** Rows exposed over the whole processed band in every column. */
  readonly fullyExposedRows: Rows;
  /** Rows exposed over such a fraction of the band in every column at least. */
  readonly atLeast: readonly { readonly fraction: number; readonly rows: Rows }[];
  /** Rows that hold echoes of rows beyond the other end of the image, too; 0 unless an azimuth length was asked for. */
  readonly foldedRows: number;
}

/** Impulse response widths of the processed band. */
export interface ResolutionReport {
  /** At mid range: in the image's middle row, in the row exposed most, and in the row exposed least, but by one line at least. */
  readonly azimuthMeters: { readonly middle: number; readonly best: number; readonly worst: number };
  readonly rangeMeters: number;
}

/** Expected impulse response along one axis; pixels are image samples. */
export interface AxisTheory {
  readonly window: string;
  readonly irwPixels: number;
  readonly irwMeters: number;
  readonly pslrDb: number;
  readonly islrDb: number;
  readonly islrTotalDb: number;
}

/** Measures of a point target along one axis. */
export interface AxisMeasures {
  /** Measured minus expected position, in image samples. */
  readonly errorPixels: number;
  readonly irwPixels: number;
  readonly irwMeters: number;
  /** Measured width over that of theory; along azimuth, of theory for the part of the band over which the target was seen. */
  readonly irwRatio: number;
  readonly pslrDb: number;
  /** The first ten side lobes on each side. */
  readonly islrDb: number;
  /** Everything outside the main lobe, along the whole cut. */
  readonly islrTotalDb: number;
}

/** Measures of a point target. */
export interface TargetMeasures {
  readonly azimuth: AxisMeasures;
  readonly range: AxisMeasures;
  /** Magnitude of the interpolated image at the peak. */
  readonly peakMagnitude: number;
  readonly snrDb: number;
  /** Phase at the expected position less the expected phase, which is the target's −4πR₀/λ; −180 to 180. */
  readonly phaseErrorDegrees: number;
}

export interface TargetReport extends PointTarget {
  /**
   * Where it should lie in the image, in samples; the share of the processed Doppler band over which the recording holds it; and the
   * width along azimuth, in samples, that follows.
   */
  readonly expected: { readonly row: number; readonly column: number; readonly exposure: number; readonly azimuthIrwPixels: number };
  readonly measured?: TargetMeasures;
  /** Why it was not measured. */
  readonly why?: string;
}

/** The report of a focused image, version 1. */
export interface Report {
  readonly format: typeof reportFormat;
  readonly version: typeof reportVersion;
  readonly scene: string;
  /** Paths as they were given; empty for a scene made in memory. */
  readonly inputs: readonly string[];
  readonly device: DeviceReport;
  readonly raw: { readonly type: string; readonly shape: readonly number[] };
  /** image.npy */
  readonly image: { readonly type: "c64"; readonly shape: readonly number[] };
  readonly radar: StripmapRadar;
  readonly parameters: {
    readonly dopplerCentroidHz: Used<number>;
    readonly velocityMetersPerSecond: Used<number>;
    readonly processedBandwidthHz: Used<number>;
    readonly rangeWindow: Used<string>;
    readonly azimuthWindow: Used<string>;
    readonly rcmc: Used<string>;
    /** `off`, `range` or `doppler`: where secondary range compression was done. */
    readonly src: Used<string>;
    /** Of the azimuth transform. */
    readonly azimuthLength: Used<number>;
    /** `all`: rows exposed in part, too; `full`: those exposed over the whole processed band. */
    readonly rows: Used<string>;
    readonly lineGain: Used<string>;
  };
  /** What the Doppler estimators said, where they were asked. */
  readonly dopplerEstimate?: unknown;
  readonly axes: {
    readonly azimuthSeconds: ReportAxis;
    readonly azimuthMeters: ReportAxis;
    readonly slantRangeMeters: ReportAxis;
  };
  /** Which rows the recording shows, and how much of the processed Doppler band of their targets it holds. */
  readonly exposure: ExposureReport;
  /** Impulse response widths that the band which was processed and seen gives. */
  readonly resolution: ResolutionReport;
  /** Entropy of the power in nats; lower is sharper. */
  readonly entropy: number;
  /** Contrast of the intensity; higher is sharper. */
  readonly contrast: number;
  /** Along azimuth that of a target in the middle of the image, of which the recording may hold a part only. */
  readonly theory: { readonly azimuth: AxisTheory; readonly range: AxisTheory };
  readonly targets: readonly TargetReport[];
  readonly stages: readonly StageReport[];
  /** Parts of the run in order; the stages are inside `focus`. */
  readonly timings: readonly Timing[];
  readonly notes: readonly string[];
  /** What may be wrong with the image, a sentence each; the commands print them to stderr, too. */
  readonly warnings: readonly string[];
  /** What seems implausible about the radar, a field each; the commands print them to stderr, too. */
  readonly questions: readonly Question[];
}
