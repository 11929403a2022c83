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
  const dopplerIn = (line: number): number => instantaneousDopplerHz(radar, range, (line - firstLine - row) / radar.prfHz);
  const [from, to] = [-0.5, 0.5].map((side) => radar.dopplerCentroidHz + side * processedBandwidthHz);
  const lowHz = Math.min(to, Math.max(from, dopplerIn(lines - 0.5)));
  const highHz = Math.min(to, Math.max(from, dopplerIn(-0.5)));
  return { lowHz, highHz, fraction: Math.max(0, highHz - lowHz) / (to - from) };
}

/** The rows of which every column is exposed over at least `fraction` of the processed band. */
export const rowsExposed = (geometry: ImageGeometry, fraction: number): RowSpan => runToEnd(rowsExposedSteps(geometry, fraction));

/** `rowsExposed` in steps of milliseconds, for `runInPieces` of core. */
export function* rowsExposedSteps(geometry: ImageGeometry, fraction: number): Generator<void, RowSpan> {
  const { rows, cells, exposure } = geometry;
  // No column between the first and the last is exposed less than both of them.
  const enough = (row: number): boolean => [0, cells - 1].every((column) => exposedBand(geometry, row, column).fraction >= fraction);
  let [first, end] = exposure.fullRows[1] > 0 ? [exposure.fullRows[0], exposure.fullRows[0] + exposure.fullRows[1]] : [0, 0];
  if (end === 0) {
    while (first < rows && !enough(first)) if (++first % pieceRows === 0) yield;
    end = first;
  }
  while (first > 0 && enough(first - 1)) if (--first % pieceRows === 0) yield;
  while (end < rows && enough(end)) if (++end % pieceRows === 0) yield;
  return [first, end - first];
}
