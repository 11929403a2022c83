/** Parameters of a range-Doppler processor. */
import type { StripmapRadar, Window } from "@dechirp/radar";
import type { InterpolatorSpec } from "@dechirp/radar/interpolation";

/**
 * Secondary range compression. `range`: folded into the range filter at the Doppler centroid, at no cost. `doppler`: for every
 * Doppler frequency, in the two-dimensional spectrum, which takes one more pass over a wider array. `on` picks one of the two by the
 * phase error that folding would leave.
 */
export type SecondaryRangeCompression = "off" | "on" | "range" | "doppler";

/** What `rangeDoppler` needs: the radar, the size of the raw data, and how they are processed. */
export interface RangeDopplerParams {
  readonly radar: StripmapRadar;
  /** Pulses of the raw data. */
  readonly lines: number;
  /** Range samples of a pulse. */
  readonly samples: number;
  /** Element type of the raw data [lines][samples]. Default: c64. */
  readonly rawType?: "ci8" | "ci16" | "c64" | "c128";
  /** Linear gain of every line, applied on reading. Default: 1. */
  readonly lineGain?: ArrayLike<number>;
  /** Arithmetic of the transforms. f64 (c128) runs on CPU devices only. Default: f32. */
  readonly precision?: "f32" | "f64";
  /** Taper of the range replica, a window with a continuous formula. Default: Kaiser 2.5. */
  readonly rangeWindow?: Window;
  /** Taper over the processed Doppler band, a window with a continuous formula. Default: Kaiser 2.5. */
  readonly azimuthWindow?: Window;
  /** Doppler band that is compressed, around the centroid. Default: the PRF. */
  readonly processedBandwidthHz?: number;
  /** Interpolation of range cell migration correction. Default: 8 taps, Kaiser. */
  readonly rcmc?: InterpolatorSpec | "off";
  /** Default: `on`. */
  readonly src?: SecondaryRangeCompression;
  /**
   * Azimuth transform length, at least `lines`. If it is given, the image has as many rows, unless only those exposed in full are asked
   * for.
   * Default: a fast length that holds every row that the lines expose: lines and the longest aperture. A shorter one folds rows
   * seen in part onto others (`geometry.exposure`), a longer one leaves empty rows at the end.
   */
  readonly azimuthLength?: number;
  /** `all`: also rows exposed in part. `full`: only those seen over the whole processed band in every column. Default: `all`. */
  readonly rows?: "all" | "full";
  /**
   * Range transform length, at least `samples`. Default: the next power of two that holds samples and guard cells. A
   * length that does not hold them costs the image its outer cells: the guard cells are then taken from the cells that a full pulse
   * supports,
   * and the image starts that many later.
   */
  readonly rangeLength?: number;
  /**
   * What arrays between the steps hold. `f16` halves the traffic at 11 bits a value; values are scaled by powers of two so that no sum
   * of samples up to `rawPeak` overflows. Arithmetic is f32 in any case. Default: f32.
   */
  readonly storage?: "f32" | "f16";
  /** Largest magnitude of a raw sample times the gain of its line. Only f16 storage reads it. Default: what integers can hold. */
  readonly rawPeak?: number;
}

/** Default taper of both axes. */
export const defaultWindow: Window = { kind: "kaiser", beta: 2.5 };
export const defaultRcmc: InterpolatorSpec = { kind: "sinc", taps: 8, window: "kaiser" };
