/** The public surface of @dechirp/realtime. */

export * from "./executors/executor.ts";
export * from "./model.ts";
export { grantSize, permittedSizes } from "./permitted.ts";
export {
  constellation,
  type Modulation,
  modulations,
  type RadioOptions,
  type RadioSamples,
  type RadioSignal,
  radioSignals,
} from "./signals.ts";
