/**
 * The filter of Bluestein's convolution: the spectrum of a chirp, in float64, for the tables of any backend. The line is treated as a
 * matrix of two shorter transforms (D. H. Bailey 1990). The work is done a few columns or rows at a time, so that the event loop can run
 * in between.
 */
import { type Roots, rootsOf } from "./roots.ts";
import { lineStages, matrixOf, runStages } from "./stages.ts";

/** Number of lines of the matrix that are transformed together: as many as fit in a cache line. */
const lanes = 4;

/**
 * Computes the m-point spectrum of the chirp exp(jπi²/n), |i| < n, wrapped around 0: the filter of Bluestein's convolution (L. I.
 * Bluestein 1970). m must be at least 2n − 1 and a product of primes up to 13. The chirp is even, so only half of the matrix's columns
 * and rows are transformed.
 *
 * Writes the values times `scale`, as interleaved complex numbers, to the first 2m numbers of `target()`. `target` is called again after
 * each yield, because memory may have moved. The generator yields after about a millisecond of work. It needs about 8m bytes of temporary
 * memory.
 */
export function* chirpSpectrum(n: number, m: number, scale: number, target: () => Float32Array | Float64Array): Generator<void> {
  const [rows, columns] = matrixOf(m);
  const kept = Math.floor(rows / 2) + 1;
  const between = new Float64Array(2 * kept * columns);
  // The operating system allocates pages when they are first written. Clearing the arrays in order does that in small pieces; otherwise
  // the first column and the first row would touch all pages at once.
  yield* cleared(between.length, () => between);
  yield* cleared(2 * m, target);
  const down = lineStages(rows);
  const along = lineStages(columns);
  const twiddles = rootsOf(m);
  const chirp = rootsOf(2 * n);
  yield;
  const x = new Float64Array(2 * lanes * columns);
  const y = new Float64Array(2 * lanes * columns);
  for (let j = 0; 2 * j <= columns; j += lanes) {
    x.fill(0, 0, 2 * lanes * rows);
    for (let q = 0; q < lanes && 2 * (j + q) <= columns; q++) chirpColumn(chirp, j + q, rows, columns, x, q);
    const done = runStages(down, x, y, lanes);
    for (let q = 0; q < lanes && 2 * (j + q) <= columns; q++) twiddleColumn(done, q, j + q, between, kept, rows, columns, twiddles);
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
    // The results of lanes without a row are not stored.
    const done = runStages(along, x, y, lanes);
    storeRows(done, count, k, rows, columns, scale, target());
    yield;
  }
}

/** Numbers that are cleared between two yields. */
const clearedAtOnce = 2 ** 18;

/** Sets the first `count` numbers of `target()` to zero. */
function* cleared(count: number, target: () => Float32Array | Float64Array): Generator<void> {
  for (let start = 0; start < count; start += clearedAtOnce) {
    target().fill(0, start, Math.min(count, start + clearedAtOnce));
    yield;
  }
}

/**
 * Writes column j of the wrapped chirp to line q of `x`, which is zero before: from the first row on, and mirrored from the last row
 * backwards.
 */
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
    // The element at 0 has no mirror image. The two ends don't overlap because rows·columns ≥ 2n − 1.
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
 * Multiplies transformed column j with its twiddle factors exp(−j2πjk/n) and stores it in `between`. Also stores the column that mirrors
 * it: that one holds the same numbers backwards, so its transform is this one backwards, with the conjugate twiddle factors.
 */
function twiddleColumn(
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

/** Stores `count` transformed rows, scaled, and their mirror images. */
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

/** y[at] = (a + jb)(c + jd), complex. */
function multiply(y: Float64Array, at: number, a: number, b: number, c: number, d: number): void {
  y[at] = a * c - b * d;
  y[at + 1] = a * d + b * c;
}
