/** Saves what a viewer shows, or the whole image, as a PNG picture with axes, drawn by the code that draws the command line's pictures. */
import type { ImagePicture } from "@dechirp/pictures";
import type { ImageWindow } from "@dechirp/radar";
import { draw } from "../drawing/draw.ts";
import { pngOf } from "../ui/figure.tsx";
import { type AxisFacts, type Display, type ImageFacts, type Levels, pixelsAt } from "./facts.ts";
import type { StoredImage } from "./stored-image.ts";
import { viewGeometry } from "./view-geometry.ts";

/** The longest side in pixels of the image. The PNG file has twice the 1024 pixels that pictures are drawn with. */
const longestSide = 2048;

/** The finest levels at which a window of the image has at most `longestSide` pixels along either axis, in true proportions. */
export function pictureLevels(facts: ImageFacts, { rows, columns }: Pick<ImageWindow, "rows" | "columns">): Levels {
  const [down, across] = viewGeometry(facts).stretch;
  const reduction = Math.max(1, (rows * down) / longestSide, (columns * across) / longestSide);
  const along = (stretch: number): number => Math.max(0, Math.ceil(Math.log2(reduction / stretch) - 1e-9));
  return [along(down), along(across)];
}

/** The data of a picture of a window of the image. */
export async function pictureOf(image: StoredImage, title: string, display: Display, window: ImageWindow): Promise<ImagePicture> {
  const { facts, state } = image;
  const levels = pictureLevels(facts, window);
  const row = reduced(window.row, window.rows, levels[0], facts.rows);
  const column = reduced(window.column, window.columns, levels[1], facts.columns);
  const tile = await image.tile({
    levels,
    window: { row: row.first, rows: row.count, column: column.first, columns: column.count },
    display: { ...display, colours: "grey" },
  });
  const cell = levels.map((level, i) => Math.max(2 ** level, display.looks[i]!));
  const peakDb = 10 * Math.log10(state.value.peakPower);
  return {
    title,
    notes: [
      `0 dB: the largest pixel, intensity |z|² of ${peakDb.toFixed(1).replace("-", "−")} dB.`,
      ...(cell.every((count) => count === 1) ? [] : [`A pixel is the mean of ${cell.join(" × ")} cells, down × across.`]),
    ],
    width: tile.columns,
    height: tile.rows,
    // In grey, red is the level.
    data: Uint8Array.from({ length: tile.rows * tile.columns }, (_, i) => tile.pixels[4 * i]!),
    x: axisAt(facts.columnAxis, levels[1], column.first),
    y: axisAt(facts.rowAxis, levels[0], row.first),
    upwards: facts.upwards ?? false,
    lowDb: display.lowDb,
    highDb: display.highDb,
    colours: display.colours,
  };
}

/** Draws a picture and resolves with a PNG file. */
export async function picturePng(
  image: StoredImage,
  title: string,
  display: Display,
  window: ImageWindow,
  signal: AbortSignal,
): Promise<Blob> {
  return pngOf(await draw("image", await pictureOf(image, title, display, window), signal));
}

/** Pixels of a level that pixels of the image lie in. */
function reduced(first: number, count: number, level: number, pixels: number): { readonly first: number; readonly count: number } {
  const from = Math.floor(first / 2 ** level);
  return { first: from, count: Math.min(pixelsAt(pixels, level), Math.ceil((first + count) / 2 ** level)) - from };
}

/** The axis of the pixels of a level, from one of them on. */
function axisAt({ label, unit, start, step, metersPerUnit }: AxisFacts, level: number, first: number): ImagePicture["x"] {
  const size = 2 ** level;
  return {
    label,
    unit,
    start: start + step * (first * size + (size - 1) / 2),
    step: step * size,
    ...(metersPerUnit !== undefined && { metersPerUnit }),
  };
}
