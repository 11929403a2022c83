/**
 * Covariances of the extended factored algorithm in float64, one Doppler bin at a time (Section III-B of the paper). Windows
 * of neighbouring bins have bins in common. The shared form computes each product of a bin once and assembles matrices
 * from them; the unshared form uses the rows of each window, by definition. Both add the same products in the same order.
 */
import { runToEnd } from "@dechirp/core/internal";
import {
  completeHermitian,
  meanProducts,
  planSummation,
  type Row,
  type SummationPlan,
  sampleCovarianceSteps,
  summationScratch,
} from "../covariance.ts";
import type { DopplerCube } from "../cube.ts";
import { mismatch } from "./mismatch.ts";
import { checkTraining, type EfaGeometry, elementProduct, productIndex, windowBin } from "./options.ts";

/** The rows of X that are the elements of the snapshots of bin `bin`, in their order: channel·T + tap. */
export function snapshotRows(x: DopplerCube, geometry: EfaGeometry, bin: number): readonly Row[] {
  const { channels, temporalTaps } = geometry;
  return Array.from({ length: channels * temporalTaps }, (_, i) =>
    binRow(x, Math.floor(i / temporalTaps), windowBin(geometry, bin, i % temporalTaps)),
  );
}

const binRow = (x: DopplerCube, channel: number, bin: number): Row => ({ data: x.data, at: 2 * (channel * x.bins + bin) * x.ranges });

/** R̂ [group][n][n] of a bin, without loading. Asking for bins in ascending order is fastest. */
export type BinCovariances = (bin: number) => Float64Array;

/** Throws `input` unless X has the sizes of the geometry. */
export function checkDopplerCube(x: DopplerCube, { channels, dopplerBins, ranges }: EfaGeometry): void {
  mismatch("x", x, { channels, bins: dopplerBins, ranges });
  mismatch("x.data", x.data, { length: 2 * channels * dopplerBins * ranges });
}

/** Covariances of X, shared or not as the geometry says. Throws `input` for sizes that differ. */
export function binCovariances(x: DopplerCube, geometry: EfaGeometry): BinCovariances {
  const steps = binCovarianceSteps(x, geometry);
  return (bin) => runToEnd(steps(bin));
}

/** `binCovariances`, with each bin in steps of milliseconds, for `runInPieces` of core. Throws in the same cases. */
export function binCovarianceSteps(x: DopplerCube, geometry: EfaGeometry): (bin: number) => Generator<void, Float64Array> {
  checkDopplerCube(x, geometry);
  if (geometry.shared) return sharedCovariances(x, geometry);
  const { sets, order, loading } = geometry;
  let plan: SummationPlan | undefined;
  return function* (bin) {
    if (sets.perBin) checkTraining(sets, order, loading, bin);
    if (!plan || sets.perBin) plan = planSummation(sets, bin);
    return yield* sampleCovarianceSteps(snapshotRows(x, geometry, bin), plan);
  };
}

/**
 * Means of the products of one bin over the training of every group, [group][product] in the order of `productIndex`: with lags 0 to T − 1,
 * everything that any window needs of the pairs that start in this bin.
 */
export const binProducts = (x: DopplerCube, geometry: EfaGeometry, bin: number, plan: SummationPlan): Float64Array =>
  runToEnd(binProductSteps(x, geometry, bin, plan));

function* binProductSteps(x: DopplerCube, geometry: EfaGeometry, bin: number, plan: SummationPlan): Generator<void, Float64Array> {
  const { channels, temporalTaps, dopplerBins, products } = geometry;
  const out = new Float64Array(2 * plan.groups * products);
  const scratch = summationScratch(plan);
  for (let lag = 0; lag < temporalTaps; lag++) {
    const other = (bin + lag) % dopplerBins;
    for (let i = 0; i < channels; i++) {
      for (let j = 0; j < (lag === 0 ? i + 1 : channels); j++) {
        meanProducts(plan, binRow(x, i, bin), binRow(x, j, other), scratch, out, productIndex(geometry, lag, i, j), products);
        yield;
      }
    }
  }
  return out;
}

function sharedCovariances(x: DopplerCube, geometry: EfaGeometry): (bin: number) => Generator<void, Float64Array> {
  const { temporalTaps } = geometry;
  const plan = planSummation(geometry.sets, 0);
  // The bins of the window. A bin that leaves it is not needed again until the last windows wrap.
  const kept = new Map<number, Float64Array>();
  return function* (bin) {
    const window = Array.from({ length: temporalTaps }, (_, tap) => windowBin(geometry, bin, tap));
    for (const k of kept.keys()) if (!window.includes(k)) kept.delete(k);
    const products: Float64Array[] = [];
    for (const k of window) {
      const found = kept.get(k) ?? (yield* binProductSteps(x, geometry, k, plan));
      kept.set(k, found);
      products.push(found);
    }
    return assemble(products, geometry, plan.groups);
  };
}

/** R̂ [group][n][n] from the products of the window's bins, one array a tap. */
function assemble(products: readonly Float64Array[], geometry: EfaGeometry, groups: number): Float64Array {
  const { order: n } = geometry;
  const out = new Float64Array(2 * groups * n * n);
  for (let row = 0; row < n; row++) {
    for (let column = 0; column <= row; column++) {
      const [tap, index, turned] = elementProduct(geometry, row, column);
      const source = products[tap];
      for (let group = 0; group < groups; group++) {
        const from = 2 * (group * geometry.products + index);
        const to = 2 * (group * n * n + row * n + column);
        out[to] = source[from];
        out[to + 1] = turned ? -source[from + 1] : source[from + 1];
      }
    }
  }
  completeHermitian(out, n, groups);
  return out;
}
