/** The brightest pixel of an image that comes in windows. */

/** Where the brightest pixel of an image is, and its power. */
export interface Brightest {
  readonly row: number;
  readonly column: number;
  readonly power: number;
}

/** Numbers that are processed between two pauses. */
const pieceNumbers = 2 ** 18;

/**
 * The brighter of `known` and the brightest pixel of a window [rows][columns] of complex numbers, interleaved, in steps of milliseconds. The
 * first of several that are equal.
 */
export function* brightestSteps(
  known: Brightest,
  { row, column, columns }: { readonly row: number; readonly column: number; readonly columns: number },
  data: Float32Array,
): Generator<void, Brightest> {
  let [best, most] = [-1, known.power];
  for (let i = 0; i < data.length; ) {
    for (const end = Math.min(i + pieceNumbers, data.length); i < end; i += 2) {
      const power = data[i] * data[i] + data[i + 1] * data[i + 1];
      if (power > most) [best, most] = [i / 2, power];
    }
    yield;
  }
  return best < 0 ? known : { row: row + Math.floor(best / columns), column: column + (best % columns), power: most };
}
