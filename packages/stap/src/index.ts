/** The public surface of stap, in reading order. */

export { type AdaptiveOutput, type AdaptiveWeights, adaptiveOutputs, outputComponents } from "./adaptive.ts";
export type { ComplexSamples } from "./arrays.ts";
export {
  type Cube,
  type CubeAxis,
  type CubeOrder,
  checkCube,
  cubeOrders,
  cubeShape,
  type DopplerCube,
  permuteAxes,
  reorderCube,
} from "./cube.ts";
export { type BinCovariances, binCovariances, binProducts, snapshotRows } from "./efa/covariance.ts";
export { dopplerReference } from "./efa/doppler.ts";
export { binCycles, type EfaGeometry, type EfaOptions, efaGeometry, nearestBin, productIndex, windowBin } from "./efa/options.ts";
export {
  type BinChoice,
  covarianceReference,
  type EfaResult,
  efaFromDoppler,
  efaReference,
  solveReference,
  weightingReference,
} from "./efa/reference.ts";
export { efaSteering, efaTaps } from "./efa/steering.ts";
export * from "./snr.ts";
export {
  backwardError,
  choleskyFactor,
  choleskySolve,
  gaussJordanSolve,
  inverseQuadratic,
  loadDiagonal,
  type Place,
  type Solver,
  solveHermitian,
} from "./solve.ts";
export * from "./steering.ts";
export { groupRun, type Run, type Training, type TrainingSets, trainingCells, trainingSets } from "./training.ts";
