/**
 * The entry point `@dechirp/radar/interpolation`: interpolation kernels, and `gather`, which resamples an array along an axis inside a
 * transform or as an operation of its own.
 */

// Kernels.

export {
  bandErrorDb,
  checkInterpolator,
  defaultPhases,
  type InterpolatorSpec,
  type InterpolatorTable,
  interpolationErrorDb,
  interpolatorBeta,
  interpolatorTable,
  interpolatorTaps,
  knabBeta,
} from "./interpolation/kernels.ts";
export { interpolatorPolynomials } from "./interpolation/polynomials.ts";

// Tables of positions and phases.

export {
  fineBits,
  type LineTable,
  maxGatheredExtent,
  maxTurnedExtent,
  phaseColumns,
  positionColumns,
  positionTable,
  setLinePhase,
  setLinePositions,
} from "./interpolation/positions.ts";

// Resampling.

export { type GatherMapOptions, gather, gathered, gatherMap, gatherSources, positionExpression } from "./interpolation/gather.ts";
export type { GatherInterpolator, GatherOptions, GatherPositions, PositionNames } from "./interpolation/gather-options.ts";
