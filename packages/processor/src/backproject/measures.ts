/**
 * Entropy, contrast and the brightest pixel of an image that comes in windows. Sums are in float64; as they are taken in another order
 * than those over a whole image, the last digits differ.
 */
import { inputError } from "@dechirp/core";

/** Where the brightest pixel of an image is, and its power. */
export interface Brightest {
  readonly row: number;
  readonly column: number;
  readonly power: number;
}

/** Measures an image window by window. */
export interface WindowMeasures {
  /** Adds a window [rows][columns] of complex numbers, interleaved, in steps of milliseconds. */
  add(
    window: { readonly row: number; readonly column: number; readonly rows: number; readonly columns: number },
    data: Float32Array,
  ): Generator<void, void>;
  /** The brightest of the pixels so far; the first of several that are equal. */
  readonly brightest: Brightest;
  /** Entropy in nats and contrast of the pixels so far. Throws `input` if they are not finite or all zero. */
  result(): { readonly entropy: number; readonly contrast: number };
}

/** Numbers that are processed between two pauses. */
const pieceNumbers = 2 ** 18;

/** Makes measures of no pixels. */
export function createWindowMeasures(): WindowMeasures {
  let [pixels, energy, weighted, squares] = [0, 0, 0, 0];
  let brightest: Brightest = { row: 0, column: 0, power: 0 };
  return {
    get brightest() {
      return brightest;
    },
    *add({ row, column, columns }, data) {
      let [best, most] = [-1, brightest.power];
      for (let i = 0; i < data.length; ) {
        for (const end = Math.min(i + pieceNumbers, data.length); i < end; i += 2) {
          const power = data[i] * data[i] + data[i + 1] * data[i + 1];
          energy += power;
          squares += power * power;
          if (power > 0) weighted += power * Math.log(power);
          if (power > most) [best, most] = [i / 2, power];
        }
        yield;
      }
      pixels += data.length / 2;
      if (best >= 0) brightest = { row: row + Math.floor(best / columns), column: column + (best % columns), power: most };
    },
    result() {
      if (!Number.isFinite(energy)) throw inputError("data", "finite numbers of finite energy", energy);
      if (energy === 0) throw inputError("data", "not all zero", "all zero");
      const mean = energy / pixels;
      return {
        entropy: Math.max(0, Math.log(energy) - weighted / energy),
        contrast: Math.sqrt(Math.max(0, squares / pixels / mean / mean - 1)),
      };
    },
  };
}
