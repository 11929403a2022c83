/** Random images, partitions of them into windows, and sinks of both formats, for the tests of sinks and their child process. */
import { createRandom, type DType, dtypes, type Layout, type Random, type TypedArrayOf, typedArray } from "@dechirp/core";
import type { ImageWindow } from "@dechirp/radar";

/** Random numbers of any type, with a NaN and an infinity if the type has them. */
export function randomImage(layout: Layout, seed: number): TypedArrayOf {
  const [rows, columns] = layout.shape;
  const { components, float } = dtypes[layout.dtype];
  const { uniform } = createRandom(seed);
  const data = typedArray(layout.dtype, rows * columns * components);
  for (let i = 0; i < data.length; i++) data[i] = float ? (uniform() - 0.5) * 10 ** (20 * uniform()) : 256 * (uniform() - 0.5);
  if (float) [data[0], data[data.length - 1]] = [Number.NaN, Number.POSITIVE_INFINITY];
  return data;
}

/** Splits a window at random until its parts are small, and puts the parts into a random order. */
export function randomPartition(whole: ImageWindow, most: number, { uniform }: Random): ImageWindow[] {
  const parts: ImageWindow[] = [];
  const split = (window: ImageWindow): void => {
    const { row, column, rows, columns } = window;
    if (rows * columns === 1 || rows * columns <= most * (0.3 + uniform())) {
      parts.push(window);
    } else if (columns === 1 || (rows > 1 && uniform() < 0.6)) {
      const upper = 1 + Math.floor((rows - 1) * uniform());
      split({ ...window, rows: upper });
      split({ ...window, row: row + upper, rows: rows - upper });
    } else {
      const left = 1 + Math.floor((columns - 1) * uniform());
      split({ ...window, columns: left });
      split({ ...window, column: column + left, columns: columns - left });
    }
  };
  split(whole);
  for (let i = parts.length - 1; i > 0; i--) {
    const k = Math.floor((i + 1) * uniform());
    [parts[i], parts[k]] = [parts[k], parts[i]];
  }
  return parts;
}

/** The numbers of a window of an image. */
export function cut(layout: Layout, data: TypedArrayOf, { row, column, rows, columns }: ImageWindow): TypedArrayOf {
  const { components } = dtypes[layout.dtype];
  const out = typedArray(layout.dtype as DType, rows * columns * components);
  for (let r = 0; r < rows; r++) {
    const from = ((row + r) * layout.shape[1] + column) * components;
    out.set(data.subarray(from, from + columns * components), r * columns * components);
  }
  return out;
}

export const wholeOf = ({ shape }: Layout): ImageWindow => ({ row: 0, column: 0, rows: shape[0], columns: shape[1] });
