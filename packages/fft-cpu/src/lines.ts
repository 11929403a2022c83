/**
 * Transforms of one line of interleaved complex numbers, of any length, in JavaScript. The table `ways` lists the algorithms; the first
 * that takes the length is used. Powers of two use fft.js while its tables, which are JavaScript arrays, are short. Other lengths with
 * prime factors up to 13 use stages, or if they are long, a matrix of two shorter transforms (D. H. Bailey 1990). Other short lengths use
 * the definition, and the rest Bluestein's algorithm. All but fft.js compute in float64 whatever the line's precision. Inverses divide by
 * n.
 */
import { nextFastLength } from "@dechirp/core";
import { runToEnd } from "@dechirp/core/internal";
import { chirpSpectrum, isSmooth, lineStages, matrixOf, putChirp, putRoot, rootsOf, runStages } from "@dechirp/core/tables";
import FFT from "fft.js";

/** A line of interleaved complex numbers. */
export type Line = Float32Array | Float64Array;
/** The array type of a line, which tells its precision. */
export type LineConstructor = Float32ArrayConstructor | Float64ArrayConstructor;

/** A transform of lines of one length. */
export interface LineTransform {
  /** Number of points. */
  readonly n: number;
  /** The algorithm, for the text of a plan. */
  readonly text: string;
  /** Whether a convolution computes the transform. */
  readonly convolved?: true;
  /** Writes the DFT of `input` to `output`; each has 2n numbers. They must be different arrays. `input` does not change. */
  run(output: Line, input: Line, inverse: boolean): void;
  /** `run` in steps of about a millisecond. Present only for long lines, for which `run` would block the event loop too long. */
  steps?(output: Line, input: Line, inverse: boolean): Generator<void>;
}

/** An algorithm and the lengths that it takes. */
interface Way {
  takes(n: number): boolean;
  /** Bytes of the tables and work arrays for n points. Small ones are not counted. */
  bytes(n: number): number;
  /** Makes the tables step by step and returns the transform. */
  make(n: number, precision: LineConstructor): Generator<void, LineTransform>;
}

/** Up to this length, n² multiplications are faster than Bluestein's three transforms. */
const longestByDefinition = 32;
/** Longer lines do not fit the fastest cache and are faster as a matrix. */
const longestByStages = 4096;

/** Beyond this length a matrix of shorter lines is as fast as fft.js, whose tables would block the thread for tens of milliseconds. */
const longestPower = 2 ** 17;

const isPowerOfTwo = (n: number): boolean => Number.isInteger(Math.log2(n));

const ways: readonly Way[] = [
  { takes: (n) => n === 1, bytes: () => 0, make: copy },
  { takes: (n) => n <= longestPower && isPowerOfTwo(n), bytes: (n) => 24 * n, make: fftJs },
  { takes: (n) => n <= longestByStages && isSmooth(n), bytes: (n) => 48 * n, make: byStages },
  { takes: isSmooth, bytes: (n) => 16 * n, make: asMatrix },
  { takes: (n) => n <= longestByDefinition, bytes: () => 0, make: byDefinition },
  { takes: () => true, bytes: (n) => 16 * n + 64 * convolutionLength(n), make: bluestein },
];

const wayOf = (n: number): Way => ways.find((way) => way.takes(n)) as Way;

/** Makes the transform of lines of n points, step by step. */
export const lineTransform = (n: number, precision: LineConstructor): Generator<void, LineTransform> => wayOf(n).make(n, precision);

/** Bytes that the transform of n points holds or needs while it runs. */
export const lineTransformBytes = (n: number): number => wayOf(n).bytes(n);

/**
 * Copies a line, scaled. For an inverse it exchanges real and imaginary parts: exchanging them before and after a forward transform makes
 * it an inverse.
 */
function copyLine(to: Line, from: Line, n: number, inverse: boolean, scale: number): void {
  const first = inverse ? 1 : 0;
  const second = 1 - first;
  for (let i = 0; i < 2 * n; i += 2) {
    to[i] = from[i + first] * scale;
    to[i + 1] = from[i + second] * scale;
  }
}

function* copy(n: number): Generator<void, LineTransform> {
  return { n, text: "copy", run: (output, input) => output.set(input) };
}

function* fftJs(n: number, precision: LineConstructor): Generator<void, LineTransform> {
  const fft = new FFT(n);
  return {
    n,
    text: `fft.js ${precision === Float32Array ? "f32" : "f64"}`,
    run(output, input, inverse) {
      if (inverse) fft.inverseTransform(output, input);
      else fft.transform(output, input);
    },
  };
}

function* byStages(n: number): Generator<void, LineTransform> {
  const stages = lineStages(n);
  const a = new Float64Array(2 * n);
  const b = new Float64Array(2 * n);
  return {
    n,
    text: `stages ${stages.stages.map(({ radix }) => radix).join("·")} f64`,
    run(output, input, inverse) {
      copyLine(a, input, n, inverse, 1);
      copyLine(output, runStages(stages, a, b, 1), n, inverse, inverse ? 1 / n : 1);
    },
  };
}

/** Number of lines of the matrix that are transformed together: as many as fit in a cache line. */
const lanes = 4;

function* asMatrix(n: number): Generator<void, LineTransform> {
  const [rows, columns] = matrixOf(n);
  const down = lineStages(rows);
  const along = lineStages(columns);
  const turns = rootsOf(n);
  yield;
  const between = new Float64Array(2 * n);
  const x = new Float64Array(2 * lanes * columns);
  const y = new Float64Array(2 * lanes * columns);
  const root = new Float64Array(2);
  return inSteps({
    n,
    text: `matrix ${rows}×${columns} f64`,
    *steps(output, input, inverse) {
      const first = inverse ? 1 : 0;
      const second = 1 - first;
      const scale = inverse ? 1 / n : 1;
      for (let j = 0; j < columns; j += lanes) {
        const width = Math.min(lanes, columns - j);
        for (let i = 0; i < rows; i++) {
          const from = 2 * (i * columns + j);
          const to = 2 * i * width;
          for (let q = 0; q < 2 * width; q += 2) {
            x[to + q] = input[from + q + first];
            x[to + q + 1] = input[from + q + second];
          }
        }
        const done = runStages(down, x, y, width);
        for (let k = 0; k < rows; k++) {
          const from = 2 * k * width;
          const to = 2 * (k * columns + j);
          for (let q = 0; q < width; q++) {
            putRoot(turns, (j + q) * k, root, 0, 1);
            multiplyInto(between, to + 2 * q, done[from + 2 * q], done[from + 2 * q + 1], root[0], root[1]);
          }
        }
        yield;
      }
      for (let k = 0; k < rows; k += lanes) {
        const width = Math.min(lanes, rows - k);
        for (let q = 0; q < width; q++) {
          const row = 2 * (k + q) * columns;
          for (let i = 0, to = 2 * q; i < 2 * columns; i += 2, to += 2 * width) {
            x[to] = between[row + i];
            x[to + 1] = between[row + i + 1];
          }
        }
        const done = runStages(along, x, y, width);
        for (let i = 0; i < columns; i++) {
          const from = 2 * i * width;
          const to = 2 * (i * rows + k);
          for (let q = 0; q < 2 * width; q += 2) {
            output[to + q] = scale * done[from + q + first];
            output[to + q + 1] = scale * done[from + q + second];
          }
        }
        yield;
      }
    },
  });
}

function* byDefinition(n: number): Generator<void, LineTransform> {
  const roots = rootsOf(n);
  const copy = new Float64Array(2 * n);
  return {
    n,
    text: "definition",
    run(output, input, inverse) {
      copyLine(copy, input, n, inverse, 1);
      const [first, second] = inverse ? [1, 0] : [0, 1];
      const scale = inverse ? 1 / n : 1;
      const { coarse } = roots;
      for (let k = 0; k < n; k++) {
        let re = 0;
        let im = 0;
        for (let i = 0, turn = 0; i < n; i++, turn = turn + k < n ? turn + k : turn + k - n) {
          const c = coarse[2 * turn];
          const s = coarse[2 * turn + 1];
          re += copy[2 * i] * c - copy[2 * i + 1] * s;
          im += copy[2 * i] * s + copy[2 * i + 1] * c;
        }
        output[2 * k + first] = re * scale;
        output[2 * k + second] = im * scale;
      }
    },
  };
}

/** A length for the convolution: a power of two while fft.js takes it, because that is the fastest. */
function convolutionLength(n: number): number {
  const power = 2 ** Math.ceil(Math.log2(2 * n - 1));
  return power <= longestPower ? power : nextFastLength(2 * n - 1);
}

/** Lines up to this length take about a millisecond. */
const longestAtOnce = 2 ** 14;

/** Numbers of a chirp that are computed or cleared per step. */
const pieceLength = 2 ** 15;

/**
 * Bluestein's algorithm: ik = (i² + k² − (k − i)²)/2 makes the DFT a convolution with a chirp, which is done by transforms of a length
 * with small prime factors (Bluestein 1970; Oppenheim & Schafer, Discrete-Time Signal Processing, section 9.6.2).
 */
function* bluestein(n: number): Generator<void, LineTransform> {
  const m = convolutionLength(n);
  const convolver = yield* lineTransform(m, Float64Array);
  const spectrum = new Float64Array(2 * m);
  // Divided by m, so that no intermediate value is larger than a sum of the line's numbers.
  yield* chirpSpectrum(n, m, 1 / m, () => spectrum);
  const roots = rootsOf(2 * n);
  const chirp = new Float64Array(2 * n); // exp(−jπi²/n)
  for (let start = 0; start < n; start += pieceLength) {
    putChirp(roots, start, Math.min(pieceLength, n - start), -1, chirp, 2 * start);
    yield;
  }
  const a = new Float64Array(2 * m);
  const b = new Float64Array(2 * m);
  const convolve = (to: Line, from: Line): Iterable<void> => convolver.steps?.(to, from, false) ?? [convolver.run(to, from, false)];
  return inSteps({
    n,
    text: `bluestein m=${m} f64`,
    convolved: true,
    *steps(output, input, inverse) {
      // The inverse is the forward transform with real and imaginary parts exchanged, before and after.
      const [first, second] = inverse ? [1, 0] : [0, 1];
      const scale = inverse ? 1 / n : 1;
      for (const [from, to] of spans(2 * n, 2 * m)) {
        a.fill(0, from, to);
        yield;
      }
      for (const [from, to] of spans(0, 2 * n)) {
        for (let i = from; i < to; i += 2) multiplyInto(a, i, input[i + first], input[i + second], chirp[i], chirp[i + 1]);
        yield;
      }
      yield* convolve(b, a);
      // The inverse transform as a forward one, which does not divide, with real and imaginary parts exchanged before and after.
      for (const [from, to] of spans(0, 2 * m)) {
        for (let i = from; i < to; i += 2) multiplyInto(b, i, b[i + 1], b[i], spectrum[i], -spectrum[i + 1]);
        yield;
      }
      yield* convolve(a, b);
      for (const [from, to] of spans(0, 2 * n)) {
        for (let i = from; i < to; i += 2) {
          multiplyInto(a, i, a[i + 1], a[i], chirp[i], chirp[i + 1]);
          output[i + first] = a[i] * scale;
          output[i + second] = a[i + 1] * scale;
        }
        yield;
      }
    },
  });
}

/** Divides `from` … `to` into spans of one step of work. */
function* spans(from: number, to: number): Generator<readonly [from: number, to: number]> {
  for (let at = from; at < to; at += 2 * pieceLength) yield [at, Math.min(at + 2 * pieceLength, to)];
}

/** Adds `run`, which does all steps at once. Drops `steps` if the line is short. */
function inSteps({ steps, ...facts }: Omit<LineTransform, "run"> & Pick<Required<LineTransform>, "steps">): LineTransform {
  const run: LineTransform["run"] = (output, input, inverse) => runToEnd(steps(output, input, inverse));
  return facts.n <= longestAtOnce ? { ...facts, run } : { ...facts, run, steps };
}

/** y[at] = (a + jb)(c + jd), complex. */
export function multiplyInto(y: Line, at: number, a: number, b: number, c: number, d: number): void {
  y[at] = a * c - b * d;
  y[at + 1] = a * d + b * c;
}
