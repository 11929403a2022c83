/**
 * Spectra of short filters in float64, for designing filters. Data is transformed by a device's plans. Any length: halves
 * while it is even, and the definition for what is left.
 */

/** DFT of `x` (interleaved complex), zero-padded to `n`. */
export function designSpectrum(x: Float64Array, n: number): Float64Array {
  const cosines = Float64Array.from({ length: n }, (_, k) => Math.cos((2 * Math.PI * k) / n));
  const sines = Float64Array.from({ length: n }, (_, k) => -Math.sin((2 * Math.PI * k) / n));
  const spectrum = new Float64Array(2 * n);

  /** Transform of the m = n/step samples offset, offset + step, …, into `into[at …]`. */
  const transform = (m: number, step: number, offset: number, into: Float64Array, at: number): void => {
    if (m % 2 === 0) {
      const half = m / 2;
      transform(half, 2 * step, offset, into, at);
      transform(half, 2 * step, offset + step, into, at + half);
      for (let k = 0; k < half; k++) {
        const p = 2 * (at + k);
        const q = 2 * (at + half + k);
        const c = cosines[k * step];
        const s = sines[k * step];
        const re = into[q] * c - into[q + 1] * s;
        const im = into[q] * s + into[q + 1] * c;
        into[q] = into[p] - re;
        into[q + 1] = into[p + 1] - im;
        into[p] += re;
        into[p + 1] += im;
      }
      return;
    }
    for (let k = 0; k < m; k++) {
      let re = 0;
      let im = 0;
      for (let i = 0; i < m && 2 * (offset + i * step) < x.length; i++) {
        const turn = ((i * k) % m) * step;
        const s = 2 * (offset + i * step);
        re += x[s] * cosines[turn] - x[s + 1] * sines[turn];
        im += x[s] * sines[turn] + x[s + 1] * cosines[turn];
      }
      into[2 * (at + k)] = re;
      into[2 * (at + k) + 1] = im;
    }
  };
  transform(n, 1, 0, spectrum, 0);
  return spectrum;
}

/** Signed frequency of bin k of n, in units of the sampling rate: −½ … ½. */
export const binFrequency = (k: number, n: number): number => (2 * k < n ? k / n : k / n - 1);

export const nextPowerOfTwo = (n: number): number => 2 ** Math.ceil(Math.log2(n));
