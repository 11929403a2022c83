/** The public surface of core, in reading order. */

export * from "./abort.ts";
export * from "./compare.ts";
export * from "./device.ts";
export * from "./driver.ts";
export * from "./errors.ts";
export { evaluate } from "./evaluate.ts";
export { type AxisView, axisView, unravel } from "./kernels.ts";
export * from "./layout.ts";
export { lower } from "./lower.ts";
export * from "./op.ts";
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
export * from "./program.ts";
export * from "./random.ts";
export { maxTransformLength, validateOp } from "./validate.ts";
export { ArrayView } from "./view.ts";
export * from "./wasm.ts";
export { wgslFloat, wgslIndex, wgslLoaded, wgslStored, wgslZero } from "./wgsl.ts";
