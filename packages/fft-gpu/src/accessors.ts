/**
 * Generates the bindings of arrays and the functions `load_NAME` and `store_NAME` that kernels access them by. Kernels do not see that
 * elements narrower than a word share words, nor that arrays may be split into segments. Other invocations may write neighbours in the
 * same word at the same time, so such words are written atomically.
 */
import type { Access, DType, Layout, UniformTypes } from "@dechirp/core";
import { memberOf } from "./wgsl/names.ts";

interface Element {
  /** The element type of the bound array. */
  readonly word: "f32" | "vec2f" | "u32";
  /** The type that kernels see. */
  readonly value: "f32" | "vec2f" | "u32";
  /** Number of elements in a word. */
  readonly perWord: 1 | 2 | 4;
  /** Expression for the element from its `word` and, if a word has several, its `place` in it. */
  readonly load: string;
  /** Expression for the word, or the element's bits in it, from the `value`. */
  readonly store: string;
}

const bitsOf = (value: string, low: number, high: number): string => `u32(dechirp_integer(${value}, ${low}.0, ${high}.0))`;
const pair = (low: number, high: number, bits: number): string =>
  `((${bitsOf("value.x", low, high)} & ${2 ** bits - 1}u) | ((${bitsOf("value.y", low, high)} & ${2 ** bits - 1}u) << ${bits}u))`;
const signed = (at: string, bits: number): string => `f32(extractBits(bitcast<i32>(word), ${at}, ${bits}u))`;

const elements: Readonly<Partial<Record<DType, Element>>> = {
  f32: { word: "f32", value: "f32", perWord: 1, load: "word", store: "value" },
  c64: { word: "vec2f", value: "vec2f", perWord: 1, load: "word", store: "value" },
  u32: { word: "u32", value: "u32", perWord: 1, load: "word", store: "value" },
  i8: { word: "u32", value: "f32", perWord: 4, load: signed("place * 8u", 8), store: `(${bitsOf("value", -128, 127)} & 255u)` },
  u8: { word: "u32", value: "f32", perWord: 4, load: "f32(extractBits(word, place * 8u, 8u))", store: bitsOf("value", 0, 255) },
  i16: { word: "u32", value: "f32", perWord: 2, load: signed("place * 16u", 16), store: `(${bitsOf("value", -32768, 32767)} & 65535u)` },
  ci8: {
    word: "u32",
    value: "vec2f",
    perWord: 2,
    load: `vec2f(${signed("place * 16u", 8)}, ${signed("place * 16u + 8u", 8)})`,
    store: pair(-128, 127, 8),
  },
  ci16: {
    word: "u32",
    value: "vec2f",
    perWord: 1,
    load: `vec2f(${signed("0u", 16)}, ${signed("16u", 16)})`,
    store: pair(-32768, 32767, 16),
  },
  cf16: { word: "u32", value: "vec2f", perWord: 1, load: "unpack2x16float(word)", store: "pack2x16float(value)" },
};

/** The element types that arrays on the device may have. */
export const gpuDTypes = Object.keys(elements) as readonly DType[];

/** Number of elements in a word. */
export const elementsPerWord = (dtype: DType): number => elementOf(dtype).perWord;
/** Number of bytes in a word. */
export const wordBytes = (dtype: DType): number => (elementOf(dtype).word === "vec2f" ? 8 : 4);

/** The type of an element that kernels see. */
export const valueType = (dtype: DType): "f32" | "vec2f" | "u32" => elementOf(dtype).value;

const elementOf = (dtype: DType): Element => elements[dtype] as Element;

/** An array as a kernel binds it. */
export interface BoundArray {
  readonly name: string;
  readonly layout: Layout;
  readonly access: Access;
  /** Number of buffers that the array is split into. All but the last have `segmentWords` words. */
  readonly segments: number;
  readonly segmentWords: number;
  /** The array whose binding this one shares. It then has no binding of its own. */
  readonly alias?: string;
  /** Whether it is bound for writing although it is only read. */
  readonly writable?: boolean;
  /** Whether a bound element is a vec4f: two elements of a c64 array, or four of an f32 array. */
  readonly pairs?: boolean;
  /** Whether numbers are added to the elements, which are u32. */
  readonly adds?: boolean;
  /** Whether it is bound as an array of f16, without accessors. */
  readonly halves?: boolean;
}

/** Functions that kernels may call, and helpers of the accessors. */
const prelude = `fn cmul(a: vec2f, b: vec2f) -> vec2f { return vec2f(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
fn cmulc(a: vec2f, b: vec2f) -> vec2f { return vec2f(a.x * b.x + a.y * b.y, a.y * b.x - a.x * b.y); }
fn cis(cycles: f32) -> vec2f {
  let part = cycles - round(cycles);
  let quarter = round(4.0 * part);
  let a = 6.283185307179586 * (part - 0.25 * quarter);
  let s = a * a;
  let sine = a * (1.0 + s * (-0.16666666666666666 + s * (0.008333333333333333 + s * (-0.0001984126984126984 + s * 2.7557319223985893e-6))));
  let cosine = 1.0 + s * (-0.5 + s * (0.041666666666666664 + s * (-0.001388888888888889 + s * 2.48015873015873e-5)));
  let swapped = select(vec2f(cosine, sine), vec2f(-sine, cosine), (i32(quarter) & 1i) == 1i);
  return select(swapped, -swapped, (i32(quarter) & 2i) == 2i);
}
fn dechirp_rounded(x: f32) -> f32 {
  let whole = trunc(x);
  return whole + select(0.0, sign(x), abs(x - whole) >= 0.5);
}
fn dechirp_nan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }
fn dechirp_integer(x: f32, low: f32, high: f32) -> i32 {
  if (dechirp_nan(x)) { return 0i; }
  return i32(clamp(dechirp_rounded(clamp(x, low, high)), low, high));
}
fn nearest_f32(x: u32) -> f32 { return f32(x >> 16u) * 65536.0 + f32(x & 65535u); }
fn round_u32(x: f32) -> u32 {
  if (dechirp_nan(x) || x <= 0.0) { return 0u; }
  if (x >= 4294967295.0) { return 0xffffffffu; }
  return u32(dechirp_rounded(x));
}
`;

/** Declarations of the arrays, bound from 0 on, and of `uniforms`, bound after them. */
export function declarations(arrays: readonly BoundArray[], uniforms: UniformTypes, enables: readonly string[]): string {
  let binding = 0;
  const parts = arrays
    .filter((array) => array.alias === undefined)
    .map((array) => {
      const text = bindings(array, binding);
      binding += array.segments;
      return text;
    });
  const accessors = arrays.map((array) => accessorsOf(array, arrays.find((other) => other.name === array.alias) ?? array));
  const members = Object.entries(uniforms).map(([name, type]) => `${memberOf(name)}: ${type},`);
  if (members.length > 0)
    parts.push(`struct DechirpUniforms { ${members.join(" ")} }\n@group(0) @binding(${binding}) var<uniform> uniforms: DechirpUniforms;`);
  const extensions = enables.map((name) => `enable ${name};`);
  return [...extensions, ...parts, prelude, ...accessors].filter((part) => part !== "").join("\n");
}

const writes = (access: Access): boolean => access !== "read";
/** Whether words are written atomically. */
const atomic = (array: BoundArray): boolean => writes(array.access) && (elementOf(array.layout.dtype).perWord > 1 || array.adds === true);

function bindings(array: BoundArray, first: number): string {
  const { word } = elementOf(array.layout.dtype);
  const type = array.halves ? "f16" : array.pairs ? "vec4f" : atomic(array) ? "atomic<u32>" : word;
  return Array.from(
    { length: array.segments },
    (_, s) =>
      `@group(0) @binding(${first + s}) var<storage, ${writes(array.access) || array.writable ? "read_write" : "read"}> dechirp_${array.name}_${s}: array<${type}>;`,
  ).join("\n");
}

function accessorsOf(array: BoundArray, bound: BoundArray): string {
  if (array.halves) return "";
  if (array.pairs) return pairAccessors(array, bound);
  const { word, value, perWord, load, store } = elementOf(array.layout.dtype);
  const at = perWord === 1 ? "" : `let place = index % ${perWord}u;\n`;
  const index = perWord === 1 ? "index" : `(index / ${perWord}u)`;
  const parts: string[] = [];
  if (array.access !== "write" || array.alias) {
    const fetch = (variable: string): string => (atomic(bound) ? `atomicLoad(&${variable})` : variable);
    parts.push(
      `fn load_${array.name}(index: u32) -> ${value} {\n${at}${bySegment(bound, index, (variable) => `word = ${fetch(variable)};`, `var word: ${word};`)}\nreturn ${load};\n}`,
    );
  }
  if (writes(array.access) && !array.alias) {
    const shift = perWord > 1 ? `place * ${32 / perWord}u` : "";
    const mask = perWord > 1 ? `(${2 ** (32 / perWord) - 1}u << (${shift}))` : "";
    const put = (variable: string): string =>
      array.adds
        ? `atomicStore(&${variable}, value);`
        : atomic(array)
          ? `atomicAnd(&${variable}, ~${mask}); atomicOr(&${variable}, (${store}) << (${shift}));`
          : `${variable} = ${store};`;
    parts.push(`fn store_${array.name}(index: u32, value: ${value}) {\n${at}${bySegment(array, index, put)}\n}`);
    if (array.adds)
      parts.push(
        `fn add_${array.name}(index: u32, value: u32) {\n${bySegment(array, index, (variable) => `atomicAdd(&${variable}, value);`)}\n}`,
      );
  }
  return parts.join("\n");
}

/** Elements of an array that a vec4f holds. */
export const elementsPerQuad = (dtype: DType): 2 | 4 => (dtype === "c64" ? 2 : 4);

function pairAccessors(array: BoundArray, bound: BoundArray): string {
  const count = elementsPerQuad(array.layout.dtype);
  const index = `(index >> ${count / 2}u)`;
  const load = bySegment(bound, index, (variable) => `word = ${variable};`, "var word: vec4f;");
  const store = bySegment(array, index, (variable) => `${variable} = value;`);
  return [
    array.access !== "write" || array.alias ? `fn load${count}_${array.name}(index: u32) -> vec4f {\n${load}\nreturn word;\n}` : "",
    writes(array.access) && !array.alias ? `fn store${count}_${array.name}(index: u32, value: vec4f) {\n${store}\n}` : "",
  ].join("\n");
}

/** A statement about the word `index` of an array, for whichever segment holds it. */
function bySegment(
  { name, segments, segmentWords }: BoundArray,
  index: string,
  statement: (variable: string) => string,
  before = "",
): string {
  if (segments === 1) return `${before}${statement(`dechirp_${name}_0[${index}]`)}`;
  const cases = Array.from({ length: segments }, (_, s) => {
    const label = s === segments - 1 ? "default" : `case ${s}u`;
    return `${label}: { ${statement(`dechirp_${name}_${s}[offset]`)} }`;
  });
  return `${before}let offset = ${index} & ${segmentWords - 1}u;\nswitch (${index} >> ${Math.log2(segmentWords)}u) {\n${cases.join("\n")}\n}`;
}
