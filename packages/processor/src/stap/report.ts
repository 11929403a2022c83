/** The report of a STAP run: what was done, with which parameters and why, and what the result is. Plain data, version 1. */
import type { AdaptiveOutput, ConditionReport, Solver } from "@dechirp/stap";
import type { Timing } from "../clock.ts";
import type { DeviceReport, ReportAxis, StageReport, UsedParameter } from "../used.ts";
import type { StapPresetName } from "./presets.ts";
import type { TrainingKind } from "./processing.ts";

/** Value of the field `format` in a STAP report. */
export const stapFormat = "dechirp-stap";
/** Value of its field `version`. */
export const stapVersion = 1;

/** The parameters that were used, with the source of each. */
export interface StapParameters {
  readonly preset: UsedParameter<StapPresetName | "none">;
  readonly dopplerBins: UsedParameter<number>;
  readonly temporalTaps: UsedParameter<number>;
  readonly training: UsedParameter<TrainingKind>;
  /** Ranges of a training block. Absent if training is sliding. */
  readonly blockRanges?: UsedParameter<number>;
  /** Number of ranges that train each range, or `all`. Present only if training is sliding. */
  readonly cells?: UsedParameter<number | string>;
  /** Guard on each side: number of blocks for adjacent training, of cells for sliding training. */
  readonly guard?: UsedParameter<number>;
  /** Diagonal loading of the covariances, as a share of their mean diagonal. */
  readonly loading: UsedParameter<number>;
  readonly solver: UsedParameter<Solver>;
  /** Window over the pulses. */
  readonly window: UsedParameter<string>;
  readonly centred: UsedParameter<boolean>;
  readonly output: UsedParameter<AdaptiveOutput>;
  readonly maxOverSteering: UsedParameter<boolean>;
  /** Description in words. */
  readonly steering: UsedParameter<string>;
  /** Bandwidth in Hz, pulse duration in s and sampling rate in Hz, separated by commas. `none` if nothing was compressed. */
  readonly chirp: UsedParameter<string>;
  readonly prfHz: UsedParameter<number | null>;
  readonly carrierHz: UsedParameter<number | null>;
  /** Number and unit. */
  readonly spacing: UsedParameter<string | null>;
  readonly broadsideDegrees: UsedParameter<number | null>;
  /** Probability that a cell without a target is detected. */
  readonly falseAlarm: UsedParameter<number>;
}

/** The position of a cell of the output. Fields that are not known are left out. */
export interface CellPlace {
  readonly range: number;
  readonly rangeKilometres?: number;
  readonly dopplerBin: number;
  /** Doppler frequency in cycles per pulse, −½ to ½. */
  readonly dopplerCycles: number;
  readonly dopplerHz?: number;
  /** Index of the steering vector. */
  readonly steering: number;
  readonly azimuthDegrees?: number;
}

/** A cell whose adaptive matched filter is above its threshold. */
export interface StapDetection extends CellPlace {
  readonly amfDb: number;
  readonly thresholdDb: number;
  /** How far it is above the largest AMF of the same Doppler bin and steering vector more than 3 ranges away. null if there is none. */
  readonly aboveNextDb: number | null;
}

/** What the non-adaptive beamformer finds in the same data. */
export interface BeamformerReport {
  /** Its largest output of all. */
  readonly peak: CellPlace & { readonly powerDb: number };
  /** Its largest output in the target's Doppler bin, with the target's steering vector. */
  readonly linePeak: CellPlace & { readonly powerDb: number };
  /** Rank of the target's range among the ranges of that line, from 1 for the largest output. */
  readonly targetRank: number;
  readonly ofRanges: number;
}

/** The cell that was examined. */
export interface StapTargetReport extends CellPlace {
  /**
   * How the cell was chosen. `option`: by the settings; `detection`: the strongest detection; `largest`: nothing was detected, so the
   * cell with the largest AMF.
   */
  readonly source: "option" | "detection" | "largest";
  readonly amfDb: number;
  readonly aboveNextDb: number | null;
}

/** Axes of the adapted pattern and the spectrum at the target, float32 [angle][Doppler]. */
export interface AngleDopplerReport {
  readonly shape: readonly [angles: number, dopplers: number];
  /** Azimuths in degrees, or cycles per element if the geometry of the array is not known. */
  readonly angle: ReportAxis & { readonly unit: "degrees" | "cycles per element" };
  /** Hz, or cycles per pulse if the PRF is not known. */
  readonly doppler: ReportAxis & { readonly unit: "Hz" | "cycles per pulse" };
}

/**
 * A direction with interference. It is an azimuth in degrees if the geometry of the array is known, else cycles per element. Both are
 * left out if there is only one channel.
 */
export interface InterferenceSource {
  readonly azimuthDegrees?: number;
  readonly cyclesPerElement?: number;
  /** Power from that direction in Capon's spectrum over the noise power of an element: the median over Doppler bins. */
  readonly toNoiseDb: number;
  /** Share of the Doppler bins in which it is 10 dB above the noise. */
  readonly share: number;
}

/**
 * Interference, estimated from covariances over channels of all ranges in `bins` Doppler bins. Only `bins` is given if the noise could
 * not be estimated.
 */
export type InterferenceReport =
  | { readonly bins: number; readonly estimated: false }
  | {
      readonly bins: number;
      readonly estimated: true;
      /**
       * The Doppler bin with the most interference power per element, the number of eigenvalues that are 10 dB above the noise there
       * (`dominant`), and its strongest direction.
       */
      readonly strongest: Omit<InterferenceSource, "share"> & {
        readonly dopplerBin: number;
        readonly dopplerCycles: number;
        readonly dopplerHz?: number;
        readonly dominant: number;
      };
      readonly medianToNoiseDb: number;
      /** Number of Doppler bins with 10 dB or more. */
      readonly affectedBins: number;
      readonly channels: number;
      /** Directions with interference in at least 90 % of the Doppler bins, as jammers cause, strongest first. */
      readonly sources: readonly InterferenceSource[];
    };

/** How many cells of `bins` Doppler bins are unlike their training cells. In homogeneous clutter the share would be `expectedShare`. */
export interface HomogeneityReport {
  readonly bins: number;
  readonly cells: number;
  /** Cells that are unlike their training. */
  readonly unlike: number;
  /** `unlike` over `cells`. */
  readonly share: number;
  readonly expectedShare: number;
}

/** How covariances were solved. */
export interface SolvedReport {
  /** The precision in which they were held. */
  readonly precision: "f32" | "f64";
  /** How many there were. */
  readonly covariances: number;
  /** Number of covariances whose outputs may agree with exact ones to less than 40 dB, and approximately the largest condition number. */
  readonly illConditioned: number;
  /** The largest condition number. Left out if it was not computed. */
  readonly mostCondition?: number;
  /** Why another device than the given one solved them. Left out if the given one did. */
  readonly why?: string;
}

/** The report of a STAP run, version 1. */
export interface StapReport {
  readonly format: typeof stapFormat;
  readonly version: typeof stapVersion;
  readonly name: string;
  /** What the recording was read from, as the caller stated. Empty for one made in memory. */
  readonly inputs: readonly string[];
  readonly device: DeviceReport;
  readonly cube: { readonly channels: number; readonly pulses: number; readonly ranges: number };
  /** Which coherent processing interval this is, from 1, and how many there are. */
  readonly cpi: { readonly number: number; readonly count: number; readonly name: string };
  /** Channels of the array that were processed, numbered from 0. */
  readonly channels: readonly number[];
  readonly solved: SolvedReport;
  /** The output, with its axes, outermost first. */
  readonly output: { readonly type: "f32" | "c64"; readonly axes: readonly string[]; readonly shape: readonly number[] };
  readonly axes: {
    readonly dopplerCycles: readonly number[];
    readonly dopplerHz?: readonly number[];
    readonly rangeMeters?: ReportAxis;
    readonly azimuthDegrees?: readonly number[];
  };
  readonly parameters: StapParameters;
  /** How well the covariances of `bins` Doppler bins can be solved. An infinite condition number is null. */
  readonly condition: ConditionReport & { readonly bins: number };
  readonly threshold: {
    /**
     * `amf`: exact for the adaptive matched filter over Gaussian cells; `ca`, `os`: from neighbouring cells, by their mean or an order
     * statistic.
     */
    readonly kind: "amf" | "ca" | "os";
    /** Probability that a cell without a target is detected. */
    readonly falseAlarm: number;
    /** Number of training cells (the fewest of all groups), or of neighbours. */
    readonly cells: number;
    readonly why?: string;
  };
  /** The number of detections; `listed` holds the strongest, at most 100. */
  readonly detections: {
    readonly count: number;
    /** Doppler bins times ranges. */
    readonly cells: number;
    /** Cells times steering vectors, or cells if thresholds come from neighbours. */
    readonly tests: number;
    /** Cells above their thresholds. Adjacent cells form one detection. */
    readonly cellsAbove: number;
    /** `tests` times the probability of a false alarm. This is an upper bound, because tests are not independent. */
    readonly expectedFalseAlarms: number;
    readonly listed: readonly StapDetection[];
  };
  readonly interference: InterferenceReport;
  /** Left out if cells train themselves, or if there are fewer training cells than unknowns. */
  readonly homogeneity?: HomogeneityReport;
  readonly target: StapTargetReport;
  readonly beamformer: BeamformerReport;
  readonly angleDoppler: AngleDopplerReport;
  readonly stages: readonly StageReport[];
  /** Parts of the run, in order. The stages are inside `process`. */
  readonly timings: readonly Timing[];
  readonly notes: readonly string[];
}
