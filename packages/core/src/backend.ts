/**
 * The surface for authors of backends, `@dechirp/core/backend`: what makes a `Device` of memory and a table of rules, and what
 * rules are written with. Who computes with devices needs none of it.
 */

export * from "./driver.ts";
export { layoutError } from "./errors.ts";
export { type AxisView, axisView } from "./kernels.ts";
export { lower } from "./lower.ts";
export { afterTurn } from "./pause.ts";
export { hooksText, keptLayout } from "./ports.ts";
export { wgslStored } from "./wgsl.ts";
