/**
 * Reference results in float64 on sampled lines, and the errors of measured results. Powers of two use fft.js in float64, other lengths
 * the definition with a table of roots, or, where that takes long, a convolution by fft.js (Bluestein). The energy of the whole result is checked by Parseval's theorem, which detects lines that were not
 * written, or written twice.
 */
import FFT from "fft.js";

/** Some elements of a result and their expected values, interleaved if the result is complex. */
export interface Sample {
  /** The first element, and the distance of adjacent ones (`stride`), in elements. */
  readonly start: number;
  readonly stride: number;
  readonly values: Float64Array;
}

/** n complex numbers of `x` from element `start` on, `stride` elements apart. */
export function lineOf(x: ArrayLike<number>, n: number, start: number, stride = 1): Float64Array {
  const line = new Float64Array(2 * n);
  for (let i = 0; i < n; i++) {
    line[2 * i] = x[2 * (start + i * stride)];
    line[2 * i + 1] = x[2 * (start + i * stride) + 1];
  }
  return line;
}

/** The longest line that is transformed by definition. */
const longestDefinition = 2048;

/** The DFT of a complex line as a convolution with a chirp: n·k = (n² + k² − (k − n)²) / 2. The inverse divides by n. */
function chirped(line: Float64Array, inverse: boolean): Float64Array {
  const n = line.length / 2;
  const sign = inverse ? 1 : -1;
  const chirp = Float64Array.from({ length: 2 * n }, (_, i) => {
    const at = i >> 1;
    const angle = (sign * Math.PI * ((at * at) % (2 * n))) / n;
    return i % 2 === 0 ? Math.cos(angle) : Math.sin(angle);
  });
  const length = 2 ** Math.ceil(Math.log2(2 * n - 1));
  const fft = new FFT(length);
  const [kernel, padded] = [new Float64Array(2 * length), new Float64Array(2 * length)];
  padded.set(product(line, chirp));
  for (let i = 0; i < n; i++) {
    for (const at of i === 0 ? [0] : [i, length - i]) {
      kernel[2 * at] = chirp[2 * i];
      kernel[2 * at + 1] = -chirp[2 * i + 1];
    }
  }
  const [a, b, out] = [kernel, padded, kernel].map(() => new Float64Array(2 * length));
  fft.transform(a, kernel);
  fft.transform(b, padded);
  fft.inverseTransform(out, product(a, b));
  const scale = inverse ? 1 / n : 1;
  return product(out.subarray(0, 2 * n), chirp).map((value) => value * scale);
}

/** The DFT of a complex line. The inverse divides by n. */
export function dft(line: Float64Array, inverse = false): Float64Array {
  const n = line.length / 2;
  const out = new Float64Array(2 * n);
  if (n > 1 && Number.isInteger(Math.log2(n))) {
    const fft = new FFT(n);
    if (inverse) fft.inverseTransform(out, line);
    else fft.transform(out, line);
    return out;
  }
  if (n > longestDefinition) return chirped(line, inverse);
  const sign = inverse ? 1 : -1;
  const roots = Float64Array.from({ length: 2 * n }, (_, i) => {
    const angle = (sign * Math.PI * 2 * (i >> 1)) / n;
    return i % 2 === 0 ? Math.cos(angle) : Math.sin(angle);
  });
  const scale = inverse ? 1 / n : 1;
  for (let k = 0; k < n; k++) {
    let [re, im] = [0, 0];
    for (let i = 0, r = 0; i < n; i++) {
      const [c, s] = [roots[2 * r], roots[2 * r + 1]];
      re += line[2 * i] * c - line[2 * i + 1] * s;
      im += line[2 * i] * s + line[2 * i + 1] * c;
      r += k;
      if (r >= n) r -= n;
    }
    out[2 * k] = re * scale;
    out[2 * k + 1] = im * scale;
  }
  return out;
}

/** One frequency of the DFT of a complex line. */
export function bin(x: ArrayLike<number>, n: number, start: number, k: number): readonly [number, number] {
  let [re, im] = [0, 0];
  for (let i = 0; i < n; i++) {
    const angle = (-2 * Math.PI * ((i * k) % n)) / n;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    re += x[2 * (start + i)] * c - x[2 * (start + i) + 1] * s;
    im += x[2 * (start + i)] * s + x[2 * (start + i) + 1] * c;
  }
  return [re, im];
}

/** The product of two complex arrays, element by element. */
export function product(a: Float64Array, b: ArrayLike<number>): Float64Array {
  const out = new Float64Array(a.length);
  for (let i = 0; i < a.length; i += 2) {
    out[i] = a[i] * b[i] - a[i + 1] * b[i + 1];
    out[i + 1] = a[i] * b[i + 1] + a[i + 1] * b[i];
  }
  return out;
}

/** At most `wanted` evenly spaced indices of `count`, including the first and the last. */
export function spreadOver(count: number, wanted = 3): number[] {
  const steps = Math.max(1, Math.min(count, wanted) - 1);
  return [...new Set(Array.from({ length: Math.min(count, wanted) }, (_, i) => Math.round(((count - 1) * i) / steps)))];
}

/** Relative L2 error over the samples. Infinite if results are NaN. */
export function sampledError(result: ArrayLike<number>, samples: readonly Sample[], components: 1 | 2): number {
  let [difference, energy] = [0, 0];
  for (const { start, stride, values } of samples) {
    for (let i = 0; i < values.length; i++) {
      const at = components * (start + Math.floor(i / components) * stride) + (i % components);
      difference += (result[at] - values[i]) ** 2;
      energy += values[i] ** 2;
    }
  }
  const error = Math.sqrt(difference / energy);
  return Number.isNaN(error) ? Number.POSITIVE_INFINITY : error;
}

/** Σ|x|². With `weight`, element k of every row of `row` complex elements is weighted. */
export function energyOf(x: ArrayLike<number>, row = 0, weight?: (k: number) => number): number {
  let energy = 0;
  for (let i = 0; i < x.length; i++) energy += weight ? weight((i >> 1) % row) * x[i] ** 2 : x[i] ** 2;
  return energy;
}

/** The spectra of rows of n points that are spread over all `lines` of them. */
export const rowSpectra = (x: ArrayLike<number>, n: number, lines: number): Sample[] =>
  spreadOver(lines).map((l) => ({ start: l * n, stride: 1, values: dft(lineOf(x, n, l * n)) }));
