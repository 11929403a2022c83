/** From a program to a document, which is plain JSON. */
import { inputError, RadarError } from "../errors.ts";
import { checkFields, type FieldsOf } from "../fields.ts";
import type { Recipe } from "../hooks.ts";
import { isArrayOf, type Layout } from "../layout.ts";
import { type Program, valueLayouts } from "../program.ts";
import { base64Length, toBase64 } from "./base64.ts";
import { arrayTypes, canBeTuned, type EncodedArray, type EncodedProgram, isRecipe, isRecord, limits, schema } from "./document.ts";

/** Options of `encodeProgram`. */
export interface EncodeOptions {
  /**
   * "drop" leaves out tuned code: the receiver computes by the expressions. That may change the last bits of results, and the speed.
   * Default: tuned code travels by its recipe, and code without a recipe is an error.
   */
  readonly tuned?: "drop";
}

const fieldsOfOptions: FieldsOf<EncodeOptions> = { tuned: "string" };

/** Longest text that every engine can hold. */
const longestText = 2 ** 29 - 32;

/**
 * Makes a program plain JSON: the result survives `JSON.stringify`, `structuredClone` and `postMessage`, and `decodeProgram` makes the
 * program of it again, with the same bits in every constant and every number. Expressions and other ops travel as they are. Kernels, hooks
 * with a `reference`, and `tuned` code are functions or code, which can't travel; they need a `recipe`, by which the receiver makes them
 * again. Fields that a `Program` does not have, such as the geometry of an image, are left out.
 *
 * Throws `layout` if the program is not valid, `input`, naming the step and the field, if something of it can't travel, and `limit` if it
 * is larger than `decodeProgram` accepts.
 */
export function encodeProgram(program: Program, options: EncodeOptions = {}): EncodedProgram {
  checkFields(options, fieldsOfOptions, "options of encodeProgram");
  const { tuned } = options;
  if (tuned !== undefined && tuned !== "drop") throw inputError("tuned", '"drop"', tuned);
  valueLayouts(program);
  checkDistinct(program.outputs);
  const { steps } = program;
  checkCount(steps.length, "steps");
  let recipes = 0;
  const { arrays, encodeValue } = createEncoder();
  /** An op, or the hook in one of its fields. */
  const partOf = (part: Record<string, unknown>, path: string, isOp: boolean): unknown => {
    if (isRecipe(part["recipe"])) return recipeOf(part["recipe"], path);
    const fields: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(part)) {
      const at = `${path}.${name}`;
      if (name === "tuned" && isRecord(value) && canBeTuned(part)) {
        if (tuned === "drop") continue;
        if (!isRecipe(value["recipe"])) throw unsendable(at, 'tuned code without a recipe: give it one, or encode with tuned: "drop"');
        fields["tuned"] = recipeOf(value["recipe"], at);
      } else if (typeof value === "function") {
        throw unsendable(at, `a function: write the ${isOp ? "kernel as an expression" : "hook as an expression"}, or give it a recipe`);
      } else if (value !== undefined) {
        fields[keyOf(name, at)] = isOp && isRecord(value) ? partOf(value, at, false) : encodeValue(value, at);
      }
    }
    return fields;
  };
  const recipeOf = ({ name, parameters = {} }: Recipe, path: string): unknown => {
    checkCount(++recipes, "recipes");
    return { $recipe: { name, parameters: encodeValue(parameters, `${path}.recipe.parameters`) } };
  };
  const layoutOf = ({ dtype, shape }: Layout): Layout => ({ dtype, shape: [...shape] });
  const named = <T, U>(values: Readonly<Record<string, T>>, path: string, of: (value: T, at: string) => U): Record<string, U> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [keyOf(name, `${path}.${name}`), of(value, `${path}.${name}`)]));
  return {
    schema,
    name: program.name,
    inputs: named(program.inputs, "inputs", layoutOf),
    constants: named(program.constants ?? {}, "constants", ({ layout, data }, at) => ({
      layout: layoutOf(layout),
      data: encodeValue(data, `${at}.data`),
    })),
    steps: steps.map(({ name, op, bind, inPlace }, i) => ({
      name,
      op: inStep(name, () => partOf(op as unknown as Record<string, unknown>, `steps[${i}].op`, true)),
      bind: named(bind, `steps[${i}].bind`, (value) => value),
      ...(inPlace !== undefined && { inPlace }),
    })),
    outputs: [...program.outputs],
    arrays,
  };
}

function checkCount(actual: number, field: "steps" | "recipes"): void {
  const { [field]: limit } = limits;
  if (actual > limit)
    throw new RadarError("limit", `a program as JSON may have at most ${limit} ${field}, not ${actual}`, { field, limit, actual });
}

/** Throws `input` if a name is there twice. */
export function checkDistinct(outputs: readonly string[]): void {
  const seen = new Set<string>();
  for (const [i, name] of outputs.entries()) {
    if (seen.has(name)) throw inputError(`outputs[${i}]`, "a name that is not in the list yet", name);
    seen.add(name);
  }
}

const unsendable = (field: string, what: string): RadarError =>
  new RadarError("input", `${field} can't be sent as JSON, because it is ${what}`, { field, expected: "data, or a recipe" });

/** Runs `work`; an error of it names the step. */
function inStep<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { code, message, fields } = error as RadarError;
    throw fields?.["field"] === undefined ? error : new RadarError(code, `step ${name}: ${message}`, { ...fields, step: name });
  }
}

/** The name of a field as the document has it. */
function keyOf(name: string, path: string): string {
  if (name === "__proto__") throw inputError(path, "a name other than __proto__", name);
  return name.startsWith("$") ? `$${name}` : name;
}

/** A function that makes values plain JSON, and the list of typed arrays that it has met. */
export function createEncoder() {
  const arrays: EncodedArray[] = [];
  const places = new Map<ArrayBufferView, number>();
  const texts = new Map(Object.keys(arrayTypes).map((dtype) => [dtype, new Map<string, number>()]));
  const arrayOf = (value: ArrayBufferView, path: string): unknown => {
    const known = places.get(value);
    if (known !== undefined) return { $array: known };
    const found = Object.entries(arrayTypes).find(([, type]) => isArrayOf(value, type));
    if (!found) throw inputError(path, `one of ${Object.values(arrayTypes).map(({ name }) => name)}`, value);
    if (base64Length(value.byteLength) > longestText)
      throw new RadarError("limit", `${path} has ${value.byteLength} bytes, which no text can hold`, { field: path });
    const base64 = toBase64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    const [dtype] = found;
    const place = texts.get(dtype)?.get(base64) ?? arrays.push({ dtype, shape: [(value as Uint8Array).length], base64 }) - 1;
    texts.get(dtype)?.set(base64, place);
    places.set(value, place);
    return { $array: place };
  };
  const encodeValue = (value: unknown, path: string, depth = 0): unknown => {
    if (depth > limits.depth) throw new RadarError("limit", `${path} is nested too deeply`, { field: path, limit: limits.depth });
    if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0) ? value : { $number: numberName(value) };
    if (value === null || typeof value === "boolean" || typeof value === "string") return value;
    if (ArrayBuffer.isView(value)) return arrayOf(value, path);
    if (Array.isArray(value)) return Array.from(value, (item, i) => encodeValue(item, `${path}[${i}]`, depth + 1));
    if (typeof value === "function") throw unsendable(path, "a function: write it as an expression, or give the kernel or hook a recipe");
    if (!isRecord(value)) throw inputError(path, "a value that JSON has, or a typed array", value);
    const fields: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(value))
      if (field !== undefined) fields[keyOf(name, `${path}.${name}`)] = encodeValue(field, `${path}.${name}`, depth + 1);
    return fields;
  };
  return { arrays, encodeValue };
}

const numberName = (value: number): string => (Object.is(value, -0) ? "-0" : String(value));
