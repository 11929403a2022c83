/** Polynomials that stand for smooth functions, as lists of coefficients of x⁰, x¹, …, fitted in float64. */

/** The lowest degree whose polynomial is within `error` of f on −1 … 1, or the largest, `degree`. */
export function degreeFor(f: (x: number) => number, { error, degree: most }: { readonly error: number; readonly degree: number }): number {
  for (let degree = 1; degree < most; degree++) {
    const coefficients = polynomial(f, degree);
    const points = Array.from({ length: 4 * degree + 5 }, (_, i, last = 4 * degree + 4) => (2 * i) / last - 1);
    const at = (x: number): number => coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0);
    if (points.every((x) => Math.abs(at(x) - f(x)) <= error)) return degree;
  }
  return most;
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
