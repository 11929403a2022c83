/**
 * The exposure part of a report: which rows the recording shows, what azimuth resolution they have, and which rows are folded if the
 * azimuth length is too short.
 */
import { maxTransformLength } from "@dechirp/core";
import type { Window } from "@dechirp/radar";
import { azimuthRateHzPerSecond, exposedBand, type ImageGeometry, type RowSpan, rowsExposedSteps } from "@dechirp/sar";
import { azimuthIrwRows } from "./measure.ts";
import type { ExposureReport, Report, ResolutionReport } from "./report.ts";

const fractions = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/** Rows that are processed between two pauses. */
const pieceRows = 256;

/** Reports which rows are exposed, in pieces, because an image can have a million rows. */
export function* exposureReport(geometry: ImageGeometry): Generator<void, ExposureReport> {
  const { fullRows, foldedRows } = geometry.exposure;
  const atLeast: { readonly fraction: number; readonly rows: RowSpan }[] = [];
  for (const fraction of fractions) atLeast.push({ fraction, rows: yield* rowsExposedSteps(geometry, fraction) });
  return { fullyExposedRows: fullRows, atLeast, foldedRows };
}

/** The middle of the swath and of the rows that the recording shows. */
function middleOf({ cells, exposure }: ImageGeometry): readonly [row: number, column: number] {
  const [first, count] = exposure.exposedRows;
  return [first + (count - 1) / 2, (cells - 1) / 2];
}

/** The share of the processed Doppler band that the recording holds of a target in the middle of the image. */
export const middleExposure = (geometry: ImageGeometry): number => exposedBand(geometry, ...middleOf(geometry)).fraction;

/** Number of evenly spaced rows in which the best and the worst resolution are searched. */
const sampledRows = 65;

/** Computes impulse response widths at mid range, in pieces. The range width comes from `theory`. */
export function* resolutionReport(geometry: ImageGeometry, window: Window, theory: Report["theory"]): Generator<void, ResolutionReport> {
  const [middle, column] = middleOf(geometry);
  const [first, count] = geometry.exposure.exposedRows;
  const fractionOf = (row: number): number => exposedBand(geometry, row, column).fraction;
  let [from, to, best, most] = [first, first + count - 1, middle, fractionOf(middle)];
  // Rows that are exposed by less than one line are skipped: they have no resolution. With squint, the exposed rows change with range.
  const { radar, processedBandwidthHz, midRangeMeters } = geometry;
  const oneLine = azimuthRateHzPerSecond(radar, midRangeMeters, radar.dopplerCentroidHz) / radar.prfHz / processedBandwidthHz;
  while (from < to && fractionOf(from) < oneLine) if (++from % pieceRows === 0) yield;
  while (to > from && fractionOf(to) < oneLine) if (--to % pieceRows === 0) yield;
  for (let row = from; row <= to; row++) {
    const fraction = fractionOf(row);
    if (fraction > most) [best, most] = [row, fraction];
    if (row % pieceRows === 0) yield;
  }
  // A tapered band is widest in the middle. If no row has the whole band, the row with most of it need not have the best resolution, so
  // evenly spaced rows are tried too.
  const rows = [middle, best, ...Array.from({ length: sampledRows }, (_, i) => from + ((to - from) * i) / (sampledRows - 1))];
  const meters: number[] = [];
  // Rows that hold the whole band have the same resolution.
  let whole: number | undefined;
  for (const row of rows) {
    const isWhole = fractionOf(row) === 1;
    const width = (isWhole ? whole : undefined) ?? azimuthIrwRows(geometry, window, row, column);
    if (isWhole) whole = width;
    meters.push(width * geometry.axes.azimuthMeters.step);
    yield;
  }
  const finite = meters.filter(Number.isFinite);
  return {
    azimuthMeters: { middle: meters[0], best: Math.min(...finite), worst: Math.max(...finite) },
    rangeMeters: theory.range.irwMeters,
  };
}

/** Warns if rows at both ends of the image contain each other's echoes (azimuth folding), and says what helps. */
export function foldingWarnings({ azimuthLength, rows, exposure }: ImageGeometry): readonly string[] {
  const { foldedRows, unfoldedLength } = exposure;
  if (foldedRows === 0) return [];
  const better =
    unfoldedLength > maxTransformLength
      ? "no supported transform is long enough for an aperture of these radar parameters"
      : `a length of ${unfoldedLength}, or the default, does not fold`;
  const which = foldedRows === rows ? `all ${rows} rows` : `${foldedRows} of the ${rows} rows, at both ends of the image,`;
  return [`an azimuth length of ${azimuthLength} folds: ${which} also hold echoes of targets that belong elsewhere; ${better}`];
}
