/**
 * Hooks and maps from functions that write expressions: `load({ layout, sources: { x, w } }, ({ at, x, w }) => times(x(at), w(at[1])))`. The
 * function is called once, with values in place of numbers. A text such as "x * w[i1]" can be given in its place (text.ts).
 */
import { layoutError } from "../errors.ts";
import { checkFields, checkObject, type FieldsOf } from "../fields.ts";
import type { Load, Store, TunedHook, UniformTypes } from "../hooks.ts";
import { checkLayout, type DType, dtypes, type Layout } from "../layout.ts";
import type { MapOp } from "../ops/map.ts";
import type { WithOutputType } from "../ops/row.ts";
import { flatten, indexOf, type Operand, type SourceOf, sourceOf, uniformOf, type Value, valueOfStore } from "./build.ts";
import { checkExpression } from "./check.ts";
import type { Domain, Kind } from "./nodes.ts";
import { parse } from "./text.ts";

type Sources = Readonly<Record<string, Layout>>;
type KindOfElement<D extends DType> = D extends DType
  ? (typeof dtypes)[D]["components"] extends 2
    ? "complex"
    : D extends "u32"
      ? "u32"
      : "real"
  : never;
type KindOfUniform<T> = T extends "f32" ? "real" : T extends Kind ? T : never;

/** What the function that writes an expression gets: the index vector `at`, the sources and the uniforms, by name. */
export type Names<S extends Sources, U extends UniformTypes> = { readonly at: readonly Value<"i32">[] } & {
  readonly [K in keyof S]: SourceOf<KindOfElement<S[K]["dtype"]>>;
} & { readonly [K in keyof U]: Value<KindOfUniform<U[K]>> };

/** What hooks and maps from expressions have in common. */
interface Common<S extends Sources, U extends UniformTypes> {
  /** Name for messages and plan texts. Default: "expression". */
  readonly name?: string;
  /** Layouts of the arrays that are read, by the name of their port. */
  readonly sources: S;
  /** Names and types of the values that every run must pass. Default: none. */
  readonly uniforms?: U;
}

/** Options of `load`. */
export interface LoadOptions<S extends Sources, U extends UniformTypes> extends Common<S, U> {
  /** The layout of what is computed: the op's `layout`, or for a filter that of the spectrum. */
  readonly layout: Layout;
  /** Hand-written code for some devices. Default: none. */
  readonly tuned?: TunedHook;
}

/** Options of `store`. */
export interface StoreOptions<S extends Sources, U extends UniformTypes> extends LoadOptions<S, U> {
  /** Element type of the array that is written. */
  readonly dtype: DType;
}

/** Options of `map`. */
export interface MapOptions<S extends Sources, U extends UniformTypes, O extends Readonly<Record<string, DType>>> extends Common<S, U> {
  /** Extents of the indices, and of every output. */
  readonly shape: readonly number[];
  /** Element types of the arrays that are written, by the name of their port. */
  readonly outputs: O;
}

type ValueOfHook = Operand;

const taken = new Set(["at", "value", "index"]);

type AllOptions = StoreOptions<Sources, UniformTypes> & MapOptions<Sources, UniformTypes, Readonly<Record<string, DType>>>;

const fields: FieldsOf<AllOptions> = {
  name: true,
  layout: true,
  shape: true,
  sources: true,
  uniforms: "object",
  outputs: true,
  dtype: true,
  tuned: "object",
};

/**
 * Checks the options, calls the function with values for the names, or parses the text, and checks the result in its domain. Returns what
 * hooks and maps have in common.
 */
function written(options: Common<Sources, UniformTypes>, what: "load" | "store" | "map", compute: unknown) {
  checkFields(options, fields as never, `options of ${what}`, "layout");
  const { name = "expression", sources, uniforms = {}, outputs, shape, layout, tuned } = options as AllOptions;
  const own: Layout = what === "map" ? { dtype: "f32", shape } : layout;
  checkLayout(own, what === "map" ? "map" : "layout");
  const value = what === "store";
  const domain: Domain = { ...own, sources, uniforms, value };
  const names = namesOf(domain, what === "map" ? outputs : {});
  if (typeof compute !== "function" && typeof compute !== "string") throw layoutError("expression", "a function or a text", compute);
  const results = what === "map" ? Object.keys(outputs) : undefined;
  const made = typeof compute === "string" ? parse(compute, domain, results) : compute(names);
  const expression = flatten(results ? results.map((name) => made?.[name] ?? missing(name)) : [made]);
  const facts = checkExpression(expression, domain);
  results?.forEach((name, i) => {
    if (facts[expression.results[i]].kind === "complex" && dtypes[outputs[name]]?.components === 1)
      throw layoutError(`outputs.${name}`, "a complex type, as the value is complex (re, im and abs give real ones)", outputs[name]);
  });
  // What does not depend on the index fits arrays of any extents.
  const fixed = what === "map" || expression.nodes.some(([operator]) => operator === "index");
  return { name, ...(fixed && { shape: own.shape }), sources, ...(options.uniforms && { uniforms }), expression, ...(tuned && { tuned }) };
}

/** Checks the names of sources, uniforms and outputs, and returns what the function that writes the expression gets. */
export function namesOf({ shape, sources, uniforms = {}, value }: Domain, outputs: Readonly<Record<string, DType>>) {
  checkObject(sources, "sources");
  for (const name of Object.keys(sources)) checkLayout(sources[name], `sources.${name}`);
  const named = Object.keys({ ...sources, ...uniforms });
  if (named.length < Object.keys(sources).length + Object.keys(uniforms).length)
    throw layoutError("uniforms", "names that no source has", Object.keys(uniforms));
  for (const name of named) if (taken.has(name)) throw layoutError(`sources.${name}`, "a name that is not taken", name);
  checkObject(outputs, "outputs");
  return {
    at: shape.map((_, axis) => indexOf(axis)),
    ...Object.fromEntries(Object.entries(sources).map(([name, layout]) => [name, sourceOf(name, layout)])),
    ...Object.fromEntries(Object.entries(uniforms).map(([name, type]) => [name, uniformOf(name, type)])),
    ...(value && { value: valueOfStore() }),
  };
}

function missing(name: string): never {
  throw layoutError(`outputs.${name}`, "a value that the expression returns by this name", undefined);
}

/**
 * Makes a load hook from an expression. `compute` gets the index vector `at`, the sources as functions of indices, and the uniforms as
 * values, and returns the element at `at`. Also for computed filters, where the index along the transformed axis is that of the bin.
 * Throws `layout`, naming the field, if the options or the expression are wrong.
 */
export function load<const S extends Sources, const U extends UniformTypes = Record<never, never>>(
  options: LoadOptions<S, U>,
  compute: ((names: Names<S, U>) => ValueOfHook) | string,
): Load {
  return written(options, "load", compute);
}

/**
 * Makes a store hook from an expression. `compute` gets what that of `load` gets, and the transform's result as `value`, and returns what
 * is written. `layout` is that of the transform's results after `keep`.
 */
export function store<const S extends Sources, D extends DType, const U extends UniformTypes = Record<never, never>>(
  options: StoreOptions<S, U> & { readonly dtype: D },
  compute: ((names: Names<S, U> & { readonly value: Value<"complex"> }) => ValueOfHook) | string,
): Store & { readonly dtype: D } {
  return { ...written(options, "store", compute), dtype: options.dtype };
}

/** The type of a map with outputs of these types. */
export type MapWith<O extends Readonly<Record<string, DType>>> = Omit<MapOp, "outputs"> & { readonly outputs: O } & (O extends {
    readonly out: infer D extends DType;
  }
    ? WithOutputType<D>
    : unknown);

/**
 * Makes an op that computes its outputs at every index vector of `shape`. `compute` gets what that of `load` gets, and returns a value for
 * each output, by name. A text assigns to the outputs: "y = x * w[i1]; power = re(x * conj(x))".
 */
export function map<
  const S extends Sources,
  const O extends Readonly<Record<string, DType>>,
  const U extends UniformTypes = Record<never, never>,
>(options: MapOptions<S, U, O>, compute: ((names: Names<S, U>) => { readonly [K in keyof O]: ValueOfHook }) | string): MapWith<O> {
  return { op: "map", ...written(options, "map", compute), outputs: options.outputs } as unknown as MapWith<O>;
}
