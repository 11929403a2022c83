/**
 * Sums of power over the cells of a multilook image, from an image that comes in parts of any shape and order. Every sum is kept as two
 * float64 numbers, of which the second holds what rounding takes from the first (Knuth's two-sum). Powers have 53 bits, and a
 * sum has 106, so sums are exact, and do not depend on the order of parts, if the powers in one cell differ by at most 120 dB and a cell has
 * at most 4096 pixels. Else, and if cells are shared by area, the error is about 2^-100 of the sum.
 * Source: Ogita, Rump & Oishi, "Accurate sum and dot product", SIAM J. Sci. Comput. 26 (2005), algorithms 3.1 and 4.3.
 */
import type { ComplexSamples, ImageWindow } from "@dechirp/radar";

/** Pixels to average along azimuth (rows) and range (columns). */
export interface Looks {
  readonly azimuthLooks: number;
  readonly rangeLooks: number;
}

/** An averaged power image, row-major. */
export interface Intensity {
  /** Mean power [row][column]. */
  readonly data: Float32Array;
  readonly rows: number;
  readonly columns: number;
}

/** Sums of power over the part of each cell that a window holds. */
export interface CellSums {
  /** Row and column of the first cell, of those of the whole picture, and number of rows and columns. */
  readonly first: readonly [row: number, column: number];
  readonly shape: readonly [rows: number, columns: number];
  /** Numbers from one row of `sums` to the next. */
  readonly stride: number;
  /** Sums of power by row and column of cells, weighted by area, relative to the square of `peak`. */
  readonly sums: Float32Array;
  readonly peak: number;
}

/** How many pixels one piece of work sums. */
const piecePixels = 2 ** 15;

/** How an image is divided into cells. */
export interface Cells {
  readonly rows: number;
  readonly columns: number;
  readonly looks: Looks;
}

/** Number of cells along an axis. Quotients of lengths in metres are off by a few ε. */
export const cellCount = (pixels: number, looks: number): number => Math.floor(pixels / looks + 1e-9);

/** First and end of the pixels of cell k of an axis, fractional. */
export const cellExtent = (k: number, looks: number, pixels: number): readonly [from: number, to: number] => [
  k * looks,
  Math.min(pixels, (k + 1) * looks),
];

/** How much of a pixel lies between two places. */
export const cellShare = (pixel: number, from: number, to: number): number => Math.min(pixel + 1, to) - Math.max(pixel, from);

/** A row of cells that is not complete. */
interface Line {
  readonly high: Float64Array;
  readonly low: Float64Array;
  /** Pixels that are still to come. */
  left: number;
}

/**
 * Makes the sums of the cells of an image of `rows` × `columns` pixels. Looks are at most rows and columns. Windows and data must have been
 * checked. Memory is that of the result and of the rows of cells that are not complete.
 */
export function createCells(rows: number, columns: number, { azimuthLooks, rangeLooks }: Looks) {
  const outRows = cellCount(rows, azimuthLooks);
  const outColumns = cellCount(columns, rangeLooks);
  const data = new Float32Array(outRows * outColumns);
  const lines = new Map<number, Line>();
  /** Memory of rows that are complete, for others. */
  const spare: Line[] = [];
  /** Adds one row of a window to a row of cells. `at` is the index of the window's first number in `data`. */
  function addRow(line: Line, image: ComplexSamples, at: number, { column, columns: width }: ImageWindow, share: number): void {
    const first = Math.max(0, Math.floor(column / rangeLooks) - 1);
    const right = column + width;
    for (let c = first; c < outColumns; c++) {
      const [from, to] = cellExtent(c, rangeLooks, columns);
      if (from >= right) break;
      let high = line.high[c];
      let low = line.low[c];
      const end = Math.min(right, Math.ceil(to));
      for (let k = Math.max(column, Math.floor(from)); k < end; k++) {
        const i = at + 2 * (k - column);
        const power = (image[i] * image[i] + image[i + 1] * image[i + 1]) * (cellShare(k, from, to) * share);
        const sum = high + power;
        const taken = sum - high;
        low += high - (sum - taken) + (power - taken);
        high = sum;
      }
      line.high[c] = high;
      line.low[c] = low;
    }
  }

  /** Adds `count` sums from place `at`, times `scale`, to cells from `first` on. */
  function addCells({ high, low }: Line, first: number, sums: Float32Array, at: number, count: number, scale: number): void {
    for (let c = first; c < first + count; c++) {
      const power = sums[at + c - first] * scale;
      const before = high[c];
      const sum = before + power;
      const taken = sum - before;
      low[c] += before - (sum - taken) + (power - taken);
      high[c] = sum;
    }
  }

  function lineOf(r: number): Line {
    const known = lines.get(r);
    if (known) return known;
    const [top, bottom] = cellExtent(r, azimuthLooks, rows);
    const left = (Math.ceil(bottom) - Math.floor(top)) * columns;
    const { high, low } = spare.pop() ?? { high: new Float64Array(outColumns), low: new Float64Array(outColumns) };
    const fresh: Line = { high: high.fill(0), low: low.fill(0), left };
    lines.set(r, fresh);
    return fresh;
  }

  function* addSteps(window: ImageWindow, image: ComplexSamples): Generator<void, void> {
    let summed = 0;
    for (let row = window.row; row < window.row + window.rows; row++) {
      for (let r = Math.max(0, Math.floor(row / azimuthLooks) - 1); r < outRows; r++) {
        const [top, bottom] = cellExtent(r, azimuthLooks, rows);
        if (top >= row + 1) break;
        if (Math.floor(top) > row || Math.ceil(bottom) <= row) continue;
        const line = lineOf(r);
        addRow(line, image, 2 * (row - window.row) * window.columns, window, cellShare(row, top, bottom));
        took(r, line, window.columns);
      }
      summed += window.columns;
      if (summed < piecePixels) continue;
      summed = 0;
      yield;
    }
  }

  /** Counts pixels of a row of cells that have been added, and closes the row after the last one. */
  function took(r: number, line: Line, pixels: number): void {
    line.left -= pixels;
    if (line.left > 0) return;
    closeRow(line, r * outColumns);
    lines.delete(r);
    spare.push(line);
  }

  /** Writes the means of a row of cells from place `at`. */
  function closeRow({ high, low }: Line, at: number): void {
    const area = azimuthLooks * rangeLooks;
    for (let c = 0; c < outColumns; c++) {
      // If the sum is not finite, the rest is NaN.
      const sum = high[c];
      data[at + c] = (sum - sum === 0 ? sum + low[c] : sum) / area;
    }
  }

  /** Adds the sums of the cells of a window. */
  function addSums(window: ImageWindow, { first, shape, stride, sums, peak }: CellSums): void {
    const [firstRow, firstColumn] = first;
    const scale = peak * peak;
    for (let i = 0; i < shape[0]; i++) {
      const r = firstRow + i;
      const line = lineOf(r);
      addCells(line, firstColumn, sums, i * stride, shape[1], scale);
      const [top, bottom] = cellExtent(r, azimuthLooks, rows);
      const [from, to] = [Math.max(window.row, Math.floor(top)), Math.min(window.row + window.rows, Math.ceil(bottom))];
      took(r, line, (to - from) * window.columns);
    }
  }

  return {
    addSteps,
    addSums,
    /** The mean powers. All pixels must have been added. */
    finish: (): Intensity => ({ data, rows: outRows, columns: outColumns }),
  };
}
