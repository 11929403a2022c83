/** The public surface of core, in reading order. backend.ts has what only backends need, internal.ts what only dechirp's own packages need. */

export * from "./device.ts";
export {
  type ErrorFields,
  inputError,
  isRadarError,
  messageOf,
  RadarError,
  type RadarErrorCode,
  throwIfAborted,
} from "./errors.ts";
export { evaluate } from "./evaluate.ts";
export { nextFastLength } from "./fast-length.ts";
export {
  byteLength,
  type ComplexDType,
  checkLayout,
  type DType,
  dtypes,
  elementCount,
  formatLayout,
  type Layout,
  layout,
  type RealDType,
  realOf,
  sameLayout,
  scalarCount,
  type TypedArrayConstructor,
  type TypedArrayOf,
  typedArray,
  withAxis,
} from "./layout.ts";
export * from "./op.ts";
export { createPause, type Pause } from "./pause.ts";
export { runInPieces } from "./pieces.ts";
export {
  formatOp,
  isTransform,
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
export { createRandom, type Random } from "./random.ts";
export { maxTransformLength, validateOp } from "./validate.ts";
export { ArrayView } from "./view.ts";
