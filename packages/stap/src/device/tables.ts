/**
 * The index rules of efa/options.ts as tables for devices: which cells train a group, which products of Doppler rows are summed,
 * where a covariance's elements are among them. Made once, on the host; whether products are shared by windows or not is in the
 * tables alone.
 */
import type { Constant } from "@dechirp/core";
import { type EfaGeometry, productIndex, windowBin } from "../efa/options.ts";

/** u32 [rows][width]. */
export interface Table {
  readonly rows: number;
  readonly width: number;
  readonly data: Uint32Array;
}

export const tableConstant = ({ rows, width, data }: Table): Constant => ({ layout: { dtype: "u32", shape: [rows, width] }, data });

/** [group] or, where sets differ from bin to bin, [bin][group]: cells, runs, then first and count of every run. */
export function runTable({ sets, dopplerBins }: EfaGeometry): Table {
  const bins = sets.perBin ? dopplerBins : 1;
  const all = Array.from({ length: bins * sets.groups }, (_, at) => sets.runs(at % sets.groups, Math.floor(at / sets.groups)));
  const width = 2 + 2 * all.reduce((most, runs) => Math.max(most, runs.length), 0);
  const data = new Uint32Array(all.length * width);
  all.forEach((runs, row) => {
    data.set([runs.reduce((sum, [, count]) => sum + count, 0), runs.length, ...runs.flat()], row * width);
  });
  return { rows: all.length, width, data };
}

/**
 * [product]: channel i, bins above the product's bin, channel j, bins above, of X(i)·X(j)*. Shared: those of one bin with itself and
 * the T − 1 after it. Else all of a window, row after row of the lower triangle.
 */
export function productTable(geometry: EfaGeometry): Table {
  const { channels, temporalTaps, order, dopplerBins, shared, products } = geometry;
  if (!shared) {
    const rows = triangle(order).map(([row, column]) => {
      const [i, a] = [Math.floor(row / temporalTaps), row % temporalTaps];
      const [j, b] = [Math.floor(column / temporalTaps), column % temporalTaps];
      return [i, windowBin(geometry, 0, a), j, windowBin(geometry, 0, b)];
    });
    return { rows: rows.length, width: 4, data: Uint32Array.from(rows.flat()) };
  }
  const data = new Uint32Array(4 * products);
  for (let lag = 0; lag < temporalTaps; lag++) {
    for (let i = 0; i < channels; i++) {
      for (let j = 0; j < (lag === 0 ? i + 1 : channels); j++)
        data.set([i, 0, j, lag % dopplerBins], 4 * productIndex(geometry, lag, i, j));
    }
  }
  return { rows: products, width: 4, data };
}

/** [row(row + 1)/2 + column]: bins above the window's bin, product, and whether it is conjugated: a covariance's lower triangle. */
export function elementTable(geometry: EfaGeometry): Table {
  const { temporalTaps, order, shared } = geometry;
  const rows = triangle(order).map(([row, column], e) => {
    if (!shared) return [0, e, 0];
    const [i, a] = [Math.floor(row / temporalTaps), row % temporalTaps];
    const [j, b] = [Math.floor(column / temporalTaps), column % temporalTaps];
    // A product belongs to the lower of its two taps; of two channels in one bin, to the higher one, which i ≥ j is.
    const turned = a > b;
    const index = turned ? productIndex(geometry, a - b, j, i) : productIndex(geometry, b - a, i, j);
    return [windowBin(geometry, 0, Math.min(a, b)), index, turned ? 1 : 0];
  });
  return { rows: rows.length, width: 3, data: Uint32Array.from(rows.flat()) };
}

const triangle = (n: number): readonly (readonly [row: number, column: number])[] =>
  Array.from({ length: n }, (_, row) => Array.from({ length: row + 1 }, (__, column) => [row, column] as const)).flat();
