/**
 * The float64 arithmetic behind the references of kernels: a covariance from its means, its solution, and its filters on the cells of a
 * group.
 * It works on one matrix at a time, in arrays that are allocated once a call. Index rules are in the tables.
 */
import type { ArrayView } from "@dechirp/core";
import type { AdaptiveOutput } from "../adaptive.ts";
import { type EfaGeometry, windowBin } from "../efa/options.ts";
import { loadDiagonal } from "../solve.ts";
import { groupRun } from "../training.ts";
import { conditionStatus, kindUnit, type PrecisionLimits, pivotStatus, precisionLimits, statusKinds, weakShare } from "./status.ts";
import type { EfaTables } from "./tables.ts";

/** The factor of wᴴx before squaring, as a function of the gain wᴴv; `text` is the same in WGSL. */
export const amplitudeScales: Readonly<Record<AdaptiveOutput, { readonly text: string; of(gain: number): number }>> = {
  amf: { text: "inverseSqrt(gain)", of: (gain) => 1 / Math.sqrt(gain) },
  mvdr: { text: "1.0 / gain", of: (gain) => 1 / gain },
  "paper-literal": { text: "inverseSqrt(sqrt(gain))", of: (gain) => gain ** -0.25 },
  complex: { text: "1.0 / gain", of: (gain) => 1 / gain },
};

/** Weights and gains of one covariance, filled by `solve`. */
export interface HostSolver {
  /** w [P][n] and wᴴv [P]; zeros if the covariance is not positive definite. */
  readonly weights: Float64Array;
  readonly gains: Float64Array;
  /** Solves for item [bin][group] and returns its status. */
  solve(means: ArrayView, steering: ArrayView, item: number): number;
}

export function hostSolver(geometry: EfaGeometry, tables: EfaTables): HostSolver {
  const { order: n, steeringVectors, loading, solver, precision } = geometry;
  const limits = precisionLimits[precision];
  const diagonals = new Float64Array(n);
  const r = new Float64Array(2 * n * n);
  const weights = new Float64Array(2 * steeringVectors * n);
  const gains = new Float64Array(steeringVectors);
  return {
    weights,
    gains,
    solve(means, steering, item) {
      readCovariance(geometry, tables, means, item, r);
      for (let i = 0; i < n; i++) diagonals[i] = r[2 * (i * n + i)];
      // A row that is not finite is reported as it is, and must not make others so.
      if (diagonals.every(Number.isFinite)) loadDiagonal(r, n, loading);
      for (let i = 0; i < steeringVectors * n; i++) {
        weights[2 * i] = steering.re(i);
        weights[2 * i + 1] = steering.im(i);
      }
      for (let i = 0; i < n; i++) diagonals[i] = r[2 * (i * n + i)];
      const found = solver === "cholesky" ? factor(r, n, limits) : eliminate(r, n, weights, limits);
      if (found > 0) {
        weights.fill(0);
        gains.fill(0);
        return found;
      }
      let status = 0;
      for (let p = 0; p < steeringVectors; p++) {
        if (solver === "cholesky") substitute(r, n, weights.subarray(2 * p * n, 2 * (p + 1) * n));
        let [gain, square] = [0, 0];
        for (let i = p * n; i < (p + 1) * n; i++) {
          const [re, im] = [weights[2 * i], weights[2 * i + 1]];
          gain += re * steering.re(i) + im * steering.im(i);
          square += diagonals[i - p * n] * (re * re + im * im);
        }
        gains[p] = gain;
        if (!(gain > 0 && Number.isFinite(gain))) status = Math.max(status, statusKinds.steering * kindUnit + p);
        else if (found < 0) status = Math.max(status, conditionStatus(square / gain, limits));
      }
      return status;
    },
  };
}

/** All of R̂ [n][n] of item [bin][group]. */
function readCovariance(
  { dopplerBins, sets: { groups }, order: n }: EfaGeometry,
  { products, elements, sets }: EfaTables,
  means: ArrayView,
  item: number,
  r: Float64Array,
): void {
  const [bin, group] = [Math.floor(item / groups), item % groups];
  const { data: members, width } = sets.members;
  for (let row = 0, e = 0; row < n; row++) {
    for (let column = 0; column <= row; column++, e++) {
      const [offset, product, turned] = elements.data.subarray(3 * e, 3 * e + 3);
      const from = ((bin + offset) % dopplerBins) * sets.count;
      let re = 0;
      let im = 0;
      for (let k = 0, at = group * width; k < members[at]; k++) {
        const mean = (from + members[at + 1 + 2 * k]) * products.rows + product;
        re += members[at + 2 + 2 * k] * means.re(mean);
        im += members[at + 2 + 2 * k] * means.im(mean);
      }
      const [lower, upper] = [2 * (row * n + column), 2 * (column * n + row)];
      r[lower] = re;
      r[lower + 1] = turned === 1 ? -im : im;
      r[upper] = re;
      r[upper + 1] = -r[lower + 1];
    }
  }
}

/** The result of a pivot: a positive status that ends the matrix, −1 for a weak pivot, otherwise 0. */
function pivotFault(pivot: number, row: number, diagonal: number, limits: PrecisionLimits): number {
  if (!(pivot > Math.max(limits.pivotShare * diagonal, limits.leastPivot))) return pivotStatus(row, diagonal, limits);
  return pivot < weakShare * diagonal ? -1 : 0;
}

/** Puts L in place of the lower triangle, with the reciprocals of its diagonal. Returns the gravest result of `pivotFault`. */
function factor(r: Float64Array, n: number, limits: PrecisionLimits): number {
  let found = 0;
  for (let k = 0; k < n; k++) {
    const rowK = 2 * k * n;
    const diagonal = r[rowK + 2 * k];
    let pivot = diagonal;
    for (let j = 0; j < 2 * k; j++) pivot -= r[rowK + j] ** 2;
    const fault = pivotFault(pivot, k, diagonal, limits);
    if (fault > 0) return fault;
    if (fault < 0) found = fault;
    const scale = 1 / Math.sqrt(pivot);
    for (let i = k + 1; i < n; i++) {
      const rowI = 2 * i * n;
      let re = r[rowI + 2 * k];
      let im = r[rowI + 2 * k + 1];
      for (let j = 0; j < 2 * k; j += 2) {
        re -= r[rowI + j] * r[rowK + j] + r[rowI + j + 1] * r[rowK + j + 1];
        im -= r[rowI + j + 1] * r[rowK + j] - r[rowI + j] * r[rowK + j + 1];
      }
      r[rowI + 2 * k] = re * scale;
      r[rowI + 2 * k + 1] = im * scale;
    }
    r[rowK + 2 * k] = scale;
  }
  return found;
}

/** y = L⁻ᴴL⁻¹y. */
function substitute(l: Float64Array, n: number, y: Float64Array): void {
  for (let i = 0; i < n; i++) {
    let re = y[2 * i];
    let im = y[2 * i + 1];
    for (let j = 0; j < i; j++) {
      const at = 2 * (i * n + j);
      re -= l[at] * y[2 * j] - l[at + 1] * y[2 * j + 1];
      im -= l[at] * y[2 * j + 1] + l[at + 1] * y[2 * j];
    }
    y[2 * i] = re * l[2 * (i * n + i)];
    y[2 * i + 1] = im * l[2 * (i * n + i)];
  }
  for (let i = n - 1; i >= 0; i--) {
    let re = y[2 * i];
    let im = y[2 * i + 1];
    for (let j = i + 1; j < n; j++) {
      const at = 2 * (j * n + i);
      re -= l[at] * y[2 * j] + l[at + 1] * y[2 * j + 1];
      im -= l[at] * y[2 * j + 1] - l[at + 1] * y[2 * j];
    }
    y[2 * i] = re * l[2 * (i * n + i)];
    y[2 * i + 1] = im * l[2 * (i * n + i)];
  }
}

/** Gauss-Jordan elimination of [R | V], V as rows [P][n]. Returns the gravest result of `pivotFault`. */
function eliminate(r: Float64Array, n: number, v: Float64Array, limits: PrecisionLimits): number {
  let found = 0;
  const diagonals = Float64Array.from({ length: n }, (_, i) => r[2 * (i * n + i)]);
  for (let k = 0; k < n; k++) {
    const pivot = r[2 * (k * n + k)];
    const fault = pivotFault(pivot, k, diagonals[k], limits);
    if (fault > 0) return fault;
    if (fault < 0) found = fault;
    for (let j = k + 1; j < n; j++) reduce(r, n, k, pivot, r, j, n);
    for (let p = 0; p < v.length / (2 * n); p++) reduce(r, n, k, pivot, v, p * n, 1);
  }
  return found;
}

/** Eliminates one column, `stride` numbers from element to element, by the pivot and the factors of column k. */
function reduce(r: Float64Array, n: number, k: number, pivot: number, column: Float64Array, from: number, stride: number): void {
  const at = 2 * (from + k * stride);
  const re = column[at] / pivot;
  const im = column[at + 1] / pivot;
  for (let i = 0; i < n; i++) {
    const to = 2 * (from + i * stride);
    if (i === k) {
      column[to] = re;
      column[to + 1] = im;
    } else {
      const [a, b] = [r[2 * (i * n + k)], r[2 * (i * n + k) + 1]];
      column[to] -= a * re - b * im;
      column[to + 1] -= a * im + b * re;
    }
  }
}

/** Filters the cells of one covariance: y of item [bin][group] from w [P][n], wᴴv [P] and X. */
export function filterGroup(
  geometry: EfaGeometry,
  ports: Readonly<Record<string, ArrayView>>,
  item: number,
  weights: Float64Array,
  gains: Float64Array,
): void {
  const { sets, dopplerBins, ranges, order: n, temporalTaps, steeringVectors, output, maxOverSteering } = geometry;
  const { x, y } = ports as Record<"x" | "y", ArrayView>;
  const [bin, group] = [Math.floor(item / sets.groups), item % sets.groups];
  const [first, count] = groupRun(sets, group);
  const rows = Array.from(
    { length: n },
    (_, i) => (Math.floor(i / temporalTaps) * dopplerBins + windowBin(geometry, bin, i % temporalTaps)) * ranges,
  );
  for (let range = first; range < first + count; range++) {
    let best = 0;
    let which = 0;
    for (let p = 0; p < steeringVectors; p++) {
      let re = 0;
      let im = 0;
      for (let i = 0; i < n; i++) {
        const [a, b, c, d] = [x.re(rows[i] + range), x.im(rows[i] + range), weights[2 * (p * n + i)], weights[2 * (p * n + i) + 1]];
        re += a * c + b * d;
        im += b * c - a * d;
      }
      const scale = gains[p] > 0 ? amplitudeScales[output].of(gains[p]) : 0;
      re *= scale;
      im *= scale;
      const power = re * re + im * im;
      const to = (p * dopplerBins + bin) * ranges + range;
      if (output === "complex") y.set(to, re, im);
      else if (!maxOverSteering) y.set(to, power);
      else if (p === 0 || power > best) [best, which] = [power, p];
    }
    if (!maxOverSteering) continue;
    y.set(bin * ranges + range, best);
    ports["strongest"].set(bin * ranges + range, which);
  }
}
