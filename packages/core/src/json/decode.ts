/**
 * From a document, which a stranger may have made, to a program. The document is copied, then its values are restored, then everything is
 * checked that planning would check: each op, its expressions, and how the steps fit together.
 */
import { inputError, isRadarError, messageOf, oneLine, RadarError } from "../errors.ts";
import { withForms } from "../expression/forms.ts";
import { checkStencil } from "../expression/stencil-check.ts";
import { checkFields, checkNames, type FieldsOf } from "../fields.ts";
import type { Load, Recipe, Store } from "../hooks.ts";
import { byteLength, checkLayout, dtypes, isArrayOf, isWhole, type Layout, scalarCount, type TypedArrayOf, wholesOf } from "../layout.ts";
import { hasExpression, portsOf, validateOp } from "../op.ts";
import type { Kernel } from "../ops/kernel.ts";
import type { MapOp } from "../ops/map.ts";
import type { Op } from "../ops/table.ts";
import { type Constant, type Program, type Step, valueLayouts } from "../program.ts";
import { fromBase64 } from "./base64.ts";
import { arrayTypes, canBeTuned, type EncodedProgram, isExpression, isRecipe, isRecord, limits, schema } from "./document.ts";
import { checkDistinct, createEncoder } from "./encode.ts";
import { parsePlain, plainCopy, tooLarge } from "./plain.ts";

/** What a function of a recipe is called with. It may come from a stranger, so the function must check it. */
export type RecipeParameters = Readonly<Record<string, unknown>>;

/** Functions that make something from the parameters of a recipe, by the name of the recipe. */
export type Recipes<T> = Readonly<Record<string, (parameters: RecipeParameters) => T>>;

/** A kernel that trusts the contents of some of its arrays, for example as indices. */
export interface KernelWithTables {
  readonly kernel: Kernel;
  /** By port: the values that a constant of the program must have there, bit for bit. */
  readonly tables: Readonly<Record<string, TypedArrayOf>>;
}

/** A hook or map that can have tuned code. */
export type Tunable = Load | Store | MapOp;

/** Options of `decodeProgram`. */
export interface DecodeOptions {
  /** Functions that make the kernels of the program, such as `sarKernels` of `@dechirp/sar`. Default: none. */
  readonly kernels?: Recipes<Kernel | KernelWithTables>;
  /** Functions that make the hooks that are not expressions. Default: none. */
  readonly hooks?: Recipes<Load | Store>;
  /**
   * Functions that make hooks with tuned code, such as `sarTuned` of `@dechirp/sar`. They are called with the parameters of the recipe and with the
   * hook as it was sent, and return the hook with its tuned code. The code is used only if that hook computes exactly what the sent one does.
   * "drop" leaves out tuned code: the device computes by the expressions, which may change the last bits of results, and the speed.
   * Default: none, so that a program with tuned code is refused.
   */
  readonly tuned?: Readonly<Record<string, (parameters: RecipeParameters, hook: Tunable) => Tunable>> | "drop";
  /** The most bytes that all arrays of the program may have together: inputs, constants, and what steps write. Default: 4 GiB. */
  readonly maxBytes?: number;
}

const fieldsOfOptions: FieldsOf<DecodeOptions> = { kernels: "object", hooks: "object", tuned: true, maxBytes: "number" };
const fieldsOfDocument: FieldsOf<EncodedProgram> = {
  schema: true,
  name: "string",
  inputs: "object",
  constants: "object",
  steps: "object",
  outputs: "object",
  arrays: "object",
};

const defaultMaxBytes = 2 ** 32;

/**
 * Makes a program of a document or its JSON text. On the same device the program gives the same bits as the one that was encoded.
 *
 * The document may come from a stranger. Everything is checked that planning would check, and the work and memory are limited by the size
 * of the text and by `maxBytes`; no more than a million values, 4096 steps and 64 levels are accepted. Kernels, hooks and
 * tuned code are made only by the functions that you pass. What a valid program costs is known only when it is planned: see `CompiledProgram.cost`.
 *
 * Throws `input`, naming the field, if something is wrong, unknown or has no function here, and `limit` if something is too large.
 */
export function decodeProgram(document: EncodedProgram | string, options: DecodeOptions = {}): Program {
  try {
    return decoded(document, options);
  } catch (error) {
    if (isRadarError(error)) throw readable(error);
    // The engine has no memory or stack for it.
    throw new RadarError("limit", `program must be smaller: ${cut(messageOf(error))}`, { field: "program", expected: "smaller" }, error);
  }
}

function decoded(document: EncodedProgram | string, options: DecodeOptions): Program {
  checkFields(options, fieldsOfOptions, "options of decodeProgram");
  const { maxBytes = defaultMaxBytes } = options;
  if (!isWhole(maxBytes, 0)) throw inputError("maxBytes", "a whole number", maxBytes);
  const root = typeof document === "string" ? parsePlain(document) : plainCopy(document);
  if (!isRecord(root)) throw inputError("program", "an object", root);
  if (root["schema"] !== schema) throw inputError("schema", `${schema}, the version that this package reads`, root["schema"]);
  checkFields(root as unknown as EncodedProgram, fieldsOfDocument, "a program");
  const read = createReader(recordsOf(root["arrays"] ?? [], "arrays"), maxBytes);
  const inputs = fieldsFrom(root["inputs"], "inputs", (value, at) => layoutFrom(read.value(value, at), at));
  const constants = fieldsFrom(root["constants"] ?? {}, "constants", (value, at) => constantFrom(value, at, read));
  const given = recordsOf(root["steps"], "steps");
  if (given.length > limits.steps) throw tooLarge("steps", `at most ${limits.steps} steps`, limits.steps);
  const steps = given.map((step, i) => stepFrom(step, `steps[${i}]`, read, options, constants));
  const outputs = read.value(root["outputs"], "outputs") as string[];
  const program: Program = { name: root["name"] as string, inputs, constants, steps, outputs };
  const layouts = within("", () => valueLayouts(program), program);
  checkDistinct(outputs);
  const bytes = Object.values(layouts).reduce((sum, layout) => sum + byteLength(layout), 0);
  if (bytes > maxBytes)
    throw new RadarError("limit", `program must have arrays of at most ${maxBytes} bytes together, not ${bytes} (option maxBytes)`, {
      field: "program",
      limit: maxBytes,
      actual: bytes,
    });
  return program;
}

/** The longest message. Names in it may be those of a stranger. */
const longestLine = 1000;

/** The error with a message of one line, and with a field that is not too long. */
function readable(error: RadarError): RadarError {
  const { code, message, fields, cause } = error;
  const text = oneLine(message).slice(0, longestLine);
  const field = String(fields["field"]).slice(0, longestLine);
  return text === message && field === fields["field"] ? error : new RadarError(code, text, { ...fields, field }, cause);
}

/** Longest part of another message that a message repeats. */
const longestMessage = 300;

const cut = (text: string): string => (text.length > longestMessage ? `${text.slice(0, longestMessage)}…` : text);

/** Runs `work`. Its error becomes `input` or `limit`, and names the field below `path`. */
function within<T>(path: string, work: () => T, program?: Program): T {
  try {
    return work();
  } catch (error) {
    if (!isRadarError(error)) {
      const message = `${path || "program"} must be valid: ${cut(messageOf(error))}`;
      throw new RadarError("input", message, { field: path || "program", expected: "valid" }, error);
    }
    const { fields } = error;
    const field = fieldOf(fields, path, program);
    const code = error.code === "limit" || error.code === "out-of-memory" ? "limit" : "input";
    const { expected = "valid", actual } = fields;
    const short = (value: unknown): unknown => (typeof value === "string" ? cut(value) : value);
    throw new RadarError(
      code,
      `${field}: ${cut(error.message)}`,
      { ...fields, field, expected: short(expected), actual: short(actual) },
      error,
    );
  }
}

/** The path of the field that an error is about. */
function fieldOf({ field, step, port, value }: RadarError["fields"], path: string, program?: Program): string {
  // Errors about how steps fit together name the step and its port.
  if (typeof field === "string") return !path ? field : field === "op.op" ? `${path}.op` : `${path}.${field}`;
  const index = program?.steps.findIndex(({ name }) => name === step) ?? -1;
  if (index >= 0) return `steps[${index}].bind${typeof port === "string" ? `.${port}` : ""}`;
  return path || (typeof value === "string" ? "outputs" : "program");
}

function recordsOf(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw inputError(path, "a list", value);
  return value;
}

/** An object of a document: the names of its fields without the `$` that was added, and each field as `make` makes it. */
function fieldsFrom<T>(value: unknown, path: string, make: (value: unknown, at: string, name: string) => T): Record<string, T> {
  if (!isRecord(value)) throw inputError(path, "an object", value);
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const at = `${path}.${name}`;
      if (name.startsWith("$") && !name.startsWith("$$")) throw inputError(at, "a field of a program, or a tag alone", name);
      const own = name.startsWith("$") ? name.slice(1) : name;
      return [own, make(field, at, own)];
    }),
  );
}

function layoutFrom(value: unknown, path: string): Layout {
  if (isRecord(value)) checkFields(value as unknown as Layout, { dtype: true, shape: true }, "a layout", "input", `${path}.`);
  within("", () => checkLayout(value as Layout, path));
  return value as Layout;
}

type Reader = ReturnType<typeof createReader>;

/** Reads values, and makes each typed array once. */
function createReader(arrays: readonly unknown[], maxBytes: number) {
  const made = new Map<number, ArrayBufferView>();
  let [bytes, recipes, numbers] = [0, 0, 0];
  /** Counts recipes: what their functions do is not known. */
  const countRecipe = (): void => {
    if (++recipes > limits.recipes) throw tooLarge("program", `at most ${limits.recipes} recipes`, limits.recipes);
  };
  /** Counts numbers of tables of kernels: a document that has a table once can have many kernels that make it. */
  const countTable = (count: number): void => {
    numbers += count;
    if (numbers > limits.tables) throw tooLarge("program", `at most ${limits.tables} numbers in tables of kernels`, limits.tables);
  };
  const arrayAt = (place: unknown, path: string): ArrayBufferView => {
    if (!isWhole(place, 0, arrays.length - 1)) throw inputError(path, `the place of one of the ${arrays.length} arrays`, place);
    const known = made.get(place);
    if (known) return known;
    const at = `arrays[${place}]`;
    const entry = arrays[place];
    if (!isRecord(entry)) throw inputError(at, "an object", entry);
    checkFields(entry as object as EncodedProgram["arrays"][number], { dtype: true, shape: true, base64: "string" }, at, "input", `${at}.`);
    const { dtype, shape, base64 } = entry;
    if (typeof dtype !== "string" || !Object.hasOwn(arrayTypes, dtype))
      throw inputError(`${at}.dtype`, `one of ${Object.keys(arrayTypes).join(", ")}`, dtype);
    const [count, ...more] = wholesOf(shape, 0) ?? [];
    if (count === undefined || more.length > 0) throw inputError(`${at}.shape`, "a list of one whole number", shape);
    const type = arrayTypes[dtype as keyof typeof arrayTypes];
    bytes += count * type.BYTES_PER_ELEMENT;
    if (bytes > maxBytes) throw tooLarge("arrays", `at most ${maxBytes} bytes (option maxBytes)`, maxBytes);
    const data = typeof base64 === "string" ? fromBase64(base64, count * type.BYTES_PER_ELEMENT) : undefined;
    if (!data) throw inputError(`${at}.base64`, `the base64 of ${count} elements ${dtype}`, base64);
    const array = new type(data.buffer);
    made.set(place, array);
    return array;
  };
  const value = (given: unknown, path: string): unknown => {
    if (Array.isArray(given) && given.length > limits.axes && /\.(shape|permutation)$/.test(path))
      throw tooLarge(path, `at most ${limits.axes} axes`, limits.axes);
    if (Array.isArray(given)) return given.map((item, i) => value(item, `${path}[${i}]`));
    if (!isRecord(given)) return given;
    const [[tag, content] = ["", undefined], ...more] = Object.entries(given);
    if (more.length === 0 && tag === "$array") return arrayAt(content, path);
    if (more.length === 0 && tag === "$number") return numberOf(content, path);
    return fieldsFrom(given, path, value);
  };
  return { value, countRecipe, countTable };
}

function numberOf(name: unknown, path: string): number {
  if (typeof name !== "string" || !["NaN", "Infinity", "-Infinity", "-0"].includes(name))
    throw inputError(path, "NaN, Infinity, -Infinity or -0", name);
  return Number(name);
}

function constantFrom(value: unknown, path: string, read: Reader): Constant {
  const entry = isRecord(value) ? value : {};
  checkFields(entry as object as Constant, { layout: true, data: true }, "a constant", "input", `${path}.`);
  const layout = layoutFrom(read.value(entry["layout"], `${path}.layout`), `${path}.layout`);
  const data = read.value(entry["data"], `${path}.data`);
  const { array } = dtypes[layout.dtype];
  const length = scalarCount(layout);
  if (!isArrayOf(data, array) || data.length !== length) throw inputError(`${path}.data`, `a ${array.name} of ${length} numbers`, data);
  return { layout, data: data as TypedArrayOf };
}

type Constants = Readonly<Record<string, Constant>>;

function stepFrom(value: unknown, path: string, read: Reader, options: DecodeOptions, constants: Constants): Step {
  if (!isRecord(value)) throw inputError(path, "an object", value);
  const fieldsOfSteps: FieldsOf<Step> = { name: "string", op: "object", bind: "object", inPlace: "boolean" };
  checkFields(value as unknown as Step, fieldsOfSteps, "a step", "input", `${path}.`);
  const { name, inPlace } = value;
  if (typeof name !== "string") throw inputError(`${path}.name`, "a text", name);
  const bind = fieldsFrom(value["bind"], `${path}.bind`, (name) => name as string);
  const { op, tables } = opFrom(value["op"], `${path}.op`, read, options);
  for (const [port, table] of Object.entries(tables)) {
    read.countTable(table.length);
    const bound = Object.hasOwn(constants, bind[port]) ? constants[bind[port]].data : undefined;
    if (!bound || !sameBytes(bound, table))
      throw inputError(`${path}.bind.${port}`, "a constant with the table of this kernel", bind[port]);
  }
  return { name, op, bind, ...(inPlace !== undefined && { inPlace: inPlace as boolean }) };
}

function sameBytes(a: ArrayBufferView, b: ArrayBufferView): boolean {
  if (a.byteLength !== b.byteLength) return false;
  const [x, y] = [a, b].map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength));
  for (let i = 0; i < x.length; i++) if (x[i] !== y[i]) return false;
  return true;
}

/** The recipe of a tag, or undefined if `value` is something else. */
function recipeFrom(value: unknown, path: string, read: Reader): Required<Recipe> | undefined {
  if (!isRecord(value) || !Object.hasOwn(value, "$recipe") || Object.keys(value).length > 1) return undefined;
  const recipe = value["$recipe"];
  if (!isRecipe(recipe)) throw inputError(`${path}.$recipe`, "a recipe with a name", recipe);
  read.countRecipe();
  checkFields(recipe, { name: "string", parameters: "object" }, "a recipe", "input", `${path}.$recipe.`);
  const parameters = read.value(recipe.parameters ?? {}, `${path}.$recipe.parameters`);
  if (!isRecord(parameters)) throw inputError(`${path}.$recipe.parameters`, "an object", parameters);
  return { name: recipe.name, parameters };
}

/** Calls the function of a recipe. */
function make<T>(
  { name, parameters }: Required<Recipe>,
  recipes: Readonly<Record<string, (parameters: RecipeParameters, hook: Tunable) => T>> | undefined,
  what: keyof DecodeOptions,
  path: string,
  hook?: Tunable,
): T {
  const known = Object.keys(recipes ?? {});
  if (!recipes || !known.includes(name) || typeof recipes[name] !== "function") {
    const given = known.length > 0 ? `, which has ${known.join(", ")}` : "";
    const orDrop = what === "tuned" ? ', or tuned: "drop" given' : "";
    throw inputError(`${path}.$recipe.name`, `a function of the option ${what} of decodeProgram${given}${orDrop}`, name);
  }
  return within(`${path}.$recipe.parameters`, () => recipes[name](parameters, hook as Tunable));
}

interface DecodedOp {
  readonly op: Op;
  readonly tables: KernelWithTables["tables"];
}

function opFrom(value: unknown, path: string, read: Reader, options: DecodeOptions): DecodedOp {
  const recipe = recipeFrom(value, path, read);
  if (recipe) {
    const made = make(recipe, options.kernels, "kernels", path);
    const { kernel, tables } = isRecord(made) && "kernel" in made ? (made as KernelWithTables) : { kernel: made as Kernel, tables: {} };
    const op: Kernel = { ...kernel, recipe };
    if (op.op !== "kernel") throw inputError(`${path}.$recipe.name`, "a function that makes a kernel", recipe.name);
    within(path, () => validateOp(op));
    return { op, tables };
  }
  const tuned: TunedBy[] = [];
  const op = partFrom(value, path, read, options, tuned) as unknown as Op;
  within(path, () => validateOp(op));
  strict(op, path);
  // Makes nothing but checks; the code is made when a device asks for it.
  if (hasExpression(op)) within(path, () => (op.op === "stencil" ? checkStencil(op) : withForms(op)));
  return { op: options.tuned === "drop" ? op : tuned.reduce((made, by) => withTuned(made, by, options), op), tables: {} };
}

/** The recipe of tuned code, and the field of the op that holds the hook; undefined if the code is that of the op. */
interface TunedBy {
  readonly recipe: Required<Recipe>;
  readonly field: string | undefined;
  readonly path: string;
}

/** An op, or the hook in one of its fields. Recipes of tuned code are added to `tuned`, which is given for ops. */
function partFrom(
  value: unknown,
  path: string,
  read: Reader,
  options: DecodeOptions,
  tuned: TunedBy[],
  field?: string,
): Record<string, unknown> {
  const tunable = isRecord(value) && canBeTuned(value);
  const { tuned: code, ...part } = fieldsFrom(value, path, (given, at, name) => {
    const recipe = recipeFrom(given, at, read);
    if (tunable && name === "tuned") {
      if (!recipe) throw inputError(at, "a recipe, because code of others is not accepted", given);
      tuned.push({ recipe, field, path: at });
      return undefined;
    }
    if (field === undefined && recipe) return { ...make(recipe, options.hooks, "hooks", at), recipe };
    if (field === undefined && isRecord(given) && !isTag(given)) return partFrom(given, at, read, options, tuned, name);
    return read.value(given, at);
  });
  for (const name of ["expression", "centres"])
    if (isExpression(part[name])) checkNames(part[name] as object, { nodes: true, results: true }, "field", `${path}.${name}`, "input");
  return code === undefined ? part : { ...part, tuned: code };
}

/** The op with the tuned code that a recipe makes. */
function withTuned(op: Op, { recipe, field, path }: TunedBy, options: DecodeOptions): Op {
  const hook = (field === undefined ? op : op[field as keyof Op]) as unknown as Tunable;
  const recipes = options.tuned === "drop" ? undefined : options.tuned;
  const made: Tunable = make(recipe, recipes, "tuned", path, hook);
  if (!isRecord(made) || !computesTheSame(made, hook, path))
    throw inputError(`${path}.$recipe`, "the recipe of a hook that computes what this hook computes", recipe.name);
  if (!made.tuned) return op;
  const restored = { ...hook, tuned: { ...made.tuned, recipe } };
  return (field === undefined ? restored : { ...op, [field]: restored }) as Op;
}

const isTag = (value: Readonly<Record<string, unknown>>): boolean => {
  const names = Object.keys(value);
  return names.length === 1 && (names[0] === "$array" || names[0] === "$number");
};

/** Whether two hooks are the same data but for their names and tuned code. */
function computesTheSame(a: Tunable, b: Tunable, path: string): boolean {
  const text = ({ name: _, tuned: __, ...rest }: Tunable): string => {
    const fields = Object.entries(rest).sort(([x], [y]) => (x < y ? -1 : 1));
    return JSON.stringify(createEncoder().encodeValue(Object.fromEntries(fields), path));
  };
  return within(path, () => text(a) === text(b));
}

/** Checks what valid ops may have but should not: unknown fields of layouts, and shapes of hooks that are no lists. */
function strict(op: Op, path: string): void {
  const layouts = new Set<unknown>(Object.values(portsOf(op)).map(({ layout }) => layout));
  if ("layout" in op) layouts.add(op.layout);
  const visit = (value: unknown, at: string): void => {
    if (!isRecord(value)) return;
    if (layouts.has(value)) checkFields(value as object as Layout, { dtype: true, shape: true }, "a layout", "input", `${at}.`);
    if (isExpression(value["expression"]) && value["shape"] !== undefined && !wholesOf(value["shape"], 1))
      throw inputError(`${at}.shape`, "a list of positive integers", value["shape"]);
    for (const [name, field] of Object.entries(value)) visit(field, `${at}.${name}`);
  };
  visit(op, path);
}
