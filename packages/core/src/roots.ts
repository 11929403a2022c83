/**
 * Roots of unity in float64, for the tables of transforms: single ones as exact as float64 allows, and millions of them from two short
 * tables and one product each.
 */

/**
 * exp(−j2πk/n). It is computed from an angle of at most an eighth of a turn, where sine and cosine are accurate. Multiples of a quarter
 * turn are exact.
 */
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
 * Two tables that give exp(−j2πe/n) for integers e from 0 to n as c + c·f. c is entry e >>> `bits` of `coarse`; f is entry e & `mask` of
 * `fine` and is a root minus 1. Entries are interleaved complex numbers. f is small, so the rounding of the product hardly matters: the
 * error is little more than the rounding of c and of the sum. For n up to 8192, f is 0.
 */
export interface Roots {
  /** Number of roots. */
  readonly n: number;
  /** Number of low bits of e that index `fine`. */
  readonly bits: number;
  /** 2^bits − 1. */
  readonly mask: number;
  readonly coarse: Float64Array;
  readonly fine: Float64Array;
}

/** Makes the two tables for exp(−j2πe/n), 0 ≤ e ≤ n. `coarse` has at most 8193 entries, `fine` has 2^bits. */
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

/** Writes exp(−j2πe/n) to `out`: the real part at index `re`, the imaginary part at index `im`. */
export function putRoot({ bits, mask, fine, coarse }: Roots, e: number, out: Float32Array | Float64Array, re: number, im: number): void {
  const a = 2 * (e >>> bits);
  const b = 2 * (e & mask);
  out[re] = coarse[a] + (coarse[a] * fine[b] - coarse[a + 1] * fine[b + 1]);
  out[im] = coarse[a + 1] + (coarse[a] * fine[b + 1] + coarse[a + 1] * fine[b]);
}

/**
 * Writes the chirp exp(sign·jπi²/n) for `start` ≤ i < `start + count` to `out` as interleaved complex numbers, beginning at index `at`.
 * `roots` must be those of 2n. The angle is exact for i up to 2²⁶, because i² is taken modulo 2n.
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
