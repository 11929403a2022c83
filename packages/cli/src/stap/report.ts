/** report.json of a STAP run: what was done, with what, why, and what came of it. Plain data, version 1; nothing reads it back. */
import type { AdaptiveOutput, ConditionReport, Solver } from "@dechirp/stap";
import type { Timing } from "../clock.ts";
import type { DeviceReport, ReportAxis, StageReport, Used } from "../report.ts";
import type { StapPresetName, TrainingKind } from "./settings.ts";

export const stapFormat = "dechirp-stap";
export const stapVersion = 1;

export interface StapParameters {
  readonly preset: Used<StapPresetName | "none">;
  readonly dopplerBins: Used<number>;
  readonly temporalTaps: Used<number>;
  readonly training: Used<TrainingKind>;
  /** Of a block; there unless training slides. */
  readonly blockRanges?: Used<number>;
  /** Of sliding training; there where it is. */
  readonly cells?: Used<number | string>;
  /** Blocks of adjacent training, cells of sliding. */
  readonly guard?: Used<number>;
  readonly loading: Used<number>;
  readonly solver: Used<Solver>;
  readonly window: Used<string>;
  readonly centred: Used<boolean>;
  readonly output: Used<AdaptiveOutput>;
  readonly maxOverSteering: Used<boolean>;
  readonly steering: Used<string>;
  readonly chirp: Used<string>;
  readonly prfHz: Used<number | null>;
  readonly carrierHz: Used<number | null>;
  readonly spacing: Used<string | null>;
  readonly broadsideDegrees: Used<number | null>;
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

export interface Detection extends CellPlace {
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

export interface TargetReport extends CellPlace {
  /** `option`: by --target; `detection`: the strongest one; `largest`: nothing was detected, the largest AMF. */
  readonly source: "option" | "detection" | "largest";
  readonly amfDb: number;
  readonly aboveNextDb: number | null;
}

/** angle-doppler.npy: float32 [angle][Doppler]. */
export interface AngleDopplerReport {
  readonly shape: readonly [angles: number, dopplers: number];
  /** Azimuths in degrees, or cycles an element where directions of the array are not known. */
  readonly angle: ReportAxis & { readonly unit: "degrees" | "cycles an element" };
  /** Hz, or cycles a pulse where the PRF is not known. */
  readonly doppler: ReportAxis & { readonly unit: "Hz" | "cycles a pulse" };
}

export interface StapReport {
  readonly format: typeof stapFormat;
  readonly version: typeof stapVersion;
  readonly name: string;
  /** Paths as they were given. */
  readonly inputs: readonly string[];
  readonly device: DeviceReport;
  readonly cube: { readonly channels: number; readonly pulses: number; readonly ranges: number };
  /** output.npy: its axes, outermost first. */
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
    readonly falseAlarm: number;
    /** Training cells, the fewest, or neighbours. */
    readonly cells: number;
    readonly why?: string;
  };
  /** How many there are; detections.csv has them all, `listed` the strongest. */
  readonly detections: { readonly count: number; readonly listed: readonly Detection[] };
  readonly target: TargetReport;
  readonly beamformer: BeamformerReport;
  readonly angleDoppler: AngleDopplerReport;
  readonly stages: readonly StageReport[];
  /** Parts of the run in order; the stages are inside `process`. */
  readonly timings: readonly Timing[];
  readonly notes: readonly string[];
}
