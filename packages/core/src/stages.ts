/**
 * Discrete Fourier transforms of short lines in float64, by stages of small radices: what backends make tables with, and transform data
 * with where they have nothing faster. Lines that lie side by side are transformed together. Nothing here waits.
 */
import { putRoot, rootsOf, unitRoot } from "./roots.ts";

/** Stages of a line, or nothing where n has a prime factor above 13. */
function radicesOf(n: number): number[] | undefined {
  const radices: number[] = [];
  let rest = n;
  for (const r of [4, 2, 3, 5, 7, 11, 13]) {
    for (; rest % r === 0; rest /= r) radices.push(r);
  }
  return rest === 1 ? radices : undefined;
}

/** Whether n is a product of primes up to 13: what `lineStages` takes. */
export const isSmooth = (n: number): boolean => radicesOf(n) !== undefined;

/** One stage of a mixed-radix transform: its radix and its twiddle factors. */
export interface Stage {
  /** Points of a butterfly. */
  readonly radix: number;
  /** Butterflies that have turns of their own. */
  readonly m: number;
  /** exp(−j2πpk/(m·radix)) for p < m and 1 ≤ k < radix. */
  readonly turns: Float64Array;
  /** exp(−j2πk/radix), for radices without a butterfly of their own. */
  readonly own: Float64Array;
}

/** What `runStages` transforms lines of n with. */
export interface LineStages {
  readonly n: number;
  readonly stages: readonly Stage[];
}

/** The stages of lines of n, a product of primes up to 13. Their turns take 16n bytes or so: longer lines are better a matrix. */
export function lineStages(n: number): LineStages {
  const roots = rootsOf(n);
  let m = n;
  const stages = (radicesOf(n) ?? []).map((radix): Stage => {
    m /= radix;
    const turns = new Float64Array(2 * (radix - 1) * m);
    const step = n / (m * radix);
    let at = 0;
    for (let p = 0; p < m; p++) {
      for (let k = 1; k < radix; k++) {
        putRoot(roots, p * k * step, turns, at, at + 1);
        at += 2;
      }
    }
    const own = new Float64Array(2 * radix);
    for (let k = 0; k < radix; k++) [own[2 * k], own[2 * k + 1]] = unitRoot(k, radix) as [number, number];
    return { radix, m, turns, own };
  });
  return { n, stages };
}

/**
 * Forward transforms of `lanes` lines side by side: element i of line q is complex number i·lanes + q. From `x`, which is lost, to the one of
 * `x` and `y` that is returned (Stockham's autosorting form, decimated in frequency).
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

function two(x: Float64Array, y: Float64Array, { m, turns }: Stage, s: number): void {
  const apart = 2 * s * m;
  const width = 2 * s;
  for (let p = 0; p < m; p++) {
    const wr = turns[2 * p];
    const wi = turns[2 * p + 1];
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

function three(x: Float64Array, y: Float64Array, { m, turns }: Stage, s: number): void {
  const apart = 2 * s * m;
  const width = 2 * s;
  for (let p = 0; p < m; p++) {
    const w1r = turns[4 * p];
    const w1i = turns[4 * p + 1];
    const w2r = turns[4 * p + 2];
    const w2i = turns[4 * p + 3];
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

function four(x: Float64Array, y: Float64Array, { m, turns }: Stage, s: number): void {
  const apart = 2 * s * m;
  const width = 2 * s;
  for (let p = 0; p < m; p++) {
    const w = 6 * p;
    const w1r = turns[w];
    const w1i = turns[w + 1];
    const w2r = turns[w + 2];
    const w2i = turns[w + 3];
    const w3r = turns[w + 4];
    const w3i = turns[w + 5];
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

function five(x: Float64Array, y: Float64Array, { m, turns }: Stage, s: number): void {
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
      multiply(y, o + width, fr + hr, fi + hi, turns[w], turns[w + 1]);
      multiply(y, o + 2 * width, gr + kr, gi + ki, turns[w + 2], turns[w + 3]);
      multiply(y, o + 3 * width, gr - kr, gi - ki, turns[w + 4], turns[w + 5]);
      multiply(y, o + 4 * width, fr - hr, fi - hi, turns[w + 6], turns[w + 7]);
    }
  }
}

/** By definition, r² products. */
function any(x: Float64Array, y: Float64Array, { radix, m, turns, own }: Stage, s: number): void {
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
          re += ar * own[2 * turn] - ai * own[2 * turn + 1];
          im += ar * own[2 * turn + 1] + ai * own[2 * turn];
        }
        const o = (radix * p + k) * width + q;
        if (k === 0) {
          y[o] = re;
          y[o + 1] = im;
        } else {
          const w = 2 * ((radix - 1) * p + k - 1);
          multiply(y, o, re, im, turns[w], turns[w + 1]);
        }
      }
    }
  }
}

/** y[at] = (a + jb)(c + jd) */
function multiply(y: Float64Array, at: number, a: number, b: number, c: number, d: number): void {
  y[at] = a * c - b * d;
  y[at + 1] = a * d + b * c;
}

/** Rows and columns of a long line as a matrix of shorter ones: divisors as near to each other as there are, fewer rows. */
export function matrixOf(n: number): readonly [rows: number, columns: number] {
  let rows = Math.floor(Math.sqrt(n));
  while (n % rows !== 0) rows--;
  return [rows, n / rows];
}
