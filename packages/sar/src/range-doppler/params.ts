/** What a range-Doppler processor is asked to do. */
import type { StripmapRadar, Window } from "@dechirp/radar";
import type { InterpolatorSpec } from "../interpolation.ts";

/**
 * Secondary range compression. `range`: folded into the range filter at the Doppler centroid, free. `doppler`: for every
 * Doppler frequency, in the two-dimensional spectrum, one more pass over a wider array. `on` picks between the two by the
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
  /** Element type of the raw data [lines][samples]; c64 where left out. */
  readonly rawType?: "ci8" | "ci16" | "c64" | "c128";
  /** Linear gain of every line, applied on reading. */
  readonly lineGain?: ArrayLike<number>;
  /** Arithmetic of the transforms: f64 (c128) runs on CPU devices only. f32 where left out. */
  readonly precision?: "f32" | "f64";
  /** Taper of the range replica; Kaiser 2.5 where left out. */
  readonly rangeWindow?: Window;
  /** Taper over the processed Doppler band; Kaiser 2.5 where left out. */
  readonly azimuthWindow?: Window;
  /** Doppler band that is compressed, around the centroid; the PRF where left out. */
  readonly processedBandwidthHz?: number;
  /** Interpolation of range cell migration correction; 8 taps, Kaiser, where left out. */
  readonly rcmc?: InterpolatorSpec | "off";
  /** `on` where left out. */
  readonly src?: SecondaryRangeCompression;
  /**
   * Azimuth transform length, at least `lines`, and then also the rows of the image, unless those exposed in full are asked for. Where
   * left out it is a fast length that holds every row that the lines expose: lines and the longest aperture. A shorter one folds rows
   * seen in part onto others (`geometry.exposure`), a longer one leaves empty rows at the end.
   */
  readonly azimuthLength?: number;
  /** `all`: rows exposed in part, too; `full`: only those seen over the whole processed band in every column. `all` where left out. */
  readonly rows?: "all" | "full";
  /**
   * Range transform length, at least `samples`; where left out the next power of two that holds samples and guard cells. A
   * length that does not hold them costs the image its outer cells: it is then made of cells that a full pulse supports,
   * guard cells included, and starts that many later.
   */
  readonly rangeLength?: number;
  /**
   * What arrays between the steps hold: `f16` is half the traffic at 11 bits a value, scaled by powers of two so that no sum
   * of samples up to `rawPeak` overflows. Arithmetic is f32 in any case. f32 where left out.
   */
  readonly storage?: "f32" | "f16";
  /** Largest magnitude of a raw sample times its line's gain; what integers can hold where left out. Only f16 storage reads it. */
  readonly rawPeak?: number;
}

/** Taper of both axes where none is asked for. */
export const defaultWindow: Window = { kind: "kaiser", beta: 2.5 };
export const defaultRcmc: InterpolatorSpec = { kind: "sinc", taps: 8, window: "kaiser" };
