/**
 * The extended factored algorithm in float64, as a whole and stage by stage: Doppler, covariance, solve, weighting. Devices are
 * measured against it. Every stage takes the output of the one before, or anything of that form. It is not fast: half a second for
 * the paper's Table I.
 */
import type { ComplexSamples } from "@dechirp/radar";
import { type AdaptiveOutput, type AdaptiveWeights, adaptiveWeights, applyWeights, checkSteering, outputComponents } from "../adaptive.ts";
import { checkSize } from "../arrays.ts";
import type { Cube, DopplerCube } from "../cube.ts";
import { binCovariances, checkDopplerCube, snapshotRows } from "./covariance.ts";
import { dopplerReference } from "./doppler.ts";
import { mismatch } from "./mismatch.ts";
import { type BinChoice, chosenBins, type EfaGeometry, type EfaOptions, efaGeometry } from "./options.ts";

/** y[steering][bin][range], or y[bin][range] if it is the largest over all steering vectors. */
export interface EfaResult {
  /** The outputs in row-major order of `shape`. */
  readonly data: Float64Array;
  readonly output: AdaptiveOutput;
  /** Extents of the axes, outermost first. A complex output has re, im within. */
  readonly shape: readonly number[];
  /** The Doppler bins of the second-last axis. */
  readonly bins: readonly number[];
  /** If only the largest output is kept: index of its steering vector, [bin][range]. */
  readonly strongest?: Uint32Array;
}

/** The covariance stage: R̂ [bin][group][n][n], interleaved, without loading. Throws `input` if X does not fit. */
export function covarianceReference(x: DopplerCube, geometry: EfaGeometry, choice?: BinChoice): Float64Array {
  const bins = chosenBins(geometry, choice);
  const { sets, order } = geometry;
  const each = 2 * sets.groups * order * order;
  checkSize(bins.length * each, "bins");
  const covariances = binCovariances(x, geometry);
  const out = new Float64Array(bins.length * each);
  for (const [i, bin] of bins.entries()) out.set(covariances(bin), i * each);
  return out;
}

/**
 * The solve stage: w [bin][group][steering][n] and wᴴv [bin][group][steering] of R̂ [bin][group][n][n], which is not
 * changed, loaded as the geometry says, and v [steering][n]. Throws `input` naming block and bin if R̂ is not positive definite.
 */
export function solveReference(
  covariances: Float64Array,
  steering: ComplexSamples,
  geometry: EfaGeometry,
  choice?: BinChoice,
): AdaptiveWeights {
  const bins = chosenBins(geometry, choice);
  const { sets, order, steeringVectors } = geometry;
  const each = 2 * sets.groups * order * order;
  mismatch("covariances", covariances, { length: bins.length * each });
  const v = checkSteering(steering, steeringVectors, order);
  const gainsEach = sets.groups * steeringVectors;
  checkSize(bins.length * gainsEach * 2 * order, "bins");
  const data = new Float64Array(bins.length * gainsEach * 2 * order);
  const gains = new Float64Array(bins.length * gainsEach);
  for (const [i, bin] of bins.entries()) {
    const weights = adaptiveWeights(covariances.slice(i * each, (i + 1) * each), order, v, geometry, { bin });
    data.set(weights.data, i * gainsEach * 2 * order);
    gains.set(weights.gains, i * gainsEach);
  }
  return { data, gains };
}

/** The weighting stage: y of X and the weights of `solveReference`. Throws `input` if they do not fit. */
export function weightingReference(x: DopplerCube, weights: AdaptiveWeights, geometry: EfaGeometry, choice?: BinChoice): EfaResult {
  checkDopplerCube(x, geometry);
  const bins = chosenBins(geometry, choice);
  const each = geometry.sets.groups * geometry.steeringVectors;
  mismatch("weights.gains", weights.gains, { length: bins.length * each });
  mismatch("weights.data", weights.data, { length: bins.length * each * 2 * geometry.order });
  return filterBins(x, geometry, bins, (_, i) => ({
    data: weights.data.subarray(i * each * 2 * geometry.order, (i + 1) * each * 2 * geometry.order),
    gains: weights.gains.subarray(i * each, (i + 1) * each),
  }));
}

/**
 * The whole algorithm, bin by bin, so that covariances of all bins are never in memory at once. `steering` is v
 * [steering][n], n = channel·T + tap, as `efaSteering` makes it. Throws `input` naming the field.
 */
export function efaReference(
  cube: Cube,
  steering: ComplexSamples,
  options: Omit<EfaOptions, "channels" | "pulses" | "ranges">,
  choice?: BinChoice,
): EfaResult {
  const { channels, pulses, ranges } = cube;
  const geometry = efaGeometry({ ...options, channels, pulses, ranges });
  return efaFromDoppler(dopplerReference(cube, geometry), steering, geometry, choice);
}

/** Everything after the Doppler stage. Throws `input` naming the field. */
export function efaFromDoppler(x: DopplerCube, steering: ComplexSamples, geometry: EfaGeometry, choice?: BinChoice): EfaResult {
  const v = checkSteering(steering, geometry.steeringVectors, geometry.order);
  const covariances = binCovariances(x, geometry);
  const bins = chosenBins(geometry, choice);
  return filterBins(x, geometry, bins, (bin) => adaptiveWeights(covariances(bin), geometry.order, v, geometry, { bin }));
}

/** Filters bin after bin with the weights that `weightsOf` gives. Internal. */
export function filterBins(
  x: DopplerCube,
  geometry: EfaGeometry,
  bins: readonly number[],
  weightsOf: (bin: number, i: number) => AdaptiveWeights,
): EfaResult {
  const { ranges, steeringVectors, output, maxOverSteering, sets } = geometry;
  const each = outputComponents(output) * ranges;
  const line = new Float64Array(steeringVectors * each);
  const planes = maxOverSteering ? 1 : steeringVectors;
  const data = new Float64Array(planes * bins.length * each);
  const strongest = maxOverSteering ? new Uint32Array(bins.length * ranges) : undefined;
  for (const [i, bin] of bins.entries()) {
    applyWeights(snapshotRows(x, geometry, bin), sets, weightsOf(bin, i), output, line);
    if (strongest) keepLargest(line, ranges, data, strongest, i * ranges);
    else for (let p = 0; p < planes; p++) data.set(line.subarray(p * each, (p + 1) * each), (p * bins.length + i) * each);
  }
  const shape = [...(strongest ? [] : [steeringVectors]), bins.length, ranges];
  return { data, output, shape, bins, ...(strongest && { strongest }) };
}

/** The largest of [steering][range] for every range, the first of equals, and its index. */
function keepLargest(line: Float64Array, ranges: number, data: Float64Array, strongest: Uint32Array, to: number): void {
  for (let l = 0; l < ranges; l++) {
    let best = l;
    for (let at = l + ranges; at < line.length; at += ranges) if (line[at] > line[best]) best = at;
    data[to + l] = line[best];
    strongest[to + l] = Math.floor(best / ranges);
  }
}
