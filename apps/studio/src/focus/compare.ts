/** Compares two images of the same size that are read by windows. */
import { inputError, throwIfAborted } from "@dechirp/core";
import type { ImageWindow } from "@dechirp/radar";
import type { Difference } from "./messages.ts";

/** Something that an image can be read from: complex pixels, interleaved. */
export interface ImageReader {
  pixels(window: ImageWindow): Promise<Float32Array>;
}

/** Pixels that are compared at once. */
const pixelsAtOnce = 2 ** 19;

/** Compares images of a size. Rejects with `input` if one has another size, and with `aborted`. */
export async function compareImages(
  { rows, columns }: { readonly rows: number; readonly columns: number },
  first: ImageReader,
  second: ImageReader,
  signal: AbortSignal,
): Promise<Difference> {
  const height = Math.max(1, Math.floor(pixelsAtOnce / columns));
  let [power, difference, mostPower, mostDifference] = [0, 0, 0, 0];
  for (let row = 0; row < rows; row += height) {
    throwIfAborted(signal, "comparing");
    const window: ImageWindow = { row, column: 0, rows: Math.min(height, rows - row), columns };
    const [a, b] = await Promise.all([first.pixels(window), second.pixels(window)]);
    if (a.length !== b.length) throw inputError("image", `of ${a.length} numbers, as the other one has`, b.length);
    for (let i = 0; i < a.length; i += 2) {
      const here = a[i]! ** 2 + a[i + 1]! ** 2;
      const off = (a[i]! - b[i]!) ** 2 + (a[i + 1]! - b[i + 1]!) ** 2;
      power += here;
      difference += off;
      if (here > mostPower) mostPower = here;
      if (off > mostDifference) mostDifference = off;
    }
  }
  return { relative: Math.sqrt(difference / power), largest: Math.sqrt(mostDifference / mostPower) };
}
