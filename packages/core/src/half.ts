/**
 * Conversion of half-precision numbers (IEEE 754 binary16) from and to the 16-bit words of cf16 arrays. References and comparisons use
 * it; devices have conversions of their own. Nothing is scaled: numbers beyond ±65,504 become infinite.
 */

let decoded: Float32Array | undefined;

/** The number that the 16-bit word `bits` represents. */
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

/** The 16-bit word of the nearest half-precision number, ties to even. */
export function toHalf(value: number): number {
  double[0] = value;
  const high = words[highWord];
  const sign = (high >>> 16) & 0x8000;
  const magnitude = Math.abs(value);
  if (!(magnitude < 65_520)) return sign | (Number.isNaN(value) ? 0x7e00 : 0x7c00);
  const exponent = Math.max(-14, ((high >>> 20) & 0x7ff) - 1023);
  // Adding 2⁵² rounds to a whole number, ties to even. A carry goes into the exponent, which is right.
  const fraction = magnitude * 2 ** (10 - exponent) + 2 ** 52 - 2 ** 52;
  return sign | ((exponent + 14) * 1024 + fraction);
}
