/** The entry point `@dechirp/core/json`: programs as JSON, to send them to other threads and machines or to keep them in files. */

export {
  type DecodeOptions,
  decodeProgram,
  type KernelWithTables,
  type RecipeParameters,
  type Recipes,
  type Tunable,
} from "./json/decode.ts";
export type { EncodedArray, EncodedProgram } from "./json/document.ts";
export { type EncodeOptions, encodeProgram } from "./json/encode.ts";
