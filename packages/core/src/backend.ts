/**
 * The entry point `@dechirp/core/backend`, for authors of backends: what makes a `Device` of memory and a table of rules, and helpers for
 * writing rules. Users of devices don't need it.
 */

// The contract: implement a driver, make a device of it.

export { createDevice } from "./create-device.ts";
export type { BodyRunOptions, Driver, PlanBody, Rule, RuleContext, Storage } from "./driver.ts";

// Lowering, and small ops to test rules with.

export { lower, sampleOps } from "./lower.ts";

// Facts about ops that rules need: layouts, costs, texts.

export { referenceOf } from "./hooks.ts";
export { type AxisView, axisView } from "./kernels.ts";
export { addCosts, keptLayout, onePassCost } from "./op.ts";
export { filterHookOf, hooksText } from "./ops/transform.ts";
export { wgslStored } from "./wgsl.ts";

// Errors, and work on the caller's thread.

export { asRadarError, layoutError } from "./errors.ts";
export { requireSynchronous } from "./listener.ts";
export { afterTurn } from "./pause.ts";
