/**
 * The results that transforms must have, by definition and in float64: y[k] = Σ x[i]·exp(∓j2πik/n), with the angle from the integer ik
 * modulo n and a compensated sum. It is slow. It shares no arithmetic or indexing with core or a backend. Complex numbers are
 * interleaved.
 */
import { dtypes, type Fft, type FilterInverse, type RealFft, type SpectralFilter, type TypedArrayOf } from "@dechirp/core";

type Numbers = ArrayLike<number>;

/** cos and sin of 2πk/n for k < n. */
interface Circle {
  readonly cos: Float64Array;
  readonly sin: Float64Array;
}

let circle: { readonly n: number; readonly table: Circle } | undefined;

/** Makes a table from angles of at most π/4, so that values are correctly rounded or off by one unit. The last table is kept. */
function circleOf(n: number): Circle {
  if (circle?.n === n) return circle.table;
  const table: Circle = { cos: new Float64Array(n), sin: new Float64Array(n) };
  for (let k = 0; k < n; k++) {
    const quarter = Math.floor((4 * k) / n);
    const rest = 4 * k - quarter * n; // the angle within the quarter is rest/n of a quarter turn
    const upper = 2 * rest > n;
    const angle = (Math.PI / 2) * ((upper ? n - rest : rest) / n);
    const c = upper ? Math.sin(angle) : Math.cos(angle);
    const s = upper ? Math.cos(angle) : Math.sin(angle);
    table.cos[k] = [c, -s, -c, s][quarter];
    table.sin[k] = [s, c, -s, -c][quarter];
  }
  circle = { n, table };
  return table;
}

/** Computes the bins `bins` of the n-point DFT of a complex line, which is zero-padded or cropped to n. The inverse divides by n. */
export function dftBins(line: Numbers, n: number, bins: ArrayLike<number>, inverse: boolean): Float64Array {
  const { cos, sin } = circleOf(n);
  const x = line instanceof Float64Array ? line : Float64Array.from(line);
  const sign = inverse ? 1 : -1;
  const used = Math.min(x.length / 2, n);
  const out = new Float64Array(2 * bins.length);
  const scale = inverse ? 1 / n : 1;
  for (let at = 0; at < bins.length; at++) {
    const k = bins[at];
    let re = 0;
    let im = 0;
    let lostRe = 0;
    let lostIm = 0;
    for (let i = 0, turn = 0; i < used; i++) {
      const c = cos[turn];
      const s = sign * sin[turn];
      const a = x[2 * i];
      const b = x[2 * i + 1];
      const termRe = a * c - b * s - lostRe;
      const sumRe = re + termRe;
      lostRe = sumRe - re - termRe;
      re = sumRe;
      const termIm = a * s + b * c - lostIm;
      const sumIm = im + termIm;
      lostIm = sumIm - im - termIm;
      im = sumIm;
      turn += k;
      if (turn >= n) turn -= n;
    }
    out[2 * at] = re * scale;
    out[2 * at + 1] = im * scale;
  }
  return out;
}

/** The integers from `start` to `start` + `count` − 1. */
export const range = (start: number, count: number): number[] => Array.from({ length: count }, (_, i) => start + i);

/** Computes all bins of the n-point DFT of a complex line, which is zero-padded or cropped to n. The inverse divides by n. */
export const dft = (line: Numbers, n: number, inverse: boolean): Float64Array => dftBins(line, n, range(0, n), inverse);

/** Calls `visit` for every line along `axis`, with the index of its first element, the distance between its elements, and its number. */
export function forEachLine(shape: readonly number[], axis: number, visit: (first: number, stride: number, line: number) => void): void {
  const strides = shape.map((_, a) => shape.slice(a + 1).reduce((p, e) => p * e, 1));
  let line = 0;
  const descend = (a: number, first: number): void => {
    if (a === shape.length) visit(first, strides[axis], line++);
    else if (a === axis) descend(a + 1, first);
    else for (let i = 0; i < shape[a]; i++) descend(a + 1, first + i * strides[a]);
  };
  descend(0, 0);
}

/** Copies one line of an array to interleaved complex numbers. */
export function lineOf(data: Numbers, complex: boolean, first: number, stride: number, extent: number): Float64Array {
  const line = new Float64Array(2 * extent);
  for (let i = 0; i < extent; i++) {
    const e = first + i * stride;
    line[2 * i] = complex ? data[2 * e] : data[e];
    line[2 * i + 1] = complex ? data[2 * e + 1] : 0;
  }
  return line;
}

/** Any op that transforms lines along an axis. */
export type AnyTransform = Fft | RealFft | SpectralFilter | FilterInverse;

/**
 * Computes the result of `op` without its load and store, in float64, for input `x` and filter `h`. `x` holds the scalars of `op.layout`;
 * the result holds the scalars of the result's layout. If a hook computes the filter, `h` holds its values for the whole spectrum.
 */
export function transformed(op: AnyTransform, x: TypedArrayOf | Float64Array, h?: Numbers): Float64Array {
  const { axis, layout } = op;
  const extent = layout.shape[axis];
  const realOut = op.op === "real-fft" && op.inverse;
  const n = op.n ?? (realOut ? 2 * (extent - 1) : extent);
  const bins = op.op === "real-fft" && !op.inverse ? Math.floor(n / 2) + 1 : n;
  const [start, kept] = op.keep ?? [0, bins];
  const shape = (length: number): number[] => layout.shape.map((e, a) => (a === axis ? length : e));
  const places: [first: number, stride: number][] = [];
  forEachLine(shape(kept), axis, (first, stride) => places.push([first, stride]));
  const filters: Float64Array[] = [];
  if ("h" in op && h && op.h === "line") filters.push(Float64Array.from(h));
  if ("h" in op && h && op.h !== "line") forEachLine(shape(n), axis, (first, stride) => filters.push(lineOf(h, true, first, stride, n)));
  const total = layout.shape.reduce((p, e, a) => p * (a === axis ? kept : e), 1);
  const out = new Float64Array(realOut ? total : 2 * total);
  forEachLine(layout.shape, axis, (from, stride, l) => {
    const line = lineOf(x, dtypes[layout.dtype].components === 2, from, stride, extent);
    const result = lineResult(op, line, n, range(start, kept), filters[filters.length === 1 ? 0 : l]);
    const [first, apart] = places[l];
    for (let i = 0; i < kept; i++) {
      const e = first + i * apart;
      if (realOut) {
        out[e] = result[2 * i];
      } else {
        out[2 * e] = result[2 * i];
        out[2 * e + 1] = result[2 * i + 1];
      }
    }
  });
  return op.cornerTurn ? turned(out, shape(kept), realOut ? 1 : 2) : out;
}

/** Exchanges the last two axes of an array whose elements have `components` numbers. */
function turned(data: Float64Array, shape: readonly number[], components: number): Float64Array {
  const [rows, columns] = shape.slice(-2);
  const out = new Float64Array(data.length);
  for (let e = 0; e < data.length / components; e++) {
    const [matrix, rest] = [Math.floor(e / (rows * columns)), e % (rows * columns)];
    const to = matrix * rows * columns + (rest % columns) * rows + Math.floor(rest / columns);
    for (let c = 0; c < components; c++) out[components * to + c] = data[components * e + c];
  }
  return out;
}

function lineResult(op: AnyTransform, line: Float64Array, n: number, bins: readonly number[], h: Float64Array): Float64Array {
  switch (op.op) {
    case "fft":
      return dftBins(line, n, bins, op.inverse);
    case "real-fft":
      return op.inverse ? dftBins(fullSpectrum(line, n), n, bins, true) : dftBins(line, n, bins, false);
    case "spectral-filter":
      return dftBins(product(dft(line, n, false), h), n, bins, true);
    case "filter-inverse":
      return dftBins(product(resized(line, n), h), n, bins, true);
  }
}

/** y = x·h, element by element, complex. */
export function product(x: Numbers, h: Numbers): Float64Array {
  const y = new Float64Array(x.length);
  for (let i = 0; i < x.length; i += 2) {
    y[i] = x[i] * h[i] - x[i + 1] * h[i + 1];
    y[i + 1] = x[i] * h[i + 1] + x[i + 1] * h[i];
  }
  return y;
}

function resized(line: Float64Array, n: number): Float64Array {
  const out = new Float64Array(2 * n);
  out.set(line.subarray(0, Math.min(line.length, 2 * n)));
  return out;
}

/** The n bins of a real line's spectrum from its half spectrum. The imaginary parts of bin 0 and, for even n, bin n/2 are set to 0. */
function fullSpectrum(half: Float64Array, n: number): Float64Array {
  const full = new Float64Array(2 * n);
  for (let k = 0; 2 * k <= n; k++) {
    if (2 * k >= half.length) break;
    const own = (2 * k) % n === 0;
    full[2 * k] = half[2 * k];
    full[2 * k + 1] = own ? 0 : half[2 * k + 1];
    if (own) continue;
    full[2 * (n - k)] = half[2 * k];
    full[2 * (n - k) + 1] = -half[2 * k + 1];
  }
  return full;
}
