/**
 * The public surface of core, as a table of contents. Other entry points stand beside it: expression.ts and stencil.ts for formulas,
 * reduce.ts for sums and maxima, json.ts for sending programs, compare.ts for comparing and profiling them, backend.ts for authors of
 * backends, and tables.ts for backends that make tables. internal.ts is for dechirp's own packages.
 *
 * To learn how core works, read device.ts, layout.ts, ops/row.ts, ops/fft.ts, ops/table.ts, op.ts and lower.ts, then driver.ts,
 * create-device.ts and plans.ts. program.ts builds on these. The other files are helpers, and more operations in ops/.
 */

// Devices: open one, allocate buffers, plan operations, run them.

export * from "./device.ts";

// The shortest way: the Fourier transform of a host array in one call.

export { type TransformOptions, transform } from "./transform.ts";

// Layouts: element types and shapes of arrays.

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

// Operations: what a device can be asked to compute. Each has a type and a builder.

export { type Convert, convert } from "./ops/convert.ts";
export { type Fft, fft } from "./ops/fft.ts";
export { type FilterInverse, filterInverse, type SpectralFilter, spectralFilter } from "./ops/filters.ts";
export type { MapOp } from "./ops/map.ts";
export { type Multiply, multiply } from "./ops/multiply.ts";
export { type RealFft, realFft } from "./ops/real-fft.ts";
export type { Histogram, Reduce, Reduction } from "./ops/reduce.ts";
export type { Boundary, Offsets, Stencil, StencilWindow } from "./ops/stencil.ts";
export type { Op, TransformOp } from "./ops/table.ts";
export { type FilterShape, type Keep, maxTransformLength, type TransformOpOptions } from "./ops/transform.ts";
export { type Transpose, transpose } from "./ops/transpose.ts";

// Functions of any operation: validity, ports, layouts, text, cost.

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
export type { Access, Cost, Port, Ports, WithOutputType } from "./ops/row.ts";

// Programs: operations in a row, planned and run as a whole.

export { evaluate } from "./evaluate.ts";
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
export { type ArraysOf, type OutputsOf, type ProgramParts, program } from "./typed-program.ts";

// Hooks and kernels: computations that you write yourself. `@dechirp/core/expression` makes hooks that are data.

export type { Expression } from "./expression/nodes.ts";
export type { At, Complex, Constants, Load, Recipe, Store, TunedHook, Uniforms, UniformTypes, WasmFunction } from "./hooks.ts";
export {
  type Kernel,
  type KernelWith,
  kernel,
  type WgslDispatch,
  type WgslFft,
  type WgslFftOptions,
  type WgslKernel,
  type WgslLimits,
  type WgslMeasurement,
  type WgslToolkit,
} from "./ops/kernel.ts";
export { ArrayView } from "./view.ts";

// Errors.

export {
  type ErrorFields,
  inputError,
  isRadarError,
  messageOf,
  RadarError,
  type RadarErrorCode,
  throwIfAborted,
} from "./errors.ts";

// Helpers: fast transform lengths, seeded random numbers, long work that lets the event loop run.

export { nextFastLength } from "./fast-length.ts";
export { createPause, type Pause } from "./pause.ts";
export { runInPieces } from "./pieces.ts";
export { createRandom, type Random } from "./random.ts";
