/**
 * A DFT in float64 on the host, for tables that are spectra: mixed radix by recursion, made once for a plan. Not for data.
 */
import { unitRoot } from "./tables.ts";

/** The forward DFT of n interleaved complex numbers. */
export function hostDft(x: Float64Array): Float64Array {
  const n = x.length / 2;
  const roots = new Float64Array(2 * n);
  for (let k = 0; k < n; k++) roots.set(unitRoot(k, n), 2 * k);
  const out = new Float64Array(2 * n);
  transform(x, 0, 1, out, 0, n, roots, n);
  return out;
}

function smallestFactor(n: number): number {
  if (n % 4 === 0) return 4;
  for (let p = 2; p * p <= n; p++) if (n % p === 0) return p;
  return n;
}

/** out[to …] = DFT of x[from + i·stride], decimated in time; roots are those of `length`. */
function transform(
  x: Float64Array,
  from: number,
  stride: number,
  out: Float64Array,
  to: number,
  n: number,
  roots: Float64Array,
  length: number,
): void {
  if (n === 1) {
    out[2 * to] = x[2 * from];
    out[2 * to + 1] = x[2 * from + 1];
    return;
  }
  const r = smallestFactor(n);
  const m = n / r;
  for (let q = 0; q < r; q++) transform(x, from + q * stride, stride * r, out, to + q * m, m, roots, length);
  const values = new Float64Array(2 * r);
  const step = length / n;
  for (let k = 0; k < m; k++) {
    for (let q = 0; q < r; q++) {
      const w = 2 * ((q * k * step) % length);
      const s = 2 * (to + q * m + k);
      values[2 * q] = out[s] * roots[w] - out[s + 1] * roots[w + 1];
      values[2 * q + 1] = out[s] * roots[w + 1] + out[s + 1] * roots[w];
    }
    for (let p = 0; p < r; p++) {
      let re = 0;
      let im = 0;
      for (let q = 0; q < r; q++) {
        const w = 2 * ((((p * q) % r) * (length / r)) % length);
        re += values[2 * q] * roots[w] - values[2 * q + 1] * roots[w + 1];
        im += values[2 * q] * roots[w + 1] + values[2 * q + 1] * roots[w];
      }
      const d = 2 * (to + p * m + k);
      out[d] = re;
      out[d + 1] = im;
    }
  }
}
