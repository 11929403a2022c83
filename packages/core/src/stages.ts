/**
 * DFTs of short lines in float64, by stages of small radices. Backends make tables with them, and transform data with them if they have
 * nothing faster. Several lines are transformed side by side. All functions are synchronous.
 */
import { putRoot, rootsOf, unitRoot } from "./roots.ts";

/** The radices of a line of n points. Undefined if n has a prime factor above 13. */
function radicesOf(n: number): number[] | undefined {
  const radices: number[] = [];
  let rest = n;
  for (const r of [4, 2, 3, 5, 7, 11, 13]) {
    for (; rest % r === 0; rest /= r) radices.push(r);
  }
  return rest === 1 ? radices : undefined;
}

/** Whether n is a product of primes up to 13, as `lineStages` needs. */
export const isSmooth = (n: number): boolean => radicesOf(n) !== undefined;

/** One stage of a mixed-radix transform: its radix and its twiddle factors. */
export interface RadixStage {
  /** Number of points of each butterfly. */
  readonly radix: number;
  /** Number of butterflies that have different twiddle factors. */
  readonly m: number;
  /** Twiddle factors exp(−j2πpk/(m·radix)) for p < m and 1 ≤ k < radix, interleaved, k fastest. */
  readonly twiddles: Float64Array;
  /** The roots exp(−j2πk/radix), interleaved, for radices that are computed by definition. */
  readonly unitRoots: Float64Array;
}

/** The stages and tables for lines of n points. */
export interface LineStages {
  readonly n: number;
  readonly stages: readonly RadixStage[];
}

/**
 * Makes the stages for lines of n points; n must be a product of primes up to 13. The twiddle factors take about 16n bytes. For long
 * lines, transform a matrix of shorter lines instead (`matrixOf`).
 */
export function lineStages(n: number): LineStages {
  const roots = rootsOf(n);
  let m = n;
  const stages = (radicesOf(n) ?? []).map((radix): RadixStage => {
    m /= radix;
    const twiddles = new Float64Array(2 * (radix - 1) * m);
    const step = n / (m * radix);
    let at = 0;
    for (let p = 0; p < m; p++) {
      for (let k = 1; k < radix; k++) {
        putRoot(roots, p * k * step, twiddles, at, at + 1);
        at += 2;
      }
    }
    const unitRoots = new Float64Array(2 * radix);
    for (let k = 0; k < radix; k++) [unitRoots[2 * k], unitRoots[2 * k + 1]] = unitRoot(k, radix) as [number, number];
    return { radix, m, twiddles, unitRoots };
  });
  return { n, stages };
}

/**
 * Computes the forward transforms of `lanes` lines side by side. Element i of line q is complex number i·lanes + q. The input is in `x`;
 * the result is in the array that is returned, which is `x` or `y`. Both are overwritten. (Stockham's autosort algorithm, decimation in
 * frequency.)
 */
export function runStages({ stages }: LineStages, x: Float64Array, y: Float64Array, lanes: number): Float64Array {
  let from = x;
  let to = y;
  let s = lanes;
  for (const stage of stages) {
    if (stage.radix === 4) four(from, to, stage, s);
    else if (stage.radix === 2) two(from, to, stage, s);
    else if (stage.radix === 3) three(from, to, stage, s);
    else if (stage.radix === 5) five(from, to, stage, s);
    else any(from, to, stage, s);
    [from, to] = [to, from];
    s *= stage.radix;
  }
  return from;
}

/** Radix 2. All stages read `x` and write `y`; `s` is the number of lines side by side. */
function two(x: Float64Array, y: Float64Array, { m, twiddles }: RadixStage, s: number): void {
  const apart = 2 * s * m;
  const width = 2 * s;
  for (let p = 0; p < m; p++) {
    const wr = twiddles[2 * p];
    const wi = twiddles[2 * p + 1];
    let i = p * width;
    let o = 2 * p * width;
    for (const end = i + width; i < end; i += 2, o += 2) {
      const ar = x[i];
      const ai = x[i + 1];
      const br = x[i + apart];
      const bi = x[i + apart + 1];
      y[o] = ar + br;
      y[o + 1] = ai + bi;
      const dr = ar - br;
      const di = ai - bi;
      y[o + width] = dr * wr - di * wi;
      y[o + width + 1] = dr * wi + di * wr;
    }
  }
}

const sine3 = Math.sqrt(0.75);

/** Radix 3. */
function three(x: Float64Array, y: Float64Array, { m, twiddles }: RadixStage, s: number): void {
  const apart = 2 * s * m;
  const width = 2 * s;
  for (let p = 0; p < m; p++) {
    const w1r = twiddles[4 * p];
    const w1i = twiddles[4 * p + 1];
    const w2r = twiddles[4 * p + 2];
    const w2i = twiddles[4 * p + 3];
    let i = p * width;
    let o = 3 * p * width;
    for (const end = i + width; i < end; i += 2, o += 2) {
      const ar = x[i];
      const ai = x[i + 1];
      const br = x[i + apart];
      const bi = x[i + apart + 1];
      const cr = x[i + 2 * apart];
      const ci = x[i + 2 * apart + 1];
      const tr = br + cr;
      const ti = bi + ci;
      y[o] = ar + tr;
      y[o + 1] = ai + ti;
      const ur = ar - 0.5 * tr;
      const ui = ai - 0.5 * ti;
      const vr = sine3 * (bi - ci);
      const vi = sine3 * (cr - br);
      const dr = ur + vr;
      const di = ui + vi;
      const er = ur - vr;
      const ei = ui - vi;
      y[o + width] = dr * w1r - di * w1i;
      y[o + width + 1] = dr * w1i + di * w1r;
      y[o + 2 * width] = er * w2r - ei * w2i;
      y[o + 2 * width + 1] = er * w2i + ei * w2r;
    }
  }
}

/** Radix 4. */
function four(x: Float64Array, y: Float64Array, { m, twiddles }: RadixStage, s: number): void {
  const apart = 2 * s * m;
  const width = 2 * s;
  for (let p = 0; p < m; p++) {
    const w = 6 * p;
    const w1r = twiddles[w];
    const w1i = twiddles[w + 1];
    const w2r = twiddles[w + 2];
    const w2i = twiddles[w + 3];
    const w3r = twiddles[w + 4];
    const w3i = twiddles[w + 5];
    let i = p * width;
    let o = 4 * p * width;
    for (const end = i + width; i < end; i += 2, o += 2) {
      const i1 = i + apart;
      const i2 = i1 + apart;
      const i3 = i2 + apart;
      const ar = x[i] + x[i2];
      const ai = x[i + 1] + x[i2 + 1];
      const br = x[i] - x[i2];
      const bi = x[i + 1] - x[i2 + 1];
      const cr = x[i1] + x[i3];
      const ci = x[i1 + 1] + x[i3 + 1];
      const dr = x[i1] - x[i3];
      const di = x[i1 + 1] - x[i3 + 1];
      y[o] = ar + cr;
      y[o + 1] = ai + ci;
      const o1 = o + width;
      const o2 = o1 + width;
      const o3 = o2 + width;
      const er = br + di;
      const ei = bi - dr;
      y[o1] = er * w1r - ei * w1i;
      y[o1 + 1] = er * w1i + ei * w1r;
      const fr = ar - cr;
      const fi = ai - ci;
      y[o2] = fr * w2r - fi * w2i;
      y[o2 + 1] = fr * w2i + fi * w2r;
      const gr = br - di;
      const gi = bi + dr;
      y[o3] = gr * w3r - gi * w3i;
      y[o3 + 1] = gr * w3i + gi * w3r;
    }
  }
}

const cosine51 = (Math.sqrt(5) - 1) / 4;
const cosine52 = -(Math.sqrt(5) + 1) / 4;
const sine51 = Math.sin((2 * Math.PI) / 5);
const sine52 = Math.sin(Math.PI / 5);

/** Radix 5. */
function five(x: Float64Array, y: Float64Array, { m, twiddles }: RadixStage, s: number): void {
  const apart = 2 * s * m;
  const width = 2 * s;
  for (let p = 0; p < m; p++) {
    const w = 8 * p;
    let i = p * width;
    let o = 5 * p * width;
    for (const end = i + width; i < end; i += 2, o += 2) {
      const i1 = i + apart;
      const i2 = i1 + apart;
      const i3 = i2 + apart;
      const i4 = i3 + apart;
      const ar = x[i];
      const ai = x[i + 1];
      const br = x[i1] + x[i4];
      const bi = x[i1 + 1] + x[i4 + 1];
      const cr = x[i2] + x[i3];
      const ci = x[i2 + 1] + x[i3 + 1];
      const dr = x[i1] - x[i4];
      const di = x[i1 + 1] - x[i4 + 1];
      const er = x[i2] - x[i3];
      const ei = x[i2 + 1] - x[i3 + 1];
      y[o] = ar + br + cr;
      y[o + 1] = ai + bi + ci;
      const fr = ar + cosine51 * br + cosine52 * cr;
      const fi = ai + cosine51 * bi + cosine52 * ci;
      const gr = ar + cosine52 * br + cosine51 * cr;
      const gi = ai + cosine52 * bi + cosine51 * ci;
      // −j times the odd parts.
      const hr = sine51 * di + sine52 * ei;
      const hi = -(sine51 * dr + sine52 * er);
      const kr = sine52 * di - sine51 * ei;
      const ki = -(sine52 * dr - sine51 * er);
      multiply(y, o + width, fr + hr, fi + hi, twiddles[w], twiddles[w + 1]);
      multiply(y, o + 2 * width, gr + kr, gi + ki, twiddles[w + 2], twiddles[w + 3]);
      multiply(y, o + 3 * width, gr - kr, gi - ki, twiddles[w + 4], twiddles[w + 5]);
      multiply(y, o + 4 * width, fr - hr, fi - hi, twiddles[w + 6], twiddles[w + 7]);
    }
  }
}

/** Any other radix r, by definition: r² products for each butterfly. */
function any(x: Float64Array, y: Float64Array, { radix, m, twiddles, unitRoots }: RadixStage, s: number): void {
  const apart = 2 * s * m;
  const width = 2 * s;
  for (let p = 0; p < m; p++) {
    for (let q = 0; q < width; q += 2) {
      const i = p * width + q;
      for (let k = 0; k < radix; k++) {
        let re = 0;
        let im = 0;
        for (let j = 0, turn = 0; j < radix; j++, turn = turn + k < radix ? turn + k : turn + k - radix) {
          const ar = x[i + j * apart];
          const ai = x[i + j * apart + 1];
          re += ar * unitRoots[2 * turn] - ai * unitRoots[2 * turn + 1];
          im += ar * unitRoots[2 * turn + 1] + ai * unitRoots[2 * turn];
        }
        const o = (radix * p + k) * width + q;
        if (k === 0) {
          y[o] = re;
          y[o + 1] = im;
        } else {
          const w = 2 * ((radix - 1) * p + k - 1);
          multiply(y, o, re, im, twiddles[w], twiddles[w + 1]);
        }
      }
    }
  }
}

/** y[at] = (a + jb)(c + jd), complex. */
function multiply(y: Float64Array, at: number, a: number, b: number, c: number, d: number): void {
  y[at] = a * c - b * d;
  y[at + 1] = a * d + b * c;
}

/**
 * The shape of a long line as a matrix of shorter lines: the two divisors of n that are closest to each other, with fewer rows than
 * columns.
 */
export function matrixOf(n: number): readonly [rows: number, columns: number] {
  let rows = Math.floor(Math.sqrt(n));
  while (n % rows !== 0) rows--;
  return [rows, n / rows];
}
