/**
 * Which rows the recorded lines expose. A target with closest approach at slow time η is seen at Doppler frequency f at
 * η + β(R₀, f), β = −λR₀f/(2V²D(f)) (Cumming & Wong eq. 5.44 region, exact for the hyperbolic range equation). So the lines of a
 * recording hold the whole band of some rows, a part of it for the rows within half an aperture on both sides, and nothing of rows beyond.
 * A line stands for the slow time of half a line to both sides.
 */
import type { StripmapRadar } from "@dechirp/radar";
import { beamOffsetSeconds } from "../radar.ts";

/** Consecutive rows of an image: the first, and how many. */
export type RowSpan = readonly [first: number, count: number];

/** Which rows of an image hold what the recorded lines show. */
export interface ImageExposure {
  /** Rows whose targets were seen over the whole processed band, in every column. The count is 0 if there are none. */
  readonly fullRows: RowSpan;
  /**
   * Rows whose targets were seen over at least a part of the band, in some column: all rows but the empty ones that a long transform adds.
   */
  readonly exposedRows: RowSpan;
  /**
   * How many rows also hold echoes of rows outside the image, because the azimuth transform is shorter than the rows that the lines
   * expose; 0 with the default length.
   */
  readonly foldedRows: number;
  /** The default azimuth transform length for all exposed rows: a fast length that folds nothing. */
  readonly unfoldedLength: number;
}

/**
 * Lines of slow time, counted from the first pulse, of the rows that `lines` pulses expose: in part in some column, and in full in all
 * columns.
 */
export interface ExposedLines {
  readonly part: RowSpan;
  readonly full: RowSpan;
}

/** The exposed lines. `rangesMeters`: slant ranges of closest approach of the first and the last column. */
export function exposedLines(
  radar: StripmapRadar,
  lines: number,
  bandwidthHz: number,
  rangesMeters: readonly [near: number, far: number],
): ExposedLines {
  const seen = (side: number): number[] =>
    rangesMeters.map((range) => beamOffsetSeconds(radar, range, radar.dopplerCentroidHz + (side * bandwidthHz) / 2) * radar.prfHz);
  // The upper edge of the band is seen first. Offsets are linear in range, so that the first and last column have the extremes.
  const [early, late] = [seen(1), seen(-1)];
  const [first, last] = [-0.5, lines - 0.5];
  const partFrom = Math.floor(first - Math.max(...late)) + 1;
  const partEnd = Math.ceil(last - Math.min(...early));
  const fullFrom = Math.ceil(first - Math.min(...early));
  const fullEnd = Math.floor(last - Math.max(...late)) + 1;
  return { part: [partFrom, Math.max(1, partEnd - partFrom)], full: [fullFrom, Math.max(0, fullEnd - fullFrom)] };
}
