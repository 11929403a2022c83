/**
 * The entry point `@dechirp/core/internal`: helpers that dechirp's own packages share. It is not part of the public interface and may change in
 * any release. Write programs, algorithms and backends with the other entry points.
 */

// Checks of what users pass, and the texts of errors.

export { describe, oneLine } from "./errors.ts";
export { checkDevice, checkFields, checkObject, type FieldsOf } from "./fields.ts";
export { isArrayOf, isWhole } from "./layout.ts";
export { memorySizeText } from "./memory-size.ts";
export { checkSpelling, nearestSpelling } from "./spelling.ts";

// Abort signals, listeners, and long work in pieces.

export { onAbort, unlessAborted } from "./abort.ts";
export { callListener } from "./listener.ts";
export { copyInto, firstNotFinite, forEachSlice, nextTurn, runAbortable, runToEnd, sortSteps } from "./pieces.ts";

// Random numbers.

export { checkSeed, mix32 } from "./random.ts";

// Code for devices: WebAssembly modules and WGSL.

export { lazyModules, maxWasmConstant, type WasmModules } from "./wasm.ts";
export { wgslFloat, wgslIndex } from "./wgsl.ts";
