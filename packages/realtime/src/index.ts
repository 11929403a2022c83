/** The public surface of @dechirp/realtime. */

export * from "./executors/executor.ts";
export * from "./model.ts";
export { grantSize, permittedSizes } from "./permitted.ts";
