/** Images inside pictures: converts values to pixels, and pixels to the data URL of a PNG image. */
import { createPause } from "@dechirp/core";
import { encodePng, type PngImage } from "@dechirp/io";
import type { ColourMap } from "./colours.ts";
import type { PictureOptions } from "./options.ts";

/** The cells along an axis that each pixel covers: one if cells are larger than pixels, several if they are smaller. */
const spans = (cells: number, pixels: number): readonly (readonly [first: number, end: number])[] =>
  Array.from({ length: pixels }, (_, i) => {
    const first = Math.floor((i * cells) / pixels);
    return [first, Math.max(first + 1, Math.floor(((i + 1) * cells) / pixels))];
  });

/** A grid of powers. */
export interface Cells {
  readonly columns: number;
  readonly rows: number;
  /** Power [row][column]. The first row is the lowest. */
  readonly power: ArrayLike<number>;
  /** Ends of the colour scale in dB. */
  readonly lowDb: number;
  readonly highDb: number;
}

/**
 * Draws the cells as `width` × `height` pixels, in steps of milliseconds. A pixel has the colour of the largest cell that it covers, so
 * that no peak is lost. Power that has no decibels (zero, negative, NaN) gets the lowest colour.
 */
export function* cellPixels(
  { columns, rows, power, lowDb, highDb }: Cells,
  width: number,
  height: number,
  colours: ColourMap,
): Generator<void, PngImage> {
  const data = new Uint8Array(4 * width * height).fill(255);
  const across = spans(columns, width);
  for (const [py, [row, rowEnd]] of spans(rows, height).entries()) {
    let at = 4 * (height - 1 - py) * width;
    for (const [column, columnEnd] of across) {
      let most = 0;
      for (let r = row; r < rowEnd; r++) {
        for (let i = r * columns + column, end = r * columns + columnEnd; i < end; i++) if (power[i] > most) most = power[i];
      }
      const share = (10 * Math.log10(most) - lowDb) / (highDb - lowDb);
      const level = 3 * Math.round(255 * Math.min(1, Math.max(0, share)));
      for (let i = 0; i < 3; i++) data[at + i] = colours[level + i];
      at += 4;
    }
    yield;
  }
  return { width, height, data };
}

/** Bytes that are converted to text at once. */
const pieceBytes = 3 * 2 ** 12;

/** Converts an image to the URL that an `image` element of SVG can hold. Rejects with `aborted` if the signal fires. */
export async function pngUrl(image: PngImage, options: PictureOptions): Promise<string> {
  const bytes = await encodePng(image, options);
  const pause = createPause("drawing a picture", options.signal);
  let text = "data:image/png;base64,";
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    text += btoa(String.fromCharCode(...bytes.subarray(start, start + pieceBytes)));
    await pause();
  }
  return text;
}
