/** The report of a backprojected image: what was done, with which parameters and why, and what the result is. Plain data, version 1. */
import type { ImageCollection, ImagePlacement } from "@dechirp/radar";
import type { Timing } from "../clock.ts";
import type { DeviceReport, ReportAxis, UsedParameter } from "../used.ts";

/** Value of the field `format` in the report of a backprojected image. */
export const backprojectionFormat = "dechirp-backprojection";
/** Value of its field `version`. */
export const backprojectionVersion = 1;

/** A cut through the peak along one axis. */
export interface PeakCut {
  /** Impulse response width: full width at half power. */
  readonly irwMeters: number;
  readonly pslrDb: number;
  /** Counts the first ten side lobes on each side. */
  readonly islrDb: number;
}

/** The brightest point of the image. */
export interface Peak {
  readonly xMeters: number;
  readonly yMeters: number;
  /** Magnitude of the image there. */
  readonly magnitude: number;
  readonly phaseRadians: number;
  /** Cuts along x and y. These need not be the directions of range and cross-range. */
  readonly x?: PeakCut;
  readonly y?: PeakCut;
  /** Why there are no cuts. In this case the position is that of the brightest pixel, otherwise it lies between pixels. */
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
  /** The image [y][x] (image.npy of the command). x ascends, and so does y, unless the image is a part of a map: its rows go south. */
  readonly image: { readonly type: "c64"; readonly shape: readonly [ny: number, nx: number] };
  /** Positions of pixel centres. On a map: distances from its middle along columns and rows. */
  readonly axes: { readonly xMeters: ReportAxis; readonly yMeters: ReportAxis };
  /** Where the pixels are on earth. Absent if the recording does not say where its frame is. */
  readonly placement?: ImagePlacement;
  /** How the data was collected. Absent if the recording does not say where and when. */
  readonly collection?: ImageCollection;
  readonly parameters: {
    /** `x0,y0,dx,dy,nx,ny`, or `EPSG:code west,south,east,north,step`. */
    readonly grid: UsedParameter<string>;
    readonly heightMeters: UsedParameter<number>;
    /** The convention. It decides about carrier, scale, interpolation, bins and the line through the frequencies if no option does. */
    readonly convention: UsedParameter<string>;
    readonly mode: UsedParameter<string>;
    /** `quadratic`, `linear`, or the number of taps of a windowed sinc. */
    readonly interpolation: UsedParameter<string | number>;
    /** Expected ratio of signal to interpolation error for a flat spectrum, in dB. */
    readonly interpolationDb: number;
    readonly bins: UsedParameter<number>;
    readonly window: UsedParameter<string>;
    readonly carrier: UsedParameter<string>;
    readonly scale: UsedParameter<string>;
    readonly carrierHz: number;
    readonly scheme: UsedParameter<string>;
    /** Pixels along each side of a tile, the square that one set of anchors serves. */
    readonly tile: UsedParameter<number>;
    readonly sets: UsedParameter<number>;
  };
  /** How the work was divided, its predicted cost, and the plans that ran. */
  readonly partition: readonly string[];
  readonly work: {
    /** Pixels times pulses. */
    readonly backprojections: number;
    /** Billions of backprojections per second of the part `project`, which includes transfers and range compression. */
    readonly gigaBackprojectionsPerSecond: number;
    /** The windows that the image was made in, the bytes that one needed and the bytes that were allowed. Absent if it was made as a whole. */
    readonly windows?: {
      readonly count: number;
      /** Pixels of a window along x and y. */
      readonly columns: number;
      readonly rows: number;
      readonly memoryBytes: number;
      readonly budgetBytes: number;
      /** Windows that an earlier run had written. They count for no backprojections per second. */
      readonly resumed: number;
    };
  };
  readonly peak: Peak;
  /** Entropy of the power in nats; lower is sharper. */
  readonly entropy: number;
  /** Contrast of the intensity; higher is sharper. */
  readonly contrast: number;
  /** Parts of the run, in order. */
  readonly timings: readonly Timing[];
  readonly notes: readonly string[];
}
