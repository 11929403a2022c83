/** Values of WGSL for all invocations of a workgroup at once: a type, and for integers whose values are known, one number for each lane. */

/** A number for all lanes, or one for each. */
export type Lanes = number | Float64Array;

/** A value. Floats have a type only, as do integers that depend on data. */
export interface Value {
  readonly type: string;
  readonly lanes?: Lanes;
  /** The components of a vector of known integers. */
  readonly parts?: readonly Value[];
}

/** The numbers of components, of each scalar type's letter, and of bytes. */
const scalars: Readonly<Record<string, number>> = { f32: 4, f16: 2, u32: 4, i32: 4, bool: 4, int: 4, float: 4 };
const letters: Readonly<Record<string, string>> = { f: "f32", h: "f16", u: "u32", i: "i32" };

/** The type of a vector's components or an array's elements. */
export function elementType(type: string): string {
  const array = /^array<(.*?)(?:, *[^,>]*)?>$/.exec(type);
  if (array) return array[1];
  const vector = /^vec[234]([fhui])$/.exec(type);
  return vector ? letters[vector[1]] : type.replace(/^atomic<(.*)>$/, "$1");
}

/** The number of components of a scalar or vector. */
export const widthOf = (type: string): number => Number(/^vec([234])/.exec(type)?.[1] ?? 1);

/** Bytes of an element in memory. Undefined for types that are not numbers. */
export function bytesOfType(type: string): number | undefined {
  const scalar = scalars[type] ?? scalars[elementType(type)];
  return scalar === undefined || type.startsWith("array") ? undefined : scalar * (widthOf(type) === 3 ? 4 : widthOf(type));
}

/** Whether a type is of floating-point numbers. */
export const isFloat = (type: string): boolean => /^(f32|f16|float|vec[234][fh])$/.test(type);

/** The type of swizzled components. */
export function swizzled(type: string, name: string): string {
  if (name.length === 1) return elementType(type);
  return `vec${name.length}${type.at(-1)}`;
}

/** The type of a sum or product. */
export function commonType(a: string, b: string): string {
  if (widthOf(a) !== widthOf(b)) return widthOf(a) > widthOf(b) ? a : b;
  if (a === "int" || (a === "float" && b !== "int")) return b;
  return a;
}

/** Applies a function to each lane. */
export function mapLanes(work: (...values: number[]) => number, ...given: readonly Lanes[]): Lanes {
  const long = given.find((one): one is Float64Array => typeof one !== "number");
  const at = (i: number): number[] => given.map((one) => (typeof one === "number" ? one : one[i]));
  return long ? Float64Array.from(long, (_, i) => work(...at(i))) : work(...at(0));
}

/** Puts new lanes where the mask is set. */
export const mergeLanes = (mask: Uint8Array, now: Lanes, before: Lanes): Lanes =>
  Float64Array.from(mask, (set, i) => {
    const from = set ? now : before;
    return typeof from === "number" ? from : from[i];
  });

const wrap = (type: string, value: number): number => (type === "i32" ? value | 0 : type === "u32" ? value >>> 0 : value);

const binary: Readonly<Record<string, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => Math.imul(a, b),
  "/": (a, b) => (b === 0 ? a : Math.trunc(a / b)),
  "%": (a, b) => (b === 0 ? 0 : a % b),
  "&": (a, b) => a & b,
  "|": (a, b) => a | b,
  "^": (a, b) => a ^ b,
  "<<": (a, b) => a << (b & 31),
  ">>": (a, b) => a >>> (b & 31),
  "==": (a, b) => Number(a === b),
  "!=": (a, b) => Number(a !== b),
  "<": (a, b) => Number(a < b),
  ">": (a, b) => Number(a > b),
  "<=": (a, b) => Number(a <= b),
  ">=": (a, b) => Number(a >= b),
  "&&": (a, b) => Number(a !== 0 && b !== 0),
  "||": (a, b) => Number(a !== 0 || b !== 0),
};

const isComparison = (operator: string): boolean => /^([=!<>]=|<|>|&&|\|\|)$/.test(operator);

/** The result of a binary operator on integers and truth values. Without lanes if an operand has none. */
export function integerResult(operator: string, a: Value, b: Value): Value {
  const type = isComparison(operator) ? "bool" : operator === "<<" || operator === ">>" ? a.type : commonType(a.type, b.type);
  const work = operator === ">>" && type === "i32" ? (x: number, y: number) => x >> (y & 31) : binary[operator];
  if (a.lanes === undefined || b.lanes === undefined || widthOf(type) > 1 || work === undefined) return { type };
  return { type, lanes: mapLanes((x, y) => wrap(type, work(x, y)), a.lanes, b.lanes) };
}

const functions: Readonly<Record<string, (...args: number[]) => number>> = {
  min: Math.min,
  max: Math.max,
  clamp: (x, low, high) => Math.min(Math.max(x, low), high),
  abs: Math.abs,
  select: (no, yes, condition) => (condition !== 0 ? yes : no),
  countOneBits: (x) => {
    let count = 0;
    for (let rest = x >>> 0; rest > 0; rest = (rest & (rest - 1)) >>> 0) count += 1;
    return count;
  },
  firstLeadingBit: (x) => 31 - Math.clz32(x),
  reverseBits: (x) => {
    let out = 0;
    for (let bit = 0; bit < 32; bit++) out = (out << 1) | ((x >>> bit) & 1);
    return out >>> 0;
  },
  extractBits: (x, offset, count) => (count === 0 ? 0 : (x >>> offset) & (count >= 32 ? -1 : (1 << count) - 1)),
};

/** The result of a builtin function of integers. Undefined if it is none of those that indices need. */
export function integerCall(name: string, args: readonly Value[]): Value | undefined {
  const conversion = name === "u32" || name === "i32";
  const work = conversion ? (x: number) => x : functions[name];
  if (!work || args.length === 0) return undefined;
  const type = conversion ? name : args.slice(0, 2).reduce((found, { type: own }) => commonType(found, own), args[0].type);
  if (isFloat(type)) return undefined;
  const lanes = args.map((arg) => arg.lanes);
  if (lanes.some((one) => one === undefined)) return { type };
  return { type, lanes: mapLanes((...values) => wrap(type, work(...values)), ...(lanes as Lanes[])) };
}
