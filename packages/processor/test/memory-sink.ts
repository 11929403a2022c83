/** A sink for tests: the image in memory. */
import type { ImageWindow } from "@dechirp/radar";
import type { PartSink } from "../src/index.ts";

/** The image that was written, and the number of pixels that were not. */
export interface MemorySink extends PartSink {
  readonly image: Float32Array;
  missing(): number;
}

export function memorySink([rows, columns]: readonly [rows: number, columns: number]): MemorySink {
  const image = new Float32Array(2 * rows * columns);
  const written = new Uint8Array(rows * columns);
  return {
    image,
    missing: () => written.reduce((count, one) => count + (one === 0 ? 1 : 0), 0),
    has({ row, column, rows, columns: wide }) {
      for (let y = row; y < row + rows; y++) for (let x = column; x < column + wide; x++) if (written[y * columns + x] === 0) return false;
      return true;
    },
    async read({ row, column, rows, columns: wide }) {
      const out = new Float32Array(2 * rows * wide);
      for (let y = 0; y < rows; y++) {
        const at = 2 * ((row + y) * columns + column);
        out.set(image.subarray(at, at + 2 * wide), 2 * y * wide);
      }
      return out;
    },
    async write(window: ImageWindow, data: Float32Array) {
      if (data.length !== 2 * window.rows * window.columns) throw new Error("a part of the wrong size");
      for (let row = 0; row < window.rows; row++) {
        const at = (window.row + row) * columns + window.column;
        image.set(data.subarray(2 * row * window.columns, 2 * (row + 1) * window.columns), 2 * at);
        for (let i = at; i < at + window.columns; i++) {
          written[i] = 1;
        }
      }
    },
  };
}
