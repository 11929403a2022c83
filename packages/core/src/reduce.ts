/**
 * The entry point `@dechirp/core/reduce`: sums, maxima and histograms of arrays, and percentiles from histograms. Backends also find here
 * which axes a reduction has, and its lowering.
 */

// Ops.

export { histogram, reduce } from "./ops/reduce.ts";

// Percentiles.

export { percentileOf } from "./ops/percentile.ts";

// For backends: the axes of a reduction, the bins of a histogram, lowerings.

export { type AxisRun, binning, elementPlace, lowerReduction, type ReducedAxes, reducedAxes } from "./ops/reductions.ts";
