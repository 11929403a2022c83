/** The public surface of stap, in reading order. */

export { type AdaptiveOutput, type AdaptiveWeights, outputComponents } from "./adaptive.ts";
export { type AdpcaOptions, adpcaReference, dpca } from "./baselines/dpca.ts";
export { type FilterOptions, smiReference } from "./baselines/joint.ts";
export { beamformerReference, beamspace, jdlReference } from "./baselines/local.ts";
export {
  type CfarOptions,
  type CfarResult,
  caCfar,
  caCfarSteps,
  caFactor,
  caFalseAlarm,
  osCfar,
  osCfarSteps,
  osFactor,
  osFalseAlarm,
} from "./cfar.ts";
export {
  type Cube,
  type CubeAxis,
  type CubeOrder,
  checkCube,
  cubeOrders,
  type DopplerCube,
  permuteAxes,
  permuteAxesSteps,
  reorderCube,
  reorderCubeSteps,
} from "./cube.ts";
export { type EfaOutputs, type EfaProgram, type EfaStages, efa, efaStages } from "./device/program.ts";
export { stapKernels } from "./device/recipes.ts";
export type { SolveVariant } from "./device/solve.ts";
export { type CovarianceStatus, checkStatus, readStatus, type StatusKind } from "./device/status.ts";
export { type BinCovariances, binCovarianceSteps, binCovariances } from "./efa/covariance.ts";
export { dopplerReference } from "./efa/doppler.ts";
export { type EfaInputs, efaInputSteps, efaInputs, unscaleOutputSteps, unscaleOutputs } from "./efa/inputs.ts";
export {
  type BinChoice,
  binCycles,
  type EfaGeometry,
  type EfaOptions,
  type EfaProgramOptions,
  efaGeometry,
  nearestBin,
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
export { efaSteering } from "./efa/steering.ts";
export { type ConditionReport, conditionReport, conditionReportSteps } from "./metrics/condition.ts";
export { conditionNumber, hermitianEigenvalues } from "./metrics/eigen.ts";
export {
  adaptiveLoss,
  filterSinr,
  filterSinrLossDb,
  improvementFactorDb,
  minimumDetectableVelocity,
  optimumSinrLossDb,
  transformCovariance,
  transformVector,
  usableDopplerFraction,
} from "./metrics/loss.ts";
export {
  type AngleDoppler,
  type AngleDopplerGrid,
  angleDopplerResponse,
  efaSpaceTimeWeights,
  efaTransform,
} from "./metrics/response.ts";
export { amfFalseAlarm, amfThreshold, brennanRank, expectedAdaptiveLoss, expectedAmf, numericalRank } from "./metrics/theory.ts";
export { compressPulses, compressPulsesSteps } from "./pulse-compression.ts";
export { type DrawnTarget, type DrawOptions, drawCube } from "./scenario/draw.ts";
export {
  clutterCovariance,
  clutterPatches,
  clutterSlope,
  clutterToNoise,
  interferenceCovariance,
  type Jammer,
  jammerToNoise,
  type Patches,
  patchCovariance,
  type WardScenario,
  wardExample,
  wardJammers,
} from "./scenario/ward.ts";
export { snrDb, worstBlockSnrDb } from "./snr.ts";
export { choleskyFactor, inverseQuadratic, loadDiagonal, type MatrixPlace, type Solver, solveHermitian } from "./solve.ts";
export { arraySteering, kronecker, ulaCycles, uniformSteering } from "./steering.ts";
export { type RangeRun, type Training, type TrainingSets, trainingCells } from "./training.ts";
