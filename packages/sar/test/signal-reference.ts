/** References of the signal model's tests, by definition: the DFT, and echoes in fixed-point arithmetic of 200 bits. */
import type { Convolve } from "../src/simulate/background.ts";

/** IDFT(DFT(row)·h) of every row by definition, with the roots of unity from a table. */
export const convolveByDefinition: Convolve = async (rows, rowCount, n2, h) => {
  const roots = new Float64Array(2 * n2);
  for (let k = 0; k < n2; k++) {
    roots[2 * k] = Math.cos((2 * Math.PI * k) / n2);
    roots[2 * k + 1] = Math.sin((2 * Math.PI * k) / n2);
  }
  const dft = (x: Float64Array, sign: number): Float64Array => {
    const y = new Float64Array(2 * n2);
    for (let k = 0; k < n2; k++) {
      for (let i = 0, at = 0; i < n2; i++, at = (at + k) % n2) {
        y[2 * k] += x[2 * i] * roots[2 * at] - sign * x[2 * i + 1] * roots[2 * at + 1];
        y[2 * k + 1] += x[2 * i + 1] * roots[2 * at] + sign * x[2 * i] * roots[2 * at + 1];
      }
    }
    return y;
  };
  const out = new Float64Array(2 * n2 * rowCount);
  for (let r = 0; r < rowCount; r++) {
    const x = dft(rows.subarray(2 * n2 * r, 2 * n2 * (r + 1)), -1);
    for (let k = 0; k < n2; k++) {
      const [re, im] = [x[2 * k], x[2 * k + 1]];
      x[2 * k] = (re * h[2 * k] - im * h[2 * k + 1]) / n2;
      x[2 * k + 1] = (re * h[2 * k + 1] + im * h[2 * k]) / n2;
    }
    out.set(dft(x, 1), 2 * n2 * r);
  }
  return out;
};

const bits = 200n;
export const one = 1n << bits;

/** The exact value of a double. */
export function fixed(value: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const word = view.getBigUint64(0);
  const exponent = (word >> 52n) & 0x7ffn;
  const mantissa = (word & 0xfffffffffffffn) | (exponent === 0n ? 0n : 1n << 52n);
  const shift = bits + (exponent === 0n ? 1n : exponent) - 1075n;
  const magnitude = shift >= 0n ? mantissa << shift : mantissa >> -shift;
  return word >> 63n ? -magnitude : magnitude;
}

export const times = (a: bigint, b: bigint): bigint => (a * b) >> bits;
export const over = (a: bigint, b: bigint): bigint => (a << bits) / b;

export function root(a: bigint): bigint {
  const target = a << bits;
  let x = 1n << BigInt((target.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (x + target / x) >> 1n;
    if (next >= x) return x;
    x = next;
  }
}

/** The fraction above the next lower integer, in [0, 1). */
export const fraction = (a: bigint): number => Number(((a % one) + one) % one) / 2 ** Number(bits);
export const number = (a: bigint): number => Number(a) / 2 ** Number(bits);
