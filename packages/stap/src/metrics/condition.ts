/**
 * Condition numbers and training of a data set: how well its covariances can be solved, before they are. Singular ones are counted, not
 * refused.
 */
import { runToEnd } from "@dechirp/core/internal";
import type { DopplerCube } from "../cube.ts";
import { binCovarianceSteps } from "../efa/covariance.ts";
import { type BinChoice, chosenBins, type EfaGeometry } from "../efa/options.ts";
import { loadDiagonal } from "../solve.ts";
import { trainingCells } from "../training.ts";
import { conditionNumber } from "./eigen.ts";
import { expectedAdaptiveLoss } from "./theory.ts";

/** How well the covariances of an EFA run can be solved. */
export interface ConditionReport {
  /** n = M·T. */
  readonly order: number;
  /** The fewest and most training cells of a covariance, K, over groups and the bins examined. */
  readonly fewestCells: number;
  readonly mostCells: number;
  /** E[ρ] in dB at the fewest cells; undefined if there are fewer than the order. */
  readonly expectedLossDb: number | undefined;
  /** λ_max/λ_min of the matrices with their loading, over all groups and bins examined. ∞ if one is singular. */
  readonly leastCondition: number;
  /** The median of the same. */
  readonly medianCondition: number;
  /** The largest of the same. */
  readonly mostCondition: number;
  /** The matrix with the largest condition number. */
  readonly worst: { readonly group: number; readonly bin: number };
  /** Matrices whose condition number is beyond 1/(n·ε): no digit of a solution would be right, and solvers refuse them. */
  readonly singular: number;
  /** Number of matrices examined. */
  readonly matrices: number;
}

/** Examines every covariance of X, or only those of the chosen bins. Throws `input` if X does not fit the geometry. */
export const conditionReport = (x: DopplerCube, geometry: EfaGeometry, choice?: BinChoice): ConditionReport =>
  runToEnd(conditionReportSteps(x, geometry, choice));

/**
 * `conditionReport` in steps of milliseconds, for `runInPieces` of core: other work can run and signals can fire between them. Throws in
 * the same cases.
 */
export function* conditionReportSteps(x: DopplerCube, geometry: EfaGeometry, choice?: BinChoice): Generator<void, ConditionReport> {
  const { order, sets, loading } = geometry;
  const covariances = binCovarianceSteps(x, geometry);
  const bins = chosenBins(geometry, choice);
  const values = new Float64Array(bins.length * sets.groups);
  let [fewestCells, mostCells] = [Number.POSITIVE_INFINITY, 0];
  let worst = { group: 0, bin: bins[0] };
  let most = 0;
  for (const [i, bin] of bins.entries()) {
    const matrices = yield* covariances(bin);
    for (let group = 0; group < sets.groups; group++) {
      if (i === 0 || sets.perBin) {
        const cells = trainingCells(sets.runs(group, bin));
        fewestCells = Math.min(fewestCells, cells);
        mostCells = Math.max(mostCells, cells);
      }
      const r = matrices.subarray(2 * group * order * order, 2 * (group + 1) * order * order);
      loadDiagonal(r, order, loading);
      const condition = conditionNumber(r, order);
      yield;
      values[i * sets.groups + group] = condition;
      if (condition <= most) continue;
      most = condition;
      worst = { group, bin };
    }
  }
  values.sort();
  return {
    order,
    fewestCells,
    mostCells,
    expectedLossDb: fewestCells >= order ? 10 * Math.log10(expectedAdaptiveLoss(order, fewestCells)) : undefined,
    leastCondition: values[0],
    medianCondition: values[values.length >> 1],
    mostCondition: values[values.length - 1],
    worst,
    singular: values.reduce((count, condition) => count + (condition * order * Number.EPSILON > 1 ? 1 : 0), 0),
    matrices: values.length,
  };
}
