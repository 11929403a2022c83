/**
 * Pixels of GeoTIFF files: from those that a sink takes to those that the file has, overviews of half the size, and predictors, which make
 * floats and bytes easier to compress. Between, pixels are complex numbers or float32 values (amplitudes, or whatever a real image has).
 * NaN stands for a pixel without data.
 * Source of the predictors: TIFF revision 6.0, section 14; Adobe Photoshop TIFF technical note 3.
 */
import { type DType, inputError, type TypedArrayOf } from "@dechirp/core";
import { arrayBytes } from "./npy.ts";

/**
 * What the file has: the complex numbers, real numbers as they are, amplitudes, amplitudes in decibels (20·log₁₀), or decibels as levels of
 * grey, 1 to 255. Overviews have the mean power of the pixels that they stand for; those of real numbers have their mean.
 */
export type GeoTiffPixels = "complex" | "real" | "amplitude" | "decibel" | "gray";

/** The choices for each type of images; the first is the default. */
export const pixelChoices: Partial<Record<DType, readonly GeoTiffPixels[]>> = {
  c64: ["complex", "amplitude", "decibel", "gray"],
  f32: ["real", "amplitude", "decibel", "gray"],
  u8: ["real"],
};

/** How the pixels of a file are computed. */
export interface PixelForm {
  readonly pixels: GeoTiffPixels;
  /** Type of the image that the sink takes. */
  readonly from: DType;
  /** Type of pixels in the file. */
  readonly to: "c64" | "f32" | "u8";
  /** Numbers of a pixel between the two: 2 for complex ones. */
  readonly components: 1 | 2;
}

/** The form of the pixels. Throws `input` unless the choice is one for the type. */
export function pixelForm(from: DType, asked: GeoTiffPixels | undefined): PixelForm {
  const choices = pixelChoices[from] ?? [];
  const pixels = asked ?? choices[0];
  if (!choices.includes(pixels)) throw inputError("pixels", `${choices.join(" or ")} for an image of ${from}`, asked);
  const to = pixels === "complex" ? "c64" : pixels === "gray" || from === "u8" ? "u8" : "f32";
  return { pixels, from, to, components: pixels === "complex" ? 2 : 1 };
}

/** Pixels of the image as the numbers between. */
export function workingPixels({ pixels, from }: PixelForm, data: TypedArrayOf): Float32Array {
  if (from === "u8") return Float32Array.from(data as Uint8Array);
  const values = data as Float32Array;
  if (from !== "c64" || pixels === "complex") return values;
  const out = new Float32Array(values.length / 2);
  for (let i = 0; i < out.length; i++) {
    const [re, im] = [values[2 * i], values[2 * i + 1]];
    out[i] = Math.sqrt(re * re + im * im);
  }
  return out;
}

/**
 * Halves both sides of a window [rows][columns] of the numbers between. The result is written to `out`, whose rows have `stride` pixels, from
 * (`row`, `column`) on. Pixels at an odd end have only two or one below them. A complex pixel gets the phase of the sum.
 */
export function halve(
  { pixels, components }: PixelForm,
  data: Float32Array,
  rows: number,
  columns: number,
  out: Float32Array,
  stride: number,
  row: number,
  column: number,
): void {
  const power = pixels !== "real";
  for (let r = 0; r < rows; r += 2) {
    const lower = r + 1 < rows ? columns : 0;
    let to = (row + (r >> 1)) * stride + column;
    for (let c = 0; c < columns; c += 2, to++) {
      const at = r * columns + c;
      const right = c + 1 < columns ? 1 : 0;
      let [sum, count, re, im] = [0, 0, 0, 0];
      for (let k = 0; k < 4; k++) {
        if ((k > 1 && lower === 0) || (k % 2 === 1 && right === 0)) continue;
        const from = components * (at + (k > 1 ? lower : 0) + (k % 2));
        const x = data[from];
        const y = components === 2 ? data[from + 1] : 0;
        if (Number.isNaN(x + y)) continue;
        count++;
        re += x;
        im += y;
        sum += power ? x * x + y * y : x;
      }
      const value = count === 0 ? Number.NaN : power ? Math.sqrt(sum / count) : sum / count;
      if (components === 1) out[to] = value;
      else {
        const length = Math.sqrt(re * re + im * im);
        out[2 * to] = length > 0 || count === 0 ? (value * re) / length : value;
        out[2 * to + 1] = length > 0 || count === 0 ? (value * im) / length : 0;
      }
    }
  }
}

/** Levels of grey: black and white in decibels. */
export type DecibelRange = readonly [low: number, high: number];

/**
 * The pixels of a file from the numbers between, `count` of them. Amplitudes of 0 are without data in decibels (NaN) and in grey (0).
 */
export function filePixels({ pixels, to }: PixelForm, data: Float32Array, range: DecibelRange): Float32Array | Uint8Array {
  if (pixels === "gray") {
    const [low, high] = range;
    const out = new Uint8Array(data.length);
    const scale = 254 / (high - low);
    for (let i = 0; i < data.length; i++) {
      if (!(data[i] > 0)) continue;
      const level = 1 + (20 * Math.log10(data[i]) - low) * scale;
      out[i] = level >= 255 ? 255 : level <= 1 ? 1 : Math.round(level);
    }
    return out;
  }
  // Float32 values are already between 0 and 255; the array rounds halves to even.
  if (to === "u8") return Uint8Array.from(new Uint8ClampedArray(data));
  if (pixels !== "decibel") return data;
  const out = new Float32Array(data.length);
  for (let i = 0; i < data.length; i++) out[i] = data[i] > 0 ? 20 * Math.log10(data[i]) : Number.NaN;
  return out;
}

const binsPerDb = 16;
/** Positive float32 numbers are between −897.3 and 770.7 dB as amplitudes. */
const [lowestDb, highestDb] = [-900, 772];
/** White is at this share of the pixels, and black so far below, as in quicklooks. */
const whiteShare = 0.995;
const blackDb = 50;

/** Collects amplitudes, and finds the levels of black and white: a percentile to 1/16 dB, and 50 dB less. */
export function createLevels(): { add(data: Float32Array): void; range(): DecibelRange } {
  const histogram = new Float64Array((highestDb - lowestDb) * binsPerDb);
  let counted = 0;
  return {
    add(data) {
      for (let i = 0; i < data.length; i++) {
        const value = data[i];
        if (!(value > 0) || value === Number.POSITIVE_INFINITY) continue;
        histogram[Math.floor((20 * Math.log10(value) - lowestDb) * binsPerDb)]++;
        counted++;
      }
    },
    range() {
      let above = 0;
      let bin = histogram.length - 1;
      for (; bin > 0; bin--) {
        above += histogram[bin];
        if (above > (1 - whiteShare) * counted) break;
      }
      const high = counted === 0 ? 0 : lowestDb + (bin + 1) / binsPerDb;
      return [high - blackDb, high];
    },
  };
}

/** The number of the predictor that helps a type: differences of bytes, differences of floats, or none. */
export const predictorOf = { u8: 2, f32: 3, c64: 1 } as const;

/** Bytes of a tile, [rows][columns] of the file's type, little-endian, after the predictor of its type. */
export function predicted(tile: Float32Array | Uint8Array, columns: number, predictor: 1 | 2 | 3): Uint8Array {
  const bytes = arrayBytes(tile);
  if (predictor === 1) return bytes;
  const out = new Uint8Array(bytes.length);
  if (predictor === 2) {
    for (let row = 0; row < bytes.length; row += columns) {
      out[row] = bytes[row];
      for (let i = row + 1; i < row + columns; i++) out[i] = bytes[i] - bytes[i - 1];
    }
    return out;
  }
  // The most significant bytes of a row's floats, then the next, and so on; and differences of all these.
  const rowBytes = 4 * columns;
  for (let row = 0; row < bytes.length; row += rowBytes) {
    let last = 0;
    let to = row;
    for (let byte = 3; byte >= 0; byte--)
      for (let from = row + byte; from < row + rowBytes; from += 4) {
        out[to++] = bytes[from] - last;
        last = bytes[from];
      }
  }
  return out;
}
