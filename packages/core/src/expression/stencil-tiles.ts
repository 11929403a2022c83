/**
 * How a workgroup of a GPU computes a tile of a stencil's results: the size of the tile, and what it holds in workgroup memory. Images of
 * which single cells are used are held with a halo. For a sum, the sums of columns are held, with a halo on the left and right; they are
 * made from the image directly.
 */
import type { WgslLimits } from "../ops/kernel.ts";
import type { Offsets } from "../ops/stencil.ts";
import { lengthOf, type Part, type StencilFacts, type Window } from "./stencil-check.ts";

/** Cells of one image that windows read one by one. */
export interface CellTile {
  readonly image: number;
  readonly isComplex: boolean;
  readonly rows: Offsets;
  readonly columns: Offsets;
}

/** The size of a tile. */
export interface Tile {
  /** Invocations of a workgroup. */
  readonly threads: number;
  /** Results that an invocation computes: neighbours along a column, or if `isLine`, every `threads`-th of a row. */
  readonly values: number;
  readonly rows: number;
  readonly columns: number;
  /** Whether the tile is one row. */
  readonly isLine: boolean;
  /** Numbers and complex numbers of workgroup memory. */
  readonly reals: number;
  readonly complexes: number;
}

/** The cells of each image that windows of one cell read. */
export function cellTiles({ windows, images }: StencilFacts): readonly CellTile[] {
  return images.flatMap((isComplex, image) => {
    const cells = windows.filter((window) => window.isCell && window.of === image);
    if (cells.length === 0) return [];
    const span = (axis: "rows" | "columns"): Offsets => [
      Math.min(...cells.map((window) => window[axis][0])),
      Math.max(...cells.map((window) => window[axis][1])),
    ];
    return [{ image, isComplex, rows: span("rows"), columns: span("columns") }];
  });
}

/** Whether the cells are read directly, because no other element of the tile reads them. */
export const isOwn = ({ rows, columns }: CellTile): boolean => lengthOf(rows) * lengthOf(columns) === 1;

/** The columns that a part of a window reaches. */
export const reachOf = ({ columns }: Part): Offsets => [columns[0][0], columns[columns.length - 1][1]];

/** The distance of rows of column sums. It is odd, so that reading a column uses all banks of the memory. */
export const pitchOf = (part: Part, columns: number): number => (columns + lengthOf(reachOf(part)) - 1) | 1;

/** The windows that are sums. */
export const boxesOf = ({ windows }: StencilFacts): readonly Window[] => windows.filter(({ isCell }) => !isCell);

/** Values of single cells that an invocation may hold. */
const manyValues = 80;
/** Workgroup memory that leaves room for several workgroups, if a tile can do with it. */
const goodBytes = 20_000;

/**
 * The invocations of a workgroup that compute the column sums of a part compute this many neighbours of a column each: so many that every
 * invocation has at most one task.
 */
export function stripOf(part: Part, tile: Pick<Tile, "rows" | "columns" | "threads">): number {
  if (part.rows.every((interval) => lengthOf(interval) === 1)) return 1;
  const columns = tile.columns + lengthOf(reachOf(part)) - 1;
  let strip = 1;
  while (strip < tile.rows && strip < 16 && (tile.rows / strip) * columns > tile.threads) strip *= 2;
  return Math.max(strip, Math.min(4, tile.rows));
}

/** Chooses the tile. Undefined if none fits into the device's workgroup memory. */
export function tileOf(checked: StencilFacts, limits: Pick<WgslLimits, "invocations" | "workgroupBytes">): Tile | undefined {
  const threads = 2 ** Math.floor(Math.log2(Math.min(256, limits.invocations)));
  const isLine = checked.rows === 1;
  const cells = cellTiles(checked).filter((one) => !isOwn(one));
  const boxes = boxesOf(checked);
  let best: { readonly tile: Tile; readonly cost: number } | undefined;
  const widths = isLine ? [threads] : [256, 128, 64, 32, 16, 8].filter((width) => width <= threads);
  for (const width of widths) {
    for (const values of [8, 4, 2, 1]) {
      const [rows, columns] = isLine ? [1, width * values] : [(threads / width) * values, width];
      let [reals, complexes] = [0, 0];
      // The cost of a result, in reads of memory.
      let cost = 0;
      const hold = (isComplex: boolean, count: number): void => {
        if (isComplex) complexes = Math.max(complexes, count);
        else reals = Math.max(reals, count);
      };
      for (const { isComplex, rows: tall, columns: wide } of cells) {
        const count = (rows + lengthOf(tall) - 1) * (columns + lengthOf(wide) - 1);
        hold(isComplex, count);
        const held = (isLine ? values * lengthOf(tall) : values + lengthOf(tall) - 1) * lengthOf(wide);
        cost += (4 * count) / (rows * columns) + held / values;
        if (values > 1 && held * (isComplex ? 2 : 1) > manyValues) cost += 100;
      }
      for (const { isComplex, parts } of boxes) {
        for (const part of parts) {
          hold(isComplex, rows * pitchOf(part, columns));
          const strip = stripOf(part, { rows, columns, threads });
          const heights = part.rows.reduce((sum, interval) => sum + lengthOf(interval) + strip - 1, 0);
          cost += (4 * (heights / strip) * pitchOf(part, columns)) / columns;
          cost += part.columns.reduce((sum, interval) => sum + (lengthOf(interval) + values - 1) / values, 0);
        }
      }
      const bytes = 4 * reals + 8 * complexes;
      if (bytes > limits.workgroupBytes) continue;
      // Results beyond the ends of the array are computed in vain.
      const [down, across] = [Math.ceil(checked.rows / rows), Math.ceil(checked.columns / columns)];
      cost *= (down * rows * across * columns) / (checked.rows * checked.columns);
      if (bytes > goodBytes) cost *= 1.5;
      // Adjacent invocations should read at least 128 bytes.
      if (width < 32) cost *= 1.5;
      const tile: Tile = { threads, values, rows, columns, isLine, reals, complexes };
      if (!best || cost < best.cost) best = { tile, cost };
    }
  }
  return best?.tile;
}
