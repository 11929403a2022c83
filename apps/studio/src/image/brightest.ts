/** Finds the brightest pixel near a place that a user has picked. */
import type { ImageWindow } from "@dechirp/radar";
import type { PixelPlace } from "./settings.ts";
import type { ImageStore } from "./store.ts";

/** The brightest pixel of a window, or the middle of the window if no pixel has power. */
export async function brightestPixel({ read }: Pick<ImageStore, "read">, window: ImageWindow): Promise<PixelPlace> {
  const data = await read(window);
  let [most, at] = [0, -1];
  for (let i = 0; i < data.length; i += 2) {
    const power = data[i]! * data[i]! + data[i + 1]! * data[i + 1]!;
    if (power > most) [most, at] = [power, i / 2];
  }
  return at < 0
    ? { row: window.row + (window.rows >> 1), column: window.column + (window.columns >> 1) }
    : { row: window.row + Math.floor(at / window.columns), column: window.column + (at % window.columns) };
}
