/**
 * Hermitian positive definite systems R·w = v with many right-hand sides, small and dense, in float64: by Cholesky
 * factorisation and two substitutions, or by Gauss-Jordan elimination of [R | V] without pivoting, the two forms of the paper
 * (Section III-C). A matrix that is not positive definite to working precision is an error, never NaN. Right-hand sides
 * and solutions are rows: [P][n], interleaved.
 */
import { inputError, RadarError } from "@dechirp/core";
import { isArrayOf } from "@dechirp/core/internal";
import { checkFinite, checkInteger, checkSquare, rowsOf } from "./arrays.ts";

/** How covariances are solved: by Cholesky factors, or by Gauss-Jordan elimination. */
export type Solver = "cholesky" | "gauss-jordan";

const maxOrder = 4096;

/** Where a matrix comes from, for messages: "block 3, Doppler bin 5". */
export type MatrixPlace = Readonly<Record<string, number>>;

/** A pivot below this share of its diagonal element has lost every digit: n·ε bounds the rounding of elimination (Higham, ch. 10). */
const pivotFloor = (n: number): number => n * Number.EPSILON;

/** Throws `input` for a covariance whose pivot is not positive to working precision, with the reason and a remedy. */
function checkPivot(pivot: number, diagonal: number, n: number, index: number, place: MatrixPlace): void {
  if (pivot > pivotFloor(n) * diagonal) return;
  const where = Object.entries(place).map(([name, value]) => `${name} ${value}`);
  const of = where.length > 0 ? ` of ${where.join(", ")}` : "";
  const why = !Number.isFinite(diagonal)
    ? `but element ${index} of its diagonal is ${diagonal}: samples are not finite, or too large`
    : diagonal === 0
      ? `but element ${index} of its diagonal is zero: its channel is silent; leave that out, or give loading`
      : `but pivot ${index} is ${pivot.toExponential(2)}: train on more cells, or give loading`;
  const message = `covariance${of} must be positive definite, ${why}`;
  throw new RadarError("input", message, { field: "covariance", ...place, order: n, index, pivot });
}

/**
 * The lower factor L of R = L·Lᴴ into `l` [n][n]; entries above the diagonal become 0. `l` may be R's own array. Throws
 * `input` naming `covariance` unless R is positive definite to working precision. Only R's lower triangle is read.
 */
export function choleskyFactor(
  r: Float64Array,
  n: number,
  l: Float64Array = new Float64Array(2 * n * n),
  place: MatrixPlace = {},
): Float64Array {
  checkInteger(n, "n", 1, maxOrder);
  checkMatrix(r, n, "r");
  checkMatrix(l, n, "l");
  for (let i = 0; i < n; i++) {
    const rowI = 2 * i * n;
    const diagonal = r[rowI + 2 * i];
    for (let j = 0; j <= i; j++) {
      const rowJ = 2 * j * n;
      let re = r[rowI + 2 * j];
      let im = j === i ? 0 : r[rowI + 2 * j + 1];
      for (let k = 0; k < 2 * j; k += 2) {
        re -= l[rowI + k] * l[rowJ + k] + l[rowI + k + 1] * l[rowJ + k + 1];
        im -= l[rowI + k + 1] * l[rowJ + k] - l[rowI + k] * l[rowJ + k + 1];
      }
      if (j === i) {
        checkPivot(re, diagonal, n, i, place);
        l[rowI + 2 * i] = Math.sqrt(re);
        l[rowI + 2 * i + 1] = 0;
      } else {
        l[rowI + 2 * j] = re / l[rowJ + 2 * j];
        l[rowI + 2 * j + 1] = im / l[rowJ + 2 * j];
      }
    }
    l.fill(0, rowI + 2 * (i + 1), rowI + 2 * n);
  }
  return l;
}

/** w [P][n] of L·Lᴴ·w = v for every row of `v` [P][n]: forward, then back substitution. `w` may be the array of `v`. */
export function choleskySolve(l: Float64Array, n: number, v: Float64Array, w: Float64Array = new Float64Array(v.length)): Float64Array {
  checkMatrix(l, n, "l");
  checkSides(v, n);
  if (w !== v) w.set(v);
  for (let base = 0; base < v.length; base += 2 * n) {
    forward(l, n, w, base);
    for (let i = n - 1; i >= 0; i--) {
      let re = w[base + 2 * i];
      let im = w[base + 2 * i + 1];
      for (let k = i + 1; k < n; k++) {
        const at = 2 * (k * n + i);
        const to = base + 2 * k;
        re -= l[at] * w[to] + l[at + 1] * w[to + 1];
        im -= l[at] * w[to + 1] - l[at + 1] * w[to];
      }
      w[base + 2 * i] = re / l[2 * (i * n + i)];
      w[base + 2 * i + 1] = im / l[2 * (i * n + i)];
    }
  }
  return w;
}

/** L·z = v in place for one row: |z|² is vᴴR⁻¹v. */
function forward(l: Float64Array, n: number, w: Float64Array, base: number): void {
  for (let i = 0; i < n; i++) {
    const row = 2 * i * n;
    let re = w[base + 2 * i];
    let im = w[base + 2 * i + 1];
    for (let k = 0; k < 2 * i; k += 2) {
      re -= l[row + k] * w[base + k] - l[row + k + 1] * w[base + k + 1];
      im -= l[row + k] * w[base + k + 1] + l[row + k + 1] * w[base + k];
    }
    w[base + 2 * i] = re / l[row + 2 * i];
    w[base + 2 * i + 1] = im / l[row + 2 * i];
  }
}

/**
 * vᴴ·R⁻¹·v of one vector from the lower factor of R: a sum of squares, so never negative. Throws `input` for a length that does not fit.
 */
export function inverseQuadratic(l: Float64Array, n: number, v: ArrayLike<number>): number {
  checkMatrix(l, n, "l");
  const z = Float64Array.from(v);
  if (z.length !== 2 * n) throw inputError("v.length", `${2 * n}, re and im of ${n}`, z.length);
  forward(l, n, z, 0);
  return z.reduce((sum, x) => sum + x * x, 0);
}

/**
 * w [P][n] of R·w = v by Gauss-Jordan elimination of the augmented matrix [R | V] down to [I | W], without pivoting, which
 * a positive definite R does not need. Throws `input` naming `covariance` in the cases of `choleskyFactor`.
 */
export function gaussJordanSolve(r: Float64Array, n: number, v: Float64Array, place: MatrixPlace = {}): Float64Array {
  checkInteger(n, "n", 1, maxOrder);
  checkMatrix(r, n, "r");
  checkSides(v, n);
  const sides = v.length / (2 * n);
  const width = 2 * (n + sides);
  const a = new Float64Array(n * width);
  for (let i = 0; i < n; i++) {
    a.set(r.subarray(2 * i * n, 2 * (i + 1) * n), i * width);
    for (let p = 0; p < sides; p++) {
      a[i * width + 2 * (n + p)] = v[2 * (p * n + i)];
      a[i * width + 2 * (n + p) + 1] = v[2 * (p * n + i) + 1];
    }
  }
  for (let k = 0; k < n; k++) {
    const pivotRow = k * width;
    // Hermitian in exact arithmetic, so that the pivot is real; its imaginary part is rounding.
    const pivot = a[pivotRow + 2 * k];
    checkPivot(pivot, r[2 * (k * n + k)], n, k, place);
    for (let j = 2 * k; j < width; j++) a[pivotRow + j] /= pivot;
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const row = i * width;
      const re = a[row + 2 * k];
      const im = a[row + 2 * k + 1];
      for (let j = 2 * k; j < width; j += 2) {
        a[row + j] -= re * a[pivotRow + j] - im * a[pivotRow + j + 1];
        a[row + j + 1] -= re * a[pivotRow + j + 1] + im * a[pivotRow + j];
      }
    }
  }
  const w = new Float64Array(v.length);
  for (let p = 0; p < sides; p++) {
    for (let i = 0; i < n; i++) {
      w[2 * (p * n + i)] = a[i * width + 2 * (n + p)];
      w[2 * (p * n + i) + 1] = a[i * width + 2 * (n + p) + 1];
    }
  }
  return w;
}

/**
 * w [P][n] of R·w = v by the named solver. Throws `input` for sizes that do not fit, an R that is not positive definite, and a v that is
 * not finite.
 */
export function solveHermitian(
  r: Float64Array,
  n: number,
  v: Float64Array,
  solver: Solver = "cholesky",
  place: MatrixPlace = {},
): Float64Array {
  checkSolver(solver, "solver");
  checkFinite(v, "v");
  return solver === "cholesky" ? choleskySolve(choleskyFactor(r, n, undefined, place), n, v) : gaussJordanSolve(r, n, v, place);
}

/** Throws `input`, naming `field`, unless `solver` is valid. */
export function checkSolver(solver: Solver, field: string): void {
  if (solver !== "cholesky" && solver !== "gauss-jordan") throw inputError(field, "cholesky or gauss-jordan", solver);
}

/** R + loading·(tr R/n)·I in place: diagonal loading relative to the mean of the eigenvalues. */
export function loadDiagonal(r: Float64Array, n: number, loading: number): void {
  if (loading === 0) return;
  let trace = 0;
  for (let i = 0; i < n; i++) trace += r[2 * (i * n + i)];
  for (let i = 0; i < n; i++) r[2 * (i * n + i)] += (loading * trace) / n;
}

function checkMatrix(matrix: Float64Array, n: number, field: string): void {
  if (!isArrayOf(matrix, Float64Array)) throw inputError(field, "a Float64Array", matrix);
  checkSquare(matrix, n, field);
}

function checkSides(v: Float64Array, n: number): void {
  if (!isArrayOf(v, Float64Array)) throw inputError("v", "a Float64Array", v);
  rowsOf(v, n, "v");
}
