/**
 * Transforms of one line: interleaved complex numbers in, the same out, any length. A table of ways, first taker wins. The
 * powers of two go to fft.js, short lines to the definition, the rest to Bluestein's algorithm, whose chirps and
 * convolution are in float64 whatever the line's precision. Inverses divide by n.
 */
import FFT from "fft.js";

export type Line = Float32Array | Float64Array;
export type LineConstructor = Float32ArrayConstructor | Float64ArrayConstructor;

export interface LineTransform {
  readonly n: number;
  readonly text: string;
  /** `output` (2n numbers) = DFT of `input` (2n numbers); they must differ. `input` is left as it was. */
  run(output: Line, input: Line, inverse: boolean): void;
}

interface Way {
  takes(n: number): boolean;
  make(n: number, precision: LineConstructor): LineTransform;
}

const isPowerOfTwo = (n: number): boolean => Number.isInteger(Math.log2(n));

/** Up to here n² multiplications beat Bluestein's three transforms. */
const longestByDefinition = 32;

const ways: readonly Way[] = [
  { takes: (n) => n === 1, make: () => ({ n: 1, text: "copy", run: (output, input) => output.set(input) }) },
  { takes: isPowerOfTwo, make: (n, precision) => fftJs(n, precision) },
  { takes: (n) => n <= longestByDefinition, make: byDefinition },
  { takes: () => true, make: bluestein },
];

export function lineTransform(n: number, precision: LineConstructor): LineTransform {
  return (ways.find((way) => way.takes(n)) as Way).make(n, precision);
}

function fftJs(n: number, precision: LineConstructor): LineTransform {
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

function byDefinition(n: number): LineTransform {
  const cosines = Float64Array.from({ length: n }, (_, k) => Math.cos((2 * Math.PI * k) / n));
  const sines = Float64Array.from({ length: n }, (_, k) => Math.sin((2 * Math.PI * k) / n));
  return {
    n,
    text: "definition",
    run(output, input, inverse) {
      const sign = inverse ? 1 : -1;
      const scale = inverse ? 1 / n : 1;
      for (let k = 0; k < n; k++) {
        let re = 0;
        let im = 0;
        for (let i = 0, turn = 0; i < n; i++, turn = turn + k < n ? turn + k : turn + k - n) {
          const c = cosines[turn];
          const s = sign * sines[turn];
          re += input[2 * i] * c - input[2 * i + 1] * s;
          im += input[2 * i] * s + input[2 * i + 1] * c;
        }
        output[2 * k] = re * scale;
        output[2 * k + 1] = im * scale;
      }
    },
  };
}

/**
 * ik = (i² + k² − (k − i)²)/2 turns the DFT into a convolution with a chirp, done by power-of-two transforms
 * (Bluestein 1970; Oppenheim & Schafer, Discrete-Time Signal Processing, section 9.6.2).
 */
function bluestein(n: number): LineTransform {
  const m = 2 ** Math.ceil(Math.log2(2 * n - 1));
  const convolver = fftJs(m, Float64Array);
  const chirp = new Float64Array(2 * n); // exp(−jπi²/n); i² modulo 2n keeps the angle exact
  const kernel = new Float64Array(2 * m);
  for (let i = 0; i < n; i++) {
    const angle = (Math.PI * ((i * i) % (2 * n))) / n;
    chirp[2 * i] = Math.cos(angle);
    chirp[2 * i + 1] = -Math.sin(angle);
    for (const at of i === 0 ? [0] : [i, m - i]) {
      kernel[2 * at] = Math.cos(angle);
      kernel[2 * at + 1] = Math.sin(angle);
    }
  }
  const spectrum = new Float64Array(2 * m);
  convolver.run(spectrum, kernel, false);
  const a = new Float64Array(2 * m);
  const b = new Float64Array(2 * m);
  return {
    n,
    text: `bluestein m=${m} f64`,
    run(output, input, inverse) {
      // The inverse is the forward transform with real and imaginary parts exchanged, before and after.
      const [first, second] = inverse ? [1, 0] : [0, 1];
      const scale = inverse ? 1 / n : 1;
      a.fill(0, 2 * n);
      for (let i = 0; i < 2 * n; i += 2) multiplyInto(a, i, input[i + first], input[i + second], chirp[i], chirp[i + 1]);
      convolver.run(b, a, false);
      for (let i = 0; i < 2 * m; i += 2) multiplyInto(b, i, b[i], b[i + 1], spectrum[i], spectrum[i + 1]);
      convolver.run(a, b, true);
      for (let i = 0; i < 2 * n; i += 2) {
        multiplyInto(a, i, a[i], a[i + 1], chirp[i], chirp[i + 1]);
        output[i + first] = a[i] * scale;
        output[i + second] = a[i + 1] * scale;
      }
    },
  };
}

/** y[at] = (a + jb)(c + jd) */
export function multiplyInto(y: Line, at: number, a: number, b: number, c: number, d: number): void {
  y[at] = a * c - b * d;
  y[at + 1] = a * d + b * c;
}
