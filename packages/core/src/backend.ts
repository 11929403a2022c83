/**
 * The surface for authors of backends, `@dechirp/core/backend`: what makes a `Device` of memory and a table of rules, and what
 * rules are written with. Who computes with devices needs none of it.
 */

export * from "./driver.ts";
export { asRadarError, layoutError } from "./errors.ts";
export { type AxisView, axisView } from "./kernels.ts";
export { requireSynchronous } from "./listener.ts";
export { lower } from "./lower.ts";
export { afterTurn } from "./pause.ts";
export { addCosts, hooksText, keptLayout, onePassCost } from "./ports.ts";
export { wgslStored } from "./wgsl.ts";
