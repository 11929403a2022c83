/** The model of transforms: synthesis rules, predicted times, parameters of devices, and comparison with measurements. */
export { type Census, censusOf } from "./census.ts";
export { modelParameters } from "./measured.ts";
export type {
  FftCase,
  FftPrediction,
  MeasuredFft,
  ModelParameters,
  PredictedTerms,
  RatePoint,
  Unpredicted,
} from "./parameters.ts";
export { type ComparedFft, compareWithModel, type ModelComparison, predictFft } from "./predict.ts";
export { appleM1, appleM4Max } from "./published.ts";
export {
  longestInRegisters,
  longestInWorkgroup,
  type RadixRow,
  radixTable,
  type Synthesis,
  type SynthesisLimits,
  synthesize,
} from "./synthesize.ts";
