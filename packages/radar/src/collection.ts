/**
 * How the data of an image was collected and processed, as plain JSON: what SICD needs beyond the place of the pixels (`ImagePlacement`).
 * Sinks of `io` that have a place for it store it (`ImageMetadata.collection`). Times are in seconds after `start`.
 */
import type { PlatformPolynomial, PlatformStates } from "./placement.ts";
import type { Window } from "./window-table.ts";

/** Polarisation of waves. `UNKNOWN` where it is not known. */
export type WavePolarisation = "V" | "H" | "RHC" | "LHC" | "OTHER" | "UNKNOWN";

/** Doppler frequencies of an image with zero-Doppler times as rows. */
export interface CollectionDoppler {
  /**
   * Absolute Doppler centroid in Hz as a polynomial of the slant range minus `originMeters`: coefficients from that of power 0 on, in Hz per
   * metre to the power. 1 to 8 of them.
   */
  readonly centroidHz: readonly number[];
  /** Slant range that the polynomial counts from. Default: 0. */
  readonly originMeters?: number;
  /** Doppler bandwidth that was processed. */
  readonly bandwidthHz: number;
}

/** How the data of an image was processed. */
export interface CollectionProcessing {
  readonly algorithm: "backprojection" | "range-doppler" | "omega-k";
  /** First and last time of the pulses that the image was made of. */
  readonly seconds: readonly [first: number, last: number];
  /** Edges of the band of radio frequencies that the image was made of. */
  readonly bandHz: readonly [least: number, largest: number];
  /** Window over the band. Default: rect. */
  readonly rangeWindow?: Window;
  /** Window over the aperture, or over the Doppler bandwidth. Default: rect. */
  readonly azimuthWindow?: Window;
  /** Whether pulses were corrected by autofocus. Default: false. */
  readonly autofocus?: boolean;
  /** Program that made the image. Default: dechirp. */
  readonly application?: string;
}

/** How the data of an image was collected and processed. */
export interface ImageCollection {
  /** Name of the radar or of its platform. */
  readonly collector: string;
  /** Name of the image, unique among those of the collector. */
  readonly name: string;
  /** Whether the antenna was steered at the scene, looked in a constant direction, or turned while the platform moved. */
  readonly mode: "spotlight" | "stripmap" | "dynamic stripmap";
  /** The collector's own name of the mode. */
  readonly modeName?: string;
  /** A text that begins with UNCLASSIFIED, RESTRICTED, CONFIDENTIAL, SECRET or TOP SECRET. Default: UNCLASSIFIED. */
  readonly classification?: string;
  /** Time 0 in UTC, such as `2026-03-14T11:00:00.25Z`. */
  readonly start: string;
  /** How long the radar collected data from `start` on. */
  readonly durationSeconds: number;
  /**
   * Path of the radar, Earth-fixed: the middle between the places where it transmitted and received. Images on planes need it; others have it
   * in their placement.
   */
  readonly platform?: PlatformPolynomial | PlatformStates;
  /** Edges of the band of radio frequencies that were transmitted. */
  readonly transmitHz: readonly [least: number, largest: number];
  /** Pulses per second, if they were evenly spaced. */
  readonly prfHz?: number;
  /** Default: not known. */
  readonly polarisation?: { readonly transmit: WavePolarisation; readonly receive: WavePolarisation };
  readonly processing: CollectionProcessing;
  /** Needed by images of range-Doppler and ω-K processors. */
  readonly doppler?: CollectionDoppler;
  /** Height of the ground above the ellipsoid in the middle of an image with zero-Doppler times as rows. Default: 0. */
  readonly groundHeightMeters?: number;
}

/** What a recording states of its collection beyond its radar. Images of it say so, too. */
export type RecordedCollection = Partial<
  Pick<ImageCollection, "collector" | "name" | "mode" | "modeName" | "classification" | "polarisation">
>;
