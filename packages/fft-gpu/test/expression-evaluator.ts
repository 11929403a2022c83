/**
 * Evaluates expressions in float64, node by node, for the tests of their WGSL. It is written independently of core's own reference. With
 * every value it computes a bound of the error that float32 and WGSL's accuracy (section 15.7.4, "Floating Point Accuracy") may cause. The
 * bound is infinite if an error could change a rounding, a comparison or an integer; then the value says nothing about the device's.
 */
import type { Layout, Random } from "@dechirp/core";
import type { Domain, Expression, Kind, Node, NodePlace } from "@dechirp/core/expression";
import { checkExpression, type NodeFacts } from "@dechirp/core/expression";
import { kindOfResult } from "@dechirp/core/expression/code";

/** A value: a number, a complex number or a truth value, with the bound of its error. */
export interface Value {
  readonly re: number;
  readonly im: number;
  readonly error: number;
}

/** Arguments of an evaluation. */
export interface Inputs {
  readonly sources: Readonly<Record<string, readonly Value[]>>;
  readonly uniforms?: Readonly<Record<string, number>>;
  readonly at: readonly number[];
  readonly value?: readonly [number, number];
}

const unit = 2 ** -23;
/** Subnormal numbers may be flushed to zero. */
const tiny = 2 ** -125;
const exact = (re: number, im = 0): Value => ({ re, im, error: 0 });
const truth = (is: boolean): Value => exact(Number(is));
const unknown: Value = { re: 0, im: 0, error: Infinity };
const near = (re: number, im: number, error: number): Value =>
  error < 1e30 && Math.hypot(re, im) < 1e38 ? { re, im, error: error + unit * Math.hypot(re, im) + tiny } : unknown;

/** The nearest whole number, ties to even. */
export function roundEven(x: number): number {
  const low = Math.floor(x);
  const rest = x - low;
  return rest < 0.5 || (rest === 0.5 && low % 2 === 0) ? low : low + 1;
}

/** A function that steps, at a value with an error. */
const stepped = (step: (x: number) => number, { re, error }: Value): Value =>
  step(re - error) === step(re + error) ? exact(step(re)) : unknown;

const saturated = (low: number, high: number) => (x: number) => (Number.isNaN(x) ? 0 : Math.max(low, Math.min(high, roundEven(x))));
const toI32 = saturated(-(2 ** 31), 2 ** 31 - 1);
const toU32 = saturated(0, 2 ** 32 - 1);
const size = ({ re, im }: Value): number => Math.hypot(re, im);

const wrap = (kind: Kind, x: bigint): Value => exact(Number(kind === "i32" ? BigInt.asIntN(32, x) : BigInt.asUintN(32, x)));

/** Operators of i32 and u32, in exact integers. */
function integer(operator: string, kind: Kind, x: readonly Value[]): Value | undefined {
  const [a, b] = x.map(({ re }) => BigInt(re));
  const [low, high] = a < b ? [a, b] : [b, a];
  const put = (value: bigint): Value => wrap(kind, value);
  switch (operator) {
    case "neg":
      return put(-a);
    case "abs":
      return put(a < 0n ? -a : a);
    case "not":
      return put(~a);
    case "add":
      return put(a + b);
    case "sub":
      return put(a - b);
    case "mul":
      return put(a * b);
    case "div":
      return put(b === 0n ? 0n : a / b);
    case "mod": {
      const rest = b === 0n ? 0n : a % b;
      return put(rest !== 0n && rest < 0n !== b < 0n ? rest + b : rest);
    }
    case "min":
      return put(low);
    case "max":
      return put(high);
    case "shl":
      return put(a << (b & 31n));
    case "shr":
      return put(a >> (b & 31n));
    case "and":
      return put(a & b);
    case "or":
      return put(a | b);
    case "xor":
      return put(a ^ b);
    case "bits":
      return wrap(kind === "i32" ? "u32" : "i32", a);
    case "real-of":
      return near(x[0].re, 0, 0);
    case "cis": {
      const angle = (2 * Math.PI * Number(BigInt.asIntN(32, a))) / 2 ** 32;
      return near(Math.cos(angle), Math.sin(angle), 2 ** -19);
    }
    default:
      return undefined;
  }
}

function real(operator: string, x: readonly Value[]): Value | undefined {
  const [a, b] = x;
  const error = x.reduce((sum, value) => sum + value.error, 0);
  switch (operator) {
    case "neg":
      return { ...a, re: -a.re };
    case "abs":
      return { ...a, re: Math.abs(a.re) };
    case "floor":
      return stepped(Math.floor, a);
    case "round":
      return stepped(roundEven, a);
    case "i32-of":
      return stepped(toI32, a);
    case "u32-of":
      return stepped(toU32, a);
    case "sqrt":
      return a.re === 0 && a.error === 0
        ? a
        : a.re <= 2 * a.error
          ? unknown
          : near(Math.sqrt(a.re), 0, (a.error + 3 * unit * a.re) / Math.sqrt(a.re));
    case "log":
      return a.re <= 2 * a.error || a.re < tiny
        ? unknown
        : near(Math.log(a.re), 0, (2 * a.error) / a.re + 2 ** -21 + 3 * unit * Math.abs(Math.log(a.re)));
    case "cis": {
      const angle = 2 * Math.PI * (a.re - Math.round(a.re));
      return near(Math.cos(angle), Math.sin(angle), 7 * error + 2 ** -19);
    }
    case "finite":
      return truth(true);
    case "complex":
      return { re: a.re, im: b.re, error };
    case "add":
      return near(a.re + b.re, 0, error);
    case "sub":
      return near(a.re - b.re, 0, error);
    case "mul":
      return near(a.re * b.re, 0, size(a) * b.error + size(b) * a.error + a.error * b.error);
    case "div": {
      if (size(b) <= 2 * b.error || size(b) < 2 ** -120 || size(b) > 2 ** 120) return unknown;
      const q = a.re / b.re;
      return near(q, 0, (2 * (a.error + Math.abs(q) * b.error)) / size(b) + 3 * unit * Math.abs(q));
    }
    case "mod": {
      const quotient = real("div", x) as Value;
      const whole = quotient.error === Infinity ? unknown : stepped(Math.floor, quotient);
      if (whole.error > 0) return unknown;
      return near(a.re - b.re * whole.re, 0, a.error + (b.error + unit * size(b)) * Math.abs(whole.re));
    }
    case "min":
    case "max":
      return { ...exact(Math[operator](a.re, b.re)), error: Math.max(a.error, b.error) };
    case "atan2": {
      if (a.re === 0 && b.re === 0 && error === 0) return exact(0);
      if (size(a) <= 2 * a.error && (b.re <= b.error || error > 0)) return unknown;
      const r = Math.hypot(a.re, b.re);
      if (r <= 4 * error || r < 2 ** -60 || r > 2 ** 60 || size(b) < 2 ** -120 || (b.re < 0 && a.re === 0)) return unknown;
      return near(Math.atan2(a.re, b.re), 0, (4 * error) / r + 2 ** -10);
    }
    default:
      return undefined;
  }
}

function compared(operator: string, [a, b]: readonly Value[]): Value | undefined {
  const sure = Math.abs(a.re - b.re) > a.error + b.error || a.error + b.error === 0;
  const results: Readonly<Record<string, boolean>> = { lt: a.re < b.re, le: a.re <= b.re, eq: a.re === b.re, ne: a.re !== b.re };
  return !Object.hasOwn(results, operator) ? undefined : sure ? truth(results[operator]) : unknown;
}

function complex(operator: string, x: readonly Value[]): Value | undefined {
  const [a, b] = x;
  const error = x.reduce((sum, value) => sum + value.error, 0);
  switch (operator) {
    case "neg":
      return { ...a, re: -a.re, im: -a.im };
    case "conj":
      return { ...a, im: -a.im };
    case "re":
      return { ...a, im: 0 };
    case "im":
      return { ...a, re: a.im, im: 0 };
    case "abs":
      return size(a) === 0 && a.error === 0 ? a : near(size(a), 0, a.error + 6 * unit * size(a));
    case "finite":
      return truth(true);
    case "add":
      return near(a.re + b.re, a.im + b.im, error);
    case "sub":
      return near(a.re - b.re, a.im - b.im, error);
    case "mul":
      return near(
        a.re * b.re - a.im * b.im,
        a.re * b.im + a.im * b.re,
        size(a) * b.error + size(b) * a.error + a.error * b.error + 4 * unit * size(a) * size(b),
      );
    case "div": {
      if (size(b) <= 2 * b.error || size(b) < 2 ** -120 || size(b) > 2 ** 120) return unknown;
      const r = size(a) / size(b);
      return near(a.re / b.re, a.im / b.re, (2 * (a.error + r * b.error)) / size(b) + 3 * unit * r);
    }
    default:
      return undefined;
  }
}

function boolean(operator: string, [a, b]: readonly Value[]): Value {
  if (operator === "not") return truth(a.re === 0);
  if (operator === "and") return truth(a.re === 1 && b.re === 1);
  if (operator === "or") return truth(a.re === 1 || b.re === 1);
  return truth((a.re !== b.re) === (operator === "xor" || operator === "ne"));
}

/** The results of an expression for one element. */
export function evaluate(expression: Expression, facts: readonly NodeFacts[], domain: Domain, inputs: Inputs): readonly Value[] {
  const { nodes, results } = expression;
  const terms = new Map<number, number>();
  const known = new Map<string, Value>();
  const of = (place: NodePlace): Value => {
    const key = `${place} ${facts[place].sums.map((sum) => terms.get(sum)).join(" ")}`;
    const value = known.get(key) ?? compute(place);
    known.set(key, value);
    return value;
  };
  const compute = (place: NodePlace): Value => {
    const [operator, first, ...rest] = nodes[place] as readonly [string, never, ...never[]];
    const { kind, operands } = facts[place];
    switch (operator) {
      case "real":
        return exact(Math.fround(first));
      case "i32":
      case "u32":
      case "bool":
        return exact(Number(first));
      case "index":
        return exact(inputs.at[first]);
      case "uniform":
        return exact(kind === "real" ? Math.fround(inputs.uniforms?.[first] as number) : (inputs.uniforms?.[first] as number));
      case "value":
        return exact(...(inputs.value as [number, number]));
      case "term":
        return exact(terms.get(first) as number);
      case "load":
      case "inside": {
        const { shape } = domain.sources[first];
        const indices = operands.map(of);
        if (indices.some(({ error }) => error > 0)) return unknown;
        const isInside = indices.every(({ re }, axis) => re >= 0 && re < shape[axis]);
        if (operator === "inside" && !isInside) return exact(0);
        const flat = indices.reduce((sum, { re }, axis) => sum * shape[axis] + Math.max(0, Math.min(shape[axis] - 1, re)), 0);
        return inputs.sources[first][flat];
      }
      case "sum": {
        const [count, term, most] = rest;
        let sum = exact(0);
        for (let j = 0; j < Math.min(of(count).re, most); j++) {
          terms.set(first, j);
          sum = apply("add", kind, [sum, of(term)]);
        }
        terms.delete(first);
        return sum;
      }
      case "select": {
        const [c, a, b] = operands.map(of);
        return c.error > 0 ? unknown : c.re === 1 ? a : b;
      }
      default:
        return apply(operator, facts[operands[0]].kind, operands.map(of), facts[operands[1]]?.kind);
    }
  };
  return results.map(of);
}

function apply(operator: string, kind: Kind, operands: readonly Value[], second = kind): Value {
  if (operands.some(({ error }) => error === Infinity)) return unknown;
  const result =
    kind === "bool"
      ? boolean(operator, operands)
      : kind === "i32" || kind === "u32"
        ? (integer(operator, kind, operands) ?? compared(operator, operands))
        : kind === "complex" || second === "complex"
          ? complex(operator, operands)
          : (real(operator, operands) ?? compared(operator, operands));
  if (!result) throw new TypeError(operator);
  return result;
}

/** Operators that random expressions have, with their numbers of operands. */
const operators: readonly (readonly [string, number])[] = [
  ...["neg", "abs", "floor", "round", "sqrt", "log", "cis", "re", "im", "conj", "not", "real-of", "i32-of", "u32-of", "bits", "finite"].map(
    (operator) => [operator, 1] as const,
  ),
  ...["add", "sub", "mul", "div", "mod", "min", "max", "atan2", "shl", "shr", "and", "or", "xor", "complex", "lt", "le", "eq", "ne"].map(
    (operator) => [operator, 2] as const,
  ),
  ["select", 3],
];

const edges: Readonly<Record<"i32" | "u32", readonly number[]>> = {
  i32: [0, 1, -1, 2, 31, 32, 33, -33, 65535, 2 ** 24 + 1, 2 ** 31 - 1, -(2 ** 31), -(2 ** 31) + 1],
  u32: [0, 1, 2, 3, 31, 32, 33, 2 ** 24 + 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32 - 127],
};

/** A random expression of about `size` nodes, with nested sums. Its results are of all kinds. */
export function randomExpression(random: Random, domain: Domain, size: number): Expression {
  const below = (n: number): number => Math.floor(random.uniform() * n);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)];
  const nodes: Node[] = [];
  const kinds: Kind[] = [];
  const within: (readonly number[])[] = [];
  const open: number[] = [];
  const add = (node: Node, kind: Kind, sums: readonly number[] = []): NodePlace => {
    kinds.push(kind);
    within.push(sums);
    if (node.length > 2) for (const operand of node.slice(node[0] === "sum" ? 2 : 1)) if (typeof operand === "number") used.add(operand);
    return nodes.push(node) - 1;
  };
  const usable = (kind?: Kind): readonly NodePlace[] =>
    nodes.flatMap((_, place) =>
      (kind === undefined || kinds[place] === kind) && within[place].every((sum) => open.includes(sum)) ? [place] : [],
    );
  const used = new Set<NodePlace>();
  /** A place that can be used: mostly one that no node uses yet, so that the results depend on most nodes, or a recent one. */
  const recent = (kind?: Kind): NodePlace => {
    const places = usable(kind);
    const unused = places.filter((place) => !used.has(place));
    const draw = random.uniform();
    return draw < 0.5 && unused.length > 0 ? pick(unused) : draw < 0.8 ? pick(places.slice(-8)) : pick(places);
  };
  const sumsOf = (places: readonly NodePlace[]): readonly number[] => [...new Set(places.flatMap((place) => within[place]))];

  domain.shape.forEach((_, axis) => {
    add(["index", axis], "i32");
  });
  for (const [name, type] of Object.entries(domain.uniforms ?? {})) add(["uniform", name], type === "f32" ? "real" : type);
  if (domain.value) add(["value"], "complex");
  for (const kind of ["i32", "u32"] as const) for (let i = 0; i < 4; i++) add([kind, pick(edges[kind])], kind);
  for (const value of [0, 1, -0.5, 3 * random.gaussian(), 1e5 * random.gaussian()]) add(["real", value], "real");
  add(["bool", random.uniform() < 0.5], "bool");
  add(["complex", recent("real"), recent("real")], "complex");
  let sums = 0;
  const starts: number[] = [];
  while (nodes.length < size || open.length > 0) {
    const draw = random.uniform();
    if (draw < 0.06 && open.length < 3 && nodes.length < size) {
      open.push(sums);
      starts.push(nodes.length);
      add(["term", sums], "i32", [sums]);
      sums += 1;
    } else if (open.length > 0 && (draw < 0.2 || nodes.length >= size)) {
      const count = random.uniform() < 0.5 ? usable("i32").find((place) => nodes[place][0] === "uniform") : undefined;
      const uses = count ?? add(["i32", below(5)], "i32");
      const sum = open.at(-1) as number;
      const terms = usable().filter((place) => kinds[place] !== "bool" && place >= (starts.at(-1) as number));
      const term = terms.filter((place) => within[place].includes(sum)).at(-1) ?? (terms.at(-1) as NodePlace);
      const around = sumsOf([term]).filter((other) => other !== sum);
      open.pop();
      starts.pop();
      add(["sum", sum, uses, term, 4], kinds[term], around);
    } else if (draw < 0.35) {
      const name = pick(Object.keys(domain.sources));
      const { dtype, shape } = domain.sources[name];
      const indices = shape.map(() => recent("i32"));
      add(
        [pick(["load", "inside"] as const), name, ...indices],
        dtype === "c64" ? "complex" : dtype === "u32" ? "u32" : "real",
        sumsOf(indices),
      );
    } else {
      const [operator, count] = pick(operators);
      const operands = [operator === "select" ? recent("bool") : recent()];
      while (operands.length < count)
        operands.push(
          operator === "select"
            ? operands.length === 1
              ? recent()
              : recent(kinds[operands[1]])
            : random.uniform() < 0.8
              ? recent(kinds[operands[0]])
              : recent(),
        );
      const kind = kindOfResult(
        operator,
        operands.map((place) => kinds[place]),
      );
      if (kind) add([operator, ...operands] as unknown as Node, kind, sumsOf(operands));
    }
  }
  // Each result is of the kind of an output: real, complex, u32. Other integers and truth values become u32 first.
  const results = (["real", "complex", "u32", "i32", "bool"] as const).map((kind) => usable(kind).at(-1) as NodePlace);
  results[3] = add(["bits", results[3]], "u32");
  const [zero, one] = [add(["u32", 0], "u32"), add(["u32", 1], "u32")];
  results[4] = add(["select", results[4], one, zero], "u32");
  const expression = { nodes, results };
  checkExpression(expression, domain);
  return expression;
}

/** Every index vector of a shape, in the order of flat indices. */
export function indicesOf({ shape }: Pick<Layout, "shape">): readonly (readonly number[])[] {
  return shape.reduce<readonly (readonly number[])[]>(
    (all, extent) => all.flatMap((at) => Array.from({ length: extent }, (_, i) => [...at, i])),
    [[]],
  );
}
