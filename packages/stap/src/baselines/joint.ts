/**
 * The optimum that other methods are measured by: the adaptive filter over all channels and pulses at once, by sample matrix
 * inversion (SMI; Reed, Mallett & Brennan 1974). It has M·N unknowns, so that it needs at least as many training cells. Float64.
 */
import type { ComplexSamples } from "@dechirp/radar";
import {
  type AdaptiveOutput,
  adaptiveWeights,
  applyWeights,
  checkLoading,
  checkOutput,
  checkSteering,
  outputComponents,
} from "../adaptive.ts";
import { checkFinite, checkInteger, checkSize } from "../arrays.ts";
import { planSummation, type Row, sampleCovariances } from "../covariance.ts";
import { type Cube, checkCube, cubeOrders, reorderCube } from "../cube.ts";
import { checkTraining } from "../efa/options.ts";
import { checkSolver, type Solver } from "../solve.ts";
import { type Training, type TrainingSets, trainingSets } from "../training.ts";

/** Options of the methods without Doppler bins. Each is as in `EfaOptions`. */
export interface FilterOptions {
  /** Default: `adjacent`. */
  readonly training?: Training;
  /** Default: 32. */
  readonly blockRanges?: number;
  /** Default: 0. */
  readonly loading?: number;
  /** Default: `cholesky`. */
  readonly solver?: Solver;
  /** Default: `amf`. */
  readonly output?: AdaptiveOutput;
}

export interface ResolvedFilter {
  readonly sets: TrainingSets;
  readonly loading: number;
  readonly solver: Solver;
  readonly output: AdaptiveOutput;
}

/** Options with defaults, checked for snapshots of `order` elements. Throws `input` naming the field. Internal. */
export function resolveFilter(options: FilterOptions, ranges: number, order: number): ResolvedFilter {
  const { training = { kind: "adjacent" }, blockRanges = 32, loading = 0, solver = "cholesky", output = "amf" } = options;
  checkInteger(blockRanges, "blockRanges", 1, 2 ** 24);
  checkInteger(order, "channels · pulses", 1, 4096);
  checkLoading(loading, "loading");
  checkSolver(solver, "solver");
  checkOutput(output, "output");
  const sets = trainingSets(training, ranges, blockRanges);
  checkTraining(sets, order, loading);
  checkSize(2 * sets.groups * order * order, "blockRanges");
  return { sets, loading, solver, output };
}

/** y[steering][range] of snapshots whose element i is `rows[i]`. Internal. */
export function filterSnapshots(rows: readonly Row[], steering: Float64Array, filter: ResolvedFilter, place = {}): Float64Array {
  const { sets, output } = filter;
  const n = rows.length;
  const covariances = sampleCovariances(rows, planSummation(sets, 0));
  const weights = adaptiveWeights(covariances, n, steering, filter, place);
  const out = new Float64Array((outputComponents(output) * steering.length * sets.ranges) / (2 * n));
  applyWeights(rows, sets, weights, output, out);
  return out;
}

/**
 * y[steering][range] of the joint-domain filter. `steering` is v [P][M·N], index channel·N + pulse: `kronecker(spatial,
 * temporal)`. Custom training is asked for bin 0. Throws `input` naming the field.
 */
export function smiReference(cube: Cube, steering: ComplexSamples, options: FilterOptions = {}): Float64Array {
  checkCube(cube);
  checkFinite(cube.data, "cube.data");
  const { channels, pulses, ranges } = cube;
  const n = channels * pulses;
  const filter = resolveFilter(options, ranges, n);
  const v = checkSteering(steering, wholeVectors(steering, n), n);
  checkSize(2 * ranges * (v.length / (2 * n)), "steering");
  return filterSnapshots(cubeRows(cube), v, filter);
}

/** Number of vectors of n in `steering`, at least 1, so that a check can compare its length. */
export const wholeVectors = (steering: ComplexSamples, n: number): number => Math.max(1, Math.ceil((steering?.length ?? 0) / (2 * n)));

/** Rows channel·N + pulse over ranges. */
export function cubeRows(cube: Cube): readonly Row[] {
  const { data } = reorderCube(cube, cubeOrders.paper);
  return Array.from({ length: cube.channels * cube.pulses }, (_, i) => ({ data, at: 2 * i * cube.ranges }));
}
