/**
 * The entry point `@dechirp/core/expression/code`: the code that core makes of expressions. Planning uses it by itself. It is public for
 * tests that compare hand-written code with its expression, and for pages that show what a device runs. `format` makes the text of an
 * expression.
 */

export { kindOfResult } from "./expression/check.ts";
export { format } from "./expression/format.ts";
export { withForms } from "./expression/forms.ts";
export { nameOfExpression } from "./expression/nodes.ts";
export { type ReferenceInputs, referenceOfExpression } from "./expression/reference.ts";
export { type WasmForm, wasmOfExpression } from "./expression/wasm.ts";
export { wgslOfHook, wgslOfMap, wgslOfPair } from "./expression/wgsl.ts";
