/** Vectors and polynomials for the geometry of SICD images. Polynomials are lists of coefficients, from that of power 0 on. */
import type { Vector3 } from "@dechirp/radar/geodesy";
import type { PathPolynomial, Polynomial, Polynomial2 } from "./sicd-metadata.ts";

export const dot = (a: Vector3, b: Vector3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const norm = (a: Vector3): number => Math.hypot(...a);
export const scaled = (a: Vector3, factor: number): Vector3 => [a[0] * factor, a[1] * factor, a[2] * factor];
export const unit = (a: Vector3): Vector3 => scaled(a, 1 / norm(a));
/** a + factor·b. */
export const plus = (a: Vector3, b: Vector3, factor = 1): Vector3 => [a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]];
export const minus = (a: Vector3, b: Vector3): Vector3 => plus(a, b, -1);
export const cross = (a: Vector3, b: Vector3): Vector3 => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** The value of a polynomial at x. */
export const valueAt = (coefficients: Polynomial, x: number): number => coefficients.reduceRight((sum, c) => sum * x + c, 0);

/** The value of a polynomial of two variables. */
export const valueAt2 = (coefficients: Polynomial2, x: number, y: number): number =>
  coefficients.reduceRight((sum, row) => sum * x + valueAt(row, y), 0);

/** The derivative of a polynomial. */
export const derivative = (coefficients: Polynomial): Polynomial =>
  coefficients.length > 1 ? coefficients.slice(1).map((c, i) => c * (i + 1)) : [0];

/** The polynomial p(x + by) as coefficients of x. */
export function shifted(coefficients: Polynomial, by: number): Polynomial {
  const out = [...coefficients];
  for (let start = 0; start < out.length - 1; start++) for (let i = out.length - 2; i >= start; i--) out[i] += by * out[i + 1];
  return out;
}

/** The derivative of a path. */
export const pathDerivative = ({ x, y, z }: PathPolynomial): PathPolynomial => ({
  x: derivative(x),
  y: derivative(y),
  z: derivative(z),
});

/** Where a path is at a time. */
export const pathAt = ({ x, y, z }: PathPolynomial, seconds: number): Vector3 => [
  valueAt(x, seconds),
  valueAt(y, seconds),
  valueAt(z, seconds),
];

/**
 * The polynomial of given orders in x and y that has the least sum of squared errors at samples. Variables are scaled to ±1 for the
 * computation, so that orders up to 9 lose no digits that matter. There must be enough different samples.
 */
export function fitPolynomial2(
  samples: readonly { readonly x: number; readonly y: number; readonly value: number }[],
  orderX: number,
  orderY: number,
): Polynomial2 {
  const scaleX = samples.reduce((most, { x }) => Math.max(most, Math.abs(x)), 0) || 1;
  const scaleY = samples.reduce((most, { y }) => Math.max(most, Math.abs(y)), 0) || 1;
  const columns = orderY + 1;
  const rows = samples.map(({ x, y }) =>
    Array.from({ length: (orderX + 1) * columns }, (_, k) => (x / scaleX) ** Math.floor(k / columns) * (y / scaleY) ** (k % columns)),
  );
  const flat = leastSquares(
    rows,
    samples.map(({ value }) => value),
  );
  return Array.from({ length: orderX + 1 }, (_, i) =>
    Array.from({ length: columns }, (_, j) => flat[i * columns + j] / (scaleX ** i * scaleY ** j)),
  );
}

/** Solves a full-rank least-squares problem by Householder reflections. `rows` are changed. */
export function leastSquares(rows: number[][], values: number[]): number[] {
  const count = rows[0].length;
  for (let k = 0; k < count; k++) {
    const length = Math.sqrt(rows.reduce((sum, row, i) => sum + (i < k ? 0 : row[k] ** 2), 0));
    if (length === 0) continue;
    const alpha = rows[k][k] > 0 ? -length : length;
    const v = rows.map((row, i) => (i < k ? 0 : row[k] - (i === k ? alpha : 0)));
    const energy = v.reduce((sum, one) => sum + one * one, 0);
    if (energy === 0) continue;
    const reflect = (get: (i: number) => number, set: (i: number, value: number) => void): void => {
      let sum = 0;
      for (let i = k; i < v.length; i++) sum += v[i] * get(i);
      const factor = (2 * sum) / energy;
      for (let i = k; i < v.length; i++) set(i, get(i) - factor * v[i]);
    };
    for (let j = k; j < count; j++)
      reflect(
        (i) => rows[i][j],
        (i, value) => {
          rows[i][j] = value;
        },
      );
    reflect(
      (i) => values[i],
      (i, value) => {
        values[i] = value;
      },
    );
  }
  const out = new Array<number>(count).fill(0);
  for (let k = count - 1; k >= 0; k--) {
    let sum = values[k];
    for (let j = k + 1; j < count; j++) sum -= rows[k][j] * out[j];
    out[k] = rows[k][k] === 0 ? 0 : sum / rows[k][k];
  }
  return out;
}

/** Solves three linear equations, rows·x = values, by Cramer's rule. Undefined if they are dependent. */
export function solve3(rows: readonly [Vector3, Vector3, Vector3], values: Vector3): Vector3 | undefined {
  const [a, b, c] = rows;
  const determinant = dot(a, cross(b, c));
  if (!(Math.abs(determinant) > 1e-12 * norm(a) * norm(b) * norm(c))) return undefined;
  const sum = plus(plus(scaled(cross(b, c), values[0]), cross(c, a), values[1]), cross(a, b), values[2]);
  return scaled(sum, 1 / determinant);
}
