/** An evaluator of expressions that rounds every result to float32, and what runs their WebAssembly beside it on the same memory. */
import { expect } from "vitest";
import { checkExpression, type NodeFacts } from "../src/expression/check.ts";
import type { Domain, Expression, Kind } from "../src/expression/nodes.ts";
import { type WasmForm, wasmOfExpression } from "../src/expression/wasm.ts";
import { byteLength, type DType, dtypes, elementCount, type Layout, type TypedArrayOf } from "../src/layout.ts";
import { ArrayView } from "../src/view.ts";

export type Parts = readonly [number, number];
export interface Inputs {
  readonly arrays: Readonly<Record<string, TypedArrayOf>>;
  readonly uniforms?: Readonly<Record<string, number>>;
  readonly value?: Float32Array;
}

/** Random numbers from 0 to 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const f = Math.fround;
export const nearest = (x: number): number => {
  const down = Math.floor(x);
  const result = x - down < 0.5 || (x - down === 0.5 && down % 2 === 0) ? down : down + 1;
  return Number.isFinite(x) ? (result === 0 && (x < 0 || Object.is(x, -0)) ? -0 : result) : x;
};
export const saturated = (x: number, low: number, high: number): number =>
  Number.isNaN(x) ? 0 : Math.max(low, Math.min(high, nearest(x))) + 0;
export const wrap = (kind: Kind, x: number): number => (kind === "i32" ? x | 0 : kind === "u32" ? x >>> 0 : f(x));

export function binary(operator: string, kind: Kind, a: number, b: number): number {
  const real = kind === "real";
  switch (operator) {
    case "add":
      return wrap(kind, a + b);
    case "sub":
      return wrap(kind, a - b);
    case "mul":
      return real ? f(a * b) : wrap(kind, Math.imul(a, b));
    case "div":
      return real ? f(a / b) : b === 0 ? 0 : wrap(kind, Math.trunc(a / b));
    case "mod":
      return real ? f(a - f(b * Math.floor(f(a / b)))) : b === 0 ? 0 : wrap(kind, a - b * Math.floor(a / b));
    case "min":
      return Math.min(a, b);
    case "max":
      return Math.max(a, b);
    case "shl":
      return wrap(kind, a << (b & 31));
    case "shr":
      return kind === "i32" ? a >> (b & 31) : a >>> (b & 31);
    case "and":
      return wrap(kind === "bool" ? "i32" : kind, a & b);
    case "or":
      return wrap(kind === "bool" ? "i32" : kind, a | b);
    case "xor":
      return wrap(kind === "bool" ? "i32" : kind, a ^ b);
    case "lt":
      return Number(a < b);
    case "le":
      return Number(a <= b);
    case "eq":
      return Number(a === b);
    case "ne":
      return Number(a !== b);
    case "atan2":
      return a === 0 && b === 0 ? 0 : Math.atan2(a, b);
  }
  throw new Error(operator);
}

export const known = new WeakMap<object, Readonly<Record<string, ArrayView>>>();
export function viewsOf({ sources }: Domain, arrays: Inputs["arrays"]): Readonly<Record<string, ArrayView>> {
  const views =
    known.get(arrays) ?? Object.fromEntries(Object.entries(sources).map(([name, layout]) => [name, new ArrayView(layout, arrays[name])]));
  known.set(arrays, views);
  return views;
}

/** The results for one element, node by node. */
export function evaluate(
  { nodes, results }: Expression,
  facts: readonly NodeFacts[],
  domain: Domain,
  { arrays, uniforms = {} }: Inputs,
  at: readonly number[],
  given: Parts,
): readonly Parts[] {
  const views = viewsOf(domain, arrays);
  const values: Parts[] = [];
  const terms = new Map<number, number>();
  const number = (place: number): number => values[place][0];
  const compute = (place: number): Parts => {
    const node = nodes[place];
    const { kind, operands } = facts[place];
    const [x, y, z] = operands.map((operand) => values[operand]);
    const kinds = operands.map((operand) => facts[operand].kind);
    switch (node[0]) {
      case "real":
        return [f(node[1]), 0];
      case "i32":
      case "u32":
        return [node[1], 0];
      case "bool":
        return [Number(node[1]), 0];
      case "index":
        return [at[node[1]], 0];
      case "uniform":
        return [uniforms[node[1]], 0];
      case "value":
        return given;
      case "term":
        return [terms.get(node[1]) as number, 0];
      case "load":
      case "inside": {
        const { shape } = domain.sources[node[1]];
        let flat = 0;
        for (const [axis, operand] of operands.entries()) {
          const index = number(operand);
          if (node[0] === "inside" && (index < 0 || index >= shape[axis])) return [0, 0];
          flat = flat * shape[axis] + Math.max(0, Math.min(shape[axis] - 1, index));
        }
        return [views[node[1]].re(flat), views[node[1]].im(flat)];
      }
      case "sum": {
        const [, sum, count, term, most] = node;
        let total: Parts = [0, 0];
        for (let j = 0; j < Math.min(most, number(count)); j++) {
          terms.set(sum, j);
          for (let inner = 0; inner < place; inner++) if (facts[inner].sums.at(-1) === sum) values[inner] = compute(inner);
          const plain = kind === "complex" ? "real" : kind;
          total = [binary("add", plain, total[0], values[term][0]), kind === "complex" ? f(total[1] + values[term][1]) : 0];
        }
        return total;
      }
      case "select":
        return x[0] ? y : z;
      case "complex":
        return [x[0], y[0]];
      case "re":
        return [x[0], 0];
      case "im":
        return [x[1], 0];
      case "conj":
        return [x[0], -x[1]];
      case "neg":
        return kind === "i32" || kind === "u32" ? [wrap(kind, -x[0]), 0] : [-x[0], kind === "complex" ? -x[1] : 0];
      case "abs":
        if (kinds[0] === "complex") return [f(Math.sqrt(x[0] * x[0] + x[1] * x[1])), 0];
        return [wrap(kind, Math.abs(x[0])), 0];
      case "floor":
        return [Math.floor(x[0]), 0];
      case "round":
        return [nearest(x[0]), 0];
      case "sqrt":
        return [f(Math.sqrt(x[0])), 0];
      case "log":
        return [Math.log(x[0]), 0];
      case "cis": {
        const angle = 2 * Math.PI * (kinds[0] === "u32" ? x[0] / 2 ** 32 : x[0] - nearest(x[0]));
        return [Math.cos(angle), Math.sin(angle)];
      }
      case "not":
        return [kind === "bool" ? 1 - x[0] : wrap(kind, ~x[0]), 0];
      case "real-of":
        return [f(x[0]), 0];
      case "i32-of":
        return [saturated(x[0], -(2 ** 31), 2 ** 31 - 1), 0];
      case "u32-of":
        return [saturated(x[0], 0, 2 ** 32 - 1), 0];
      case "bits":
        return [wrap(kind, x[0]), 0];
      case "finite":
        return [Number(x.every(Number.isFinite)), 0];
      default: {
        const operator = node[0];
        if (kind !== "complex") return [binary(operator, kinds[0], x[0], y[0]), 0];
        if (operator === "mul" && kinds[0] === "complex" && kinds[1] === "complex")
          return [f(f(x[0] * y[0]) - f(x[1] * y[1])), f(f(x[0] * y[1]) + f(x[1] * y[0]))];
        const [p, q] = kinds[0] === "real" ? [[x[0], x[0]], y] : kinds[1] === "real" ? [x, [y[0], y[0]]] : [x, y];
        return [binary(operator, "real", p[0], q[0]), binary(operator, "real", p[1], q[1])];
      }
    }
  };
  for (let place = 0; place < nodes.length; place++) values[place] = facts[place].sums.length === 0 ? compute(place) : [0, 0];
  return results.map((place) => values[place]);
}

export const margin = 64;

/** Runs an expression as a backend would. Returns what it wrote and what it should have. */
export function runBoth(
  expression: Expression,
  domain: Domain,
  form: WasmForm,
  inputs: Inputs,
  start: number,
  end: number,
  { shared = false, atEnd = Object.keys(domain.sources)[0] } = {},
): { readonly found: readonly TypedArrayOf[]; readonly expected: readonly TypedArrayOf[] } {
  const facts = checkExpression(expression, domain);
  const make = wasmOfExpression(expression, facts, domain, form);
  if (!make) throw new Error("no form in WebAssembly");
  const count = end - start;
  const outputs: readonly DType[] = form.kind === "load" ? ["c64"] : form.kind === "store" ? [form.dtype] : form.outputs;
  const sources = Object.entries(domain.sources);
  const items = form.kind === "map" ? domain.shape.reduce((a, b) => a * b, 1) : count;
  const sizes = outputs.map((dtype) => items * dtypes[dtype].bytes);
  const room = [...sources.map(([, layout]) => byteLength(layout)), ...sizes, 8 * count].reduce((a, b) => a + b + 2 * margin + 16, 4096);
  const initial = Math.ceil(room / 65536);
  const memory = new WebAssembly.Memory(shared ? { initial, maximum: 65536, shared } : { initial });
  const bytes = new Uint8Array(memory.buffer);
  const words = new DataView(memory.buffer);
  bytes.fill(0xa5);
  let at = 1024;
  let word = 256;
  const place = (size: number, isLast: boolean): number => {
    const address = isLast ? bytes.length - size : at;
    if (!isLast) at = 8 * Math.ceil((at + size + margin) / 8);
    return address;
  };
  for (const [name, layout] of sources) {
    const { buffer, byteOffset } = inputs.arrays[name];
    const address = place(byteLength(layout), name === atEnd);
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength(layout)), address);
    words.setUint32(word, address, true);
    word += 4;
  }
  const targets = sizes.map((size) => place(size, false));
  if (form.kind === "map") for (const [i, target] of targets.entries()) words.setUint32(word + 4 * i, target, true);
  if (form.kind === "map") word += 4 * targets.length;
  for (const [name, type] of Object.entries(domain.uniforms ?? {})) {
    const value = inputs.uniforms?.[name] as number;
    if (type === "f32") words.setFloat32(word, value, true);
    else words.setInt32(word, value, true);
    word += 4;
  }
  const input = place(8 * count, atEnd === "value");
  if (inputs.value) bytes.set(new Uint8Array(inputs.value.buffer, 8 * start, 8 * count), input);
  const before = bytes.slice();
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(make(shared)), { env: { memory } });
  const main = exports["main"] as (...words: readonly number[]) => void;
  if (form.kind === "map") main(256, start, end, 0);
  else if (form.kind === "load") main(256, start, count, targets[0]);
  else main(256, start, count, input, targets[0]);
  const from = form.kind === "map" ? start : 0;
  const found = outputs.map((dtype, i) => {
    const first = targets[i] + from * dtypes[dtype].bytes;
    const written = bytes.slice(first, first + count * dtypes[dtype].bytes);
    before.set(written, first);
    return new dtypes[dtype].array(written.buffer);
  });
  expect(Buffer.compare(before, bytes), "bytes beside the output").toBe(0);
  const expected = outputs.map((dtype) => new dtypes[dtype].array(count * dtypes[dtype].components));
  const views = outputs.map((dtype, i) => new ArrayView({ dtype, shape: [count] }, expected[i]));
  for (let e = start; e < end; e++) {
    const index: number[] = [];
    for (let axis = domain.shape.length - 1, rest = e; axis >= 0; axis--) {
      index[axis] = rest % domain.shape[axis];
      rest = Math.floor(rest / domain.shape[axis]);
    }
    const given: Parts = inputs.value ? [inputs.value[2 * e], inputs.value[2 * e + 1]] : [0, 0];
    for (const [i, parts] of evaluate(expression, facts, domain, inputs, index, given).entries()) views[i].set(e - start, ...parts);
  }
  return { found, expected };
}

/** Random numbers of an element type; floats over a few magnitudes, some of them special. */
export function randomArray({ dtype, shape }: Layout, random: () => number): TypedArrayOf {
  const { array, components, float } = dtypes[dtype];
  const data = new array(elementCount({ dtype, shape }) * components);
  const specials = [0, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e-41, 3e38];
  for (let i = 0; i < data.length; i++) {
    if (!float) data[i] = Math.floor(random() * 2 ** 32);
    else data[i] = random() < 0.03 ? specials[Math.floor(random() * specials.length)] : (random() - 0.5) * 4 ** Math.floor(random() * 8);
  }
  return data;
}

export const bitsOf = (numbers: TypedArrayOf): string => Array.from(numbers, (x) => (Object.is(x, -0) ? "-0" : `${x}`)).join(" ");
