/** Draws windows of a pyramid: power as colours on a decibel scale, averaged over looks. */
import { inputError } from "@dechirp/core";
import { checkImageWindow } from "@dechirp/radar";
import { type DbRange, type Looks, pixelsAt, type Tile, type TileRequest } from "./facts.ts";
import type { Pyramid } from "./pyramid.ts";

/** The most pixels of the pyramid that a tile may need. */
const mostPixels = 2 ** 24;

interface Size {
  readonly rows: number;
  readonly columns: number;
}

/**
 * Mean powers of a window at levels of a pyramid, each pixel the mean of the cell of `looks` pixels of the image that it lies in. Where pixels
 * of the levels have more pixels than looks, they are shown as they are. Throws `input` for a window outside the image.
 */
export function powersOf(
  pyramid: Pyramid,
  size: Size,
  { levels, window }: Pick<TileRequest, "levels" | "window">,
  looks: Looks,
): Float32Array {
  const axes = [
    axisOf(size.rows, levels[0], Math.min(...levels), looks[0], window.row, window.rows),
    axisOf(size.columns, levels[1], Math.min(...levels), looks[1], window.column, window.columns),
  ] as const;
  checkImageWindow(window, pixelsAt(size.rows, levels[0]), pixelsAt(size.columns, levels[1]));
  const [down, across] = axes;
  if (down.count * across.count > mostPixels)
    throw inputError("window", `smaller, for at most ${mostPixels} pixels`, down.count * across.count);
  const powers = new Float32Array(down.count * across.count);
  pyramid.readPower(Math.min(...levels), { row: down.first, column: across.first, rows: down.count, columns: across.count }, powers);
  if (down.cell === 1 && across.cell === 1) return powers;
  const cells = cellMeans(powers, down, across);
  const out = new Float32Array(window.rows * window.columns);
  for (let i = 0, to = 0; i < window.rows; i++) {
    const row = down.cellOf(i) * across.cells;
    for (let k = 0; k < window.columns; k++) out[to++] = cells[row + across.cellOf(k)]!;
  }
  return out;
}

/** Pixels of the base level along an axis that the cells of a window have. */
interface CellAxis {
  readonly first: number;
  readonly count: number;
  /** Pixels of the base level in a cell, and number of cells. */
  readonly cell: number;
  readonly cells: number;
  /** The cell of pixel i of the window. */
  readonly cellOf: (i: number) => number;
  /** Pixels of the image in pixel i of the base level, relative to those of whole ones. */
  readonly weight: (i: number) => number;
}

function axisOf(pixels: number, level: number, base: number, looks: number, from: number, count: number): CellAxis {
  if (!Number.isInteger(level) || level < 0 || pixelsAt(pixels, base) < 1) throw inputError("levels", "integers from 0", level);
  if (!Number.isInteger(looks) || looks < 1) throw inputError("display.looks", "positive integers", looks);
  const shown = Math.max(1, Math.round(looks / 2 ** level));
  const cell = shown * 2 ** (level - base);
  const firstCell = Math.floor(from / shown);
  const cells = Math.floor((from + count - 1) / shown) - firstCell + 1;
  const all = pixelsAt(pixels, base);
  const first = firstCell * cell;
  const last = pixels / 2 ** base - (all - 1);
  return {
    first,
    count: Math.min(all, (firstCell + cells) * cell) - first,
    cell,
    cells,
    cellOf: (i) => Math.floor((from + i) / shown) - firstCell,
    weight: (i) => (first + i === all - 1 ? last : 1),
  };
}

function cellMeans(powers: Float32Array, down: CellAxis, across: CellAxis): Float64Array {
  const sums = new Float64Array(down.cells * across.cells);
  const weights = new Float64Array(sums.length);
  const columnWeights = Float64Array.from({ length: across.count }, (_, k) => across.weight(k));
  for (let i = 0, at = 0; i < down.count; i++) {
    const row = Math.floor(i / down.cell) * across.cells;
    const rowWeight = down.weight(i);
    for (let k = 0; k < across.count; k++, at++) {
      const cell = row + Math.floor(k / across.cell);
      const weight = rowWeight * columnWeights[k]!;
      sums[cell]! += weight * powers[at]!;
      weights[cell]! += weight;
    }
  }
  return sums.map((sum, i) => sum / weights[i]!);
}

/** Levels of powers on a decibel scale from 0 to 255, rounded; 0 for powers that are not positive. `peak` is the power of 0 dB. */
export function levelsOf(powers: Float32Array, peak: number, { lowDb, highDb }: DbRange): Uint8ClampedArray<ArrayBuffer> {
  if (!(highDb > lowDb)) throw inputError("display.highDb", "above lowDb", highDb);
  // Such arrays round and clamp, and have 0 for NaN.
  const levels = new Uint8ClampedArray(powers.length);
  const perOctave = (255 * 10 * Math.log10(2)) / (highDb - lowDb);
  const offset = (-255 * (10 * Math.log10(peak) + lowDb)) / (highDb - lowDb);
  for (let i = 0; i < powers.length; i++) levels[i] = Math.log2(powers[i]!) * perOctave + offset;
  return levels;
}

/** Colours levels. Pixels without power are transparent. */
function coloured(levels: Uint8ClampedArray, powers: Float32Array, colours: Uint8Array): Uint8ClampedArray<ArrayBuffer> {
  // One 32-bit number for each colour, in the byte order of this machine.
  const table = new Uint32Array(256);
  const bytes = new Uint8Array(table.buffer);
  for (let level = 0; level < 256; level++) bytes.set([...colours.subarray(3 * level, 3 * level + 3), 255], 4 * level);
  const words = new Uint32Array(levels.length);
  for (let i = 0; i < levels.length; i++) if (powers[i]! > 0) words[i] = table[levels[i]!]!;
  return new Uint8ClampedArray(words.buffer);
}

/** Draws a window. `colours` has 256 colours of three bytes. Throws `input`. */
export function drawTile(pyramid: Pyramid, size: Size, request: TileRequest, peak: number, colours: Uint8Array): Tile {
  const { window, display } = request;
  const powers = powersOf(pyramid, size, request, display.looks);
  return { rows: window.rows, columns: window.columns, pixels: coloured(levelsOf(powers, peak, display), powers, colours) };
}
