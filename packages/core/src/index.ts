/** The public surface of core, in reading order. */
export * from "./errors.ts";
export * from "./layout.ts";
export * from "./op.ts";
export { ArrayView } from "./view.ts";
export { addCosts, isTransform, onePassCost, opText, portsOf, resultLayout, type TransformOp, transformLayout, transformLength, uniformsOf } from "./ports.ts";
export { maxTransformLength, validateOp } from "./validate.ts";
export * from "./device.ts";
export * from "./program.ts";
export * from "./compare.ts";
export { lower } from "./lower.ts";
export { type AxisView, axisView, unravel } from "./kernels.ts";
export * from "./driver.ts";
