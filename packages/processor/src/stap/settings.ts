/**
 * What the command line may settle of a STAP run, and presets: tables of defaults, nothing else. Where several say something, an
 * option comes first, then the input's own files for facts of the radar, or the preset for how it is processed, then a default.
 */
import type { PerfectSet } from "@dechirp/io";
import type { Window } from "@dechirp/sar";
import type { AdaptiveOutput, CubeAxis, Solver } from "@dechirp/stap";

/** Axes of an array on disk, outermost first. */
export type ArrayAxes = readonly (CubeAxis | "cpi")[];

export type TrainingKind = "adjacent" | "own" | "sliding";

/** A linear chirp: what uncompressed data are filtered with. */
export interface Chirp {
  readonly bandwidthHz: number;
  readonly pulseSeconds: number;
  readonly samplingRateHz: number;
}

/** Element spacing of a uniform linear array. */
export interface Spacing {
  readonly value: number;
  readonly unit: "m" | "wavelengths";
}

/** Degrees. */
export interface AzimuthScan {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** Weights of the pulses before the Doppler transform. */
export type PulseWindow = Window | { readonly kind: "chebyshev"; readonly sidelobeDb: number };

/** What is known of the radar, each where it is. */
export interface ArrayFacts {
  readonly prfHz?: number;
  readonly carrierHz?: number;
  readonly spacing?: Spacing;
  /** Azimuth that the array looks at. */
  readonly broadsideDegrees?: number;
  /** `none`: the data are compressed. */
  readonly chirp?: Chirp | "none";
  readonly rangeAxis?: { readonly startMeters: number; readonly stepMeters: number };
}

/** How the cube is processed. */
export interface Processing {
  readonly dopplerBins?: number;
  readonly temporalTaps?: number;
  readonly blockRanges?: number;
  readonly training?: TrainingKind;
  /** Of sliding training; all where left out. */
  readonly cells?: number;
  /** Blocks of adjacent training, cells of sliding. */
  readonly guard?: number;
  readonly loading?: number;
  readonly solver?: Solver;
  readonly output?: AdaptiveOutput;
  readonly maxOverSteering?: boolean;
  readonly window?: PulseWindow;
  readonly centred?: boolean;
  readonly azimuth?: AzimuthScan;
}

export interface Target {
  readonly range: number;
  /** Hz where the PRF is known, else cycles a pulse. */
  readonly doppler: number;
  readonly azimuthDegrees?: number;
}

export interface StapSettings extends ArrayFacts, Processing {
  readonly preset?: StapPresetName;
  /** Of an array that says nothing of its axes, outermost first; one of several intervals has `cpi` among them. */
  readonly axes?: ArrayAxes;
  readonly set?: PerfectSet;
  /** Which of several intervals, from 1. */
  readonly cpi?: number;
  /** Channels that are left out, as the file counts them, from 0. */
  readonly withoutChannels?: readonly number[];
  readonly steeringFile?: string;
  readonly falseAlarm?: number;
  /** `ca` or `os`: a threshold from neighbouring cells in place of that of theory. */
  readonly cfar?: "ca" | "os";
  readonly cfarCells?: number;
  readonly cfarGuard?: number;
  readonly target?: Target;
}

export interface StapPreset {
  readonly title: string;
  readonly processing: Processing & { /** Doppler bins a pulse. */ readonly padding?: number };
  readonly facts: ArrayFacts;
}

export type StapPresetName = "perfect" | "paper" | "mountain-top";

/** Defaults of the `stap` command by preset. */
export const stapPresets: Readonly<Record<StapPresetName, StapPreset>> = {
  perfect: {
    title: "the PERFECT suite's STAP application: a block trains itself, complex output",
    processing: { padding: 2, temporalTaps: 3, training: "own", output: "complex" },
    facts: {},
  },
  paper: {
    title: "adjacent blocks of 32 ranges, two Doppler bins a pulse, three taps, adaptive matched filter",
    processing: { padding: 2, temporalTaps: 3, blockRanges: 32, training: "adjacent", output: "amf" },
    facts: {},
  },
  // The data page's spacing: with the file's 0.3448 m the injected target would be half a degree off.
  "mountain-top": {
    title: "ARPA Mountain Top, RSTER's 14 elements: uncompressed pulses, every other range trains one",
    processing: {
      padding: 2,
      temporalTaps: 3,
      training: "sliding",
      guard: 4,
      loading: 1e-6,
      output: "amf",
      azimuth: { from: 230, to: 290, step: 1 },
    },
    facts: {
      prfHz: 625,
      carrierHz: 435e6,
      spacing: { value: 0.333, unit: "m" },
      broadsideDegrees: 260,
      chirp: { bandwidthHz: 500e3, pulseSeconds: 100e-6, samplingRateHz: 1e6 },
    },
  },
};

export const presetNames = Object.keys(stapPresets) as readonly StapPresetName[];
