/**
 * The kernel of an interpolator as polynomials of the delay (C. W. Farrow, "A continuously variable digital delay element", ISCAS 1988),
 * for devices on which arithmetic costs less than reading weights from a table. Fitted to the rows of the table in float64.
 */
import type { InterpolatorTable } from "./kernels.ts";

/** Largest deviation from a row that is allowed: a quarter of the last bit of float32. */
const tolerance = 2 ** -26;
const highestDegree = 16;

/**
 * Coefficients [taps/2][degree + 1]: tap j is Σ c[j][d]·vᵈ with v = 2μ − 1 for the delay μ in [0, 1], and tap (taps − 1 − j) is the same of
 * −v. Undefined if no degree up to 16 comes close enough, as for `nearest`.
 */
export function interpolatorPolynomials({ taps, phases, table }: InterpolatorTable): readonly (readonly number[])[] | undefined {
  const rows = phases + 1;
  const half = Array.from({ length: taps / 2 }, (_, j) => Float64Array.from({ length: rows }, (_, q) => table[q * taps + j]));
  const fit = leastSquares(half, highestDegree);
  for (let degree = 4; degree <= highestDegree; degree += 2) {
    const found: (readonly number[])[] = [];
    // A degree is given up at the first column that needs a higher one.
    for (let column = 0; column < half.length; column++) {
      const coefficients = fit(column, degree);
      if (!coefficients) break;
      found.push(coefficients);
    }
    if (found.length === half.length) return found;
  }
  return undefined;
}

/**
 * Least squares on evenly spaced v in [−1, 1], by Chebyshev polynomials, which keeps the equations well conditioned. All columns have the
 * same points, and so the same polynomials and normal equations; those of a degree are a part of those of a higher one. The result gives the
 * coefficients of powers for a column and a degree. It gives undefined if a point deviates by more than the tolerance.
 */
function leastSquares(
  columns: readonly Float64Array[],
  highest: number,
): (column: number, degree: number) => readonly number[] | undefined {
  const size = highest + 1;
  const points = columns[0].length;
  const basis = new Float64Array(points * size);
  const normal = Array.from({ length: size }, () => new Float64Array(size));
  for (let i = 0; i < points; i++) {
    const own = basis.subarray(i * size, (i + 1) * size);
    const v = (2 * i) / (points - 1) - 1;
    for (let k = 0; k < size; k++) own[k] = k === 0 ? 1 : k === 1 ? v : 2 * v * own[k - 1] - own[k - 2];
    for (let r = 0; r < size; r++) for (let c = 0; c <= r; c++) normal[r][c] += own[r] * own[c];
  }
  for (let r = 0; r < size; r++) for (let c = 0; c < r; c++) normal[c][r] = normal[r][c];
  const sums = columns.map((values) => {
    const own = new Float64Array(size);
    for (let i = 0; i < points; i++) for (let r = 0; r < size; r++) own[r] += basis[i * size + r] * values[i];
    return own;
  });
  return (column, degree) => {
    const terms = degree + 1;
    const solved = solve(
      normal.slice(0, terms).map((row, r) => {
        const equation = new Float64Array(terms + 1);
        equation.set(row.subarray(0, terms));
        equation[terms] = sums[column][r];
        return equation;
      }),
    );
    for (let i = 0; i < points; i++) {
      let sum = 0;
      for (let k = 0; k < terms; k++) sum += solved[k] * basis[i * size + k];
      // Also true of NaN, which a singular system gives.
      if (!(Math.abs(sum - columns[column][i]) <= tolerance)) return undefined;
    }
    return monomials(solved);
  };
}

/** Gauss-Jordan elimination with partial pivoting on [n][n + 1]. A singular system (fewer rows than coefficients) yields NaN. */
function solve(rows: Float64Array[]): readonly number[] {
  const n = rows.length;
  for (let i = 0; i < n; i++) {
    let pivot = i;
    for (let r = i + 1; r < n; r++) if (Math.abs(rows[r][i]) > Math.abs(rows[pivot][i])) pivot = r;
    [rows[i], rows[pivot]] = [rows[pivot], rows[i]];
    for (let r = 0; r < n; r++) {
      if (r === i) continue;
      const factor = rows[r][i] / rows[i][i];
      for (let c = i; c <= n; c++) rows[r][c] -= factor * rows[i][c];
    }
  }
  return rows.map((row, i) => row[n] / row[i]);
}

/** Coefficients of powers from those of Chebyshev polynomials. */
function monomials(chebyshev: readonly number[]): readonly number[] {
  const size = chebyshev.length;
  const out = new Array<number>(size).fill(0);
  let [before, now] = [[1], [0, 1]];
  chebyshev.forEach((c, k) => {
    const powers = k === 0 ? before : now;
    for (let d = 0; d < powers.length; d++) out[d] += c * powers[d];
    if (k > 0) {
      const next = [0, ...now.map((p) => 2 * p)];
      for (let d = 0; d < before.length; d++) next[d] -= before[d];
      [before, now] = [now, next];
    }
  });
  return out;
}
