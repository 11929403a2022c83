/**
 * The adaptive filter in which every method here ends, whatever its snapshots are: weights w = R⁻¹v for each group and
 * steering vector, and their outputs for the cells under test. Float64, one Doppler bin (or none) at a time. The methods
 * provide rows, sets and steering vectors that match.
 */

import { inputError } from "@dechirp/core";
import type { ComplexSamples } from "@dechirp/radar";
import { checkComplex, checkFinite, checkNumber } from "./arrays.ts";
import type { Row } from "./covariance.ts";
import { choleskyFactor, choleskySolve, gaussJordanSolve, loadDiagonal, type MatrixPlace, type Solver } from "./solve.ts";
import { groupRun, type TrainingSets } from "./training.ts";

/**
 * What is computed from w = R⁻¹v and a snapshot x:
 * - `amf`: |wᴴx|²/(wᴴv), the adaptive matched filter (Robey et al. 1992): invariant to the scale of data and steering;
 * - `mvdr`: |wᴴx|²/(wᴴv)², the output power of the distortionless filter: |α|² for a target α·v alone;
 * - `paper-literal`: β·|wᴴx|² with β = 1/√(wᴴv) outside the norm, as the paper prints it; it scales as 1/c with data c·x, so it is no CFAR;
 * - `complex`: wᴴx/(wᴴv), the complex output of the distortionless filter, as in the PERFECT suite; the only complex output.
 */
export type AdaptiveOutput = "amf" | "mvdr" | "paper-literal" | "complex";

/** All kinds of output. */
export const adaptiveOutputs: readonly AdaptiveOutput[] = ["amf", "mvdr", "paper-literal", "complex"];

/** How many numbers an output has: 2 if it is complex. */
export const outputComponents = (output: AdaptiveOutput): 1 | 2 => (output === "complex" ? 2 : 1);

/** Throws `input`, naming `field`, unless `output` is one of them. */
export function checkOutput(output: AdaptiveOutput, field: string): void {
  if (!adaptiveOutputs.includes(output)) throw inputError(field, `one of ${adaptiveOutputs.join(", ")}`, output);
}

/** Checks diagonal loading relative to the mean eigenvalue. */
export const checkLoading = (loading: number, field: string): void => checkNumber(loading, field, 0, 1e6);

/** Weights of one bin. */
export interface AdaptiveWeights {
  /** w [group][steering][n], interleaved. */
  readonly data: Float64Array;
  /** wᴴv = vᴴR⁻¹v [group][steering]: real and positive. */
  readonly gains: Float64Array;
}

/**
 * `steering` as float64 [P][n]. Throws `input`, naming it, if the length does not fit, a number is not finite, or a vector is all zeros.
 */
export function checkSteering(steering: ComplexSamples, vectors: number, n: number, field = "steering"): Float64Array {
  checkComplex(steering, vectors * n, field, `${vectors} vectors of ${n}`);
  checkFinite(steering, field);
  for (let p = 0; p < vectors; p++) {
    if (steering.subarray(2 * p * n, 2 * (p + 1) * n).every((x) => x === 0))
      throw inputError(`${field}[${p}]`, "a vector that is not all zeros", "all zero");
  }
  return Float64Array.from(steering);
}

/**
 * w = (R + loading·tr(R)/n·I)⁻¹v for every group's R [group][n][n], which is loaded in place, and every v [P][n]. Throws
 * `input` naming `covariance`, the group and what `place` adds, if a matrix is not positive definite.
 */
export function adaptiveWeights(
  covariances: Float64Array,
  n: number,
  steering: Float64Array,
  options: { readonly loading: number; readonly solver: Solver },
  place: MatrixPlace = {},
): AdaptiveWeights {
  const groups = covariances.length / (2 * n * n);
  const vectors = steering.length / (2 * n);
  const data = new Float64Array(groups * steering.length);
  const gains = new Float64Array(groups * vectors);
  const factor = new Float64Array(2 * n * n);
  for (let group = 0; group < groups; group++) {
    const r = covariances.subarray(2 * group * n * n, 2 * (group + 1) * n * n);
    const at = { group, ...place };
    loadDiagonal(r, n, options.loading);
    const w = data.subarray(group * steering.length, (group + 1) * steering.length);
    if (options.solver === "cholesky") choleskySolve(choleskyFactor(r, n, factor, at), n, steering, w);
    else w.set(gaussJordanSolve(r, n, steering, at));
    for (let p = 0; p < vectors; p++) {
      let gain = 0;
      for (let i = 2 * p * n; i < 2 * (p + 1) * n; i++) gain += w[i] * steering[i];
      gains[group * vectors + p] = gain;
    }
  }
  return { data, gains };
}

/** Filters every range with the weights of its group, and writes outputs [P][range] to `out`. */
export function applyWeights(
  rows: readonly Row[],
  sets: TrainingSets,
  weights: AdaptiveWeights,
  output: AdaptiveOutput,
  out: Float64Array,
): void {
  const n = rows.length;
  const vectors = weights.gains.length / sets.groups;
  const components = outputComponents(output);
  const sum = new Float64Array(2 * Math.min(sets.groupRanges, sets.ranges));
  for (let group = 0; group < sets.groups; group++) {
    const [first, count] = groupRun(sets, group);
    for (let p = 0; p < vectors; p++) {
      sum.fill(0);
      for (let i = 0; i < n; i++) {
        const at = 2 * ((group * vectors + p) * n + i);
        const re = weights.data[at];
        const im = weights.data[at + 1];
        const { data } = rows[i];
        for (let k = 0, from = rows[i].at + 2 * first; k < 2 * count; k += 2, from += 2) {
          sum[k] += re * data[from] + im * data[from + 1];
          sum[k + 1] += re * data[from + 1] - im * data[from];
        }
      }
      const scale = amplitudeScale(output, weights.gains[group * vectors + p]);
      for (let k = 0; k < 2 * count; k++) sum[k] *= scale;
      const to = components * (p * sets.ranges + first);
      if (components === 2) out.set(sum.subarray(0, 2 * count), to);
      else for (let k = 0; k < count; k++) out[to + k] = sum[2 * k] ** 2 + sum[2 * k + 1] ** 2;
    }
  }
}

/** The factor of wᴴx. It is applied before squaring, so that no scale of the data overflows first. */
function amplitudeScale(output: AdaptiveOutput, gain: number): number {
  if (output === "amf") return 1 / Math.sqrt(gain);
  return output === "paper-literal" ? gain ** -0.25 : 1 / gain;
}
