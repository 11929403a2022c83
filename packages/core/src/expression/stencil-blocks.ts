/**
 * Stencils in blocks of rows and columns, which are the items of their kernels: how large the blocks are, which sums make the windows of a
 * block, and the float64 reference, which is the definition.
 */
import type { Uniforms } from "../hooks.ts";
import { unravel } from "../kernels.ts";
import type { Boundary } from "../ops/stencil.ts";
import type { ArrayView } from "../view.ts";
import { referenceRun } from "./reference.ts";
import type { StencilFacts } from "./stencil-check.ts";
import { radix, type Term, termsOf } from "./stencil-sums.ts";

/** An array of a block. All have the same rows and pitch. */
export interface BlockBuffer {
  readonly isComplex: boolean;
}

/** Sums of shifted buffers, written to a buffer. All rows from 0 to the block's rows + `moreRows` − 1 are computed. */
export interface Pass {
  readonly to: number;
  /** Buffers, and offsets in rows and columns, which are not negative. */
  readonly terms: readonly (readonly [buffer: number, rows: number, columns: number])[];
  readonly moreRows: number;
}

/** How the windows of a block are computed. */
export interface BlockPlan {
  /** The buffers. The first are the images, with all cells that windows reach. */
  readonly buffers: readonly BlockBuffer[];
  readonly passes: readonly Pass[];
  /** The place of every window's value for the block's first element, in their order. */
  readonly values: readonly (readonly [buffer: number, rows: number, columns: number])[];
}

/** The passes that compute all windows of a block. */
export function planBlock({ images, windows, reach }: StencilFacts): BlockPlan {
  const buffers: BlockBuffer[] = images.map((isComplex) => ({ isComplex }));
  const passes: Pass[] = [];
  const levels = new Map<string, number>();
  const [top, left] = [reach.rows[0], reach.columns[0]];
  const span = reach.rows[1] - top;
  const add = (isComplex: boolean, terms: Pass["terms"], moreRows: number): number => {
    const to = buffers.push({ isComplex }) - 1;
    passes.push({ to, terms, moreRows });
    return to;
  };
  /** The buffer of a level of sums along the rows or columns of a buffer that has so many more rows than the block. */
  const levelOf = (buffer: number, level: number, axis: "rows" | "columns", rows: number): readonly [number, number] => {
    if (level === 0) return [buffer, rows];
    const key = `${buffer} ${axis} ${level}`;
    const [below, more] = levelOf(buffer, level - 1, axis, rows);
    const step = radix ** (level - 1);
    const moreRows = axis === "rows" ? more - (radix - 1) * step : more;
    let found = levels.get(key);
    if (found === undefined) {
      const terms = Array.from({ length: radix }, (_, i) => (axis === "rows" ? [below, i * step, 0] : [below, 0, i * step]) as never);
      found = add(buffers[buffer].isComplex, terms, moreRows);
      levels.set(key, found);
    }
    return [found, moreRows];
  };
  const values = windows.map(({ of, isComplex, parts, isCell, rows, columns }) => {
    if (isCell) return [of, rows[0] - top, columns[0] - left] as const;
    const terms: (readonly [number, number, number])[] = [];
    for (const part of parts) {
      const along = termsOf(part.columns);
      const image = ({ level, offset }: Term) => [levelOf(of, level, "columns", span)[0], 0, offset - left] as const;
      const [first] = along;
      const isSame = along.length === 1 && first.level === 0;
      const from = isSame ? of : add(isComplex, along.map(image), span);
      for (const { level, offset } of termsOf(part.rows))
        terms.push([levelOf(from, level, "rows", span)[0], offset - top, isSame ? first.offset - left : 0]);
    }
    return terms.length === 1 ? terms[0] : ([add(isComplex, terms, 0), 0, 0] as const);
  });
  return { buffers, passes, values };
}

/** The size of blocks, and how many there are. */
export interface Blocks {
  /** Rows and columns of a block. Those at the ends may be smaller. */
  readonly rows: number;
  readonly columns: number;
  /** Distance of the rows of a buffer, in elements. */
  readonly pitch: number;
  /** Bytes of one row of all buffers. */
  readonly rowBytes: number;
  readonly down: number;
  readonly across: number;
  readonly items: number;
}

/** Work memory of a block in bytes: what caches hold, if the windows are not too large for that; then more. */
const budgets = [2 ** 17, 2 ** 19, 2 ** 21, 2 ** 23];
/** More cells of a block's buffers for each of its elements than these make a larger block worthwhile. */
const muchHalo = 1.5;

/** Chooses the size of the blocks. */
export function blocksOf({ outers, rows, columns, reach }: StencilFacts, { buffers }: BlockPlan): Blocks {
  const [above, beside] = [reach.rows[1] - reach.rows[0], reach.columns[1] - reach.columns[0]];
  const cellBytes = buffers.reduce((sum, { isComplex }) => sum + (isComplex ? 8 : 4), 0);
  let best: readonly [rows: number, columns: number, halo: number] = [1, 1, Number.POSITIVE_INFINITY];
  for (const budget of budgets) {
    for (let across = Math.max(1, Math.ceil(columns / 2048)); ; across *= 2) {
      const wide = Math.ceil(columns / across);
      const tall = Math.min(rows, 64, Math.floor(budget / (cellBytes * (wide + beside))) - above);
      // A row of a block costs about as much as 16 elements more.
      const halo = ((tall + above) * (wide + beside + 16)) / (tall * wide);
      if (tall > 0 && halo < best[2]) best = [tall, wide, halo];
      if (wide <= 64) break;
    }
    if (best[2] < muchHalo) break;
  }
  const [tall, wide] = best;
  const [down, across] = [Math.ceil(rows / tall), Math.ceil(columns / wide)];
  const pitch = wide + beside;
  return { rows: tall, columns: wide, pitch, rowBytes: cellBytes * pitch, down, across, items: outers * down * across };
}

/** The index of a cell after the boundary's rule. Undefined if the cell is zero. */
export function cellAt(index: number, extent: number, rule: Boundary): number | undefined {
  if (index >= 0 && index < extent) return index;
  if (rule === "zero") return undefined;
  return rule === "clamp" ? (index < 0 ? 0 : extent - 1) : ((index % extent) + extent) % extent;
}

/** Computes the elements of the blocks from `start` to `end` − 1 in float64. */
export function stencilReference(
  checked: StencilFacts,
  blocks: Blocks,
): (ports: Readonly<Record<string, ArrayView>>, uniforms: Uniforms, start: number, end: number) => void {
  const { op, windows, reach, boundary } = checked;
  const centres = referenceRun(op.centres, checked.centres, checked.centreDomain);
  const main = referenceRun(op.expression, checked.facts, checked.domain);
  const values = windows.map(() => [0, 0]);
  const ofWindows = Object.fromEntries(windows.map(({ name }, i) => [name, { re: () => values[i][0], im: () => values[i][1] }]));
  const [top, left] = [reach.rows[0], reach.columns[0]];
  const numbers = 2 * op.centres.results.length;
  const at: number[] = [];
  return (ports, uniforms, start, end) => {
    centres.begin(ports, uniforms);
    main.begin({ ...ports, ...ofWindows } as never, uniforms);
    const out = new Float64Array(2 * op.expression.results.length);
    for (let item = start; item < end; item++) {
      const x0 = (item % blocks.across) * blocks.columns;
      const y0 = (Math.floor(item / blocks.across) % blocks.down) * blocks.rows;
      const firstRow = Math.floor(item / (blocks.across * blocks.down)) * checked.rows;
      const tall = Math.min(blocks.rows, checked.rows - y0);
      const wide = Math.min(blocks.columns, checked.columns - x0);
      const pitch = wide + reach.columns[1] - left;
      /** The images around the block. */
      const cells = new Float64Array((tall + reach.rows[1] - top) * pitch * numbers);
      for (let cell = 0; cell < cells.length / numbers; cell++) {
        const y = cellAt(y0 + top + Math.floor(cell / pitch), checked.rows, boundary[0]);
        const x = cellAt(x0 + left + (cell % pitch), checked.columns, boundary[1]);
        if (y === undefined || x === undefined) continue;
        unravel((firstRow + y) * checked.columns + x, op.shape, at);
        centres.compute(at, cells.subarray(cell * numbers, (cell + 1) * numbers));
      }
      for (let y = 0; y < tall; y++) {
        for (let x = 0; x < wide; x++) {
          for (const [i, { of, parts }] of windows.entries()) {
            let [re, im] = [0, 0];
            for (const { rows, columns } of parts)
              for (const [firstY, lastY] of rows)
                for (const [firstX, lastX] of columns)
                  for (let dy = firstY; dy <= lastY; dy++) {
                    const first = ((y + dy - top) * pitch + x - left) * numbers + 2 * of;
                    for (let dx = firstX; dx <= lastX; dx++) {
                      re += cells[first + dx * numbers];
                      im += cells[first + dx * numbers + 1];
                    }
                  }
            values[i][0] = re;
            values[i][1] = im;
          }
          const flat = (firstRow + y0 + y) * checked.columns + x0 + x;
          unravel(flat, op.shape, at);
          main.compute(at, out);
          for (const [i, port] of Object.keys(op.outputs).entries()) ports[port].set(flat, out[2 * i], out[2 * i + 1]);
        }
      }
    }
  };
}
