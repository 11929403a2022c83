/**
 * The surface `@dechirp/core/internal`: helpers that dechirp's own packages share. It is no part of the public interface and may change in
 * any release. Programs, algorithms and backends are written with the other surfaces.
 */

export { onAbort } from "./abort.ts";
export { describe, oneLine } from "./errors.ts";
export { checkDevice, checkFields, checkObject, type FieldsOf } from "./fields.ts";
export { isArrayOf } from "./layout.ts";
export { callListener } from "./listener.ts";
export { copyInto, firstNotFinite, forEachSlice, nextTurn, runAbortable, runToEnd, sortSteps } from "./pieces.ts";
export { checkSeed, mix32 } from "./random.ts";
export { checkSpelling, nearestSpelling } from "./spelling.ts";
export { lazyModules, mostWasmConstant, type WasmModules } from "./wasm.ts";
export { wgslFloat } from "./wgsl.ts";
