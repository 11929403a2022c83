/**
 * How good a filter is against a known covariance: SINR, its losses, improvement, and what a loss curve over Doppler says
 * about slow targets. Vectors and matrices are interleaved. Noise has power 1 in every element; losses are
 * relative to it.
 */
import { inputError } from "@dechirp/core";
import { checkFinite, checkNumber, checkSize, checkSquare, rowsOf } from "../arrays.ts";
import { inverseQuadratic } from "../solve.ts";

const db = (ratio: number): number => 10 * Math.log10(ratio);

/** |Σ a*·b|² */
function innerPower(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) throw inputError("w.length", `${b.length}, as the other vector's`, a.length);
  let re = 0;
  let im = 0;
  for (let i = 0; i < a.length; i += 2) {
    re += a[i] * b[i] + a[i + 1] * b[i + 1];
    im += a[i] * b[i + 1] - a[i + 1] * b[i];
  }
  return re * re + im * im;
}

const power = (v: ArrayLike<number>): number =>
  Array.prototype.reduce.call(v, (sum, x) => (sum as number) + (x as number) ** 2, 0) as number;

/** wᴴ·R·w of an n × n Hermitian R: the output power of a filter. Throws `input` for lengths that do not fit. */
export function quadraticForm(r: ArrayLike<number>, w: ArrayLike<number>): number {
  const n = w.length / 2;
  checkSquare(r, n);
  let sum = 0;
  for (let i = 0; i < n; i++) {
    let re = 0;
    let im = 0;
    for (let k = 0, at = 2 * i * n; k < 2 * n; k += 2, at += 2) {
      re += r[at] * w[k] - r[at + 1] * w[k + 1];
      im += r[at] * w[k + 1] + r[at + 1] * w[k];
    }
    sum += w[2 * i] * re + w[2 * i + 1] * im;
  }
  return sum;
}

/** |wᴴv|²/(wᴴRw): SINR of a target of unit power in each element. Throws `input` for lengths that do not fit. */
export const filterSinr = (w: ArrayLike<number>, r: ArrayLike<number>, v: ArrayLike<number>): number =>
  innerPower(w, v) / quadraticForm(r, w);

/** |wᴴv|²/(wᴴRw·vᴴv) in dB: SINR relative to that in noise alone (Ward, eq. 112). Never positive if R includes the noise. */
export const filterSinrLossDb = (w: ArrayLike<number>, r: ArrayLike<number>, v: ArrayLike<number>): number =>
  db(filterSinr(w, r, v) / power(v));

/** vᴴR⁻¹v/(vᴴv) in dB, the loss of the optimum filter, from R's lower Cholesky factor. */
export const optimumSinrLossDb = (factor: Float64Array, v: ArrayLike<number>): number =>
  db(inverseQuadratic(factor, v.length / 2, v) / power(v));

/** ρ = |wᴴv|²/(wᴴRw · vᴴR⁻¹v): the share of the optimum SINR that estimated weights keep; at most 1 (Reed, Mallett & Brennan 1974). */
export const adaptiveLoss = (w: ArrayLike<number>, r: ArrayLike<number>, factor: Float64Array, v: ArrayLike<number>): number =>
  filterSinr(w, r, v) / inverseQuadratic(factor, v.length / 2, v);

/** The improvement factor in dB: output SINR over input SINR, the latter 1/(tr R/n) (Ward, eq. 115). */
export function improvementFactorDb(w: ArrayLike<number>, r: ArrayLike<number>, v: ArrayLike<number>): number {
  const n = w.length / 2;
  let trace = 0;
  for (let i = 0; i < n; i++) trace += r[2 * (i * n + i)];
  return db((filterSinr(w, r, v) * trace) / n);
}

/** F·R·Fᴴ for rows f* of F: the covariance [k][k] of fᴴx for every f of `transform` [k][n]. Throws `input`. */
export function transformCovariance(r: ArrayLike<number>, transform: Float64Array, n: number): Float64Array {
  const k = rowsOf(transform, n, "transform");
  checkSquare(r, n);
  checkSize(2 * k * n, "transform.length");
  const out = new Float64Array(2 * k * k);
  const rf = new Float64Array(2 * n);
  for (let b = 0; b < k; b++) {
    // R·f_b; most of f is zero if a transform works channel by channel.
    rf.fill(0);
    for (let j = 0; j < n; j++) {
      const [re, im] = [transform[2 * (b * n + j)], transform[2 * (b * n + j) + 1]];
      if (re === 0 && im === 0) continue;
      // Column j of a Hermitian R is row j, conjugated.
      for (let i = 0, at = 2 * j * n; i < 2 * n; i += 2, at += 2) {
        rf[i] += r[at] * re + r[at + 1] * im;
        rf[i + 1] += r[at] * im - r[at + 1] * re;
      }
    }
    for (let a = 0; a < k; a++) {
      let re = 0;
      let im = 0;
      for (let i = 0, at = 2 * a * n; i < 2 * n; i += 2, at += 2) {
        re += transform[at] * rf[i] + transform[at + 1] * rf[i + 1];
        im += transform[at] * rf[i + 1] - transform[at + 1] * rf[i];
      }
      out[2 * (a * k + b)] = re;
      out[2 * (a * k + b) + 1] = a === b ? 0 : im;
    }
  }
  return out;
}

/** fᴴv for every f of `transform` [k][n]. Throws `input`. */
export function transformVector(v: ArrayLike<number>, transform: Float64Array): Float64Array {
  const n = v.length / 2;
  const k = rowsOf(transform, n, "transform");
  const out = new Float64Array(2 * k);
  for (let a = 0; a < k; a++) {
    for (let i = 0, at = 2 * a * n; i < 2 * n; i += 2, at += 2) {
      out[2 * a] += transform[at] * v[i] + transform[at + 1] * v[i + 1];
      out[2 * a + 1] += transform[at] * v[i + 1] - transform[at + 1] * v[i];
    }
  }
  return out;
}

function checkCurve(frequenciesHz: ArrayLike<number>, lossDb: ArrayLike<number>): void {
  if (lossDb.length < 2 || frequenciesHz.length !== lossDb.length)
    throw inputError("lossDb.length", "the number of frequencies, at least 2", lossDb.length);
  checkFinite(frequenciesHz, "frequenciesHz");
  checkFinite(lossDb, "lossDb");
  for (let i = 1; i < frequenciesHz.length; i++) {
    if (!(frequenciesHz[i] > frequenciesHz[i - 1])) throw inputError(`frequenciesHz[${i}]`, "above the one before", frequenciesHz[i]);
  }
}

/**
 * Usable Doppler space fraction: the share of the curve's frequencies, with lines between its points, whose loss is above `thresholdDb`
 * (negative).
 */
export function usableDopplerFraction(frequenciesHz: ArrayLike<number>, lossDb: ArrayLike<number>, thresholdDb: number): number {
  checkCurve(frequenciesHz, lossDb);
  checkNumber(thresholdDb, "thresholdDb", -1e6, 0);
  let usable = 0;
  for (let i = 1; i < lossDb.length; i++) {
    const width = frequenciesHz[i] - frequenciesHz[i - 1];
    const [a, b] = [lossDb[i - 1] - thresholdDb, lossDb[i] - thresholdDb];
    if (a > 0 && b > 0) usable += width;
    else if (a > 0 || b > 0) usable += (width * Math.max(a, b)) / Math.abs(a - b);
  }
  return usable / (frequenciesHz[frequenciesHz.length - 1] - frequenciesHz[0]);
}

/**
 * Minimum detectable velocity λf/2, with f the distance above `clutterHz` at which the loss first is above `thresholdDb`, on lines between
 * the
 * points of the curve; ∞ if it never is. Throws `input`.
 */
export function minimumDetectableVelocity(
  frequenciesHz: ArrayLike<number>,
  lossDb: ArrayLike<number>,
  thresholdDb: number,
  wavelengthMeters: number,
  clutterHz = 0,
): number {
  checkCurve(frequenciesHz, lossDb);
  checkNumber(thresholdDb, "thresholdDb", -1e6, 0);
  checkNumber(wavelengthMeters, "wavelengthMeters", Number.MIN_VALUE, 1e9);
  checkNumber(clutterHz, "clutterHz", frequenciesHz[0], frequenciesHz[frequenciesHz.length - 1]);
  for (let i = 0; i < lossDb.length; i++) {
    if (frequenciesHz[i] < clutterHz || lossDb[i] <= thresholdDb) continue;
    let hz = frequenciesHz[i];
    if (i > 0 && lossDb[i - 1] <= thresholdDb) {
      hz -= ((hz - frequenciesHz[i - 1]) * (lossDb[i] - thresholdDb)) / (lossDb[i] - lossDb[i - 1]);
    }
    return (wavelengthMeters * Math.max(0, hz - clutterHz)) / 2;
  }
  return Number.POSITIVE_INFINITY;
}
