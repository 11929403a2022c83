/**
 * Sums of an image on the device that holds it, from which entropy, contrast and the cells of a quicklook follow. Only one number for each
 * row and each cell is read back, so images that are made in parts need not be measured on the host. The sums of a part are those of a
 * window of the device's array, and `addSums` of the accumulators (focus-measures.ts, quicklook-parts.ts) joins them.
 *
 * All powers are relative to the largest in their row, and those of cells to the largest in the window, so that no scale
 * of the image over- or underflows float32.
 */
import { inputError, type Layout, type Program, type Step, type UniformTypes } from "@dechirp/core";
import {
  abs,
  and,
  asI32,
  complex,
  divide,
  equal,
  greater,
  greaterOrEqual,
  im,
  inside,
  less,
  load,
  log,
  map,
  max,
  min,
  plus,
  re,
  select,
  sqrt,
  sum,
  times,
  type Value,
} from "@dechirp/core/expression";
import { reduce } from "@dechirp/core/reduce";
import { checkImageWindow, type ImageWindow } from "@dechirp/radar";
import { type CellSums, type Cells, cellCount, cellExtent, cellShare } from "./multilook-cells.ts";

/** The sums of one window of an image. */
export interface WindowSums {
  readonly window: ImageWindow;
  /** By row of the window, the largest magnitude. */
  readonly peaks: Float32Array;
  /** Two numbers for each row: Σq and Σq·ln q of the powers q relative to the square of the row's peak. */
  readonly powers: Float32Array;
  /** By row, Σq². */
  readonly squares: Float32Array;
  /** The sums of the cells of a quicklook that the window touches. */
  readonly cells: CellSums;
}

/** The values of a run for one window. */
export interface WindowInputs {
  /** Values of the inputs other than the image. */
  readonly tables: {
    readonly rowFirst: Uint32Array;
    readonly rowShare: Float32Array;
    readonly columnFirst: Uint32Array;
    readonly columnShare: Float32Array;
  };
  readonly uniforms: { readonly row: number; readonly rows: number; readonly column: number; readonly columns: number };
  /** Makes the sums of the outputs of the run. The outputs may have more rows and cells than the window. */
  sumsOf(outputs: WindowOutputs): WindowSums;
}

/** What a run returns: of all rows of the device's array, and of as many cells as a window can touch. */
export interface WindowOutputs {
  /** By row, the largest magnitude. */
  readonly peaks: Float32Array;
  /** One number, the largest magnitude in the rows of the window. */
  readonly peak: Float32Array;
  /** As `WindowSums.powers`. */
  readonly powers: Float32Array;
  /** As `WindowSums.squares`. */
  readonly squares: Float32Array;
  /** As `CellSums.sums`. */
  readonly cells: Float32Array;
}

/** The program that sums windows of a device's array, and the values of its runs. */
export interface WindowSumsProgram {
  /** Inputs: `image` c64 [rows][columns] and the tables of `WindowInputs`; uniforms are its others. */
  readonly program: Program;
  /**
   * The values of a run for `window` of the whole image, which begins at `from` in the device's array. Throws `input` if it is not inside
   * the image or the array.
   */
  inputsOf(window: ImageWindow, from: readonly [row: number, column: number]): WindowInputs;
}

/** Ranges of rows and columns of the array that count. */
const bounds = { row: "i32", rows: "i32", column: "i32", columns: "i32" } as const satisfies UniformTypes;

/**
 * Makes the program for windows in an array of `shape`, which are parts of the image that `cells` divides. The error of a sum of n powers is at most
 * (2·log₂n + 30)·2⁻²⁴ of it; those of Σq·ln q are relative to the sum of magnitudes. Throws `input`.
 */
export function windowSumsProgram(shape: readonly [rows: number, columns: number], image: Cells): WindowSumsProgram {
  const [rows, columns] = shape;
  for (const extent of shape) if (!(Number.isSafeInteger(extent) && extent >= 1)) throw inputError("shape", "two positive integers", shape);
  const along = {
    row: alongAxis(rows, image.rows, image.looks.azimuthLooks),
    column: alongAxis(columns, image.columns, image.looks.rangeLooks),
  };
  return {
    program: sumsProgram(shape, along.row, along.column),
    inputsOf(window, [top, left]) {
      checkImageWindow(window, image.rows, image.columns);
      const inside = (at: number, count: number, extent: number): boolean => Number.isInteger(at) && at >= 0 && at + count <= extent;
      if (!inside(top, window.rows, rows) || !inside(left, window.columns, columns))
        throw inputError("from", `a place of the window inside ${rows} × ${columns}`, [top, left]);
      const row = tablesOf(along.row, window.row, window.rows, top);
      const column = tablesOf(along.column, window.column, window.columns, left);
      return {
        tables: { rowFirst: row.first, rowShare: row.share, columnFirst: column.first, columnShare: column.share },
        uniforms: { row: top, rows: window.rows, column: left, columns: window.columns },
        sumsOf: ({ peaks, peak, powers, squares, cells }) => ({
          window,
          peaks: peaks.subarray(top, top + window.rows),
          powers: powers.subarray(2 * top, 2 * (top + window.rows)),
          squares: squares.subarray(top, top + window.rows),
          cells: {
            first: [row.cell, column.cell],
            shape: [row.count, column.count],
            stride: along.column.most,
            sums: cells,
            peak: peak[0],
          },
        }),
      };
    },
  };
}

/** Cells along one axis: pixels of the image and looks, cells that a window can touch, and pixels that a cell can touch. */
interface CellAxis {
  readonly pixels: number;
  readonly looks: number;
  readonly most: number;
  readonly taps: number;
}

function alongAxis(extent: number, pixels: number, looks: number): CellAxis {
  return { pixels, looks, most: Math.ceil(Math.min(extent, pixels) / looks) + 2, taps: Math.ceil(looks) + 1 };
}

/** The cells that a window touches along an axis: the first pixel of each in the array, and the shares of its pixels. */
function tablesOf({ pixels, looks, most, taps }: CellAxis, from: number, count: number, at: number) {
  const first = new Uint32Array(most);
  const share = new Float32Array(most * taps);
  const all = cellCount(pixels, looks);
  let cell = Math.max(0, Math.floor(from / looks) - 1);
  while (cell < all && Math.ceil(cellExtent(cell, looks, pixels)[1]) <= from) cell++;
  let touched = 0;
  for (; cell + touched < all && touched < most; touched++) {
    const [low, high] = cellExtent(cell + touched, looks, pixels);
    const begin = Math.max(from, Math.floor(low));
    const end = Math.min(from + count, Math.ceil(high));
    if (begin >= from + count) break;
    first[touched] = begin - from + at;
    for (let pixel = begin; pixel < end; pixel++) share[touched * taps + pixel - begin] = cellShare(pixel, low, high);
  }
  return { cell, count: touched, first, share };
}

function sumsProgram(shape: readonly [rows: number, columns: number], row: CellAxis, column: CellAxis): Program {
  const [rows] = shape;
  const image: Layout<"c64"> = { dtype: "c64", shape };
  const perRow: Layout<"f32"> = { dtype: "f32", shape: [rows] };
  const one: Layout<"f32"> = { dtype: "f32", shape: [1] };
  const between = (at: Value<"i32">, first: Value<"i32">, count: Value<"i32">) =>
    and(greaterOrEqual(at, first), less(at, plus(first, count)));
  /** |z|² relative to a peak. Zero over zero is zero; NaN stays NaN. */
  const power = (z: Value<"complex">, peak: Value<"real">): Value<"real"> => {
    const [x, y] = [divide(re(z), peak), divide(im(z), peak)];
    return select(equal(peak, 0), 0, plus(times(x, x), times(y, y)));
  };
  /** |z|, whose square may over- or underflow. */
  const magnitude = (z: Value<"complex">): Value<"real"> => {
    const [x, y] = [abs(re(z)), abs(im(z))];
    const large = max(x, y);
    const ratio = divide(min(x, y), large);
    return select(equal(large, 0), 0, times(large, sqrt(plus(1, times(ratio, ratio)))));
  };
  const largest = load(
    {
      name: "magnitude",
      layout: { dtype: "f32", shape },
      sources: { image },
      uniforms: { column: bounds.column, columns: bounds.columns },
    },
    ({ at, image, column, columns }) => select(between(at[1], column, columns), magnitude(image(at)), 0),
  );
  const inWindow = load(
    { name: "rows of the window", layout: perRow, sources: { peaks: perRow }, uniforms: { row: bounds.row, rows: bounds.rows } },
    ({ at, peaks, row, rows }) => select(between(at[0], row, rows), peaks(at), 0),
  );
  const relative = { sources: { image, peaks: perRow }, uniforms: { column: bounds.column, columns: bounds.columns } } as const;
  const weighted = load({ name: "power", layout: { dtype: "c64", shape }, ...relative }, ({ at, image, peaks, column, columns }) => {
    const q = select(between(at[1], column, columns), power(image(at), peaks(at[0])), 0);
    return complex(q, select(greater(q, 0), times(q, log(q)), 0));
  });
  const squared = load(
    { name: "square of power", layout: { dtype: "f32", shape }, ...relative },
    ({ at, image, peaks, column, columns }) => {
      const q = select(between(at[1], column, columns), power(image(at), peaks(at[0])), 0);
      return times(q, q);
    },
  );
  const columnTables = {
    columnFirst: { dtype: "u32", shape: [column.most] },
    columnShare: { dtype: "f32", shape: [column.most, column.taps] },
  } as const satisfies Record<string, Layout>;
  const rowTables = {
    rowFirst: { dtype: "u32", shape: [row.most] },
    rowShare: { dtype: "f32", shape: [row.most, row.taps] },
  } as const satisfies Record<string, Layout>;
  const ofCells = map(
    {
      name: `sums of ${row.taps} × ${column.taps}`,
      shape: [row.most, column.most],
      sources: { image, peak: one, ...rowTables, ...columnTables },
      outputs: { cells: "f32" },
    },
    ({ at: [r, c], image, peak, rowFirst, rowShare, columnFirst, columnShare }) => {
      const pixel = (i: Value<"i32">, j: Value<"i32">) => inside(image, plus(asI32(rowFirst(r)), i), plus(asI32(columnFirst(c)), j));
      const line = (i: Value<"i32">) => sum(column.taps, (j) => times(power(pixel(i, j), peak(0)), columnShare(c, j)));
      return { cells: sum(row.taps, (i) => times(line(i), rowShare(r, i))) };
    },
  );
  const steps: readonly Step[] = [
    {
      name: "peaks",
      op: reduce({ dtype: "f32", shape }, { what: "max", axes: [1], load: largest }),
      bind: { image: "image", out: "peaks" },
    },
    { name: "peak", op: reduce(perRow, { what: "max", load: inWindow }), bind: { peaks: "peaks", out: "peak" } },
    {
      name: "powers",
      op: reduce({ dtype: "c64", shape }, { what: "sum", axes: [1], load: weighted }),
      bind: { image: "image", peaks: "peaks", out: "powers" },
    },
    {
      name: "squares",
      op: reduce({ dtype: "f32", shape }, { what: "sum", axes: [1], load: squared }),
      bind: { image: "image", peaks: "peaks", out: "squares" },
    },
    {
      name: "cells",
      op: ofCells,
      bind: {
        ...{ image: "image", peak: "peak", cells: "cells" },
        ...{ rowFirst: "rowFirst", rowShare: "rowShare", columnFirst: "columnFirst", columnShare: "columnShare" },
      },
    },
  ];
  return {
    name: "sums of a window",
    inputs: { image, ...columnTables, ...rowTables },
    steps,
    outputs: ["peaks", "peak", "powers", "squares", "cells"],
  };
}
