/**
 * Tests of the WebAssembly of expressions against an evaluator that rounds every result to float32. All bits must agree but those of the
 * logarithm, the angle and `cis`, which have tests of their own. Arrays end with the memory, where reading past them traps, and bytes
 * beside the output are checked.
 */
import { expect, test } from "vitest";
import { checkExpression, type NodeFacts } from "../src/expression/check.ts";
import type { Domain, Expression, Kind, Node } from "../src/expression/nodes.ts";
import { type WasmForm, wasmOfExpression } from "../src/expression/wasm.ts";
import { byteLength, type DType, dtypes, elementCount, type Layout, type TypedArrayOf } from "../src/layout.ts";
import { ArrayView } from "../src/view.ts";

type Parts = readonly [number, number];
interface Inputs {
  readonly arrays: Readonly<Record<string, TypedArrayOf>>;
  readonly uniforms?: Readonly<Record<string, number>>;
  readonly value?: Float32Array;
}

/** Random numbers from 0 to 1 (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const f = Math.fround;
const nearest = (x: number): number => {
  const down = Math.floor(x);
  const result = x - down < 0.5 || (x - down === 0.5 && down % 2 === 0) ? down : down + 1;
  return Number.isFinite(x) ? (result === 0 && (x < 0 || Object.is(x, -0)) ? -0 : result) : x;
};
const saturated = (x: number, low: number, high: number): number => (Number.isNaN(x) ? 0 : Math.max(low, Math.min(high, nearest(x))) + 0);
const wrap = (kind: Kind, x: number): number => (kind === "i32" ? x | 0 : kind === "u32" ? x >>> 0 : f(x));

function binary(operator: string, kind: Kind, a: number, b: number): number {
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

const known = new WeakMap<object, Readonly<Record<string, ArrayView>>>();
function viewsOf({ sources }: Domain, arrays: Inputs["arrays"]): Readonly<Record<string, ArrayView>> {
  const views =
    known.get(arrays) ?? Object.fromEntries(Object.entries(sources).map(([name, layout]) => [name, new ArrayView(layout, arrays[name])]));
  known.set(arrays, views);
  return views;
}

/** The results for one element, node by node. */
function evaluate(
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

const margin = 64;

/** Runs an expression as a backend would. Returns what it wrote and what it should have. */
function runBoth(
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
function randomArray({ dtype, shape }: Layout, random: () => number): TypedArrayOf {
  const { array, components, float } = dtypes[dtype];
  const data = new array(elementCount({ dtype, shape }) * components);
  const specials = [0, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e-41, 3e38];
  for (let i = 0; i < data.length; i++) {
    if (!float) data[i] = Math.floor(random() * 2 ** 32);
    else data[i] = random() < 0.03 ? specials[Math.floor(random() * specials.length)] : (random() - 0.5) * 4 ** Math.floor(random() * 8);
  }
  return data;
}

const types: readonly DType[] = ["f32", "c64", "i8", "i16", "u8", "u32", "ci8", "ci16"];

interface Case {
  readonly expression: Expression;
  readonly domain: Domain;
  readonly form: WasmForm;
  readonly inputs: Inputs;
}

/** A random expression with everything around it. */
function randomCase(seed: number): Case {
  const random = randomFrom(seed);
  const below = (n: number): number => Math.floor(random() * n);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)];
  const rank = 1 + below(3);
  const shape = Array.from({ length: rank }, (_, axis) =>
    axis === rank - 1 ? 1 + below(30) + (random() < 0.4 ? 60 + below(90) : 0) : 1 + below(4),
  );
  const formKind = pick(["load", "store", "map"] as const);
  const sources: Record<string, Layout> = {};
  for (const name of ["a", "b", "c"].slice(0, 1 + below(3)))
    sources[name] = {
      dtype: pick(types),
      shape: random() < 0.5 ? shape : Array.from({ length: 1 + below(2) }, () => pick([1, 2, 3, 4, 5, 9, 24, 70, 100])),
    };
  const uniforms = { scale: "f32", offset: "i32", turns: "u32", terms: "i32" } as const;
  const domain: Domain = { shape, sources, uniforms, ...(formKind === "store" && { value: true }) };
  const nodes: Node[] = [];
  const kinds: Kind[] = [];
  type Usable = Record<Kind, number[]>;
  const push = (usable: Usable, node: Node, kind: Kind): number => {
    nodes.push(node);
    kinds.push(kind);
    usable[kind].push(nodes.length - 1);
    return nodes.length - 1;
  };
  const usable: Usable = { real: [], complex: [], i32: [], u32: [], bool: [] };
  push(usable, ["real", f((random() - 0.5) * 20)], "real");
  push(usable, ["i32", below(12) - 4], "i32");
  push(usable, ["i32", 1 + below(20)], "i32");
  const length = push(usable, ["i32", 50 + below(80)], "i32");
  push(usable, ["u32", below(2) * 4e9 + below(40)], "u32");
  push(usable, ["bool", random() < 0.5], "bool");
  const lastIndex = push(usable, ["index", rank - 1], "i32");
  push(usable, ["index", below(rank)], "i32");
  const offset = push(usable, ["uniform", "offset"], "i32");
  const terms = push(usable, ["uniform", "terms"], "i32");
  push(usable, ["uniform", "scale"], "real");
  push(usable, ["uniform", "turns"], "u32");
  push(usable, ["complex", 0, 0], "complex");
  if (formKind === "store") push(usable, ["value"], "complex");
  let sums = 0;
  const grow = (usable: Usable, count: number, depth: number): void => {
    const any = (kind: Kind): number => (random() < 0.4 ? (usable[kind].at(-1) as number) : pick(usable[kind]));
    const integer = (): Kind => pick(["i32", "u32"]);
    for (let i = 0; i < count; i++) {
      const choice = below(14);
      if (choice < 3) {
        const name = pick(Object.keys(sources));
        const { dtype, shape: extents } = sources[name];
        const indices = extents.map((_, axis) => {
          if (random() < 0.4 && axis === extents.length - 1) return lastIndex;
          if (random() < 0.4) {
            const shifted = push(usable, [pick(["add", "add", "sub"] as const), lastIndex, pick([offset, 1, 2, length])], "i32");
            if (random() < 0.4) return push(usable, ["mod", shifted, pick([length, length, 2, terms])], "i32");
            return shifted;
          }
          return any("i32");
        });
        const kind = dtypes[dtype].components === 2 ? "complex" : dtype === "u32" ? "u32" : "real";
        push(usable, [pick(["load", "inside"] as const), name, ...indices], kind);
      } else if (choice < 5) {
        const kind = pick(["real", "complex", "i32", "u32"] as const);
        push(usable, [pick(["add", "sub", "mul"] as const), any(kind), any(kind)], kind);
      } else if (choice === 5) {
        const [z, x] = [any("complex"), any("real")];
        push(usable, random() < 0.3 ? ["div", z, x] : random() < 0.5 ? ["mul", x, z] : ["mul", z, x], "complex");
      } else if (choice === 6) {
        const kind = pick(["real", "i32", "u32"] as const);
        push(usable, [pick(["div", "mod", "min", "max"] as const), any(kind), any(kind)], kind);
      } else if (choice === 7) {
        const kind = pick(["real", "i32", "u32"] as const);
        push(usable, [pick(["lt", "le", "eq", "ne"] as const), any(kind), any(kind)], "bool");
      } else if (choice === 8) {
        const kind = pick(["real", "complex", "i32", "u32", "bool"] as const);
        push(usable, ["select", any("bool"), any(kind), any(kind)], kind);
      } else if (choice === 9) {
        const kind = integer();
        if (random() < 0.5) push(usable, [pick(["shl", "shr"] as const), any(kind), any(integer())], kind);
        else push(usable, [pick(["and", "or", "xor"] as const), any(kind), any(kind)], kind);
      } else if (choice === 10) {
        const [operator, from, to] = pick([
          ["neg", "real", "real"],
          ["neg", "complex", "complex"],
          ["neg", "i32", "i32"],
          ["neg", "u32", "u32"],
          ["conj", "complex", "complex"],
          ["abs", "real", "real"],
          ["abs", "i32", "i32"],
          ["abs", "complex", "real"],
          ["not", "bool", "bool"],
          ["not", "i32", "i32"],
          ["not", "u32", "u32"],
          ["floor", "real", "real"],
          ["round", "real", "real"],
          ["sqrt", "real", "real"],
        ] as const);
        push(usable, [operator, any(from)], to);
      } else if (choice === 11) {
        const [operator, from, to] = pick([
          ["re", "complex", "real"],
          ["im", "complex", "real"],
          ["finite", "complex", "bool"],
          ["finite", "real", "bool"],
          ["real-of", "i32", "real"],
          ["real-of", "u32", "real"],
          ["i32-of", "real", "i32"],
          ["u32-of", "real", "u32"],
          ["bits", "i32", "u32"],
          ["bits", "u32", "i32"],
        ] as const);
        push(usable, [operator, any(from)], to);
      } else if (choice === 12) {
        if (random() < 0.5) push(usable, ["complex", any("real"), any("real")], "complex");
        else push(usable, [pick(["and", "or", "xor", "eq", "ne"] as const), any("bool"), any("bool")], "bool");
      } else if (depth < 2) {
        const inner: Usable = {
          real: [...usable.real],
          complex: [...usable.complex],
          i32: [...usable.i32],
          u32: [...usable.u32],
          bool: [...usable.bool],
        };
        const number = sums++;
        const term = push(inner, ["term", number], "i32");
        push(inner, ["add", term, lastIndex], "i32");
        grow(inner, 1 + below(5), depth + 1);
        const kind = pick(["real", "complex", "i32", "u32"] as const);
        push(usable, ["sum", number, random() < 0.5 ? terms : pick([1, 2]), inner[kind].at(-1) as number, 1 + below(5)], kind);
      }
    }
  };
  grow(usable, 1 + below(25), 0);
  const outputs = Array.from({ length: formKind === "map" ? 1 + below(3) : 1 }, () => pick(types));
  const results = outputs.map(() => {
    const kind = pick(["real", "complex", "complex", "i32", "u32", "bool"] as const);
    return random() < 0.7 ? (usable[kind].at(-1) as number) : pick(usable[kind]);
  });
  return {
    expression: { nodes, results },
    domain,
    form: formKind === "load" ? { kind: "load" } : formKind === "store" ? { kind: "store", dtype: outputs[0] } : { kind: "map", outputs },
    inputs: {
      arrays: Object.fromEntries(Object.entries(sources).map(([name, layout]) => [name, randomArray(layout, random)])),
      uniforms: {
        scale: f(random() * 8 - 4),
        offset: random() < 0.1 ? 2 ** 31 - 1 - below(9) : random() < 0.4 ? below(260) - 130 : below(30) - 12,
        turns: below(2 ** 32),
        terms: below(9) - 2,
      },
      ...(formKind === "store" && {
        value: randomArray({ dtype: "c64", shape }, random) as Float32Array,
      }),
    },
  };
}

/** Text that shows the bits of every number; all NaN are one. */
const bitsOf = (numbers: TypedArrayOf): string => Array.from(numbers, (x) => (Object.is(x, -0) ? "-0" : `${x}`)).join(" ");

test("random expressions have the same bits as in the evaluator, in every form, on any run", () => {
  for (let seed = 1; seed <= 1200; seed++) {
    const { expression, domain, form, inputs } = randomCase(seed);
    const random = randomFrom(seed + 1e6);
    const items = domain.shape.reduce((a, b) => a * b, 1);
    const extent = domain.shape.at(-1) as number;
    const [row, at] = [Math.floor((random() * items) / extent), Math.floor(random() * extent)];
    const most = form.kind === "map" ? items : (row + 1) * extent;
    const [start, end] = random() < 0.5 && form.kind === "map" ? [0, items] : [row * extent + at, 0];
    const to = end || Math.min(most, start + 1 + Math.floor(random() * (random() < 0.5 ? 40 : 200)));
    const names = [...Object.keys(domain.sources), ...(form.kind === "store" ? ["value"] : [])];
    const options = { shared: seed % 5 === 0, atEnd: names[seed % names.length] };
    try {
      const { found, expected } = runBoth(expression, domain, form, inputs, start, to, options);
      for (const [i, numbers] of found.entries()) expect(bitsOf(numbers)).toBe(bitsOf(expected[i]));
    } catch (error) {
      throw new Error(`seed ${seed}: ${JSON.stringify({ expression, domain, form, start, to })}`, { cause: error });
    }
  }
});

/** What a map writes of one expression of elements of `x` and `y`, which are as long as the domain. */
function mapOf(nodes: readonly Node[], x: TypedArrayOf, outputs: readonly DType[], xType: DType = "f32", y = x, yType = xType) {
  const count = x.length / dtypes[xType].components;
  const domain: Domain = { shape: [count], sources: { x: { dtype: xType, shape: [count] }, y: { dtype: yType, shape: [count] } } };
  const all: readonly Node[] = [["index", 0], ["load", "x", 0], ["load", "y", 0], ...nodes];
  const results = outputs.map((_, i) => all.length - outputs.length + i);
  return runBoth({ nodes: all, results }, domain, { kind: "map", outputs }, { arrays: { x, y } }, 0, count);
}

const epsilon = 2 ** -24;

test("cis is within 1.5e-7 of cosine and sine of any real number of cycles, and of any fraction", () => {
  const random = randomFrom(5);
  const cycles = Float32Array.from({ length: 40_003 }, (_, i) => (random() - 0.5) * 10 ** (random() * 12 - 4) + (i % 3 ? 0 : i / 8));
  const ends = [0, -0, 0.125, 0.25, 0.375, 0.5, 0.75, -0.125, -0.5, 1, 8388609, 1e30, Number.NaN, Number.POSITIVE_INFINITY];
  cycles.set(ends);
  const fractions = Uint32Array.from(cycles, () => random() * 2 ** 32);
  fractions.set([0, 1, 0x1fffffff, 0x20000000, 0x3fffffff, 0x40000000, 0x7fffffff, 0x80000000, 0xffffffff]);
  for (const { found, expected } of [mapOf([["cis", 1]], cycles, ["c64"]), mapOf([["cis", 1]], fractions, ["c64"], "u32")]) {
    let worst = 0;
    for (const [i, x] of expected[0].entries()) {
      if (Number.isNaN(x)) expect(found[0][i]).toBeNaN();
      else worst = Math.max(worst, Math.abs(found[0][i] - x));
    }
    expect(worst).toBeLessThan(1.5e-7);
  }
});

test("log is within three units in the last place, and follows IEEE 754 at zero, below, at infinity and for subnormal numbers", () => {
  const random = randomFrom(6);
  const x = Float32Array.from({ length: 40_001 }, (_, i) =>
    i % 2 ? 1 + (random() - 0.5) * 2 ** -(random() * 22) : 2 ** (random() * 276 - 149),
  );
  x.set([0, -0, -1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1, 2 ** -149, 2 ** -126, 3.4e38, -1e-44]);
  const [found] = mapOf([["log", 1]], x, ["f32"]).found;
  for (const [i, number] of x.entries()) {
    const expected = Math.log(number);
    if (!Number.isFinite(expected) || expected === 0) expect(found[i]).toBe(expected);
    else expect(Math.abs(found[i] - expected), `${number}`).toBeLessThan(Math.max(6 * epsilon * Math.abs(expected), 2 ** -148));
  }
});

test("atan2 is within three units in the last place, and follows IEEE 754 but at zero", () => {
  const random = randomFrom(7);
  const specials = [0, -0, 1, -1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN, 1e-44, -3e38, 3e38];
  const any = (): number => (random() - 0.5) * 2 ** (random() * (random() < 0.5 ? 4 : 200) - 60);
  const y = Float32Array.from({ length: 30_002 }, any);
  const x = Float32Array.from(y, (value) => (random() < 0.2 ? value * (1 + 2 ** -20 * random()) : any()));
  for (const [i, a] of specials.entries())
    for (const [j, b] of specials.entries()) {
      y[10 * i + j] = a;
      x[10 * i + j] = b;
    }
  const [found] = mapOf([["atan2", 1, 2]], y, ["f32"], "f32", x).found;
  for (const [i, number] of y.entries()) {
    const expected = number === 0 && x[i] === 0 ? 0 : Math.atan2(number, x[i]);
    if (Number.isNaN(expected) || expected === 0) expect(found[i], `${number} ${x[i]}`).toBe(expected);
    else expect(Math.abs(found[i] - expected), `${number} ${x[i]}`).toBeLessThan(Math.max(6 * epsilon * Math.abs(expected), 2 ** -148));
  }
});

test("functions of uniforms and of elements have the same bits", () => {
  const x = f(0.3718);
  const domain: Domain = { shape: [7], sources: { x: { dtype: "f32", shape: [7] } }, uniforms: { u: "f32" } };
  const values: Node[] = [
    ["index", 0],
    ["load", "x", 0],
    ["uniform", "u"],
  ];
  for (const operator of ["log", "cis", "floor", "sqrt"] as const) {
    const nodes: Node[] = [...values, [operator, 1], [operator, 2]];
    const outputs: readonly DType[] = ["c64", "c64"];
    const inputs = { arrays: { x: new Float32Array(7).fill(x) }, uniforms: { u: x } };
    const { found } = runBoth({ nodes, results: [3, 4] }, domain, { kind: "map", outputs }, inputs, 0, 7);
    expect(found[0]).toEqual(found[1]);
  }
});

test("stores round ties away from zero and saturate, at every tie and next to it", () => {
  const ties = Array.from({ length: 300 }, (_, i) => i - 150 + 0.5).concat([32767.5, -32768.5, 8388607.5, 4294967040, 4294967296, -1e30]);
  const beside = ties.flatMap((x) => [x, f(x * (1 + 2 * epsilon)), f(x * (1 - 2 * epsilon))]);
  const x = Float32Array.from([...beside, 0.49999997, -0.49999997, 2147483648, Number.NaN, Number.POSITIVE_INFINITY, -0]);
  const outputs: readonly DType[] = ["i8", "i16", "u8", "u32", "ci8", "ci16"];
  const domain: Domain = { shape: [x.length], sources: { x: { dtype: "f32", shape: [x.length] } } };
  const all: Node[] = [
    ["index", 0],
    ["load", "x", 0],
    ["neg", 1],
    ["complex", 1, 2],
  ];
  const { found, expected } = runBoth(
    { nodes: all, results: outputs.map((dtype) => (dtype.startsWith("c") ? 3 : 1)) },
    domain,
    { kind: "map", outputs },
    { arrays: { x } },
    0,
    x.length,
  );
  for (const [i, numbers] of found.entries()) expect(bitsOf(numbers)).toBe(bitsOf(expected[i]));
});

test("quotients and remainders of integers are exact for every sign, divisor and size, and 0 for the divisor 0", () => {
  const ends = [0, 1, 2, 3, 7, 64, 65, 1000, 2 ** 31 - 1, 2 ** 31, 2 ** 31 + 1, 2 ** 32 - 1, 2 ** 32 - 2, 2 ** 32 - 64, 46341, 65536];
  const random = randomFrom(8);
  const pairs = ends.flatMap((a) => ends.map((b) => [a, b]));
  for (let i = 0; i < 3000; i++) pairs.push([random() * 2 ** (random() * 32), random() * 2 ** (random() * 32)]);
  const x = Uint32Array.from(pairs, ([a]) => a);
  const y = Uint32Array.from(pairs, ([, b]) => b);
  const unsigned: Node[] = [
    ["div", 1, 2],
    ["mod", 1, 2],
  ];
  const signed: Node[] = [
    ["bits", 1],
    ["bits", 2],
    ["div", 3, 4],
    ["mod", 3, 4],
    ["bits", 5],
    ["bits", 6],
  ];
  const constants = [1, 2, 3, 64, 65, 100, 2 ** 31 - 1, -1, -5, -(2 ** 31)].map((divisor): Node[] => [
    ["bits", 1],
    ["i32", divisor],
    ["div", 3, 4],
    ["mod", 3, 4],
    ["bits", 5],
    ["bits", 6],
  ]);
  for (const nodes of [unsigned, signed, ...constants]) {
    const { found, expected } = mapOf(nodes, x, ["u32", "u32"], "u32", y);
    for (const [i, numbers] of found.entries()) expect(bitsOf(numbers)).toBe(bitsOf(expected[i]));
  }
});

test("indices that wrap or leave an array give the same in rows of any length", () => {
  for (const extent of [63, 64, 100, 257]) {
    const x = Float32Array.from({ length: 2 * 3 * 90 }, (_, i) => i + 1);
    const layout: Layout = { dtype: "c64", shape: [3, 90] };
    const domain: Domain = { shape: [3, extent], sources: { x: layout }, uniforms: { u: "i32" } };
    for (const kind of ["load", "inside"] as const)
      for (const [offset, divisor] of [
        [-5, 100],
        [70, 64],
        [1000, 90],
        [-1000, 77],
        [2 ** 31 - 20, 128],
      ])
        for (const uniform of [0, 3, -200, 2 ** 31 - 50]) {
          const nodes: Node[] = [
            ["index", 0],
            ["index", 1],
            ["i32", offset],
            ["add", 1, 2],
            ["uniform", "u"],
            ["add", 3, 4],
            ["i32", divisor],
            ["mod", 5, 6],
            [kind, "x", 0, 7],
            [kind, "x", 0, 5],
            ["bits", 5],
            ["u32", divisor],
            ["mod", 10, 11],
            ["bits", 12],
            [kind, "x", 0, 13],
            ["add", 8, 9],
            ["add", 14, 15],
          ];
          for (const [start, end] of [
            [0, 3 * extent],
            [extent + 2, extent + 5],
          ]) {
            const inputs = { arrays: { x }, uniforms: { u: uniform } };
            const { found, expected } = runBoth({ nodes, results: [16] }, domain, { kind: "map", outputs: ["c64"] }, inputs, start, end);
            expect(bitsOf(found[0]), `${kind} ${extent} ${offset} ${divisor} ${uniform} ${start}`).toBe(bitsOf(expected[0]));
          }
        }
  }
});

test("element types of float64 and half precision have no form", () => {
  for (const dtype of ["f64", "c128", "cf16"] as const) {
    const domain: Domain = { shape: [4], sources: { x: { dtype, shape: [4] } } };
    const expression: Expression = {
      nodes: [
        ["index", 0],
        ["load", "x", 0],
      ],
      results: [1],
    };
    const facts = checkExpression(expression, domain);
    expect(wasmOfExpression(expression, facts, domain, { kind: "load" })).toBeUndefined();
    const none: Domain = { shape: [4], sources: {} };
    const constant: Expression = { nodes: [["real", 1]], results: [0] };
    expect(wasmOfExpression(constant, checkExpression(constant, none), none, { kind: "map", outputs: [dtype] })).toBeUndefined();
  }
});

test("an expression of 4096 nodes is a valid module", () => {
  const nodes: Node[] = [
    ["index", 0],
    ["load", "x", 0],
    ["log", 1],
  ];
  while (nodes.length < 4096) {
    const p = nodes.length;
    nodes.push(["add", p - 1, 1], ["atan2", p, p - 1], ["complex", p, p + 1], ["mul", p + 2, p + 2], ["abs", p + 3]);
  }
  nodes.length = 4096;
  while (nodes.at(-1)?.[0] !== "abs") nodes.pop();
  const domain: Domain = { shape: [9], sources: { x: { dtype: "f32", shape: [9] } } };
  const expression: Expression = { nodes, results: [nodes.length - 1] };
  const bytes = wasmOfExpression(expression, checkExpression(expression, domain), domain, { kind: "load" });
  for (const shared of [false, true])
    expect(WebAssembly.validate((bytes as (shared: boolean) => Uint8Array<ArrayBuffer>)(shared))).toBe(true);
});

test("short rows of which only elements at the same index are read", () => {
  const random = randomFrom(9);
  for (const shape of [
    [5, 3, 7],
    [11, 1],
    [1, 1, 2],
    [40, 3],
  ]) {
    const items = shape.reduce((a, b) => a * b, 1);
    const layouts: Readonly<Record<string, Layout>> = {
      x: { dtype: "c64", shape },
      y: { dtype: "ci16", shape },
      g: { dtype: "f32", shape: [2] },
    };
    const index = shape.map((_, axis): Node => ["index", axis]);
    const at = shape.map((_, axis) => axis);
    const n = shape.length;
    const nodes: Node[] = [...index, ["load", "x", ...at], ["inside", "y", ...at], ["i32", 1], ["load", "g", n + 2], ["mul", n, n + 1]];
    nodes.push(["mul", n + 4, n + 3]);
    const inputs = { arrays: Object.fromEntries(Object.entries(layouts).map(([name, layout]) => [name, randomArray(layout, random)])) };
    const domain: Domain = { shape, sources: layouts };
    // The last one also has an index that is not for a load of the same element.
    for (const more of [
      [],
      [
        ["index", n - 1],
        ["real-of", n + 6],
        ["mul", n + 5, n + 7],
      ],
    ] as readonly (readonly Node[])[])
      for (const [start, end] of [
        [0, items],
        [1, items - 1],
        [0, 1],
      ]) {
        const expression = { nodes: [...nodes, ...more], results: [n + 5 + more.length] };
        const form: WasmForm = { kind: "map", outputs: ["c64"] };
        const { found, expected } = runBoth(expression, domain, form, inputs, start, Math.max(start, end), { atEnd: "y" });
        expect(bitsOf(found[0])).toBe(bitsOf(expected[0]));
      }
  }
});
