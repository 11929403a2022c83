/**
 * Numbers of half precision (IEEE 754 binary16) as the 16-bit words that arrays of cf16 hold. For references and comparisons;
 * devices convert by their own means. Nothing here scales: a number beyond ±65,504 becomes infinite.
 */

let decoded: Float32Array | undefined;

/** The number that the word `bits` stands for. */
export function fromHalf(bits: number): number {
  decoded ??= Float32Array.from({ length: 2 ** 16 }, (_, word) => decode(word));
  return decoded[bits];
}

function decode(bits: number): number {
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  const magnitude =
    exponent === 31
      ? fraction === 0
        ? Number.POSITIVE_INFINITY
        : Number.NaN
      : exponent === 0
        ? fraction * 2 ** -24
        : (1024 + fraction) * 2 ** (exponent - 25);
  return bits >> 15 ? -magnitude : magnitude;
}

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);
const highWord = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0;

/** The word of the nearest number of half precision, ties to even. */
export function toHalf(value: number): number {
  double[0] = value;
  const high = words[highWord];
  const sign = (high >>> 16) & 0x8000;
  const magnitude = Math.abs(value);
  if (!(magnitude < 65_520)) return sign | (Number.isNaN(value) ? 0x7e00 : 0x7c00);
  const exponent = Math.max(-14, ((high >>> 20) & 0x7ff) - 1023);
  // Adding 2⁵² rounds to a whole number, ties to even; a carry moves into the exponent, which is what it should do.
  const fraction = magnitude * 2 ** (10 - exponent) + 2 ** 52 - 2 ** 52;
  return sign | ((exponent + 14) * 1024 + fraction);
}
