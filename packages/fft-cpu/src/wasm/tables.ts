/**
 * The tables that the kernels read: twiddle factors of every stage and of real transforms ("turns" in names), chirps and their spectra.
 * All are computed in float64 and rounded once. A table is made in steps, between which the event loop can run. Nothing here knows
 * addresses.
 */
import { type Codelet, chirpSpectrum, legFactors, putChirp, putRoot, rootsOf } from "@dechirp/core/tables";
import { columnRadices } from "./factors.ts";

/** A table that has yet to be made. */
export interface Table {
  /** Number of float32 numbers. */
  readonly length: number;
  /**
   * Writes the table to `target()`, an array of `length` numbers. `target` is called again for each step, because memory may have moved.
   */
  pieces(target: () => Float32Array): Generator<void>;
}

/** Numbers per step: about half a millisecond of work. */
const pieceLength = 2 ** 15;

/** A table of `count` items of `each` numbers. `write` computes the items from `start` to `end` − 1. */
function tableOf(count: number, each: number, prepare: () => (out: Float32Array, start: number, end: number) => void): Table {
  const step = Math.max(1, Math.floor(pieceLength / each));
  return {
    length: count * each,
    *pieces(target) {
      const write = prepare();
      for (let start = 0; start < count; start += step) {
        write(target(), start, Math.min(count, start + step));
        yield;
      }
    },
  };
}

/**
 * The factors by which twiddle factors make up for the rounded constants of a codelet (`assembly/generator/dft.ts`), one for each leg.
 */
const known = new Map<number, readonly number[]>();

function legsOf(radix: number): readonly number[] {
  const legs = known.get(radix) ?? legFactors(radix, codelet, "outputs");
  known.set(radix, legs);
  return legs;
}

/** The codelets as `assembly/generator/dft.ts` generates them. */
export const codelet: Codelet = {
  split: (n) => ({ 4: 2, 6: 3, 8: 4, 9: 3 })[n],
  cosine: (k, n) =>
    n === 5 ? -0.25 + (k % 5 === 1 || k % 5 === 4 ? 1 : -1) * Math.fround(Math.sqrt(5) / 4) : Math.fround(Math.cos((2 * Math.PI * k) / n)),
};

/**
 * The twiddle factors w^(pk), w = exp(−j2π/(m·radix)), of a stage in which all lanes have the same output p: for each p < m and leg k = 1
 * … radix − 1 a real and an imaginary part.
 */
export const sharedTurns = (radix: number, m: number): Table =>
  tableOf(m, 2 * (radix - 1), () => {
    const roots = rootsOf(radix * m);
    const legs = legsOf(radix);
    const root = new Float64Array(2);
    return (out, start, end) => {
      let at = 2 * (radix - 1) * start;
      for (let p = start; p < end; p++) {
        for (let k = 1; k < radix; k++, at += 2) {
          putRoot(roots, p * k, root, 0, 1);
          out[at] = legs[k] * root[0];
          out[at + 1] = legs[k] * root[1];
        }
      }
    };
  });

/**
 * The same for a first stage, which computes four outputs p at a time: four real parts, then four imaginary parts. The last four may
 * overlap the ones before.
 */
export const laneTurns = (radix: number, m: number): Table =>
  tableOf(Math.ceil(m / 4), 8 * (radix - 1), () => {
    const roots = rootsOf(radix * m);
    const legs = legsOf(radix);
    const root = new Float64Array(2);
    return (out, start, end) => {
      let at = 8 * (radix - 1) * start;
      for (let group = start; group < end; group++) {
        const p = Math.min(4 * group, m - 4);
        for (let k = 1; k < radix; k++, at += 8) {
          for (let lane = 0; lane < 4; lane++) {
            putRoot(roots, (p + lane) * k, root, 0, 1);
            out[at + lane] = legs[k] * root[0];
            out[at + lane + 4] = legs[k] * root[1];
          }
        }
      }
    };
  });

/**
 * ∓j·exp(∓jπk/h) for 0 ≤ k ≤ h/2, or for `count` values of k: the factors between the packed and the plain spectrum of n = 2h real
 * numbers.
 */
export const realTurns = (h: number, inverse: boolean, count = Math.floor(h / 2) + 1): Table =>
  tableOf(count, 2, () => {
    const roots = rootsOf(2 * h);
    const root = new Float64Array(2);
    return (out, start, end) => {
      for (let k = start; k < end; k++) {
        putRoot(roots, k, root, 0, 1);
        out[2 * k] = root[1];
        out[2 * k + 1] = (inverse ? 1 : -1) * root[0];
      }
    };
  });

/** exp(∓j2πi/n) for 0 ≤ i < count. */
export const rootTable = (n: number, count: number, inverse: boolean): Table =>
  tableOf(count, 2, () => {
    const roots = rootsOf(n);
    return (out, start, end) => {
      for (let i = start; i < end; i++) {
        putRoot(roots, i % n, out, 2 * i, 2 * i + 1);
        if (inverse) out[2 * i + 1] = -out[2 * i + 1];
      }
    };
  });

/**
 * The twiddle factors between the passes of a line of n = rows·columns: exp(∓j2πjk/n), for an inverse divided by n. Each group of four
 * columns j has k = 0 … rows + 3 entries of four real and four imaginary parts. If the last group would reach beyond the columns, it
 * consists of the last four columns. If columns are processed with those that mirror them, the table has the groups of the first half,
 * including the middle column, and then the groups that mirror these: columns − 3 … columns, the four before them, and so on.
 */
export function turnFactors(rows: number, columns: number, inverse: boolean, mirrored: boolean): Table {
  const n = rows * columns;
  const fours = (count: number): number[] => Array.from({ length: Math.ceil(count / 4) }, (_, i) => 4 * i);
  const starts = mirrored ? fours(Math.floor(columns / 2) + 1) : fours(columns).map((j) => Math.min(j, columns - 4));
  if (mirrored) starts.push(...starts.map((j) => columns - 3 - j));
  const points = rows + 4;
  return tableOf(starts.length * points, 8, () => {
    const roots = rootsOf(n);
    const root = new Float64Array(2);
    const scale = inverse ? 1 / n : 1;
    // The last stage of the pass has no twiddle factors that could make up for its codelet's rounding, so these do.
    const lastRadix = columnRadices(rows).at(-1) ?? 1;
    const legs = legsOf(lastRadix);
    const sign = inverse ? -1 : 1;
    return (out, start, end) => {
      for (let item = start; item < end; item++) {
        const first = starts[Math.floor(item / points)];
        const k = item % points;
        const at = 8 * item;
        const factor = scale * legs[Math.floor((k * lastRadix) / rows) % lastRadix];
        for (let lane = 0; lane < 4; lane++) {
          putRoot(roots, ((first + lane) * k) % n, root, 0, 1);
          out[at + lane] = factor * root[0];
          out[at + lane + 4] = sign * factor * root[1];
        }
      }
    };
  });
}

/** The chirp exp(−jπi²/n) times `scale` for 0 ≤ i < n. */
export const chirpTable = (n: number, scale = 1): Table =>
  tableOf(n, 2, () => {
    const roots = rootsOf(2 * n);
    const chirp = new Float64Array(pieceLength);
    return (out, start, end) => {
      putChirp(roots, start, end - start, -1, chirp, 0);
      for (let i = 0; i < 2 * (end - start); i++) out[2 * start + i] = scale * chirp[i];
    };
  });

/**
 * The spectrum of the conjugate chirp, wrapped around m points and divided by m (Bluestein 1970). The inverse transform of the
 * convolution then need not divide.
 */
export const kernelTable = (n: number, m: number): Table => ({
  length: 2 * m,
  pieces: (target) => chirpSpectrum(n, m, 1 / m, target),
});
