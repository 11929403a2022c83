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
export type { At, Complex, Constants, Load, Store, Uniforms, UniformTypes, WasmFunction } from "./hooks.ts";
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
export {
  formatOp,
  isTransform,
  portsOf,
  resultLayout,
  transformLayout,
  transformLength,
  uniformsOf,
  validateOp,
} from "./op.ts";
export { type Convert, convert } from "./ops/convert.ts";
export { type Fft, fft } from "./ops/fft.ts";
export { type FilterInverse, filterInverse, type SpectralFilter, spectralFilter } from "./ops/filters.ts";
export {
  type Kernel,
  type KernelWith,
  kernel,
  type WgslDispatch,
  type WgslFft,
  type WgslFftOptions,
  type WgslKernel,
  type WgslLimits,
  type WgslToolkit,
} from "./ops/kernel.ts";
export { type Multiply, multiply } from "./ops/multiply.ts";
export { type RealFft, realFft } from "./ops/real-fft.ts";
export type { Access, Cost, Port, Ports, Yields } from "./ops/row.ts";
export type { Op, TransformOp } from "./ops/table.ts";
export { type FilterShape, type Keep, maxTransformLength, type TransformOpOptions } from "./ops/transform.ts";
export { type Transpose, transpose } from "./ops/transpose.ts";
export { createPause, type Pause } from "./pause.ts";
export { runInPieces } from "./pieces.ts";
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
export { type TransformOptions, transform } from "./transform.ts";
export { type ArraysOf, type OutputsOf, type ProgramParts, program } from "./typed-program.ts";
export { ArrayView } from "./view.ts";
