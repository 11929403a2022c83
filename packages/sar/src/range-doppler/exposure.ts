/** Exposure: which part of a target's processed Doppler band the recorded lines hold, at any place of an image. */
import { runToEnd } from "@dechirp/core/internal";
import { instantaneousDopplerHz } from "../geometry.ts";
import type { RowSpan } from "./exposed-lines.ts";
import type { ImageGeometry } from "./geometry.ts";

/** How many rows one piece of work checks. */
const pieceRows = 256;

/**
 * The part of the processed Doppler band, from `lowHz` to `highHz`, that the recorded lines hold of a target at a row and column of
 * the image (which may be fractions, and outside), and its share of the band: 1 if the target is exposed in full, 0 if it was not
 * seen. The azimuth resolution there is that of the window over this part (`partialIrwTimesBandwidth`).
 */
export function exposedBand(
  geometry: ImageGeometry,
  row: number,
  column: number,
): { readonly lowHz: number; readonly highHz: number; readonly fraction: number } {
  const { radar, lines, firstLine, processedBandwidthHz, axes } = geometry;
  const range = axes.slantRangeMeters.start + column * axes.slantRangeMeters.step;
  // Called for every row of an image, so it makes no arrays.
  const from = radar.dopplerCentroidHz - 0.5 * processedBandwidthHz;
  const to = radar.dopplerCentroidHz + 0.5 * processedBandwidthHz;
  const lastHz = instantaneousDopplerHz(radar, range, (lines - 0.5 - firstLine - row) / radar.prfHz);
  const firstHz = instantaneousDopplerHz(radar, range, (-0.5 - firstLine - row) / radar.prfHz);
  const lowHz = Math.min(to, Math.max(from, lastHz));
  const highHz = Math.min(to, Math.max(from, firstHz));
  return { lowHz, highHz, fraction: Math.max(0, highHz - lowHz) / (to - from) };
}

/** The rows of which every column is exposed over at least `fraction` of the processed band. */
export const rowsExposed = (geometry: ImageGeometry, fraction: number): RowSpan => runToEnd(rowsExposedSteps(geometry, fraction));

/** `rowsExposed` in steps of milliseconds, for `runInPieces` of core. */
export function* rowsExposedSteps(geometry: ImageGeometry, fraction: number): Generator<void, RowSpan> {
  const { rows, cells, exposure } = geometry;
  // No column between the first and the last is exposed less than both of them.
  const enough = (row: number): boolean =>
    exposedBand(geometry, row, 0).fraction >= fraction && exposedBand(geometry, row, cells - 1).fraction >= fraction;
  const [from, count] = exposure.fullRows;
  if (count > 0) {
    // The recording holds both ends of the band of these rows. Before them it misses more and more of one end, after them of the other.
    const first = from - extent(from, (i) => enough(from - i));
    return [first, from + count + extent(rows - from - count, (i) => enough(from + count - 1 + i)) - first];
  }
  let first = 0;
  while (first < rows && !enough(first)) if (++first % pieceRows === 0) yield;
  let end = first;
  while (end < rows && enough(end)) if (++end % pieceRows === 0) yield;
  return [first, end - first];
}

/** How many of the numbers from 1 to `most` pass a test that none passes after one that fails. */
function extent(most: number, test: (i: number) => boolean): number {
  let [passed, failed] = [0, most + 1];
  while (failed - passed > 1) {
    const middle = Math.floor((passed + failed) / 2);
    if (test(middle)) passed = middle;
    else failed = middle;
  }
  return passed;
}
