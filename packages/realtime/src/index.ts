/** The public surface of @dechirp/realtime. */

export * from "./clock.ts";
export * from "./executors/best-effort.ts";
export * from "./executors/chunked.ts";
export * from "./executors/cpu-pool.ts";
export * from "./executors/executor.ts";
export * from "./executors/gpu-chunks.ts";
export * from "./executors/gpu-slots.ts";
export { ownerWords } from "./executors/ownership.ts";
export * from "./model.ts";
export { grantSize, permittedSizes } from "./permitted.ts";
export { type AcquireOptions, createUnitLock, type Grant, type LockRequest, type UnitLock } from "./unit-lock.ts";
