/** Polynomials that stand for smooth functions, as lists of coefficients of x⁰, x¹, …, fitted in float64. */

/** How exact a polynomial must be. */
export interface Exactness {
  /** Largest error that is negligible. */
  readonly negligible: number;
  /** Largest degree. */
  readonly degree: number;
  /** Largest error that a polynomial of this degree may have. */
  readonly tolerable: number;
}

/** The lowest degree whose polynomial is within a negligible error of f on −1 … 1, or the largest; NaN if its error is not tolerable. */
export function degreeFor(f: (x: number) => number, { negligible, degree: most, tolerable }: Exactness): number {
  let error = 0;
  for (let degree = 1; degree <= most; degree++) {
    const coefficients = polynomial(f, degree);
    error = 0;
    for (let i = 0, last = 4 * degree + 4; i <= last; i++) {
      const x = (2 * i) / last - 1;
      const value = coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0);
      error = Math.max(error, Math.abs(value - f(x)));
    }
    if (error <= negligible) return degree;
  }
  return error <= tolerable ? most : Number.NaN;
}

/** The coefficients, in powers of i, of a polynomial whose coefficients are given in powers of x = slope·i + offset. */
export function substituted(coefficients: readonly number[], slope: number, offset: number): number[] {
  let result: number[] = [];
  for (const coefficient of [...coefficients].reverse()) {
    const next = [...result.map((value) => value * offset), 0];
    result.forEach((value, power) => {
      next[power + 1] += value * slope;
    });
    next[0] += coefficient;
    result = next;
  }
  return result.slice(0, coefficients.length);
}

/** Coefficients of x⁰, x¹, … of the polynomial that meets f at the Chebyshev nodes of −1 … 1. */
export function polynomial(f: (x: number) => number, degree: number): number[] {
  const n = degree + 1;
  const angles = Array.from({ length: n }, (_, i) => (Math.PI * (i + 0.5)) / n);
  const values = angles.map((angle) => f(Math.cos(angle)));
  const result = new Array<number>(n).fill(0);
  let [last, next] = [[1], [0, 1]];
  for (let order = 0; order < n; order++) {
    const coefficient = ((order === 0 ? 1 : 2) / n) * values.reduce((sum, value, i) => sum + value * Math.cos(order * angles[i]), 0);
    last.forEach((factor, power) => {
      result[power] += coefficient * factor;
    });
    const following = [0, ...next.map((factor) => 2 * factor)];
    last.forEach((factor, power) => {
      following[power] -= factor;
    });
    [last, next] = [next, following];
  }
  return result;
}
