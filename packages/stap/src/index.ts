/** The public surface of stap, in reading order. */

export { type AdaptiveOutput, type AdaptiveWeights, adaptiveOutputs, outputComponents } from "./adaptive.ts";
export type { ComplexSamples } from "./arrays.ts";
export { type AdpcaOptions, adpcaReference, dpca } from "./baselines/dpca.ts";
export { type FilterOptions, smiReference } from "./baselines/joint.ts";
export { beamformerReference, beamspace, jdlReference } from "./baselines/local.ts";
export * from "./cfar.ts";
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
export { type EfaProgram, type EfaProgramOptions, type EfaStages, efa, efaStages } from "./device/program.ts";
export type { SolveVariant } from "./device/solve.ts";
export { checkStatus } from "./device/status.ts";
export { type BinCovariances, binCovariances } from "./efa/covariance.ts";
export { dopplerReference } from "./efa/doppler.ts";
export {
  type BinChoice,
  binCycles,
  type EfaGeometry,
  type EfaOptions,
  efaGeometry,
  nearestBin,
  productIndex,
  windowBin,
} from "./efa/options.ts";
export {
  covarianceReference,
  type EfaResult,
  efaFromDoppler,
  efaReference,
  solveReference,
  weightingReference,
} from "./efa/reference.ts";
export { efaSteering, efaTaps } from "./efa/steering.ts";
export * from "./metrics/condition.ts";
export * from "./metrics/eigen.ts";
export {
  adaptiveLoss,
  filterSinr,
  filterSinrLossDb,
  improvementFactorDb,
  minimumDetectableVelocity,
  optimumSinrLossDb,
  quadraticForm,
  transformCovariance,
  transformVector,
  usableDopplerFraction,
} from "./metrics/loss.ts";
export * from "./metrics/response.ts";
export { amfFalseAlarm, amfThreshold, brennanRank, expectedAdaptiveLoss, expectedAmf, numericalRank } from "./metrics/theory.ts";
export * from "./pulse-compression.ts";
export * from "./scenario/draw.ts";
export * from "./scenario/ward.ts";
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
export * from "./windows.ts";
