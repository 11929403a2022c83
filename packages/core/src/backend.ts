/**
 * The surface for authors of backends, `@dechirp/core/backend`: what makes a `Device` of memory and a table of rules, and what
 * rules are written with. Who computes with devices needs none of it.
 */

export { createDevice } from "./create-device.ts";
export type { BodyRunOptions, Driver, PlanBody, Rule, RuleContext, Storage } from "./driver.ts";
export { asRadarError, layoutError } from "./errors.ts";
export { type AxisView, axisView } from "./kernels.ts";
export { requireSynchronous } from "./listener.ts";
export { lower, sampleOps } from "./lower.ts";
export { addCosts, keptLayout, onePassCost } from "./op.ts";
export { hooksText } from "./ops/transform.ts";
export { afterTurn } from "./pause.ts";
export { wgslStored } from "./wgsl.ts";
