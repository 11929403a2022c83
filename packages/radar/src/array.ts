/** What is known of the radar of an array of antennas, and steering vectors. */
import type { Chirp } from "./chirp.ts";
import type { ComplexSamples } from "./samples.ts";

/** Element spacing of a uniform linear array. */
export interface ElementSpacing {
  /** Distance between neighbouring elements, in the unit that `unit` names. */
  readonly value: number;
  readonly unit: "m" | "wavelengths";
}

/** Slant range of range bin i: `startMeters + i · stepMeters`. */
export interface RangeAxis {
  /** Slant range of bin 0. */
  readonly startMeters: number;
  /** From a range bin to the next. */
  readonly stepMeters: number;
}

/** Facts of the radar of an array, as far as they are known. */
export interface ArrayFacts {
  /** Pulse repetition frequency. */
  readonly prfHz?: number;
  /** Needed if the spacing is in metres. */
  readonly carrierHz?: number;
  /** Needed if steering vectors are a scan of azimuths. */
  readonly spacing?: ElementSpacing;
  /** Azimuth that the array faces, −360 to 360. */
  readonly broadsideDegrees?: number;
  /** The pulse that uncompressed data is filtered with, or `none` if the data is compressed. */
  readonly chirp?: Chirp | "none";
  readonly rangeAxis?: RangeAxis;
}

/** Steering vectors over the channels of an array, or over the elements of a snapshot. */
export interface SteeringVectors {
  /** The file that they come from, for reports and errors. */
  readonly file?: string;
  /** Number of vectors. */
  readonly vectors: number;
  /** Length of a vector: the channels of the array or those that are processed, or that number times the temporal taps. */
  readonly elements: number;
  /** [vector][element] or [vector][channel · taps + tap], interleaved re, im. */
  readonly data: ComplexSamples;
}
