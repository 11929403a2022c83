/**
 * Parts of an image: windows of rows and columns, their checks, and sets of windows that do not overlap. Sinks of `io` and measures of
 * `sar` that take an image in parts use them. A set is kept as bands of rows, each with its columns, so that it depends only on which
 * pixels it has, and stays small if windows are rows or tiles.
 */
import { inputError } from "@dechirp/core";
import { checkFields, checkObject, type FieldsOf } from "@dechirp/core/internal";

/** A part of an image: `rows` × `columns` pixels from the pixel at (`row`, `column`). All are whole numbers. */
export interface ImageWindow {
  /** Index of the first row, from 0. */
  readonly row: number;
  /** Index of the first column, from 0. */
  readonly column: number;
  readonly rows: number;
  readonly columns: number;
}

const windowFields: FieldsOf<ImageWindow> = { row: "number", column: "number", rows: "number", columns: "number" };

/** Throws `input`, naming the field, unless `window` lies inside an image of `rows` × `columns` pixels and has at least one. */
export function checkImageWindow(window: ImageWindow, rows: number, columns: number): void {
  checkObject(window, "window", "input");
  checkFields(window, windowFields, "window", "input", "window.");
  for (const [field, value, least, most] of [
    ["row", window.row, 0, rows - 1],
    ["column", window.column, 0, columns - 1],
    ["rows", window.rows, 1, rows - window.row],
    ["columns", window.columns, 1, columns - window.column],
  ] as const) {
    if (!(Number.isInteger(value) && value >= least && value <= most))
      throw inputError(`window.${field}`, `an integer from ${least} to ${most} in an image of ${rows} × ${columns} pixels`, value);
  }
}

/** A window for messages: `rows 0…1023, columns 512…1023`. */
export const formatImageWindow = ({ row, column, rows, columns }: ImageWindow): string =>
  `rows ${row}…${row + rows - 1}, columns ${column}…${column + columns - 1}`;

/** Rows from `top` to before `bottom` that have the same columns: pairs of first and end, ascending, that do not touch. */
interface Band {
  readonly top: number;
  readonly bottom: number;
  readonly spans: readonly number[];
}

/** A set of pixels of an image that grows by windows. */
export interface ImageRegion {
  /** Number of pixels in the set. */
  readonly pixels: number;
  /** Adds a window. Pixels that the set has already stay in it. The window must have been checked (`checkImageWindow`). */
  add(window: ImageWindow): void;
  /** The first part, by rows, that a window has in common with the set, or undefined. */
  overlap(window: ImageWindow): ImageWindow | undefined;
  /** The first part of a window, by rows, that the set lacks, or undefined if it has all of it. */
  missing(window: ImageWindow): ImageWindow | undefined;
  /** The set as windows that do not overlap, in the order of rows, then columns. */
  windows(): readonly ImageWindow[];
}

/** Makes an empty set of pixels. */
export function createImageRegion(): ImageRegion {
  const bands: Band[] = [];
  let pixels = 0;
  /** Index of the first band that ends below `row`. */
  const from = (row: number): number => {
    let [low, high] = [0, bands.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (bands[middle].bottom > row) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  return {
    get pixels() {
      return pixels;
    },
    add({ row, column, rows, columns }) {
      const [end, right] = [row + rows, column + columns];
      const first = from(row);
      let last = first;
      const changed: Band[] = [];
      let at = row;
      for (; last < bands.length && bands[last].top < end; last++) {
        const band = bands[last];
        if (band.top < row) changed.push({ ...band, bottom: row });
        if (band.top > at) changed.push({ top: at, bottom: band.top, spans: [column, right] });
        const [top, bottom] = [Math.max(at, band.top), Math.min(end, band.bottom)];
        changed.push({ top, bottom, spans: withSpan(band.spans, column, right) });
        if (band.bottom > end) changed.push({ ...band, top: end });
        at = bottom;
      }
      if (at < end) changed.push({ top: at, bottom: end, spans: [column, right] });
      // The bands before and after may have become equal to those beside them.
      const [before, after] = [Math.max(0, first - 1), Math.min(bands.length, last + 1)];
      const old = bands.slice(before, after);
      const fresh = joined([...bands.slice(before, first), ...changed, ...bands.slice(last, after)]);
      pixels += pixelsOf(fresh) - pixelsOf(old);
      bands.splice(before, after - before, ...fresh);
    },
    overlap({ row, column, rows, columns }) {
      const [end, right] = [row + rows, column + columns];
      for (let i = from(row); i < bands.length && bands[i].top < end; i++) {
        const { top, bottom, spans } = bands[i];
        for (let k = 0; k < spans.length; k += 2) {
          const [left, stop] = [Math.max(column, spans[k]), Math.min(right, spans[k + 1])];
          if (left < stop) return windowOf(Math.max(row, top), Math.min(end, bottom), left, stop);
        }
      }
      return undefined;
    },
    missing({ row, column, rows, columns }) {
      const [end, right] = [row + rows, column + columns];
      let at = row;
      for (let i = from(row); at < end; i++) {
        const band = bands[i];
        if (!band || band.top > at) return windowOf(at, Math.min(end, band?.top ?? end), column, right);
        let left = column;
        for (let k = 0; k < band.spans.length && band.spans[k] <= left; k += 2) left = Math.max(left, band.spans[k + 1]);
        if (left < right) {
          const next = band.spans.find((place, k) => k % 2 === 0 && place > left) ?? right;
          return windowOf(at, Math.min(end, band.bottom), left, Math.min(right, next));
        }
        at = band.bottom;
      }
      return undefined;
    },
    windows: () =>
      bands.flatMap(({ top, bottom, spans }) =>
        Array.from({ length: spans.length / 2 }, (_, k) => windowOf(top, bottom, spans[2 * k], spans[2 * k + 1])),
      ),
  };
}

const windowOf = (top: number, bottom: number, left: number, right: number): ImageWindow => ({
  row: top,
  column: left,
  rows: bottom - top,
  columns: right - left,
});

/** Spans with one more; spans that touch become one. */
function withSpan(spans: readonly number[], left: number, right: number): number[] {
  const out: number[] = [];
  let [from, to] = [left, right];
  let k = 0;
  for (; k < spans.length && spans[k + 1] < from; k += 2) out.push(spans[k], spans[k + 1]);
  for (; k < spans.length && spans[k] <= to; k += 2) [from, to] = [Math.min(from, spans[k]), Math.max(to, spans[k + 1])];
  out.push(from, to, ...spans.slice(k));
  return out;
}

/** Bands in which neighbours with the same columns are one. */
function joined(bands: readonly Band[]): Band[] {
  const out: Band[] = [];
  for (const band of bands) {
    const last = out.at(-1);
    const same = last?.bottom === band.top && last.spans.length === band.spans.length && last.spans.every((x, k) => x === band.spans[k]);
    if (last && same) out[out.length - 1] = { ...last, bottom: band.bottom };
    else out.push(band);
  }
  return out;
}

const pixelsOf = (bands: readonly Band[]): number =>
  bands.reduce((sum, { top, bottom, spans }) => sum + (bottom - top) * spans.reduce((width, x, k) => width + (k % 2 ? x : -x), 0), 0);
