/**
 * Checks expressions, which may come from files and messages, and infers what all generators need: the kind of every node, the sums
 * around it, and the integers that it can be.
 */
import { layoutError, RadarError } from "../errors.ts";
import { dtypes, isKeyOf, isWhole } from "../layout.ts";
import { type Domain, type Expression, type Kind, maxDepth, maxNodes, maxTaps, maxWork, type Node, nameOfExpression } from "./nodes.ts";

/** What is known about one node. */
export interface NodeFacts {
  readonly kind: Kind;
  /** Places of the operands. For a sum: the count and the term. */
  readonly operands: readonly number[];
  /** Numbers of the sums that it is a part of: it has to be computed for every term of these. Outermost first. */
  readonly sums: readonly number[];
  /** Whether it depends on the index along an axis, by axis. Loads count as depending on what their indices depend on. */
  readonly axes: readonly boolean[];
  /** Whether it depends on the `value` of a store. */
  readonly value: boolean;
  /**
   * The smallest and the largest integer that it can be, for i32 and u32 nodes. All values in between need not be possible. Integers
   * that may wrap have the range of their kind.
   */
  readonly range: readonly [low: number, high: number];
}

/** The kind of an element of each element type in an expression. */
export const kindOfElement = (dtype: keyof typeof dtypes): Kind =>
  dtypes[dtype].components === 2 ? "complex" : dtype === "u32" ? "u32" : "real";

const rangeOfKind = { i32: [-(2 ** 31), 2 ** 31 - 1], u32: [0, 2 ** 32 - 1] } as const;

type Range = readonly [number, number];

/** The kinds that each operator takes, by operand; the first of a group that fits decides the result. */
const numeric: readonly Kind[] = ["real", "complex", "i32", "u32"];
const ordered: readonly Kind[] = ["real", "i32", "u32"];
const integers: readonly Kind[] = ["i32", "u32"];
const bits: readonly Kind[] = ["bool", "i32", "u32"];

/** For operators of which all operands have one kind: the kinds, and the result if it is another. */
const rules: Readonly<Record<string, readonly [operands: number, kinds: readonly Kind[], result?: Kind]>> = {
  neg: [1, numeric],
  floor: [1, ["real"]],
  round: [1, ["real"]],
  sqrt: [1, ["real"]],
  log: [1, ["real"]],
  cis: [1, ["real", "u32"], "complex"],
  re: [1, ["complex"], "real"],
  im: [1, ["complex"], "real"],
  conj: [1, ["complex"]],
  not: [1, bits],
  "real-of": [1, integers, "real"],
  "i32-of": [1, ["real"], "i32"],
  "u32-of": [1, ["real"], "u32"],
  finite: [1, ["real", "complex"], "bool"],
  add: [2, numeric],
  sub: [2, numeric],
  mod: [2, ordered],
  min: [2, ordered],
  max: [2, ordered],
  atan2: [2, ["real"]],
  and: [2, bits],
  or: [2, bits],
  xor: [2, bits],
  complex: [2, ["real"], "complex"],
  lt: [2, ordered, "bool"],
  le: [2, ordered, "bool"],
  eq: [2, ["real", "i32", "u32", "bool"], "bool"],
  ne: [2, ["real", "i32", "u32", "bool"], "bool"],
};

/** Operators whose rules need a line of their own: the kinds that they take, and the result. Undefined if the kinds do not fit. */
const others: Readonly<Record<string, readonly [kinds: readonly Kind[], result: (kinds: readonly Kind[]) => Kind | undefined]>> = {
  abs: [["real", "i32", "complex"], ([a, ...more]) => (more.length > 0 ? undefined : a === "complex" ? "real" : a)],
  bits: [integers, ([a, ...more]) => (more.length > 0 ? undefined : a === "i32" ? "u32" : "i32")],
  mul: [numeric, ([a, b, ...more]) => (more.length > 0 ? undefined : a === b ? a : isScale(a, b) || isScale(b, a) ? "complex" : undefined)],
  div: [
    numeric,
    ([a, b, ...more]) => (more.length > 0 ? undefined : a === b && a !== "complex" ? a : isScale(b, a) ? "complex" : undefined),
  ],
  shl: [integers, shift],
  shr: [integers, shift],
  select: [[...numeric, "bool"], ([c, a, b, ...more]) => (more.length === 0 && c === "bool" && a === b ? a : undefined)],
};

/** The kinds that an operator takes, as text. */
export const kindsTaken = (operator: string): string => (others[operator]?.[0] ?? rules[operator][1]).join(", ");

function shift([a, b, ...more]: readonly Kind[]): Kind | undefined {
  return more.length === 0 && integers.includes(b) ? a : undefined;
}

const isScale = (a: Kind, b: Kind): boolean => a === "real" && b === "complex";

/** The kind of an operator's result for operands of these kinds. Undefined if there is no such operator or the kinds do not fit. */
export function kindOfResult(operator: string, kinds: readonly Kind[]): Kind | undefined {
  if (Object.hasOwn(others, operator)) {
    const [accepted, result] = others[operator];
    return accepted.includes(kinds[0]) ? result(kinds) : undefined;
  }
  if (!Object.hasOwn(rules, operator)) return undefined;
  const [count, accepted, result] = rules[operator];
  const [first] = kinds;
  return kinds.length === count && accepted.includes(first) && kinds.every((kind) => kind === first) ? (result ?? first) : undefined;
}

/**
 * Checks an expression and returns the facts about its nodes, in their order. Throws `layout` that names the node, as
 * `PATH.nodes[3]`, if it is not valid in this domain, and `limit` if it has too many nodes, has too many sums in one another, or takes
 * too much work for one element.
 */
export function checkExpression(expression: Expression, domain: Domain, path = "expression"): readonly NodeFacts[] {
  const { nodes, results } = expression ?? {};
  if (!Array.isArray(nodes) || nodes.length === 0) throw layoutError(`${path}.nodes`, "a list of at least one node", nodes);
  if (nodes.length > maxNodes) throw limit(`${path}.nodes`, `at most ${maxNodes} nodes`, maxNodes, nodes.length);
  for (const part of ["sources", "uniforms"] as const)
    for (const name of Object.keys(domain[part] ?? {}))
      if (!nameOfExpression.test(name)) throw layoutError(`${part}.${name}`, "a letter followed by letters, digits and underscores", name);
  const facts: NodeFacts[] = [];
  const sumsSeen = new Map<number, number>();
  const ends = new Map<number, number>();
  for (const [i, node] of nodes.entries()) {
    const sum = Array.isArray(node) && node[0] === "sum" ? node : undefined;
    if (sum && !ends.has(sum[1])) ends.set(sum[1], i);
    else if (sum) throw layoutError(`${path}.nodes[${i}]`, "a sum with a number of its own", node);
  }
  for (const [i, node] of nodes.entries()) facts.push(factsOf(node, i, facts, nodes, domain, sumsSeen, ends, path));
  if (!Array.isArray(results) || results.length === 0) throw layoutError(`${path}.results`, "a list of at least one node's place", results);
  for (const [i, place] of results.entries()) {
    if (!isWhole(place, 0, nodes.length - 1) || facts[place].sums.length > 0)
      throw layoutError(`${path}.results[${i}]`, "the place of a node outside all sums", place);
  }
  // A node is computed in the loop of its innermost sum, which is in the loops around that sum, whether the node depends on these or not.
  const loops = new Map<number, readonly [terms: number, depth: number]>();
  const loopsOf = ({ sums }: NodeFacts): readonly [terms: number, depth: number] => loops.get(sums.at(-1) as number) ?? [1, 0];
  for (let i = nodes.length - 1; i >= 0; i--) {
    const node = nodes[i];
    if (node[0] !== "sum") continue;
    const [terms, depth] = loopsOf(facts[i]);
    if (depth === maxDepth) throw limit(`${path}.nodes[${i}]`, `at most ${maxDepth - 1} sums around it`, maxDepth - 1, depth);
    loops.set(node[1], [terms * node[4], depth + 1]);
  }
  const work = facts.reduce((total, one, i) => total + loopsOf(one)[0] * (nodes[i][0] === "taps" ? nodes[i][3] : 1), 0);
  if (work > maxWork) throw limit(path, `at most ${maxWork} operations for an element`, maxWork, work);
  return facts;
}

const limit = (field: string, expected: string, most: number, actual: number): RadarError =>
  new RadarError("limit", `${field} must have ${expected}, not ${actual}`, { field, limit: most, actual });

function factsOf(
  node: Node,
  place: number,
  before: readonly NodeFacts[],
  nodes: readonly Node[],
  domain: Domain,
  terms: Map<number, number>,
  ends: ReadonlyMap<number, number>,
  path: string,
): NodeFacts {
  const rank = domain.shape.length;
  const fail = (expected: string): never => {
    throw layoutError(`${path}.nodes[${place}]`, expected, node);
  };
  if (!Array.isArray(node) || typeof node[0] !== "string") fail("a list that begins with an operator");
  const [operator, ...rest] = node as readonly [string, ...unknown[]];
  const operandsFrom = (values: readonly unknown[]): readonly number[] => {
    if (!values.every((value) => isWhole(value, 0, place - 1))) fail("a node whose operands are places of earlier nodes");
    return values as readonly number[];
  };
  const none = domain.shape.map(() => false);
  const leaf = (kind: Kind, range: Range = [0, 0], more: Partial<NodeFacts> = {}): NodeFacts => ({
    kind,
    operands: [],
    sums: [],
    axes: none,
    value: false,
    range,
    ...more,
  });
  const from = (kind: Kind, operands: readonly number[], range: Range, without?: number): NodeFacts => {
    const used = operands.map((operand) => before[operand]);
    const sums = [...new Set(used.flatMap(({ sums }) => sums))].filter((sum) => sum !== without);
    if (sums.length > maxDepth) throw limit(`${path}.nodes[${place}]`, `at most ${maxDepth} sums around it`, maxDepth, sums.length);
    for (const sum of sums) if ((ends.get(sum) ?? -1) <= place) fail("a node that a sum does not use after its end");
    return {
      kind,
      operands,
      // A sum that encloses another ends after it.
      sums: sums.sort((a, b) => (ends.get(b) as number) - (ends.get(a) as number)),
      axes: none.map((_, axis) => used.some(({ axes }) => axes[axis])),
      value: used.some(({ value }) => value),
      range,
    };
  };
  switch (operator) {
    case "real":
      if (rest.length !== 1 || typeof rest[0] !== "number" || !Number.isFinite(rest[0]) || !Number.isFinite(Math.fround(rest[0])))
        fail("a finite number within the range of float32");
      return leaf("real");
    case "i32":
    case "u32": {
      const [low, high] = rangeOfKind[operator];
      if (rest.length !== 1 || !isWhole(rest[0], low, high)) fail(`an integer from ${low} to ${high}`);
      return leaf(operator, [rest[0] as number, rest[0] as number]);
    }
    case "bool":
      if (rest.length !== 1 || typeof rest[0] !== "boolean") fail("true or false");
      return leaf("bool");
    case "index": {
      const axis = rest[0];
      // Indices are i32.
      if (rest.length !== 1 || !isWhole(axis, 0, rank - 1) || domain.shape[axis] > 2 ** 31)
        fail(`an axis below ${rank}, of at most 2 ** 31 elements`);
      const axes = none.map((_, a) => a === axis);
      return leaf("i32", [0, domain.shape[axis as number] - 1], { axes });
    }
    case "uniform": {
      const type = isKeyOf(domain.uniforms ?? {}, rest[0]) ? domain.uniforms?.[rest[0] as string] : undefined;
      if (rest.length !== 1 || type === undefined) fail(`the name of a uniform, one of ${Object.keys(domain.uniforms ?? {}).join(", ")}`);
      return type === "f32" ? leaf("real") : leaf(type as "i32" | "u32", rangeOfKind[type as "i32" | "u32"]);
    }
    case "value":
      if (rest.length !== 0 || !domain.value) fail("a node of a load or map, which have no value");
      return leaf("complex", [0, 0], { value: true, axes: none.map(() => true) });
    case "load":
    case "inside": {
      const [name, ...indices] = rest;
      const source = isKeyOf(domain.sources, name) ? domain.sources[name as string] : fail("an element of one of the sources");
      const places = operandsFrom(indices);
      if (places.length !== source.shape.length || !places.every((index) => before[index].kind === "i32"))
        fail(`an element with ${source.shape.length} indices of type i32`);
      const kind = kindOfElement(source.dtype);
      return from(kind, places, kind === "u32" ? rangeOfKind.u32 : [0, 0]);
    }
    case "taps": {
      const [name, axis, count, ...operands] = rest;
      const source = isKeyOf(domain.sources, name) ? domain.sources[name as string] : fail("elements of one of the sources");
      const kind = kindOfElement(source.dtype);
      if (kind === "u32") fail("elements of a source of real or complex numbers");
      if (!isWhole(axis, 0, source.shape.length - 1)) fail(`an axis of ${name}, below ${source.shape.length}`);
      if (!isWhole(count, 1, maxTaps)) fail(`from 1 to ${maxTaps} elements`);
      const places = operandsFrom(operands);
      const kinds = [...new Array<Kind>(count as number).fill("real"), ...source.shape.map((): Kind => "i32")];
      if (places.length !== kinds.length || !places.every((operand, i) => before[operand].kind === kinds[i]))
        fail(`${count} real weights and ${source.shape.length} indices of type i32`);
      return from(kind, places, [0, 0]);
    }
    case "term": {
      const end = ends.get(rest[0] as number);
      if (rest.length !== 1 || end === undefined || end < place || terms.has(rest[0] as number)) fail("the only index of a later sum");
      terms.set(rest[0] as number, place);
      const most = (nodes[end as number] as readonly unknown[])[4];
      return leaf("i32", [0, typeof most === "number" && most > 0 ? most - 1 : 0], { sums: [rest[0] as number] });
    }
    case "sum": {
      const [number, count, term, most] = rest;
      if (rest.length !== 4 || !isWhole(number, 0)) fail("a sum with a number, a count, a term and a largest count");
      const operands = operandsFrom([count, term]);
      if (!isWhole(most, 1, maxWork)) fail(`a sum whose largest count is from 1 to ${maxWork}`);
      const [countFacts, termFacts] = operands.map((operand) => before[operand]);
      if (
        countFacts.kind !== "i32" ||
        countFacts.sums.length > 0 ||
        countFacts.value ||
        countFacts.axes.some(Boolean) ||
        readsSource(operands[0], nodes, before)
      )
        fail("a sum whose count is an i32 of constants and uniforms");
      if (!numeric.includes(termFacts.kind)) fail("a sum of numbers");
      return from(termFacts.kind, operands, rangeOf(termFacts.kind), number as number);
    }
    default: {
      const operands = operandsFrom(rest);
      const kinds = operands.map((operand) => before[operand].kind);
      const kind =
        kindOfResult(operator, kinds) ?? fail(`an operator with operands of kinds that it takes, not of ${kinds.join(" and ") || "none"}`);
      return from(
        kind,
        operands,
        rangeOfResult(
          operator,
          kind,
          operands.map((operand) => before[operand]),
          operands.map((operand) => nodes[operand]),
        ),
      );
    }
  }
}

function readsSource(place: number, nodes: readonly Node[], before: readonly NodeFacts[]): boolean {
  const seen = new Set<number>();
  const stack = [place];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    if (["load", "inside", "taps"].includes(nodes[at][0])) return true;
    stack.push(...before[at].operands);
  }
  return false;
}

const rangeOf = (kind: Kind): Range => (kind === "i32" || kind === "u32" ? rangeOfKind[kind] : [0, 0]);

/** Integers that the result can be. */
function rangeOfResult(operator: string, kind: Kind, operands: readonly NodeFacts[], nodes: readonly Node[]): Range {
  const all = rangeOf(kind);
  if (kind !== "i32" && kind !== "u32") return all;
  const [a, b, c] = operands.map(({ range }) => range);
  const within = (...values: readonly number[]): Range => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return low >= all[0] && high <= all[1] ? [low, high] : all;
  };
  switch (operator) {
    case "add":
      return within(a[0] + b[0], a[1] + b[1]);
    case "sub":
      return within(a[0] - b[1], a[1] - b[0]);
    case "mul":
      return within(a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1]);
    case "neg":
      return within(-a[0], -a[1]);
    case "abs":
      return within(a[0] <= 0 && a[1] >= 0 ? 0 : Math.min(Math.abs(a[0]), Math.abs(a[1])), Math.abs(a[0]), Math.abs(a[1]));
    case "min":
      return [Math.min(a[0], b[0]), Math.min(a[1], b[1])];
    case "max":
      return [Math.max(a[0], b[0]), Math.max(a[1], b[1])];
    case "mod":
      return b[0] > 0 ? (a[0] >= 0 && a[1] < b[0] ? a : [0, b[1] - 1]) : all;
    case "div":
      return b[0] > 0 ? within(...[a[0], a[1]].flatMap((x) => [Math.trunc(x / b[0]), Math.trunc(x / b[1])])) : all;
    case "shr": {
      const count = b[0] === b[1] && (nodes[1][0] === "i32" || nodes[1][0] === "u32") ? b[0] & 31 : undefined;
      return count === undefined ? all : [Math.floor(a[0] / 2 ** count), Math.floor(a[1] / 2 ** count)];
    }
    case "and":
      // With an operand that is not negative, the result is not negative and not larger.
      return a[0] >= 0 && b[0] >= 0 ? [0, Math.min(a[1], b[1])] : b[0] >= 0 ? [0, b[1]] : a[0] >= 0 ? [0, a[1]] : all;
    case "select":
      return [Math.min(b[0], c[0]), Math.max(b[1], c[1])];
    case "bits":
      return within(a[0], a[1]);
    default:
      return all;
  }
}
