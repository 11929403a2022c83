/** The table of STAP presets: facts about the radar and ways to process. Settings take precedence over presets. */
import type { ArrayFacts } from "@dechirp/radar";
import type { StapProcessing } from "./processing.ts";

/** A preset: how a cube is processed, and facts about the radar. */
export interface StapPreset {
  readonly title: string;
  readonly processing: StapProcessing & {
    /** Doppler bins per pulse. If absent, the number of bins is that of `settings`, or its default. */
    readonly padding?: number;
  };
  readonly facts: ArrayFacts;
}

/** Names of the presets. */
export type StapPresetName = "perfect" | "paper" | "mountain-top";

/** All presets by name. */
export const stapPresets: Readonly<Record<StapPresetName, StapPreset>> = {
  perfect: {
    title: "the PERFECT suite's STAP application: each block trains itself, complex output",
    processing: { padding: 2, temporalTaps: 3, training: "own", output: "complex" },
    facts: {},
  },
  paper: {
    title: "adjacent blocks of 32 ranges, two Doppler bins per pulse, three taps, adaptive matched filter",
    processing: { padding: 2, temporalTaps: 3, blockRanges: 32, training: "adjacent", output: "amf" },
    facts: {},
  },
  // The spacing is that of the data set's web page: with the file's 0.3448 m the injected target would be half a degree off.
  "mountain-top": {
    title: "ARPA Mountain Top, RSTER's 14 elements: uncompressed pulses, each range is trained by all others",
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
