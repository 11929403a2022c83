/**
 * Lines at the ends of the range of exponents: those whose sums could overflow on the way to a finite result, or whose parts lose bits
 * below the least normal number, are scaled by a power of two before they are transformed, and their results back.
 */
import type { Line } from "./lines.ts";

interface Ends {
  /** A line whose largest number is below is raised. */
  readonly small: number;
  readonly up: number;
  /** A line whose largest number is so large or larger is lowered. */
  readonly large: number;
  readonly down: number;
}

const single: Ends = { small: 2 ** -64, up: 2 ** 64, large: 2 ** 96, down: 2 ** -96 };
const double: Ends = { small: 2 ** -512, up: 2 ** 512, large: 2 ** 768, down: 2 ** -768 };

/** Of a long line first some numbers are looked at, real and imaginary parts in turn. */
const step = 15;

function largest(line: Line, apart: number): number {
  let most = 0;
  for (let i = 0; i < line.length; i += apart) {
    const size = Math.abs(line[i]);
    if (size > most) most = size;
  }
  return most;
}

/** Scales a line, in place, where it is at an end of the range; returns what its results are to be multiplied with. */
export function settle(line: Line): number {
  const { small, up, large, down } = line instanceof Float32Array ? single : double;
  let most = largest(line, line.length > 64 ? step : 1);
  if (most < small) most = largest(line, 1);
  if (most === 0 || (most >= small && most < large)) return 1;
  const factor = most < small ? up : down;
  multiplyBy(line, factor);
  return 1 / factor;
}

/** Every number of a line times a power of two. */
export function multiplyBy(line: Line, factor: number): void {
  if (factor === 1) return;
  for (let i = 0; i < line.length; i++) line[i] *= factor;
}
