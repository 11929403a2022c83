/**
 * Pixels of SICD images: the bytes of a file to complex64 and back. Words are big-endian in files. AMP8I_PHS8I holds an amplitude, through a
 * table if the image has one, and a phase in 256th of a turn.
 */
import type { Pause } from "@dechirp/core";
import { copyInto, forEachSlice } from "@dechirp/core/internal";
import type { ImageWindow } from "@dechirp/radar";
import { hostIsLittleEndian, swapBytes } from "./numbers.ts";
import type { PixelOrder } from "./sicd-grid.ts";
import type { SicdPixelType } from "./sicd-metadata.ts";

/** Decodes pixels into `out`, interleaved re, im, from pixel `at` on. */
export type DecodePixels = (bytes: Uint8Array, out: Float32Array, at: number, pause: Pause) => Promise<void>;

/** The function that decodes pixels of a type. `amplitudes` is the table of AMP8I_PHS8I. */
export function pixelDecoder(type: SicdPixelType, amplitudes: readonly number[] | undefined): DecodePixels {
  if (type === "RE32F_IM32F") return decodeFloats;
  if (type === "RE16I_IM16I") return decodeShorts;
  return decodePolar(amplitudes);
}

const decodeFloats: DecodePixels = async (bytes, out, at, pause) => {
  const place = new Uint8Array(out.buffer, out.byteOffset + 8 * at, bytes.length);
  await copyInto(place, bytes, 0, pause);
  if (hostIsLittleEndian) await swapBytes(place, 4, pause);
};

const decodeShorts: DecodePixels = async (bytes, out, at, pause) => {
  await forEachSlice(bytes.length / 2, pause, (from, to) => {
    for (let i = from; i < to; i++) out[2 * at + i] = ((bytes[2 * i] << 24) >> 16) | bytes[2 * i + 1];
  });
};

function decodePolar(amplitudes: readonly number[] | undefined): DecodePixels {
  const cosine = Float64Array.from({ length: 256 }, (_, i) => Math.cos((2 * Math.PI * i) / 256));
  const sine = Float64Array.from({ length: 256 }, (_, i) => Math.sin((2 * Math.PI * i) / 256));
  const scale = Float64Array.from({ length: 256 }, (_, i) => amplitudes?.[i] ?? i);
  return async (bytes, out, at, pause) => {
    await forEachSlice(bytes.length / 2, pause, (from, to) => {
      for (let i = from; i < to; i++) {
        const [amplitude, phase] = [scale[bytes[2 * i]], bytes[2 * i + 1]];
        out[2 * (at + i)] = amplitude * cosine[phase];
        out[2 * (at + i) + 1] = amplitude * sine[phase];
      }
    });
  };
}

/** An array for the pixels of a piece of a SICD image. */
export const pieceOf = ({ rows, columns }: ImageWindow): Float32Array<ArrayBuffer> => new Float32Array(2 * rows * columns);

/** A piece of a SICD image, and the window of the image in which it is. */
export interface Turn {
  readonly order: PixelOrder;
  /** Size of the SICD image. */
  readonly rows: number;
  readonly columns: number;
  /** Window of the image, and its pixels [rows][columns]. */
  readonly window: ImageWindow;
  readonly data: Float32Array;
  /** Window of the SICD image, inside the turned window, and its pixels as they are in the file. */
  readonly piece: ImageWindow;
  readonly floats: Float32Array<ArrayBuffer>;
  /** Whether pixels go from the file to the image. */
  readonly inverse: boolean;
}

/**
 * Brings pixels of an image to their places in a piece of the file, without their carriers and big-endian; or from there back. Phases are
 * computed in float64.
 */
export function turnPiece({ order, rows, columns, window, data, piece, floats, inverse }: Turn): void {
  const { transposed, reversedRows, reversedColumns, row, column, rowCycles, columnCycles } = order;
  const direction = inverse ? 1 : -1;
  const rowPhasors = phasors(piece.row - row, piece.rows, direction * rowCycles);
  const columnPhasors = phasors(piece.column - column, piece.columns, direction * columnCycles);
  // Where the first pixel of the piece is in the window, and how far it is to the next one along its rows' and columns' index.
  const first = reversedRows ? rows - 1 - piece.row : piece.row;
  const second = reversedColumns ? columns - 1 - piece.column : piece.column;
  const start = transposed
    ? (second - window.row) * window.columns + first - window.column
    : (first - window.row) * window.columns + second - window.column;
  const downStep = (reversedRows ? -1 : 1) * (transposed ? 1 : window.columns);
  const acrossStep = (reversedColumns ? -1 : 1) * (transposed ? window.columns : 1);
  const words = new Uint32Array(floats.buffer);
  if (inverse && hostIsLittleEndian) reverseWords(words);
  const plain = rowCycles === 0 && columnCycles === 0;
  const from = inverse ? floats : data;
  const to = inverse ? data : floats;
  for (let i = 0; i < piece.rows; i++) {
    for (let k = 0; k < piece.columns; k++) {
      const inFile = 2 * (i * piece.columns + k);
      const inImage = 2 * (start + i * downStep + k * acrossStep);
      const at = inverse ? inFile : inImage;
      const put = inverse ? inImage : inFile;
      if (plain) {
        to[put] = from[at];
        to[put + 1] = from[at + 1];
        continue;
      }
      const re = rowPhasors[2 * i] * columnPhasors[2 * k] - rowPhasors[2 * i + 1] * columnPhasors[2 * k + 1];
      const im = rowPhasors[2 * i] * columnPhasors[2 * k + 1] + rowPhasors[2 * i + 1] * columnPhasors[2 * k];
      const a = from[at];
      const b = from[at + 1];
      to[put] = a * re - b * im;
      to[put + 1] = a * im + b * re;
    }
  }
  if (!inverse && hostIsLittleEndian) reverseWords(words);
}

/** exp(j2π·cycles·(first + i)) for i from 0 on, interleaved. */
function phasors(first: number, count: number, cycles: number): Float64Array {
  const out = new Float64Array(2 * count);
  for (let i = 0; i < count; i++) {
    const turns = (first + i) * cycles;
    const angle = 2 * Math.PI * (turns - Math.round(turns));
    out[2 * i] = Math.cos(angle);
    out[2 * i + 1] = Math.sin(angle);
  }
  return out;
}

function reverseWords(words: Uint32Array): void {
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    words[i] = (word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24);
  }
}
