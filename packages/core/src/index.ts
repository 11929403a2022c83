/** The public surface of core, in reading order. What only backends need is in backend.ts. */

export * from "./abort.ts";
export * from "./device.ts";
export {
  asRadarError,
  describe,
  type ErrorFields,
  inputError,
  isRadarError,
  messageOf,
  oneLine,
  RadarError,
  type RadarErrorCode,
  throwIfAborted,
} from "./errors.ts";
export { evaluate } from "./evaluate.ts";
export { nextFastLength } from "./fast-length.ts";
export { checkDevice, checkFields, checkObject, type FieldsOf } from "./fields.ts";
export {
  bytes,
  type ComplexDType,
  checkLayout,
  count,
  type DType,
  dtypes,
  isArrayOf,
  type Layout,
  layout,
  layoutText,
  numbers,
  type RealDType,
  realOf,
  sameLayout,
  type TypedArrayConstructor,
  type TypedArrayOf,
  typedArray,
  withAxis,
} from "./layout.ts";
export { immediate, tell } from "./listener.ts";
export * from "./op.ts";
export { createPause, type Pause } from "./pause.ts";
export { atOnce, copyInto, firstNotFinite, heeding, inPieces, inSlices, nextTurn, sortedSteps } from "./pieces.ts";
export {
  addCosts,
  isTransform,
  onePassCost,
  opText,
  portsOf,
  resultLayout,
  type TransformOp,
  transformLayout,
  transformLength,
  uniformsOf,
} from "./ports.ts";
export {
  type Arrays,
  type CompiledProgram,
  type Constant,
  compile,
  type Program,
  type ProgramRunOptions,
  type Progress,
  type Stage,
  type Step,
} from "./program.ts";
export * from "./random.ts";
export { checkSpelling, slipOf } from "./spelling.ts";
export { maxTransformLength, validateOp } from "./validate.ts";
export { ArrayView } from "./view.ts";
export * from "./wasm.ts";
export { wgslFloat } from "./wgsl.ts";
