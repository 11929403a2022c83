/**
 * The document that a program becomes: plain JSON. What JSON can't hold has a tag, an object with one field whose name begins with `$`:
 *
 * - `{ "$array": 3 }` is a typed array, number 3 of the list `arrays`. Equal arrays are stored once.
 * - `{ "$number": "-0" }` is −0, NaN, Infinity or −Infinity.
 * - `{ "$recipe": { "name": …, "parameters": … } }` is a kernel, a hook or tuned code, which the receiver makes by a function of this name.
 *
 * Field names of the program that begin with `$` get another `$` in front.
 */
import type { Recipe } from "../hooks.ts";
import type { Layout } from "../layout.ts";

/** The version of documents that this package writes and reads. */
export const schema = 1;

/** A typed array: its element type as NumPy names it, such as `<f4`, its number of elements, and its bytes in little-endian order. */
export interface EncodedArray {
  readonly dtype: string;
  /** The number of elements, in a list. */
  readonly shape: readonly number[];
  readonly base64: string;
}

/** A program as JSON: what `encodeProgram` makes and `decodeProgram` reads. It survives `JSON.stringify` and `structuredClone`. */
export interface EncodedProgram {
  /** Version of the document. */
  readonly schema: typeof schema;
  readonly name: string;
  readonly inputs: Readonly<Record<string, Layout>>;
  /** Layouts of the constants, and the places of their values in `arrays`. */
  readonly constants: Readonly<Record<string, { readonly layout: Layout; readonly data: unknown }>>;
  readonly steps: readonly {
    readonly name: string;
    readonly op: unknown;
    readonly bind: Readonly<Record<string, string>>;
    readonly inPlace?: boolean;
  }[];
  readonly outputs: readonly string[];
  readonly arrays: readonly EncodedArray[];
}

/** The limits of a document. Text that is larger is refused before it is parsed. */
export const limits = {
  /** Values in objects and lists, in all. */
  items: 2 ** 20,
  /** Objects and lists in one another. */
  depth: 64,
  /** Characters of a name or text. Only base64 may be longer. */
  text: 2 ** 16,
  /** Characters of all names and texts together, without base64. */
  texts: 2 ** 26,
  /** Axes of an array. The work of checks grows with them. */
  axes: 32,
  /** Steps of a program. */
  steps: 4096,
  /** Kernels, hooks and tuned code that are made by functions of the receiver. */
  recipes: 256,
  /** Numbers in the tables of all kernels that trust tables. */
  tables: 2 ** 23,
} as const;

/** The typed arrays that a document can hold, by the name of their element type. */
export const arrayTypes = {
  "|i1": Int8Array,
  "|u1": Uint8Array,
  "<i2": Int16Array,
  "<u2": Uint16Array,
  "<i4": Int32Array,
  "<u4": Uint32Array,
  "<f4": Float32Array,
  "<f8": Float64Array,
} as const;

/** Whether `value` is an object with named fields: no list and no typed array. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);

/** Whether `value` is a recipe, and not the layout of a source that has the name `recipe`. */
export const isRecipe = (value: unknown): value is Recipe => isRecord(value) && typeof value["name"] === "string";

/** Whether `value` looks like an expression. It need not be valid. */
export const isExpression = (value: unknown): boolean => isRecord(value) && Array.isArray(value["nodes"]);

/** Whether an op or a part of one can have `tuned` code. */
export const canBeTuned = (part: Readonly<Record<string, unknown>>): boolean =>
  typeof part["op"] === "string" || isExpression(part["expression"]);
