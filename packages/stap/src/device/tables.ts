/**
 * The index rules of efa/options.ts as tables for devices: which cells train a group, which products of Doppler rows are summed,
 * and where the elements of a covariance are among them. They are made once, on the host. Only the tables differ between products that
 * windows
 * share and products that they do not.
 */
import type { Constant } from "@dechirp/core";
import { checkSize } from "../arrays.ts";
import { checkTraining, type EfaGeometry, elementProduct, productIndex, windowBin } from "../efa/options.ts";
import { groupRun, type RangeRun, trainingCells } from "../training.ts";

/** A table u32 [rows][width]. */
export interface Table {
  readonly rows: number;
  readonly width: number;
  readonly data: Uint32Array;
}

export const tableConstant = ({ rows, width, data }: Table | SummedSets["members"]): Constant => ({
  layout: { dtype: data instanceof Float32Array ? "f32" : "u32", shape: [rows, width] },
  data,
});

/** Sets of cells whose products are summed once: the blocks if groups are trained by whole blocks, otherwise the training of each group. */
export interface SummedSets {
  readonly count: number;
  /** [set], or [bin][set] if sets differ from bin to bin: cells, runs, then first and count of every run. */
  readonly runs: Table;
  /** Which sets train a group: [group][1 + 2·most]: how many, then each set and its share of the cells. */
  readonly members: { readonly rows: number; readonly width: number; readonly data: Float32Array };
  /** Mean number of cells of a set. */
  readonly cells: number;
}

/**
 * Writes row after row, so that only tables are in memory. Throws `input`, naming `training`, if they would be too large or a set has too
 * few cells.
 */
export function summedSets({ sets, dopplerBins, order, loading }: EfaGeometry): SummedSets {
  const { blocks, groups, perBin } = sets;
  const rows = perBin ? dopplerBins * groups : groups;
  const runsOf = (row: number): readonly RangeRun[] => (blocks ? [groupRun(sets, row)] : sets.runs(row % groups, Math.floor(row / groups)));
  let width = 2;
  for (let row = 0; row < rows; row++) {
    width = Math.max(width, 2 + 2 * runsOf(row).length);
    checkSize(rows * width, "training");
  }
  // What is the same in all bins has been checked with the options.
  for (let bin = 0; perBin && bin < dopplerBins; bin++) checkTraining(sets, order, loading, bin);
  const data = new Uint32Array(rows * width);
  let total = 0;
  for (let row = 0; row < rows; row++) {
    const runs = runsOf(row);
    const cells = trainingCells(runs);
    data.set([cells, runs.length, ...runs.flat()], row * width);
    total += cells;
  }
  const membersOf = (group: number): readonly number[] => blocks?.(group) ?? [group];
  let most = 0;
  for (let group = 0; group < groups; group++) most = Math.max(most, membersOf(group).length);
  const members = new Float32Array(groups * (1 + 2 * most));
  for (let group = 0; group < groups; group++) {
    const of = membersOf(group);
    const cells = of.reduce((sum, set) => sum + data[set * width], 0);
    members.set([of.length, ...of.flatMap((set) => [set, data[set * width] / cells])], group * (1 + 2 * most));
  }
  return {
    count: groups,
    runs: { rows, width, data },
    members: { rows: groups, width: 1 + 2 * most, data: members },
    cells: total / rows,
  };
}

/**
 * [product]: channel i, bins above the product's bin, channel j, bins above, of X(i)·X(j)*. Shared: those of one bin with itself and
 * the T − 1 after it. Otherwise all of a window, row after row of the lower triangle.
 */
export function productTable(geometry: EfaGeometry): Table {
  const { channels, temporalTaps, order, dopplerBins, shared, products } = geometry;
  if (!shared) {
    const place = (row: number): readonly [channel: number, above: number] => [
      Math.floor(row / temporalTaps),
      windowBin(geometry, 0, row % temporalTaps),
    ];
    return triangleTable(order, 4, (row, column) => [...place(row), ...place(column)]);
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
  const { order, shared } = geometry;
  return triangleTable(order, 3, (row, column, e) => {
    if (!shared) return [0, e, 0];
    const [tap, index, turned] = elementProduct(geometry, row, column);
    return [windowBin(geometry, 0, tap), index, turned ? 1 : 0];
  });
}

/** A table with a row for each element of the lower triangle of a matrix of n × n. */
function triangleTable(n: number, width: number, rowOf: (row: number, column: number, element: number) => readonly number[]): Table {
  const rows = (n * (n + 1)) / 2;
  const data = new Uint32Array(width * rows);
  for (let row = 0, e = 0; row < n; row++) for (let column = 0; column <= row; column++, e++) data.set(rowOf(row, column, e), width * e);
  return { rows, width, data };
}

/** All tables of a geometry, and the layouts of the ports that kernels have for them. */
export interface EfaTables {
  readonly products: Table;
  readonly elements: Table;
  readonly sets: SummedSets;
}

export const efaTables = (geometry: EfaGeometry): EfaTables => ({
  products: productTable(geometry),
  elements: elementTable(geometry),
  sets: summedSets(geometry),
});
