/** What a range-Doppler processor is asked to do. */
import type { InterpolatorSpec } from "../interpolation.ts";
import type { StripmapRadar } from "../radar.ts";
import type { Window } from "../windows.ts";

/**
 * Secondary range compression. `range`: folded into the range filter at the Doppler centroid, free. `doppler`: for every
 * Doppler frequency, in the two-dimensional spectrum, one more pass over a wider array. `on` picks between the two by the
 * phase error that folding would leave.
 */
export type SecondaryRangeCompression = "off" | "on" | "range" | "doppler";

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
  /** Azimuth transform length; the next power of two where left out. */
  readonly azimuthLength?: number;
}

/** Taper of both axes where none is asked for. */
export const defaultWindow: Window = { kind: "kaiser", beta: 2.5 };
export const defaultRcmc: InterpolatorSpec = { kind: "sinc", taps: 8, window: "kaiser" };
