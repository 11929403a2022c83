/**
 * A complex image and a pyramid of its power, in chunks. Level 0 has the pixels, interleaved; at level n ≥ 1 a pixel is the mean power of
 * 2ⁿ × 2ⁿ pixels, or of those of them that the image has. Pixels that have not arrived count as zero.
 */
import type { ImageWindow } from "@dechirp/radar";
import type { ChunkLayout, Chunks } from "./chunks.ts";
import { pixelsAt } from "./facts.ts";

/** Pixels along an edge of a chunk; chunks at the end of an axis are shorter. Even, so that four pixels of a mean are in one chunk. */
const edge = 256;

/** The pyramid's levels. */
export interface Pyramid {
  /** Number of levels, with level 0. The last level is one pixel. */
  readonly levels: number;
  /** Writes complex pixels, and updates all levels. */
  write(window: ImageWindow, data: Float32Array): void;
  /** Reads complex pixels, interleaved, into an array. */
  read(window: ImageWindow, into: Float32Array): void;
  /** Reads powers of a level into an array. */
  readPower(level: number, window: ImageWindow, into: Float32Array): void;
}

interface Level {
  readonly rows: number;
  readonly columns: number;
  /** Chunks along a row of chunks, and number of the level's first chunk. */
  readonly across: number;
  readonly first: number;
  /** Index of the level's first number. */
  readonly start: number;
  /** Numbers of a pixel. */
  readonly numbers: 1 | 2;
}

/** The levels of an image of this size, and how their chunks follow each other. */
export function layoutOf(rows: number, columns: number): ChunkLayout & { readonly levels: readonly Level[] } {
  const levels: Level[] = [];
  let [first, start] = [0, 0];
  for (let n = 0; ; n++) {
    const [down, right] = [pixelsAt(rows, n), pixelsAt(columns, n)];
    const across = Math.ceil(right / edge);
    const numbers = n === 0 ? 2 : 1;
    levels.push({ rows: down, columns: right, across, first, start, numbers });
    first += across * Math.ceil(down / edge);
    start += numbers * down * right;
    if (down === 1 && right === 1) break;
  }
  return {
    levels,
    count: first,
    total: start,
    place(chunk) {
      const level = levels[levels.findIndex((_, n) => n + 1 === levels.length || levels[n + 1]!.first > chunk)]!;
      const [i, j] = [Math.floor((chunk - level.first) / level.across), (chunk - level.first) % level.across];
      const height = Math.min(edge, level.rows - i * edge);
      const width = Math.min(edge, level.columns - j * edge);
      return [level.start + level.numbers * (i * edge * level.columns + j * edge * height), level.numbers * height * width];
    },
  };
}

/** Makes the pyramid of an image whose chunks are of `layoutOf`. */
export function createPyramid({ rows, columns }: { readonly rows: number; readonly columns: number }, chunks: Chunks): Pyramid {
  const { levels } = layoutOf(rows, columns);

  /** Visits the parts of a window that are in one chunk each. */
  function visit(level: Level, { row, column, rows: height, columns: width }: ImageWindow, use: (part: ChunkPart) => void): void {
    for (let i = Math.floor(row / edge); i * edge < row + height; i++) {
      for (let j = Math.floor(column / edge); j * edge < column + width; j++) {
        use({
          chunk: level.first + i * level.across + j,
          width: Math.min(edge, level.columns - j * edge),
          chunkRow: i * edge,
          chunkColumn: j * edge,
          top: Math.max(row, i * edge),
          bottom: Math.min(row + height, (i + 1) * edge),
          left: Math.max(column, j * edge),
          right: Math.min(column + width, (j + 1) * edge),
        });
      }
    }
  }

  /** Calls `use` with where each row of a window begins in its chunk and in an array of the window. */
  function visitRows(
    level: Level,
    window: ImageWindow,
    use: (numbers: Float32Array, at: number, to: number, count: number) => void,
    changes = false,
  ) {
    visit(level, window, (part) => {
      const numbers = chunks.get(part.chunk);
      for (let r = part.top; r < part.bottom; r++) {
        const at = (r - part.chunkRow) * part.width + part.left - part.chunkColumn;
        const to = (r - window.row) * window.columns + part.left - window.column;
        use(numbers, at, to, part.right - part.left);
      }
      if (changes) chunks.changed(part.chunk);
    });
  }

  /** Updates the means above a window of level `n` − 1. */
  function reduce(n: number, { row, column, rows: height, columns: width }: ImageWindow): ImageWindow {
    const [top, left] = [row >> 1, column >> 1];
    const above = { row: top, column: left, rows: ((row + height - 1) >> 1) - top + 1, columns: ((column + width - 1) >> 1) - left + 1 };
    const below = levels[n - 1]!;
    /** Pixels of the image that a pixel of the level below has along an axis. */
    const size = 2 ** (n - 1);
    const [lastRow, lastColumn] = [rows - size * (below.rows - 1), columns - size * (below.columns - 1)];
    visit(below, expanded(above, below), (part) => {
      const means = meansOf(chunks.get(part.chunk), part, below, { size, lastRow, lastColumn });
      visitRows(levels[n]!, means.window, (numbers, at, to, count) => numbers.set(means.data.subarray(to, to + count), at), true);
    });
    return above;
  }

  return {
    levels: levels.length,
    write(window, data) {
      visitRows(levels[0]!, window, (numbers, at, to, count) => numbers.set(data.subarray(2 * to, 2 * (to + count)), 2 * at), true);
      let changed = window;
      for (let n = 1; n < levels.length; n++) changed = reduce(n, changed);
    },
    read(window, into) {
      visitRows(levels[0]!, window, (numbers, at, to, count) => into.set(numbers.subarray(2 * at, 2 * (at + count)), 2 * to));
    },
    readPower(n, window, into) {
      visitRows(levels[n]!, window, (numbers, at, to, count) => {
        if (n > 0) into.set(numbers.subarray(at, at + count), to);
        else for (let k = 0; k < count; k++) into[to + k] = powerOf(numbers, 2 * (at + k));
      });
    },
  };
}

interface ChunkPart {
  readonly chunk: number;
  /** Columns of the chunk, and its first row and column in the level. */
  readonly width: number;
  readonly chunkRow: number;
  readonly chunkColumn: number;
  /** The part's rows and columns in the level. */
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

const powerOf = (numbers: Float32Array, i: number): number => numbers[i]! * numbers[i]! + numbers[i + 1]! * numbers[i + 1]!;

/** The window of the level below whose means are a window. */
const expanded = ({ row, column, rows, columns }: ImageWindow, below: Level): ImageWindow => ({
  row: 2 * row,
  column: 2 * column,
  rows: Math.min(2 * rows, below.rows - 2 * row),
  columns: Math.min(2 * columns, below.columns - 2 * column),
});

/** Means of 2 × 2 pixels of a part of a chunk, whose first row and column are even. Pixels count as much as they have pixels of the image. */
function meansOf(
  numbers: Float32Array,
  { width, chunkRow, chunkColumn, top, bottom, left, right }: ChunkPart,
  level: Level,
  { size, lastRow, lastColumn }: { readonly size: number; readonly lastRow: number; readonly lastColumn: number },
): { readonly window: ImageWindow; readonly data: Float32Array } {
  const window = { row: top >> 1, column: left >> 1, rows: (bottom - top + 1) >> 1, columns: (right - left + 1) >> 1 };
  const data = new Float32Array(window.rows * window.columns);
  const power = (i: number): number => (level.numbers === 2 ? powerOf(numbers, 2 * i) : numbers[i]!);
  let to = 0;
  for (let r = top; r < bottom; r += 2) {
    const down = r + 1 < bottom ? (r + 1 === level.rows - 1 ? lastRow : size) : 0;
    const here = r === level.rows - 1 ? lastRow : size;
    const base = (r - chunkRow) * width - chunkColumn;
    for (let c = left; c < right; c += 2) {
      const beside = c + 1 < right ? (c + 1 === level.columns - 1 ? lastColumn : size) : 0;
      const own = c === level.columns - 1 ? lastColumn : size;
      const i = base + c;
      let sum = here * own * power(i);
      if (beside > 0) sum += here * beside * power(i + 1);
      if (down > 0) {
        sum += down * own * power(i + width);
        if (beside > 0) sum += down * beside * power(i + width + 1);
      }
      data[to++] = sum / ((here + down) * (own + beside));
    }
  }
  return { window, data };
}
