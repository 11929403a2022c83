/**
 * Scaling of lines at the ends of the range of exponents. If the sums of a transform could overflow although the result is finite, or if
 * small numbers would lose bits below the smallest normal number, the line is scaled by a power of two before the transform and the
 * result is scaled back.
 */
import type { Line } from "./lines.ts";

/** The limits and factors of one precision. */
interface Ends {
  /** A line whose largest number is below this is multiplied with `up`. */
  readonly small: number;
  readonly up: number;
  /** A line whose largest number is at least this is multiplied with `down`. */
  readonly large: number;
  readonly down: number;
}

const single: Ends = { small: 2 ** -64, up: 2 ** 64, large: 2 ** 96, down: 2 ** -96 };
const double: Ends = { small: 2 ** -512, up: 2 ** 512, large: 2 ** 768, down: 2 ** -768 };

/** In a long line, only every 15th number is checked at first. The step is odd, so real and imaginary parts alternate. */
const step = 15;

function largest(line: Line, apart: number): number {
  let most = 0;
  for (let i = 0; i < line.length; i += apart) {
    const size = Math.abs(line[i]);
    if (size > most) most = size;
  }
  return most;
}

/** Scales a line in place if its numbers are at an end of the range. Returns the factor by which to multiply the result. */
export function settle(line: Line): number {
  const { small, up, large, down } = line instanceof Float32Array ? single : double;
  let most = largest(line, line.length > 64 ? step : 1);
  if (most < small) most = largest(line, 1);
  if (most === 0 || (most >= small && most < large)) return 1;
  const factor = most < small ? up : down;
  multiplyBy(line, factor);
  return 1 / factor;
}

/** Multiplies every number of a line with a power of two. */
export function multiplyBy(line: Line, factor: number): void {
  if (factor === 1) return;
  for (let i = 0; i < line.length; i++) line[i] *= factor;
}
