/**
 * What Bluestein's convolution filters with: the spectrum of a chirp, in float64, for tables of any backend. The line is a matrix of two
 * shorter ones (D. H. Bailey 1990), worked on a few columns and rows at a time, between which the event loop can have its turns.
 */
import { type Roots, rootsOf } from "./roots.ts";
import { lineStages, matrixOf, runStages } from "./stages.ts";

/** Lines of the matrix that are transformed side by side: what a cache line holds. */
const lanes = 4;

/**
 * Makes the spectrum, of m points, of the chirp exp(jπi²/n) for |i| < n around 0, wrapped: the filter of Bluestein's convolution
 * (L. I. Bluestein 1970). m ≥ 2n − 1 is a product of primes up to 13. The chirp is even, so that half of the columns and half of the rows
 * of the matrix are transformed. Each number is times `scale`, and is written as interleaved numbers to the first 2m of what `target`
 * returns, which is asked anew after each piece of work. Pieces take about a millisecond, all of them together 8m bytes of memory.
 */
export function* chirpSpectrum(n: number, m: number, scale: number, target: () => Float32Array | Float64Array): Generator<void> {
  const [rows, columns] = matrixOf(m);
  const kept = Math.floor(rows / 2) + 1;
  const between = new Float64Array(2 * kept * columns);
  // The host gives memory out page by page as it is touched: here, in order, and not all of it with the first column and the first row.
  yield* cleared(between.length, () => between);
  yield* cleared(2 * m, target);
  const down = lineStages(rows);
  const along = lineStages(columns);
  const turns = rootsOf(m);
  const chirp = rootsOf(2 * n);
  yield;
  const x = new Float64Array(2 * lanes * columns);
  const y = new Float64Array(2 * lanes * columns);
  for (let j = 0; 2 * j <= columns; j += lanes) {
    x.fill(0, 0, 2 * lanes * rows);
    for (let q = 0; q < lanes && 2 * (j + q) <= columns; q++) chirpColumn(chirp, j + q, rows, columns, x, q);
    const done = runStages(down, x, y, lanes);
    for (let q = 0; q < lanes && 2 * (j + q) <= columns; q++) turnColumn(done, q, j + q, between, kept, rows, columns, turns);
    yield;
  }
  for (let k = 0; k < kept; k += lanes) {
    const count = Math.min(lanes, kept - k);
    for (let q = 0; q < count; q++) {
      const row = 2 * (k + q) * columns;
      for (let i = 0, to = 2 * q; i < 2 * columns; i += 2, to += 2 * lanes) {
        x[to] = between[row + i];
        x[to + 1] = between[row + i + 1];
      }
    }
    // What lanes without a row hold goes nowhere.
    const done = runStages(along, x, y, lanes);
    storeRows(done, count, k, rows, columns, scale, target());
    yield;
  }
}

const clearedAtOnce = 2 ** 18;

function* cleared(count: number, target: () => Float32Array | Float64Array): Generator<void> {
  for (let start = 0; start < count; start += clearedAtOnce) {
    target().fill(0, start, Math.min(count, start + clearedAtOnce));
    yield;
  }
}

/** Column j of the wrapped chirp, without its zeros, as line q of `x`: from its first row on and, mirrored, from its last. */
function chirpColumn(chirp: Roots, j: number, rows: number, columns: number, x: Float64Array, q: number): void {
  const { n: period, bits, mask, fine, coarse } = chirp;
  const n = period / 2;
  const bend = (2 * columns * columns) % period;
  for (const isMirrored of [false, true]) {
    const first = isMirrored ? columns - j : j;
    let square = (first * first) % period;
    let step = (2 * first * columns + columns * columns) % period;
    let to = 2 * (isMirrored ? (rows - 1) * lanes + q : q);
    const apart = isMirrored ? -2 * lanes : 2 * lanes;
    // The element at 0 has no mirror; rows·columns ≥ 2n − 1 keeps both ends apart.
    for (let t = first; t < n; t += columns) {
      const a = 2 * (square >>> bits);
      const b = 2 * (square & mask);
      x[to] = coarse[a] + (coarse[a] * fine[b] - coarse[a + 1] * fine[b + 1]);
      x[to + 1] = -(coarse[a + 1] + (coarse[a] * fine[b + 1] + coarse[a + 1] * fine[b]));
      to += apart;
      square += step;
      if (square >= period) square -= period;
      step += bend;
      if (step >= period) step -= period;
    }
  }
}

/**
 * Turned by exp(−j2πjk/n), and the column that mirrors it, which holds the same numbers backwards: its transform has them backwards,
 * turned by as much less.
 */
function turnColumn(
  done: Float64Array,
  q: number,
  j: number,
  between: Float64Array,
  kept: number,
  rows: number,
  columns: number,
  { bits, mask, fine, coarse }: Roots,
): void {
  const mirror = j === 0 ? 0 : columns - j;
  for (let k = 0, e = 0; k < kept; k++, e += j) {
    const a = 2 * (e >>> bits);
    const b = 2 * (e & mask);
    const wr = coarse[a] + (coarse[a] * fine[b] - coarse[a + 1] * fine[b + 1]);
    const wi = coarse[a + 1] + (coarse[a] * fine[b + 1] + coarse[a + 1] * fine[b]);
    const from = 2 * (k * lanes + q);
    const back = 2 * ((k === 0 ? 0 : rows - k) * lanes + q);
    multiply(between, 2 * (k * columns + mirror), done[back], done[back + 1], wr, -wi);
    multiply(between, 2 * (k * columns + j), done[from], done[from + 1], wr, wi);
  }
}

function storeRows(
  done: Float64Array,
  count: number,
  k: number,
  rows: number,
  columns: number,
  scale: number,
  out: Float32Array | Float64Array,
): void {
  const m = rows * columns;
  for (let i = 0; i < columns; i++) {
    for (let q = 0; q < count; q++) {
      const to = i * rows + k + q;
      const re = scale * done[2 * (i * lanes + q)];
      const im = scale * done[2 * (i * lanes + q) + 1];
      out[2 * to] = re;
      out[2 * to + 1] = im;
      const mirror = to === 0 ? 0 : m - to;
      out[2 * mirror] = re;
      out[2 * mirror + 1] = im;
    }
  }
}

/** y[at] = (a + jb)(c + jd) */
function multiply(y: Float64Array, at: number, a: number, b: number, c: number, d: number): void {
  y[at] = a * c - b * d;
  y[at + 1] = a * d + b * c;
}
