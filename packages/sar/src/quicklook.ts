/**
 * Turns a complex image into a picture: multilooking (averaging power over cells) and an 8-bit grey scale in decibels. Pictures are for
 * people to look at, not for measuring. This file writes no file format. It works line by line, and besides its result it holds
 * only a histogram.
 */

import { inputError } from "@dechirp/core";
import { isArrayOf, runToEnd } from "@dechirp/core/internal";
import type { ComplexSamples } from "@dechirp/radar";
import { createCells, type Intensity, type Looks } from "./multilook-cells.ts";
import { checkComplexImage } from "./samples.ts";

/** An 8-bit grey picture, row-major; value 0 lies at `lowDb`, 255 at `highDb` (both 10·log₁₀ of intensity). */
export interface GrayPicture {
  readonly width: number;
  readonly height: number;
  /** Grey levels [row][column]. */
  readonly data: Uint8Array;
  readonly lowDb: number;
  readonly highDb: number;
}

/** How intensities become grey levels. */
export interface GrayOptions {
  /** Decibels between black and white. Default: 50. */
  readonly dynamicRangeDb?: number;
  /** Percentage of pixels at or below white, 0 < p ≤ 100. Default: 99.5. */
  readonly percentile?: number;
}

/** Options of `quicklook`. */
export interface QuicklookOptions extends GrayOptions {
  /** Metres between rows and between columns. Default: equal. */
  readonly rowSpacingMeters?: number;
  /** Metres between columns. Default: as between rows. */
  readonly columnSpacingMeters?: number;
  /** Longest side of the picture in pixels. Default: 2048. */
  readonly maxSide?: number;
  /**
   * Whether pixels are exactly square in metres. Looks are then fractions, and a cell on the border of two pixels is shared by them in
   * proportion
   * to its area. Default: looks are whole, and pixels about square.
   */
  readonly square?: boolean;
}

/**
 * The mean power of each cell of `azimuthLooks` × `rangeLooks` pixels. Rows and columns that fill no whole cell are left off. Throws
 * `input`.
 */
export function multilook(image: ComplexSamples, rows: number, columns: number, looks: Looks): Intensity {
  checkComplexImage(image, rows, columns, "image");
  checkLooks(looks, rows, columns);
  return runToEnd(multilookSteps(image, rows, columns, looks));
}

/** Looks are at most rows and columns. Fractional looks share the cells on borders by area. */
function* multilookSteps(image: ComplexSamples, rows: number, columns: number, looks: Looks): Generator<void, Intensity> {
  checkComplexImage(image, rows, columns, "image");
  const cells = createCells(rows, columns, looks);
  yield* cells.addSteps({ row: 0, column: 0, rows, columns }, image);
  return cells.finish();
}

function checkSides(sides: Readonly<Record<string, number>>, path = ""): void {
  for (const [field, value] of Object.entries(sides))
    if (!Number.isInteger(value) || value < 1) throw inputError(path + field, "a positive integer", value);
}

/**
 * Looks that make pixels about square in metres and the picture at most `maxSide` long on either side: the finer axis
 * is averaged up to the coarser one, then both together. With `square` they are fractions, and pixels are exactly square; if the image is
 * narrower than a pixel, a look covers all of it. Throws `input`.
 */
export function chooseLooks(rows: number, columns: number, options: QuicklookOptions = {}): Looks {
  const { rowSpacingMeters = 1, columnSpacingMeters = 1, maxSide = 2048, square = false } = options;
  checkSides({ rows, columns, maxSide });
  for (const [field, value] of Object.entries({ rowSpacingMeters, columnSpacingMeters })) {
    if (!Number.isFinite(value) || value <= 0) throw inputError(field, "a positive number of metres", value);
  }
  const looksOf = (side: number, whole: (looks: number) => number): Looks => ({
    azimuthLooks: Math.min(rows, whole(side / rowSpacingMeters)),
    rangeLooks: Math.min(columns, whole(side / columnSpacingMeters)),
  });
  // The coarser axis and the longest side bound the cell from below. Whole looks may need it up to half a spacing larger.
  const longestMeters = Math.max(rows * rowSpacingMeters, columns * columnSpacingMeters);
  let side = Math.max(rowSpacingMeters, columnSpacingMeters, longestMeters / (square ? maxSide : maxSide + 1));
  if (square) return looksOf(side, Number);
  for (; ; side *= 1.01) {
    const looks = looksOf(side, Math.round);
    if (Math.max(Math.floor(rows / looks.azimuthLooks), Math.floor(columns / looks.rangeLooks)) <= maxSide) return looks;
  }
}

/**
 * Intensity in decibels as grey levels. White is the given percentile of the pixels that are positive and finite, and black
 * lies `dynamicRangeDb` below; values beyond are clipped. Zero, negative and NaN pixels are black, +∞ is white. A flat picture
 * is white where it is positive. A picture without any positive finite pixel is black with limits of 0 dB. Throws `input`.
 */
export const toGrayDb = (intensity: Intensity, options: GrayOptions = {}): GrayPicture => runToEnd(graySteps(intensity, options));

export function* graySteps(intensity: Intensity, options: GrayOptions): Generator<void, GrayPicture> {
  const { data, rows, columns } = intensity;
  const { dynamicRangeDb = 50, percentile = 99.5 } = options;
  if (!isArrayOf(data, Float32Array)) throw inputError("intensity.data", "a Float32Array", data);
  checkSides({ rows, columns }, "intensity.");
  if (data.length !== rows * columns) throw inputError("intensity.data.length", `${rows} · ${columns} numbers`, data.length);
  if (!Number.isFinite(dynamicRangeDb) || dynamicRangeDb <= 0) throw inputError("dynamicRangeDb", "a positive number", dynamicRangeDb);
  if (!Number.isFinite(percentile) || percentile <= 0 || percentile > 100)
    throw inputError("percentile", "above 0 and up to 100", percentile);
  const picture = new Uint8Array(data.length);
  const bits = new Uint32Array(data.buffer, data.byteOffset, data.length);
  const highDb = yield* percentileDb(data, bits, percentile);
  const lowDb = highDb === undefined ? 0 : highDb - dynamicRangeDb;
  const perDb = 255 / dynamicRangeDb;
  const levels = createLevels((value) => {
    if (highDb === undefined) return value === Infinity ? 255 : 0;
    const level = (10 * Math.log10(value) - lowDb) * perDb;
    return level >= 255 ? 255 : level <= 0 ? 0 : Math.round(level);
  });
  for (let from = 0; from < data.length; from += piecePixels) {
    applyLevels(levels, bits, picture, from, Math.min(from + piecePixels, data.length));
    yield;
  }
  return { width: columns, height: rows, data: picture, lowDb, highDb: highDb ?? 0 };
}

/**
 * Grey levels as thresholds. The bits of positive float32 numbers are integers in the order of the numbers, so levels need a logarithm for
 * each threshold only.
 */
interface Levels {
  /** Level k begins at the number with the bits `from[k]`; 2³² if no number has it. */
  readonly from: Float64Array;
  /** The level of the first number with each value of the upper bits. */
  readonly first: Uint8Array;
}

/** Bits of a float32 number below those by which it is looked up. */
const lowerBits = 15;
const infinityBits = 0x7f800000;

/** Makes thresholds of a function of positive numbers that never falls. */
function createLevels(levelOf: (value: number) => number): Levels {
  const number = new Float32Array(1);
  const own = new Uint32Array(number.buffer);
  const at = (bits: number): number => {
    own[0] = bits;
    return levelOf(number[0]);
  };
  const from = new Float64Array(257).fill(2 ** 32);
  for (let level = 1; level <= 255 && at(infinityBits) >= level; level++) {
    let [low, high] = [0, infinityBits];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (at(middle) >= level) high = middle;
      else low = middle;
    }
    from[level] = high;
  }
  const first = new Uint8Array(2 ** (32 - lowerBits));
  for (let upper = 0, level = 0; upper <= infinityBits >>> lowerBits; upper++) {
    while (from[level + 1] <= upper * 2 ** lowerBits) level++;
    first[upper] = level;
  }
  return { from, first };
}

/** Writes the levels of numbers, of which `bits` are the bits. Zero, negative numbers and NaN have level 0. */
function applyLevels({ from, first }: Levels, bits: Uint32Array, levels: Uint8Array, begin: number, end: number): void {
  for (let i = begin; i < end; i++) {
    const own = bits[i];
    if (own > infinityBits) continue;
    let level = first[own >>> lowerBits];
    while (own >= from[level + 1]) level++;
    levels[i] = level;
  }
}

/**
 * A picture of a complex image, by `chooseLooks`, `multilook` and `toGrayDb`. Pixel k of an axis is the mean of the cells from k·looks to
 * (k + 1)·looks.
 * Decibels are of intensity, |z|²; white is at a percentile of the pixels, black `dynamicRangeDb` below. Throws `input`.
 */
export const quicklook = (image: ComplexSamples, rows: number, columns: number, options: QuicklookOptions = {}): GrayPicture & Looks =>
  runToEnd(quicklookSteps(image, rows, columns, options));

/**
 * `quicklook` in steps of milliseconds, for `runInPieces` of core: other work can run and signals can fire between them. Throws in the same
 * cases.
 */
export function* quicklookSteps(
  image: ComplexSamples,
  rows: number,
  columns: number,
  options: QuicklookOptions = {},
): Generator<void, GrayPicture & Looks> {
  const looks = chooseLooks(rows, columns, options);
  const intensity = yield* multilookSteps(image, rows, columns, looks);
  return { ...(yield* graySteps(intensity, options)), ...looks };
}

/** How many pixels one piece of work reads. */
const piecePixels = 2 ** 16;
const binsPerDb = 64;
// Positive float32 numbers lie above −448.6 dB.
const lowestDb = -450;

/** The percentile of the positive finite values in dB, to 1/64 dB (the upper edge of its bin, but at most the largest value). */
function* percentileDb(data: Float32Array, bits: Uint32Array, percentile: number): Generator<void, number | undefined> {
  const counts = new Uint32Array(2 ** (32 - lowerBits));
  let [counted, largest] = [0, 0];
  for (let from = 0; from < data.length; from += piecePixels) {
    const most = countPositive(bits, counts, from, Math.min(from + piecePixels, data.length));
    largest = Math.max(largest, most);
    yield;
  }
  for (const count of counts) counted += count;
  if (counted === 0) return undefined;
  let left = Math.ceil((counted * percentile) / 100);
  let upper = 0;
  while (counts[upper] < left) left -= counts[upper++];
  // The value is the one at place `left`, from 1, among those with the same upper bits, which are counted by their lower bits.
  const close = new Uint32Array(2 ** lowerBits);
  for (let from = 0; from < data.length; from += piecePixels) {
    countLower(bits, upper, close, from, Math.min(from + piecePixels, data.length));
    yield;
  }
  let lower = 0;
  while (close[lower] < left) left -= close[lower++];
  const [value, top] = new Float32Array(Uint32Array.of(upper * 2 ** lowerBits + lower, largest).buffer);
  const bin = Math.floor((10 * Math.log10(value) - lowestDb) * binsPerDb);
  return Math.min((bin + 1) / binsPerDb + lowestDb, 10 * Math.log10(top));
}

/** Counts positive finite numbers by their upper bits, and returns the bits of the largest, or 0. */
function countPositive(bits: Uint32Array, counts: Uint32Array, begin: number, end: number): number {
  let largest = 0;
  for (let i = begin; i < end; i++) {
    const own = bits[i];
    if (own === 0 || own >= infinityBits) continue;
    counts[own >>> lowerBits]++;
    if (own > largest) largest = own;
  }
  return largest;
}

/** Counts positive finite numbers with the given upper bits by their lower bits. */
function countLower(bits: Uint32Array, upper: number, counts: Uint32Array, begin: number, end: number): void {
  for (let i = begin; i < end; i++) {
    const own = bits[i];
    if (own >>> lowerBits === upper && own > 0 && own < infinityBits) counts[own & (2 ** lowerBits - 1)]++;
  }
}

/** Throws `input`, naming the field, if looks do not suit an image of `rows` × `columns`. */
export function checkLooks({ azimuthLooks, rangeLooks }: Looks, rows: number, columns: number): void {
  for (const [field, value, most] of [
    ["azimuthLooks", azimuthLooks, rows],
    ["rangeLooks", rangeLooks, columns],
  ] as const) {
    if (!Number.isInteger(value) || value < 1 || value > most) throw inputError(field, `an integer from 1 to ${most}`, value);
  }
}
