/** The path of a radar as polynomials of time, fitted to its positions by least squares. */
import type { PlatformPolynomial } from "../placement.ts";

/** A path that fits this well is not fitted with a higher order. */
const negligibleMeters = 1e-4;
const mostOrder = 9;

/**
 * Polynomials of the lowest order, up to 9, that are within 0.1 mm of `positions` [time][x, y, z], else of order 9; of a lower order if there
 * are few positions. Times are in seconds and increase; the polynomials count from the middle between the first and the last one.
 */
export function fitPath(seconds: ArrayLike<number>, positions: ArrayLike<number>): PlatformPolynomial {
  const count = seconds.length;
  const half = (seconds[count - 1] - seconds[0]) / 2;
  const middle = seconds[0] + half;
  const times = Float64Array.from(seconds, (t) => (t - middle) / half);
  const fit = (axis: number): number[] => {
    const values = Float64Array.from({ length: count }, (_, i) => positions[3 * i + axis]);
    return fitPolynomial(times, values).map((c, power) => c / half ** power);
  };
  return { kind: "polynomial", originSeconds: middle, coefficients: [fit(0), fit(1), fit(2)] };
}

/**
 * The polynomial of x from −1 to 1. It is a sum of polynomials that are orthogonal over the samples, which a recurrence of three terms gives,
 * so that a higher order adds a term and changes none (G. E. Forsythe, J. Soc. Indust. Appl. Math. 5 (1957)).
 */
function fitPolynomial(x: Float64Array, values: Float64Array): number[] {
  const count = x.length;
  const rest = Float64Array.from(values);
  let last = new Float64Array(count);
  let now = new Float64Array(count).fill(1);
  let [lastPowers, nowPowers]: [number[], number[]] = [[], [1]];
  let lastNorm = 1;
  const powers: number[] = [];
  for (let order = 0; order <= Math.min(mostOrder, Math.ceil(count / 2) - 1); order++) {
    const norm = now.reduce((sum, p) => sum + p * p, 0);
    const factor = now.reduce((sum, p, i) => sum + p * rest[i], 0) / norm;
    let worst = 0;
    for (let i = 0; i < count; i++) {
      rest[i] -= factor * now[i];
      worst = Math.max(worst, Math.abs(rest[i]));
    }
    nowPowers.forEach((c, power) => {
      powers[power] = (powers[power] ?? 0) + factor * c;
    });
    if (order > 0 && worst < negligibleMeters) break;
    const centre = now.reduce((sum, p, i) => sum + x[i] * p * p, 0) / norm;
    const share = order === 0 ? 0 : norm / lastNorm;
    const next = now.map((p, i) => (x[i] - centre) * p - share * last[i]);
    const nextPowers = [0, ...nowPowers].map((c, power) => c - centre * (nowPowers[power] ?? 0) - share * (lastPowers[power] ?? 0));
    [last, now, lastPowers, nowPowers, lastNorm] = [now, next, nowPowers, nextPowers, norm];
  }
  return powers;
}
