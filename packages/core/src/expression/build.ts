/**
 * Functions that make expressions and read like the formula: `times(x(at), cis(phase))`. Each returns a `Value`, which refers to its
 * operands, so a value that is used twice stays one value. `flatten` turns values into an `Expression`. Kinds are checked by the compiler,
 * and again when a function is called.
 *
 * A plain number is a constant of the kind of the other operand, or a real number if there is no other. A real number beside a complex
 * one counts as complex.
 */
import { layoutError, RadarError } from "../errors.ts";
import { isWhole, type Layout } from "../layout.ts";
import { kindOfElement, kindOfResult, kindsTaken } from "./check.ts";
import { type Binary, type Expression, type Kind, maxNodes, maxWork, type Node, type Unary } from "./nodes.ts";

/** A value of an expression under construction. */
export interface Value<K extends Kind = Kind> {
  /** What kind of value it is. */
  readonly kind: K;
  /** Its operator and its operands, some of which are values. */
  readonly parts: readonly unknown[];
}

/** Values that the functions take as operands. */
export type Operand = Value | number | boolean;
/** An index: an i32 or a whole number. */
export type Index = Value<"i32"> | number;

type Given<T> = T extends Value<infer K> ? K : T extends number ? "number" : T extends boolean ? "bool" : never;
type Joined<A, B> = [A, B] extends ["number", "number"]
  ? "real"
  : [A] extends ["number"]
    ? B
    : [B] extends ["number"]
      ? A
      : [A, B] extends [B, A]
        ? A
        : [A, B] extends ["real" | "complex", "real" | "complex"]
          ? "complex"
          : never;
/** The kind of the result of two operands. `never` if they do not fit. */
export type KindOfBoth<A, B> = Extract<Joined<Given<A>, Given<B>>, Kind>;
/** `unknown` if two operands have a common kind among `K`, else `never`, so that the compiler refuses the second. */
type Fits<A, B, K extends Kind> = [KindOfBoth<A, B>] extends [never] ? never : [KindOfBoth<A, B>] extends [K] ? unknown : never;
/** The kind of one operand. */
export type KindOf<A> = Given<A> extends "number" ? "real" : Extract<Given<A>, Kind>;

type Number_ = "real" | "complex" | "i32" | "u32";
type Ordered = "real" | "i32" | "u32";
type Whole = "i32" | "u32";
type Bits = "i32" | "u32" | "bool";

/** A source: a function of an index for each axis, given one by one or as a list. It returns the element there. */
export interface SourceOf<K extends Kind = Kind> {
  (...indices: readonly (Index | readonly Index[])[]): Value<K>;
  /** Its name. */
  readonly source: string;
  /** The layout of the array. */
  readonly layout: Layout;
}

/** What operators of JavaScript, such as + and >, call. They would compute with the value as with NaN. */
const refuse = (): never => {
  throw layoutError("an operand of an operator of JavaScript", "a number (plus, less and other functions take values)", "a value");
};

/** The value of an operator and its operands. Nothing is checked. */
export const makeValue = <K extends Kind>(kind: K, ...parts: unknown[]): Value<K> =>
  Object.defineProperty({ kind, parts }, Symbol.toPrimitive, { value: refuse });
const value = makeValue;

const isValue = (given: unknown): given is Value => typeof given === "object" && given !== null && "kind" in given && "parts" in given;

/** A real constant. Throws `layout` if it is not finite in float32. */
export function real(x: number): Value<"real"> {
  if (!Number.isFinite(x) || !Number.isFinite(Math.fround(x))) throw layoutError("a real constant", "finite in float32", x);
  // JSON has no negative zero.
  return Object.is(x, -0) ? value("real", "neg", real(0)) : value("real", "real", x);
}

/** An i32 constant. Throws `layout` if it is not an integer of this kind. */
export function i32(x: number): Value<"i32"> {
  if (!isWhole(x, -(2 ** 31), 2 ** 31 - 1)) throw layoutError("an i32 constant", "an integer from -2147483648 to 2147483647", x);
  return value("i32", "i32", x);
}

/** A u32 constant. Throws `layout` if it is not an integer of this kind. */
export function u32(x: number): Value<"u32"> {
  if (!isWhole(x, 0, 2 ** 32 - 1)) throw layoutError("a u32 constant", "an integer from 0 to 4294967295", x);
  return value("u32", "u32", x);
}

const constants = { real, i32, u32, complex: (x: number) => complex(x, 0), bool: real } as const;

/** The operand as a value. A number becomes a constant of `kind`, a real value one of `kind` if that is complex. */
function as(operand: unknown, kind: Kind = "real"): Value {
  if (typeof operand === "boolean") return value("bool", "bool", operand);
  if (typeof operand === "number") return constants[kind](operand);
  if (!isValue(operand)) throw layoutError("an operand of an expression", "a value, a number or true or false", operand);
  return operand.kind === "real" && kind === "complex" ? complex(operand as Value<"real">, 0) : operand;
}

function node(operator: Unary | Binary, ...operands: readonly Value[]): Value {
  const kinds = operands.map(({ kind }) => kind);
  const kind = kindOfResult(operator, kinds);
  if (!kind)
    throw layoutError(
      `operands of ${operator}`,
      `of one kind of ${kindsTaken(operator)} (toReal, toI32 and others convert)`,
      kinds.join(" and "),
    );
  return value(kind, operator, ...operands);
}

const unary =
  <In extends Kind, Out extends Kind | undefined = undefined>(operator: Unary) =>
  <A extends Value<In> | ("real" extends In ? number : never)>(a: A): Value<Out extends Kind ? Out : KindOf<A>> =>
    node(operator, as(a)) as never;

/** Two operands as values of one kind. Products and quotients leave a real operand as it is. */
function both(a: unknown, b: unknown, keepsReal = false): readonly [Value, Value] {
  const kinds = [a, b].filter(isValue).map(({ kind }) => kind);
  const common = kinds.includes("complex") && !keepsReal ? "complex" : (kinds.find((kind) => kind !== "complex") ?? "real");
  return [as(a, common), as(b, common)];
}

const binary =
  <In extends Kind, Out extends Kind | undefined = undefined>(operator: Binary, keepsReal = false, swapped = false) =>
  <A extends Operand, B extends Operand>(a: A, b: B & Fits<A, B, In>): Value<Out extends Kind ? Out : KindOfBoth<A, B>> => {
    const [x, y] = both(a, b, keepsReal);
    return node(operator, ...(swapped ? [y, x] : [x, y])) as never;
  };

/** a + b. */
export const plus = binary<Number_>("add");
/** a − b. */
export const minus = binary<Number_>("sub");
/** a·b. */
export const times = binary<Number_>("mul", true);
/** a/b of reals; integers truncate, and division by zero gives 0; a complex number divided by a real one. */
export const divide = binary<Number_>("div", true);
/** a − b·floor(a/b), with the sign of b; integers modulo zero give 0. */
export const mod = binary<Ordered>("mod");
/** The smaller one. */
export const min = binary<Ordered>("min");
/** The larger one. */
export const max = binary<Ordered>("max");
/** Angle of x + jy in radians, −π … π; 0 at zero. */
export const atan2 = binary<"real">("atan2");
/** Both; of integers bit by bit. */
export const and = binary<Bits>("and");
/** Either or both; of integers bit by bit. */
export const or = binary<Bits>("or");
/** Exactly one; of integers bit by bit. */
export const xor = binary<Bits>("xor");
/** a < b. */
export const less = binary<Ordered, "bool">("lt");
/** a ≤ b. */
export const lessOrEqual = binary<Ordered, "bool">("le");
/** a > b. */
export const greater = binary<Ordered, "bool">("lt", false, true);
/** a ≥ b. */
export const greaterOrEqual = binary<Ordered, "bool">("le", false, true);
/** a = b. */
export const equal = binary<Ordered | "bool", "bool">("eq");
/** a ≠ b. */
export const notEqual = binary<Ordered | "bool", "bool">("ne");

/** −a. */
export const negate = unary<Number_>("neg");
/** |a|. The magnitude of a complex number is real. */
export const abs = <A extends Value<"real" | "complex" | "i32">>(a: A): Value<KindOf<A> extends "complex" ? "real" : KindOf<A>> =>
  node("abs", as(a)) as never;
/** The largest whole number that is not larger. */
export const floor = unary<"real">("floor");
/** The nearest whole number, ties to even. */
export const round = unary<"real">("round");
/** Square root. */
export const sqrt = unary<"real">("sqrt");
/** Natural logarithm. */
export const log = unary<"real">("log");
/** exp(j2πa) of a real number of cycles, or of a u32 in units of 2⁻³² cycles. */
export const cis = unary<"real" | "u32", "complex">("cis");
/** Real part. */
export const re = unary<"complex", "real">("re");
/** Imaginary part. */
export const im = unary<"complex", "real">("im");
/** Complex conjugate. */
export const conj = unary<"complex">("conj");
/** Not; of integers bit by bit. */
export const not = unary<Bits>("not");
/** Whether a number is neither infinite nor NaN, decided by its bits. */
export const finite = unary<"real" | "complex", "bool">("finite");
/** The real number nearest to an integer. */
export const toReal = unary<Whole, "real">("real-of");
/** The nearest i32, ties to even, saturated; NaN becomes 0. */
export const toI32 = unary<"real", "i32">("i32-of");
/** The nearest u32, ties to even, saturated; NaN becomes 0. */
export const toU32 = unary<"real", "u32">("u32-of");
/** The bits of a u32 as an i32. */
export const asI32 = unary<"u32", "i32">("bits");
/** The bits of an i32 as a u32. */
export const asU32 = unary<"i32", "u32">("bits");

/** a·2^count; bits beyond the highest are lost. The lowest five bits of the count are used. */
export const shiftLeft = <A extends Value<Whole>>(a: A, count: Value<Whole> | number): Value<KindOf<A>> =>
  node("shl", as(a), as(count, "u32")) as never;
/** ⌊a/2^count⌋. The lowest five bits of the count are used. */
export const shiftRight = <A extends Value<Whole>>(a: A, count: Value<Whole> | number): Value<KindOf<A>> =>
  node("shr", as(a), as(count, "u32")) as never;

/** A complex number from its parts. */
export const complex = (real: Value<"real"> | number, imaginary: Value<"real"> | number): Value<"complex"> =>
  node("complex", as(real), as(imaginary)) as Value<"complex">;

/** `whenTrue` if the condition holds, else `whenFalse`. Both are computed. */
export function select<A extends Operand, B extends Operand>(
  condition: Value<"bool">,
  whenTrue: A,
  whenFalse: B & Fits<A, B, Kind>,
): Value<KindOfBoth<A, B>> {
  const operands = [as(condition), ...both(whenTrue, whenFalse)];
  const kinds = operands.map(({ kind }) => kind);
  const kind = kindOfResult("select", kinds);
  if (!kind) throw layoutError("operands of select", "a truth value and two values of one kind", kinds.join(" and "));
  return value(kind, "select", ...operands) as never;
}

/**
 * The sum of term(0) … term(count − 1). The count is a number, or an i32 of constants and uniforms; then `most` is the largest count. A
 * larger count counts as `most`, a negative one as 0.
 */
export function sum<K extends Number_>(count: Index, term: (j: Value<"i32">) => Value<K>, most?: number): Value<K> {
  const largest = most ?? (typeof count === "number" ? Math.max(1, count) : undefined);
  if (!isWhole(largest, 1, maxWork)) {
    const given = most === undefined && typeof count === "number";
    throw layoutError(given ? "count" : "most", `a whole number of at most ${maxWork}`, given ? count : most);
  }
  const index = value("i32", "term");
  const each = as(term(index));
  if (each.kind === "bool") throw layoutError("the terms of a sum", "numbers", each.kind);
  return value(each.kind as K, "sum", index, as(count, "i32"), each, largest);
}

/** An element of a source, or zero if an index is outside the array. */
export const inside = <K extends Kind>(source: SourceOf<K>, ...indices: readonly (Index | readonly Index[])[]): Value<K> =>
  element("inside", source.source, source.layout, indices) as Value<K>;

/**
 * The sum of neighbouring elements of a source along an axis, each times its weight. The indices are those of the first element. Elements
 * outside the array do not count. `load`, `store` and `map` refuse more than 64 weights, and a source of type u32.
 */
export const taps = <K extends "real" | "complex">(
  { source, layout }: SourceOf<K>,
  axis: number,
  weights: readonly (Value<"real"> | number)[],
  ...indices: readonly (Index | readonly Index[])[]
): Value<K> =>
  value(
    kindOfElement(layout.dtype) as K,
    ...["taps", source, axis, weights.length],
    ...weights.map((weight) => as(weight)),
    ...indicesOf(source, layout, indices),
  );

/** The source of this name and layout, as a function of indices. */
export const sourceOf = (name: string, layout: Layout): SourceOf =>
  Object.assign((...indices: readonly (Index | readonly Index[])[]) => element("load", name, layout, indices), { source: name, layout });

const element = (operator: "load" | "inside", name: string, layout: Layout, indices: readonly (Index | readonly Index[])[]): Value =>
  value(kindOfElement(layout.dtype), operator, name, ...indicesOf(name, layout, indices));

function indicesOf(name: string, layout: Layout, indices: readonly (Index | readonly Index[])[]): readonly Value[] {
  const places = indices.flat().map((index) => as(index, "i32"));
  if (places.length !== layout.shape.length || places.some(({ kind }) => kind !== "i32"))
    throw layoutError(
      `indices of ${name}`,
      `${layout.shape.length} of kind i32`,
      places.map(({ kind }) => kind),
    );
  return places;
}

/** The index along an axis. */
export const indexOf = (axis: number): Value<"i32"> => value("i32", "index", axis);
/** The value of a uniform of this type. */
export const uniformOf = (name: string, type: "f32" | "i32" | "u32"): Value => value(type === "f32" ? "real" : type, "uniform", name);
/** The result that a store maps. */
export const valueOfStore = (): Value<"complex"> => value("complex", "value");

/** Makes the expression whose results are these values. Equal nodes become one. Throws `limit` if there are too many. */
export function flatten(results: readonly Operand[]): Expression {
  const nodes: Node[] = [];
  const places = new Map<Value, number>();
  const known = new Map<string, number>();
  const sums = new Map<unknown, number>();
  const add = (item: Value): number => {
    const parts = item.parts.map((part) => (isValue(part) ? (places.get(part) as number) : part));
    const [operator] = parts;
    // The index of a sum gets the sum's number, by which the two know each other.
    if (operator === "term") parts.push(numberOf(item));
    if (operator === "sum") parts[1] = numberOf(item.parts[1]);
    const key = JSON.stringify(parts);
    const place = known.get(key) ?? nodes.push(parts as never) - 1;
    if (place >= maxNodes)
      throw new RadarError("limit", `an expression must have at most ${maxNodes} nodes`, { field: "expression", limit: maxNodes });
    known.set(key, place);
    return place;
  };
  const numberOf = (index: unknown): number => {
    const number = sums.get(index) ?? sums.size;
    sums.set(index, number);
    return number;
  };
  const finals = results.map((result) => as(result));
  // Values may be nested deeper than calls may be.
  const stack = [...finals].reverse();
  for (let item = stack.at(-1); item; item = stack.at(-1)) {
    const open = places.has(item) ? [] : item.parts.filter((part): part is Value => isValue(part) && !places.has(part));
    if (open.length > 0) stack.push(...open.reverse());
    else {
      if (!places.has(item)) places.set(item, add(item));
      stack.pop();
    }
  }
  return { nodes, results: finals.map((result) => places.get(result) as number) };
}
