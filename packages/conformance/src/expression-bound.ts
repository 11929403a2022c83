/**
 * Evaluates expressions with a bound of what a device may compute instead (expression-arithmetic.ts). It is independent of core's own
 * reference.
 */
import type { ArrayView, Uniforms } from "@dechirp/core";
import type { Domain, Expression, Kind, Node, NodeFacts } from "@dechirp/core/expression";
import {
  type Arithmetic,
  type Bounded,
  type BoundedComplex,
  exactly,
  isDecided,
  type Operations,
  operationsOf,
  saturated,
  undecided,
  zero,
} from "./expression-arithmetic.ts";

/** What the results for one element depend on. */
export interface BoundInputs {
  readonly at: readonly number[];
  readonly sources: Readonly<Record<string, ArrayView>>;
  readonly uniforms: Uniforms;
  /** In a store: the result of the transform. */
  readonly value?: BoundedComplex;
}

/** Operators of integers on exact numbers. The result is wrapped afterwards. */
const integers: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  neg: (a) => -a,
  abs: (a) => (a < 0n ? -a : a),
  not: (a) => ~a,
  bits: (a) => a,
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => (b === 0n ? 0n : a / b),
  mod: (a, b) => (b === 0n ? 0n : ((a % b) + b) % b),
  min: (a, b) => [a, b][Number(b < a)],
  max: (a, b) => [a, b][Number(a < b)],
  shl: (a, b) => a << (b & 31n),
  shr: (a, b) => a >> (b & 31n),
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
};

const wrapped = (kind: Kind, x: bigint): number => Number(kind === "i32" ? BigInt.asIntN(32, x) : BigInt.asUintN(32, x));

const truth = (is: boolean | undefined): Bounded => (is === undefined ? undecided : exactly(Number(is)));

/** Makes a function that evaluates an expression for one element and returns its results with their bounds. */
export function boundOfExpression(
  { nodes, results }: Expression,
  facts: readonly NodeFacts[],
  { sources }: Domain,
  arithmetic: Arithmetic,
): (inputs: BoundInputs) => readonly BoundedComplex[] {
  const real = operationsOf(arithmetic);
  /** The nodes in no sum, and those whose innermost sum has this number, in order. */
  const parts = new Map<number | undefined, number[]>();
  const terms = new Map<number, number>();
  for (const [place, { sums }] of facts.entries()) {
    const node = nodes[place];
    const innermost = sums.at(-1);
    const part = parts.get(innermost) ?? [];
    parts.set(innermost, part);
    if (node[0] === "term") terms.set(node[1], place);
    else part.push(place);
  }
  const values: BoundedComplex[] = nodes.map(() => [undecided, zero]);

  /** Numbers as they are. WGSL may take any for one that is not finite. */
  const pass = ([re, im]: BoundedComplex): BoundedComplex => [real.same(re), real.same(im)];
  const evaluate = (place: number, inputs: BoundInputs): BoundedComplex => {
    const node = nodes[place];
    const [operator] = node;
    const { kind, operands } = facts[place];
    const given = operands.map((operand) => values[operand]);
    const [[a], [b]] = [given[0] ?? [zero, zero], given[1] ?? [zero, zero]];
    const one = (x: Bounded): BoundedComplex => [x, zero];
    switch (operator) {
      case "real":
        return one(real.stored(node[1]));
      case "i32":
      case "u32":
      case "bool":
        return one(exactly(Number(node[1])));
      case "index":
        return one(exactly(inputs.at[node[1]]));
      case "uniform":
        return one(kind === "real" ? real.stored(inputs.uniforms[node[1]]) : exactly(inputs.uniforms[node[1]]));
      case "value":
        return inputs.value ?? [undecided, undecided];
      case "load":
      case "inside": {
        if (!given.every(([index]) => isDecided(index))) return [undecided, undecided];
        const { shape } = sources[node[1]];
        const indices = given.map(([[index]], axis) => Math.min(Math.max(index, 0), shape[axis] - 1));
        if (operator === "inside" && indices.some((index, axis) => index !== given[axis][0][0])) return [zero, zero];
        const flat = indices.reduce((sum, index, axis) => sum * shape[axis] + index, 0);
        const view = inputs.sources[node[1]];
        if (kind === "u32") return one(exactly(view.re(flat)));
        return [real.stored(view.re(flat)), real.stored(view.im(flat))];
      }
      case "taps":
        return tapsOf(node, given, inputs);
      case "sum":
        return sumOf(place, inputs);
      case "select":
        return isDecided(a) ? pass(given[a[0] === 0 ? 2 : 1]) : [undecided, undecided];
      case "re":
        return one(a);
      case "im":
        return one(given[0][1]);
      case "complex":
        return pass([a, b]);
      case "finite":
        return one(given[0].every(isDecided) ? truth(given[0].every(([v]) => Number.isFinite(v))) : undecided);
    }
    if (operands.some((operand) => facts[operand].kind === "complex"))
      return complexResult(
        real,
        operator,
        given,
        operands.map((operand) => facts[operand].kind),
      );
    const from = facts[operands[0]].kind;
    if (from === "real")
      return operator === "cis" ? (isDecided(a) ? real.cis(...a) : [undecided, undecided]) : one(realResult(real, operator, a, b));
    if (!isDecided(a) || !isDecided(b)) return [undecided, kind === "complex" ? undecided : zero];
    const [x, y] = [a[0], b[0]];
    const isFewer = ["lt", "le", "eq", "ne"].includes(operator);
    if (isFewer) return one(truth(ordered(operator, Math.sign(x - y))));
    if (operator === "real-of") return one(real.stored(x));
    if (operator === "cis") {
      const fraction = wrapped("i32", BigInt(x)) * 2 ** -32;
      // float32 has not all bits of the fraction. WGSL may round it to either neighbour.
      return real.cis(fraction, arithmetic === "float64" ? 0 : Math.abs(fraction) * 2 ** -23);
    }
    if (from === "bool")
      return one(truth(operator === "not" ? x === 0 : operator === "and" ? x + y === 2 : operator === "or" ? x + y > 0 : x !== y));
    return one(exactly(wrapped(kind, integers[operator](BigInt(x), BigInt(y)))));
  };

  const tapsOf = (
    [, name, along, count]: Extract<Node, readonly ["taps", ...unknown[]]>,
    given: readonly BoundedComplex[],
    inputs: BoundInputs,
  ): BoundedComplex => {
    const indices = given.slice(count).map(([index]) => index);
    if (!indices.every(isDecided)) return [undecided, undecided];
    const { shape } = sources[name];
    const view = inputs.sources[name];
    let [re, im]: BoundedComplex = [zero, zero];
    for (let j = 0; j < count; j++) {
      const places = indices.map(([index], axis) => (axis === along ? index + j : index));
      if (places.some((index, axis) => index < 0 || index >= shape[axis])) continue;
      const flat = places.reduce((sum, index, axis) => sum * shape[axis] + index, 0);
      const [weight] = given[j];
      re = real.add(re, real.mul(weight, real.stored(view.re(flat))));
      im = real.add(im, real.mul(weight, real.stored(view.im(flat))));
    }
    return [re, im];
  };

  const sumOf = (place: number, inputs: BoundInputs): BoundedComplex => {
    const node = nodes[place];
    if (node[0] !== "sum") return [undecided, undecided];
    const { kind, operands } = facts[place];
    const [[count]] = values[operands[0]];
    if (!isDecided(values[operands[0]][0])) return [undecided, kind === "complex" ? undecided : zero];
    let [re, im]: BoundedComplex = [zero, zero];
    for (let j = 0; j < Math.min(count, node[4]); j++) {
      const term = terms.get(node[1]);
      if (term !== undefined) values[term] = [exactly(j), zero];
      for (const inner of parts.get(node[1]) ?? []) values[inner] = evaluate(inner, inputs);
      const [x, y] = values[operands[1]];
      if (kind === "real" || kind === "complex") [re, im] = [real.add(re, x), real.add(im, y)];
      else re = isDecided(re) && isDecided(x) ? exactly(wrapped(kind, BigInt(re[0]) + BigInt(x[0]))) : undecided;
    }
    return [re, im];
  };

  return (inputs) => {
    for (const place of parts.get(undefined) ?? []) values[place] = evaluate(place, inputs);
    return results.map((place) => values[place]);
  };
}

function ordered(operator: string, order: number | undefined): boolean | undefined {
  if (order === undefined) return undefined;
  switch (operator) {
    case "lt":
      return order < 0;
    case "le":
      return order <= 0;
    case "eq":
      return order === 0;
    default:
      return order !== 0;
  }
}

function realResult(real: Operations, operator: string, a: Bounded, b: Bounded): Bounded {
  switch (operator) {
    case "lt":
    case "le":
    case "eq":
    case "ne":
      return truth(ordered(operator, real.order(a, b)));
    case "abs":
      return real.abs(a);
    case "round":
      return real.round(a);
    case "i32-of":
      return real.step((x) => saturated(x, -(2 ** 31), 2 ** 31 - 1))(a);
    case "u32-of":
      return real.step((x) => saturated(x, 0, 2 ** 32 - 1))(a);
    case "neg":
    case "sqrt":
    case "log":
    case "floor":
      return real[operator](a);
    default:
      return real[operator as "add" | "sub" | "mul" | "div" | "mod" | "min" | "max" | "atan2"](a, b);
  }
}

function complexResult(real: Operations, operator: string, given: readonly BoundedComplex[], kinds: readonly Kind[]): BoundedComplex {
  const [[a, b], [c, d] = [zero, zero]] = given;
  switch (operator) {
    case "neg":
      return [real.neg(a), real.neg(b)];
    case "conj":
      return [a, real.neg(b)];
    case "abs":
      return [real.magnitude(a, b), zero];
    case "add":
    case "sub":
      return [real[operator](a, c), real[operator](b, d)];
    case "div":
      return [real.div(a, c), real.div(b, c)];
    default:
      if (kinds[0] === "real") return [real.mul(a, c), real.mul(a, d)];
      if (kinds[1] === "real") return [real.mul(a, c), real.mul(b, c)];
      return [real.sub(real.mul(a, c), real.mul(b, d)), real.add(real.mul(a, d), real.mul(b, c))];
  }
}
