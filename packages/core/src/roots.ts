/**
 * Roots of unity in float64, for the tables that transforms read: one by one as exact as float64 is, and by the million from two short
 * tables and one product.
 */

/** exp(−j2πk/n), from an angle of at most an eighth of a turn, where sine and cosine lose nothing: exact at multiples of an eighth. */
export function unitRoot(k: number, n: number): readonly [re: number, im: number] {
  const t = 8 * (((k % n) + n) % n);
  const octant = Math.floor(t / n);
  const rest = octant % 2 === 0 ? t - octant * n : (octant + 1) * n - t;
  const angle = (Math.PI * rest) / (4 * n);
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  const [re, im] = octant % 2 === 0 ? [c, s] : [s, c];
  switch (octant >> 1) {
    case 0:
      return [re, -im];
    case 1:
      return [-im, -re];
    case 2:
      return [-re, im];
    default:
      return [im, re];
  }
}

/**
 * exp(−j2πe/n) for whole e from 0 to n as c + c·f: c is `coarse` of e >>> bits, f is `fine` of e & mask, the root less one, as interleaved
 * complex numbers. f is small, so that the product's rounding counts for little: a root is off by hardly more than the rounding of c and
 * of the sum. Up to n = 8192 c is all.
 */
export interface Roots {
  readonly n: number;
  /** Low bits of e that choose the fine factor. */
  readonly bits: number;
  /** 2^bits − 1. */
  readonly mask: number;
  readonly coarse: Float64Array;
  readonly fine: Float64Array;
}

/** The two tables for exp(−j2πe/n), 0 ≤ e ≤ n: at most 8193 roots and as many as share one of them. */
export function rootsOf(n: number): Roots {
  const bits = Math.max(0, Math.ceil(Math.log2(n)) - 13);
  const step = 2 ** bits;
  const coarse = new Float64Array(2 * (Math.floor(n / step) + 1));
  for (let i = 0; 2 * i < coarse.length; i++) {
    const [re, im] = unitRoot(i * step, n);
    coarse[2 * i] = re;
    coarse[2 * i + 1] = im;
  }
  const fine = new Float64Array(2 * step);
  for (let i = 0; i < step; i++) {
    const sine = Math.sin((Math.PI * i) / n);
    fine[2 * i] = -2 * sine * sine;
    fine[2 * i + 1] = -Math.sin((2 * Math.PI * i) / n);
  }
  return { n, bits, mask: step - 1, coarse, fine };
}

/** Writes exp(−j2πe/n) to `out`, the real part at `re` and the imaginary one at `im`. */
export function putRoot({ bits, mask, fine, coarse }: Roots, e: number, out: Float32Array | Float64Array, re: number, im: number): void {
  const a = 2 * (e >>> bits);
  const b = 2 * (e & mask);
  out[re] = coarse[a] + (coarse[a] * fine[b] - coarse[a + 1] * fine[b + 1]);
  out[im] = coarse[a + 1] + (coarse[a] * fine[b + 1] + coarse[a + 1] * fine[b]);
}

/**
 * Writes exp(sign·jπi²/n) for `start` ≤ i < `start + count` to `out` as interleaved numbers from number `at` on; `roots` are those of 2n.
 * i² modulo 2n keeps the angle exact, for i up to 2²⁶.
 */
export function putChirp(
  { n: period, bits, mask, fine, coarse }: Roots,
  start: number,
  count: number,
  sign: -1 | 1,
  out: Float32Array | Float64Array,
  at: number,
): void {
  let square = (start * start) % period;
  let step = (2 * start + 1) % period;
  for (let i = 0, to = at; i < count; i++, to += 2) {
    const a = 2 * (square >>> bits);
    const b = 2 * (square & mask);
    out[to] = coarse[a] + (coarse[a] * fine[b] - coarse[a + 1] * fine[b + 1]);
    out[to + 1] = -sign * (coarse[a + 1] + (coarse[a] * fine[b + 1] + coarse[a + 1] * fine[b]));
    square += step;
    if (square >= period) square -= period;
    step += 2;
    if (step >= period) step -= period;
  }
}
