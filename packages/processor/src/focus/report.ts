/**
 * The report of a focused image: what was done, with which parameters and why, and what the result is. Plain data, version 1;
 * report-schema.ts checks it.
 */
import type { ImageCollection, ImagePlacement, PointTarget, StripmapRadar } from "@dechirp/radar";
import type { Question } from "@dechirp/sar";
import type { Timing } from "../clock.ts";
import type { DeviceReport, ReportAxis, StageReport, UsedParameter } from "../used.ts";
import type { LineReport } from "./lines.ts";

/** Value of the field `format` in the report of a focused image. */
export const reportFormat = "dechirp-report";
/** Value of its field `version`. */
export const reportVersion = 1;

/** A range of rows: the first row and the number of rows. */
export type Rows = readonly [first: number, count: number];

/** Which rows of the image the recording exposes. */
export interface ExposureReport {
  /** Rows that are exposed over the whole processed band in every column. */
  readonly fullyExposedRows: Rows;
  /** Rows that are exposed over at least this fraction of the band in every column. */
  readonly atLeast: readonly { readonly fraction: number; readonly rows: Rows }[];
  /** Number of rows that also hold echoes of rows beyond the other end of the image. 0 unless an azimuth length was set. */
  readonly foldedRows: number;
}

/** Resolution of the image: impulse response widths at mid range. */
export interface ResolutionReport {
  /** Azimuth width in the image's middle row, and the best and the worst width among the rows that are exposed by at least one line. */
  readonly azimuthMeters: { readonly middle: number; readonly best: number; readonly worst: number };
  readonly rangeMeters: number;
}

/** Expected impulse response along one axis. Pixels are image samples. */
export interface AxisTheory {
  readonly window: string;
  readonly irwPixels: number;
  readonly irwMeters: number;
  readonly pslrDb: number;
  readonly islrDb: number;
  readonly islrTotalDb: number;
}

/** Measured impulse response along one axis. */
export interface AxisMeasures {
  /** Measured minus expected position, in image samples. */
  readonly errorPixels: number;
  readonly irwPixels: number;
  readonly irwMeters: number;
  /**
   * Measured width divided by the width in theory. Along azimuth, theory considers only the part of the band over which the target was
   * seen.
   */
  readonly irwRatio: number;
  readonly pslrDb: number;
  /** Counts the first ten side lobes on each side. */
  readonly islrDb: number;
  /** Counts everything outside the main lobe, along the whole cut. */
  readonly islrTotalDb: number;
}

/** The measurements of one point target. */
export interface TargetMeasures {
  readonly azimuth: AxisMeasures;
  readonly range: AxisMeasures;
  /** Magnitude of the interpolated image at the peak. */
  readonly peakMagnitude: number;
  readonly snrDb: number;
  /** Phase at the expected position minus the expected phase, which is that of the target minus 4πR₀/λ. Between −180 and 180. */
  readonly phaseErrorDegrees: number;
}

/** A point target with its expected position and its measurements. */
export interface TargetReport extends PointTarget {
  /**
   * Expected position in the image, in samples; the share of the processed Doppler band over which the recording holds the target
   * (`exposure`); and the azimuth width in samples that follows from it.
   */
  readonly expected: { readonly row: number; readonly column: number; readonly exposure: number; readonly azimuthIrwPixels: number };
  readonly measured?: TargetMeasures;
  /** Why the target was not measured. */
  readonly why?: string;
}

/** How an image was divided into blocks. */
export interface BlocksReport {
  /** Number of blocks. */
  readonly count: number;
  /** Lines and range samples that each block takes. */
  readonly lines: number;
  readonly samples: number;
  /** Rows that each block gives, at most, and lines that neighbouring blocks share. */
  readonly rows: number;
  readonly overlapLines: number;
  /** Number of sub-swaths in range, each with filters of its own. */
  readonly subSwaths: number;
  /** The memory that was allowed, and what the arrays of a block need. */
  readonly memoryBytes: number;
  readonly blockBytes: number;
  /** Blocks that an earlier run had made. */
  readonly resumed: number;
}

/** The report of a focused image, version 1. */
export interface Report {
  readonly format: typeof reportFormat;
  readonly version: typeof reportVersion;
  readonly scene: string;
  /** Paths as they were given. Empty for a scene made in memory. */
  readonly inputs: readonly string[];
  readonly device: DeviceReport;
  readonly raw: { readonly type: string; readonly shape: readonly number[] };
  /** The image (image.npy of the command). */
  readonly image: { readonly type: "c64"; readonly shape: readonly number[] };
  readonly radar: StripmapRadar;
  readonly parameters: {
    readonly dopplerCentroidHz: UsedParameter<number>;
    readonly velocityMetersPerSecond: UsedParameter<number>;
    readonly processedBandwidthHz: UsedParameter<number>;
    readonly rangeWindow: UsedParameter<string>;
    readonly azimuthWindow: UsedParameter<string>;
    readonly rcmc: UsedParameter<string>;
    /** Secondary range compression: `off`, or the domain in which it was done (`range` or `doppler`). */
    readonly src: UsedParameter<string>;
    /** Length of the azimuth transform. */
    readonly azimuthLength: UsedParameter<number>;
    /** `all`: includes partly exposed rows; `full`: only rows that are exposed over the whole processed band. */
    readonly rows: UsedParameter<string>;
    readonly lineGain: UsedParameter<string>;
  };
  /** Results of the Doppler estimators, if they ran. */
  readonly dopplerEstimate?: unknown;
  readonly axes: {
    readonly azimuthSeconds: ReportAxis;
    readonly azimuthMeters: ReportAxis;
    readonly slantRangeMeters: ReportAxis;
  };
  /** Where the pixels are on earth. Absent if the recording does not state the path of the radar. */
  readonly placement?: ImagePlacement;
  /** How the data was collected. Absent if the recording does not state the path of the radar and its time. */
  readonly collection?: ImageCollection;
  /** Lines that are missing, repeated or marked bad. Absent if the recording does not state the times of its pulses and no bad ones. */
  readonly lines?: LineReport;
  /** How the image was divided into blocks. Absent if it was made as a whole. */
  readonly blocks?: BlocksReport;
  /** Which rows the recording shows, and how much of the processed Doppler band of their targets it holds. */
  readonly exposure: ExposureReport;
  /** Impulse response widths that follow from the processed and observed band. */
  readonly resolution: ResolutionReport;
  /** Entropy of the power in nats; lower is sharper. */
  readonly entropy: number;
  /** Contrast of the intensity; higher is sharper. */
  readonly contrast: number;
  /**
   * Theoretical impulse response. Along azimuth it is that of a target in the middle of the image, of which the recording may hold only
   * a part.
   */
  readonly theory: { readonly azimuth: AxisTheory; readonly range: AxisTheory };
  readonly targets: readonly TargetReport[];
  readonly stages: readonly StageReport[];
  /** Parts of the run, in order. The stages are inside `focus`. */
  readonly timings: readonly Timing[];
  readonly notes: readonly string[];
  /** What may be wrong with the image, one sentence each. The commands also print them to stderr. */
  readonly warnings: readonly string[];
  /** What seems implausible about the radar parameters, one entry for each field. The commands also print them to stderr. */
  readonly questions: readonly Question[];
}
