/** The report of a STAP run: what was done, with what, why, and what came of it. Plain data, version 1. */
import type { AdaptiveOutput, ConditionReport, Solver } from "@dechirp/stap";
import type { Timing } from "../clock.ts";
import type { DeviceReport, ReportAxis, StageReport, Used } from "../used.ts";
import type { StapPresetName } from "./presets.ts";
import type { TrainingKind } from "./processing.ts";

/** What the field `format` of a STAP report says. */
export const stapFormat = "dechirp-stap";
/** What its field `version` says. */
export const stapVersion = 1;

/** Parameters in use, with where each comes from. */
export interface StapParameters {
  readonly preset: Used<StapPresetName | "none">;
  readonly dopplerBins: Used<number>;
  readonly temporalTaps: Used<number>;
  readonly training: Used<TrainingKind>;
  /** Of a block; there unless training slides. */
  readonly blockRanges?: Used<number>;
  /** Ranges that train one, or `all`; there where training slides. */
  readonly cells?: Used<number | string>;
  /** Blocks of adjacent training, cells of sliding. */
  readonly guard?: Used<number>;
  /** Diagonal loading as a share of tr(R)/n. */
  readonly loading: Used<number>;
  readonly solver: Used<Solver>;
  /** Over the pulses. */
  readonly window: Used<string>;
  readonly centred: Used<boolean>;
  readonly output: Used<AdaptiveOutput>;
  readonly maxOverSteering: Used<boolean>;
  /** In words. */
  readonly steering: Used<string>;
  /** Bandwidth in Hz, pulse in s and sampling rate in Hz, with commas between them; `none` where nothing was compressed. */
  readonly chirp: Used<string>;
  readonly prfHz: Used<number | null>;
  readonly carrierHz: Used<number | null>;
  /** Number and unit. */
  readonly spacing: Used<string | null>;
  readonly broadsideDegrees: Used<number | null>;
  /** Probability that a cell without a target is detected. */
  readonly falseAlarm: Used<number>;
}

/** A cell of the output; what is not known of it is left out. */
export interface CellPlace {
  readonly range: number;
  readonly rangeKilometres?: number;
  readonly dopplerBin: number;
  /** −½ to ½. */
  readonly dopplerCycles: number;
  readonly dopplerHz?: number;
  /** Steering vector. */
  readonly steering: number;
  readonly azimuthDegrees?: number;
}

/** A cell whose adaptive matched filter is above its threshold. */
export interface StapDetection extends CellPlace {
  readonly amfDb: number;
  readonly thresholdDb: number;
  /** Over the largest AMF of the same Doppler bin and steering vector more than 3 ranges away; null where there is none. */
  readonly aboveNextDb: number | null;
}

/** What the beamformer that does not adapt makes of the same data. */
export interface BeamformerReport {
  /** Its largest output of all. */
  readonly peak: CellPlace & { readonly powerDb: number };
  /** Its largest output in the target's Doppler bin, with the target's steering vector. */
  readonly linePeak: CellPlace & { readonly powerDb: number };
  /** Which largest the target's range is there, from 1. */
  readonly targetRank: number;
  readonly ofRanges: number;
}

/** The cell that was looked at. */
export interface StapTargetReport extends CellPlace {
  /** `option`: by the settings; `detection`: the strongest one; `largest`: nothing was detected, the largest AMF. */
  readonly source: "option" | "detection" | "largest";
  readonly amfDb: number;
  readonly aboveNextDb: number | null;
}

/** Axes of the pattern and the spectrum at the target, float32 [angle][Doppler]. */
export interface AngleDopplerReport {
  readonly shape: readonly [angles: number, dopplers: number];
  /** Azimuths in degrees, or cycles an element where directions of the array are not known. */
  readonly angle: ReportAxis & { readonly unit: "degrees" | "cycles an element" };
  /** Hz, or cycles a pulse where the PRF is not known. */
  readonly doppler: ReportAxis & { readonly unit: "Hz" | "cycles a pulse" };
}

/** Directions are left out where they are not known: azimuths in degrees where the array is, else cycles an element. */
export interface InterferenceSource {
  readonly azimuthDegrees?: number;
  /** Phase from one element to the next, in cycles. */
  readonly cyclesAnElement?: number;
  /** Power from there, of Capon's spectrum, over the noise of an element, the median over Doppler bins. */
  readonly toNoiseDb: number;
  /** Doppler bins in which it is 10 dB above the noise. */
  readonly share: number;
}

/** Interference, of covariances over channels from all ranges of `bins` Doppler bins; nothing else where noise could not be estimated. */
export type InterferenceReport =
  | { readonly bins: number; readonly estimated: false }
  | {
      readonly bins: number;
      readonly estimated: true;
      /** The Doppler bin with the most, an element; eigenvalues there 10 dB above the noise, and where its strongest direction is. */
      readonly strongest: Omit<InterferenceSource, "share"> & {
        readonly dopplerBin: number;
        readonly dopplerCycles: number;
        readonly dopplerHz?: number;
        readonly dominant: number;
      };
      readonly medianToNoiseDb: number;
      /** Doppler bins with 10 dB and more. */
      readonly affectedBins: number;
      readonly channels: number;
      /** Directions with interference in 90 % of the Doppler bins and more, as of jammers, strongest first. */
      readonly sources: readonly InterferenceSource[];
    };

/** How many cells of `bins` Doppler bins are unlike their training: beyond what `expectedShare` of them is where clutter is alike everywhere. */
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
  /** What they were held in. */
  readonly precision: "f32" | "f64";
  /** How many there were. */
  readonly covariances: number;
  /** Those whose outputs may be less than 40 dB from exact ones; about the most of their conditions. */
  readonly illConditioned: number;
  /** The largest condition number; left out where it was not computed. */
  readonly mostCondition?: number;
  /** Why another device than the given one solved them; left out where none did. */
  readonly why?: string;
}

/** The report of a STAP run, version 1. */
export interface StapReport {
  readonly format: typeof stapFormat;
  readonly version: typeof stapVersion;
  readonly name: string;
  /** What the recording was read from, as the caller says; empty for one made in memory. */
  readonly inputs: readonly string[];
  readonly device: DeviceReport;
  readonly cube: { readonly channels: number; readonly pulses: number; readonly ranges: number };
  /** Which interval of how many, from 1. */
  readonly cpi: { readonly number: number; readonly count: number; readonly name: string };
  /** Channels of the array that were processed, from 0. */
  readonly channels: readonly number[];
  readonly solved: SolvedReport;
  /** The output: its axes, outermost first. */
  readonly output: { readonly type: "f32" | "c64"; readonly axes: readonly string[]; readonly shape: readonly number[] };
  readonly axes: {
    readonly dopplerCycles: readonly number[];
    readonly dopplerHz?: readonly number[];
    readonly rangeMeters?: ReportAxis;
    readonly azimuthDegrees?: readonly number[];
  };
  readonly parameters: StapParameters;
  /** The covariances of `bins` Doppler bins: how well they can be solved. An infinite condition is null. */
  readonly condition: ConditionReport & { readonly bins: number };
  readonly threshold: {
    /** `amf`: exact for the adaptive matched filter over Gaussian cells; `ca`, `os`: from neighbouring cells. */
    readonly kind: "amf" | "ca" | "os";
    /** Probability that a cell without a target is detected. */
    readonly falseAlarm: number;
    /** Training cells, the fewest, or neighbours. */
    readonly cells: number;
    readonly why?: string;
  };
  /** How many there are; `listed` has the strongest, 100 at most. */
  readonly detections: {
    readonly count: number;
    /** Doppler bins times ranges. */
    readonly cells: number;
    /** Cells times steering vectors, or cells where thresholds are of neighbours. */
    readonly tests: number;
    /** Cells above their thresholds; those side by side are one detection. */
    readonly cellsAbove: number;
    /** `tests` times the probability of a false alarm: at most so many, as tests are not independent. */
    readonly expectedFalseAlarms: number;
    readonly listed: readonly StapDetection[];
  };
  readonly interference: InterferenceReport;
  /** Left out where cells train themselves, or there are fewer than unknowns. */
  readonly homogeneity?: HomogeneityReport;
  readonly target: StapTargetReport;
  readonly beamformer: BeamformerReport;
  readonly angleDoppler: AngleDopplerReport;
  readonly stages: readonly StageReport[];
  /** Parts of the run in order; the stages are inside `process`. */
  readonly timings: readonly Timing[];
  readonly notes: readonly string[];
}
