/** Hermitian systems and eigenvalues, to bounds that follow from order and precision, and what is refused. */
import { describe, expect, it } from "vitest";
import { choleskyFactor, conditionNumber, hermitianEigenvalues, loadDiagonal, solveHermitian } from "../src/index.ts";
import { choleskySolve, gaussJordanSolve, inverseQuadratic } from "../src/solve.ts";
import { at, backwardError, epsilon, inner, noise, positive, product, refuse, relativeError, times } from "./helpers.ts";

const orders = [1, 2, 3, 12, 24];

describe.each(["cholesky", "gauss-jordan"] as const)("%s", (solver) => {
  it.each(orders)("solves %i unknowns, many sides at once, to a backward error of n·ε", (n) => {
    const r = positive(n, 2 * n, n);
    const v = noise(5 * n, 100 + n);
    const w = solveHermitian(r, n, v, solver);
    for (let p = 0; p < 5; p++) {
      const [wp, vp] = [w, v].map((x) => x.subarray(2 * p * n, 2 * (p + 1) * n));
      // Higham, Accuracy and Stability, theorems 10.4 and 14.5: a few n·ε for matrices of moderate growth.
      expect(backwardError(r, n, wp, vp)).toBeLessThan(4 * n * epsilon);
    }
  });

  it("refuses matrices that are singular, indefinite or NaN, and says where and how to help it", () => {
    const place = { block: 3, bin: 5 };
    const good = positive(3, 6, 7);
    const [rankTwo, zeros, negative] = [positive(3, 2, 7), new Float64Array(18), good.map((x) => -x)];
    const [notNumbers, infinite] = [good.slice().fill(Number.NaN, 8, 9), good.slice().fill(Number.POSITIVE_INFINITY, 0, 1)];
    const must = "^covariance of block 3, bin 5 must be positive definite, but";
    for (const [r, why] of [
      [rankTwo, "pivot 2 is .*loading"],
      [zeros, "element 0 of its diagonal is zero.*loading"],
      [negative, "pivot 0 is -.*loading"],
      [notNumbers, "element 1 of its diagonal is NaN: samples are not finite"],
      [infinite, "element 0 of its diagonal is Infinity: samples are not finite, or too large"],
    ] as const) {
      refuse(() => solveHermitian(r, 3, noise(3, 1), solver, place), new RegExp(`${must} ${why}`), "covariance");
    }
    const loaded = positive(3, 2, 7);
    loadDiagonal(loaded, 3, 1e-6);
    expect(solveHermitian(loaded, 3, noise(3, 1), solver).every(Number.isFinite)).toBe(true);
  });

  it("refuses sizes that do not fit", () => {
    const r = positive(3, 6, 1);
    refuse(() => solveHermitian(r, 4, noise(4, 1), solver), /^r\.length must be 32/);
    refuse(() => solveHermitian(r, 3, noise(4, 1), solver), /^v\.length must be a multiple of 6/);
    refuse(() => solveHermitian(r, 0, noise(4, 1), solver), /^n must be/);
    refuse(() => solveHermitian(r, 3, noise(3, 1).fill(Number.NaN, 2, 3), solver), /^v\[2\]/);
    refuse(() => solveHermitian(r, 3, noise(3, 1), "lu" as never), /^solver must be/);
  });
});

it("Cholesky and Gauss-Jordan agree to the condition of the matrix", () => {
  for (const n of orders) {
    const r = positive(n, 2 * n, 50 + n);
    const v = noise(3 * n, n);
    expect(relativeError(gaussJordanSolve(r, n, v), choleskySolve(choleskyFactor(r, n), n, v))).toBeLessThan(
      8 * n * conditionNumber(r, n) * epsilon,
    );
  }
});

it("the factor's product is the matrix, and its quadratic form vᴴR⁻¹v", () => {
  const n = 12;
  const r = positive(n, 2 * n, 3);
  const l = choleskyFactor(r, n);
  const lh = Float64Array.from(l);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) [lh[2 * (i * n + j)], lh[2 * (i * n + j) + 1]] = [at(l, j * n + i)[0], -at(l, j * n + i)[1]];
  expect(relativeError(product(l, lh, n), r)).toBeLessThan(2 * n * epsilon);
  const v = noise(n, 4);
  const w = choleskySolve(l, n, v);
  expect(inverseQuadratic(l, n, v) / inner(v, w)[0]).toBeCloseTo(1, 12);
  // In place of the matrix.
  const own = Float64Array.from(r);
  expect(choleskyFactor(own, n, own)).toEqual(l);
});

describe("eigenvalues", () => {
  it.each([1, 2, 3, 7, 24, 60])("of U·diag·Uᴴ of order %i are the diagonal, to n·ε of the largest", (n) => {
    const expected = times(n, (i) => 10 ** ((-12 * i) / n)).map((x, i) => (i % 3 === 2 ? -x : x));
    // A product of reflections I − 2uuᴴ, unitary by definition.
    let a: Float64Array = new Float64Array(2 * n * n);
    for (let i = 0; i < n; i++) a[2 * (i * n + i)] = expected[i];
    for (let k = 0; k < 3; k++) {
      const u = noise(n, 10 * n + k);
      const norm = inner(u, u)[0];
      const h = new Float64Array(2 * n * n);
      for (let i = 0; i < n; i++)
        for (let j = 0; j < n; j++) {
          const [ui, uj] = [at(u, i), at(u, j)];
          h[2 * (i * n + j)] = (i === j ? 1 : 0) - (2 * (ui[0] * uj[0] + ui[1] * uj[1])) / norm;
          h[2 * (i * n + j) + 1] = (-2 * (ui[1] * uj[0] - ui[0] * uj[1])) / norm;
        }
      a = product(product(h, a, n), h, n);
    }
    const values = hermitianEigenvalues(a, n);
    const sorted = [...expected].sort((x, y) => y - x);
    // Six products and a reduction, each of rounding n·ε at most.
    for (let i = 0; i < n; i++) expect(Math.abs(values[i] - sorted[i])).toBeLessThan(8 * n * epsilon);
  });

  it("have the trace and the Frobenius norm of the matrix, also if it is diagonal or has equal ones", () => {
    for (const r of [positive(9, 4, 5), positive(9, 9, 5, 1e6), Float64Array.from({ length: 162 }, (_, i) => (i % 20 === 0 ? 2 : 0))]) {
      const values = hermitianEigenvalues(r, 9);
      const trace = times(9, (i) => r[20 * i]).reduce((a, b) => a + b);
      expect(values.reduce((a, b) => a + b) / trace).toBeCloseTo(1, 13);
      expect(values.reduce((a, b) => a + b * b, 0) / r.reduce((a, b) => a + b * b, 0)).toBeCloseTo(1, 13);
    }
  });

  it("tell the condition, which is infinite for a singular matrix", () => {
    const r = new Float64Array(8);
    [r[0], r[6]] = [4, 0.5];
    expect(conditionNumber(r, 2)).toBeCloseTo(8, 14);
    r[6] = 0;
    expect(conditionNumber(r, 2)).toBe(Number.POSITIVE_INFINITY);
    refuse(() => hermitianEigenvalues(r.fill(Number.NaN), 2), /^r\[0\]/);
    refuse(() => hermitianEigenvalues(r, 3), /^r\.length/);
  });
});
