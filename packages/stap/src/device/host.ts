/**
 * The float64 arithmetic behind the kernels' references: a covariance from its means, its solution, its filters on the cells of a group.
 * One matrix at a time, in arrays that are made once a call. No index rules: those are in the tables.
 */
import type { ArrayView } from "@dechirp/core";
import type { AdaptiveOutput } from "../adaptive.ts";
import { type EfaGeometry, windowBin } from "../efa/options.ts";
import { loadDiagonal } from "../solve.ts";
import { groupRun } from "../training.ts";
import { pivotShare } from "./on-chip-shape.ts";
import type { EfaTables } from "./tables.ts";

/** What wᴴx is multiplied by before it is squared, of the gain wᴴv; `text` in WGSL. */
export const amplitudeScales: Readonly<Record<AdaptiveOutput, { readonly text: string; of(gain: number): number }>> = {
  amf: { text: "inverseSqrt(gain)", of: (gain) => 1 / Math.sqrt(gain) },
  mvdr: { text: "1.0 / gain", of: (gain) => 1 / gain },
  "paper-literal": { text: "inverseSqrt(sqrt(gain))", of: (gain) => gain ** -0.25 },
  complex: { text: "1.0 / gain", of: (gain) => 1 / gain },
};

/** Weights and gains of one covariance, filled by `solve`. */
export interface HostSolver {
  /** w [P][n] and wᴴv [P]; zeros where the covariance is not positive definite. */
  readonly weights: Float64Array;
  readonly gains: Float64Array;
  /** Solves for item [bin][group]: 0, or the row, from 1, whose pivot is not positive. */
  solve(means: ArrayView, steering: ArrayView, item: number): number;
}

export function hostSolver(geometry: EfaGeometry, tables: EfaTables): HostSolver {
  const { order: n, steeringVectors, loading, solver } = geometry;
  const r = new Float64Array(2 * n * n);
  const weights = new Float64Array(2 * steeringVectors * n);
  const gains = new Float64Array(steeringVectors);
  return {
    weights,
    gains,
    solve(means, steering, item) {
      readCovariance(geometry, tables, means, item, r);
      loadDiagonal(r, n, loading);
      for (let i = 0; i < steeringVectors * n; i++) {
        weights[2 * i] = steering.re(i);
        weights[2 * i + 1] = steering.im(i);
      }
      const failed = solver === "cholesky" ? factor(r, n) : eliminate(r, n, weights);
      if (failed > 0) {
        weights.fill(0);
        gains.fill(0);
        return failed;
      }
      for (let p = 0; p < steeringVectors; p++) {
        if (solver === "cholesky") substitute(r, n, weights.subarray(2 * p * n, 2 * (p + 1) * n));
        let gain = 0;
        for (let i = p * n; i < (p + 1) * n; i++) gain += weights[2 * i] * steering.re(i) + weights[2 * i + 1] * steering.im(i);
        gains[p] = gain;
      }
      return 0;
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

/** L in place of the lower triangle, the diagonal's reciprocals in place of it; the row, from 1, that ends it, or 0. */
function factor(r: Float64Array, n: number): number {
  for (let k = 0; k < n; k++) {
    const rowK = 2 * k * n;
    const diagonal = r[rowK + 2 * k];
    let pivot = diagonal;
    for (let j = 0; j < 2 * k; j++) pivot -= r[rowK + j] ** 2;
    if (!(pivot > pivotShare * diagonal)) return k + 1;
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
  return 0;
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

/** Gauss-Jordan elimination of [R | V], V as rows [P][n]; the row, from 1, that ends it, or 0. */
function eliminate(r: Float64Array, n: number, v: Float64Array): number {
  const diagonals = Float64Array.from({ length: n }, (_, i) => r[2 * (i * n + i)]);
  for (let k = 0; k < n; k++) {
    const pivot = r[2 * (k * n + k)];
    if (!(pivot > pivotShare * diagonals[k])) return k + 1;
    for (let j = k + 1; j < n; j++) reduce(r, n, k, pivot, r, j, n);
    for (let p = 0; p < v.length / (2 * n); p++) reduce(r, n, k, pivot, v, p * n, 1);
  }
  return 0;
}

/** One column, `stride` numbers from element to element, by the pivot and the factors of column k. */
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

/** Filters what one covariance is for: y of item [bin][group] from w [P][n], wᴴv [P] and X. */
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
