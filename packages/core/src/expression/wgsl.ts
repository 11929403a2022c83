/**
 * Generates the WGSL of expressions: the bodies of functions that compute an element, and of kernels that map arrays. Every node that a
 * result needs becomes one `let`, so a value that is used twice is computed once. Nodes of a sum are in a loop; nodes that do not depend on
 * the sum's term are before it.
 *
 * Constants are declared by `let`, too. WGSL refuses overflow, division by zero and large shifts in expressions of constants alone, and
 * does not refuse them where a `let` takes part (section 8.7, "Arithmetic Expressions", and 8.1.1, "const Expressions"). Literals appear
 * only beside such names, and only where their value is harmless.
 */
import { type DType, isComplex } from "../layout.ts";
import { wgslFloat } from "../wgsl.ts";
import type { NodeFacts } from "./check.ts";
import type { Domain, Expression, Kind, NodePlace } from "./nodes.ts";
import { wgslOfTaps } from "./wgsl-taps.ts";

/**
 * The body of `fn (at: array<u32, RANK>) -> vec2f`, which computes the result of a load or of a computed filter; if the domain has a
 * value, of `fn (at: array<u32, RANK>, value: vec2f) -> vec2f`.
 */
export function wgslOfHook(expression: Expression, facts: readonly NodeFacts[], domain: Domain): string {
  const { lines, complex } = bodyOf(expression, facts, domain, indexOfHook);
  return `${lines.join("\n")}\nreturn ${complex(expression.results[0])};`;
}

/**
 * The body of `fn (at: array<u32, RANK>) -> vec4f`, which computes two elements: the one at `at` and its neighbour along `axis`. Both share
 * the nodes that do not depend on the index along `axis`.
 */
export function wgslOfPair(expression: Expression, facts: readonly NodeFacts[], domain: Domain, axis: number): string {
  const { lines, complex } = bodyOf(expression, facts, domain, indexOfHook, axis);
  const [result] = expression.results;
  return `${lines.join("\n")}\nreturn vec4f(${complex(result, "a")}, ${complex(result, "b")});`;
}

/**
 * The statements of `WgslToolkit.items` that compute the element with flat index `item` of the domain's shape and store result i to the
 * i-th of the outputs. The outputs' element types are given by name.
 */
export function wgslOfMap(
  expression: Expression,
  facts: readonly NodeFacts[],
  domain: Domain,
  outputs: Readonly<Record<string, DType>>,
): string {
  const { shape } = domain;
  const index = (axis: number): string => {
    const stride = shape.slice(axis + 1).reduce((a, b) => a * b, 1);
    const whole = stride === 1 ? "item" : `item / ${stride}u`;
    return `i32(${axis === 0 ? whole : `${whole} % ${shape[axis]}u`})`;
  };
  const { lines, name, real, complex } = bodyOf(expression, facts, domain, index, undefined, "item");
  const value = (dtype: DType, place: NodePlace): string => {
    if (isComplex(dtype)) return complex(place);
    if (dtype !== "u32") return real(place);
    const { kind } = facts[place];
    return kind === "u32" ? name(place) : kind === "i32" ? `u32(max(${name(place)}, 0i))` : `round_u32(${real(place)})`;
  };
  Object.entries(outputs).forEach(([output, dtype], i) => {
    lines.push(`store_${output}(item, ${value(dtype, expression.results[i])});`);
  });
  return lines.join("\n");
}

/** Which of two elements a node is for. "" if it is for both, or if there is only one. */
type Side = "" | "a" | "b";

const indexOfHook = (axis: number, side: Side): string => `i32(at[${axis}]${side === "b" ? " + 1u" : ""})`;

/** How a load moves along its source from term to term. Where one side's base is the other's + 1, its element is the other's in the next term. */
interface Slide {
  /** The index that is base ± term. */
  readonly index: NodePlace;
  readonly base: NodePlace;
  /** The side that meets an element first, and the other one. */
  readonly sides: readonly [first: Side, second: Side];
}

interface Body {
  /** Statements that declare the nodes. */
  readonly lines: string[];
  /** The name of a node. */
  name(place: NodePlace, side?: Side): string;
  /** A node as an expression of type f32 or vec2f. */
  real(place: NodePlace, side?: Side): string;
  complex(place: NodePlace, side?: Side): string;
}

/**
 * The nodes that the results need. If `pair` is an axis, nodes that depend on the index along it are computed for two elements. `flat` is
 * the flat index of the element, if it has a name.
 */
function bodyOf(
  { nodes, results }: Expression,
  facts: readonly NodeFacts[],
  { shape, sources }: Domain,
  index: (axis: number, side: Side) => string,
  pair?: number,
  flat?: string,
): Body {
  const lines: string[] = [];
  const isPair = (place: NodePlace): boolean => pair !== undefined && facts[place].axes[pair];
  const name = (place: NodePlace, side: Side = ""): string => `n${place}${isPair(place) ? side : ""}`;
  const real = (place: NodePlace, side?: Side): string => {
    const { kind } = facts[place];
    const from = name(place, side);
    return kind === "real"
      ? from
      : kind === "complex"
        ? `${from}.x`
        : kind === "bool"
          ? `select(0.0, 1.0, ${from})`
          : realOf(from, facts[place]);
  };
  const complex = (place: NodePlace, side?: Side): string =>
    facts[place].kind === "complex" ? name(place, side) : `vec2f(${real(place, side)}, 0.0)`;

  /** Whether a node loads the element of the item's own flat index. */
  const isFlat = (place: NodePlace): boolean => {
    const [operator, source] = nodes[place];
    if (flat === undefined || (operator !== "load" && operator !== "inside")) return false;
    const layout = sources[source as string];
    return layout.shape.length === shape.length && facts[place].operands.every((at, axis) => isIndex(at, axis, layout.shape[axis]));
  };
  const isIndex = (place: NodePlace, axis: number, extent: number): boolean =>
    nodes[place][0] === "index" && nodes[place][1] === axis && shape[axis] === extent;

  /** Declares the element that a node loads for one side. If `slide` is given, it is the element for the first term of the sum. */
  const load = (declaration: string, to: string, place: NodePlace, side: Side, slide?: Slide): void => {
    const [operator, source] = nodes[place] as readonly ["load" | "inside", string];
    const extents = sources[source].shape;
    const conditions: string[] = [];
    const indices = facts[place].operands.map((operand, axis) => {
      const at = operand === slide?.index ? slide.base : operand;
      const from = name(at, side);
      const [low, high] = facts[at].range;
      const last = extents[axis] - 1;
      if (operator === "inside") {
        if (low < 0 || high > last) conditions.push(last < 2 ** 31 ? `u32(${from}) < ${last + 1}u` : `${from} >= 0i`);
        return `u32(${from})`;
      }
      const above = low < 0 ? `max(${from}, 0i)` : from;
      return `u32(${high > last ? `min(${above}, ${last}i)` : above})`;
    });
    const text = `load_${source}(${isFlat(place) ? flat : indices.reduce((sum, at, axis) => `(${sum}) * ${extents[axis]}u + ${at}`)})`;
    if (conditions.length === 0) lines.push(`${declaration} ${to} = ${text};`);
    else lines.push(`var ${to} = ${zeros[facts[place].kind]};`, `if (${conditions.join(" && ")}) { ${to} = ${text}; }`);
  };

  const emit = (place: NodePlace, side: Side): void => {
    const [operator, first] = nodes[place];
    const { kind, operands } = facts[place];
    const to = name(place, side);
    const declare = (text: string): number => lines.push(`let ${to} = ${text};`);
    const names = operands.map((operand) => name(operand, side));
    if (operator === "load" || operator === "inside") load("let", to, place, side);
    else if (operator === "taps") {
      const [, source, axis, count] = nodes[place] as readonly ["taps", string, number, number];
      const indices = operands.slice(count).map((operand) => facts[operand].range);
      lines.push(...wgslOfTaps(to, zeros[kind], source, sources[source].shape, axis, names.slice(0, count), names.slice(count), indices));
    } else if (operator === "index") declare(index(first as number, side));
    else if (operator === "uniform") declare(`uniforms.${first}`);
    else if (operator === "value") declare("value");
    else if (operands.length === 0) declare(literal(kind, first as number));
    else {
      const part = (suffix: string, text: string): string => {
        lines.push(`let ${to}${suffix} = ${text};`);
        return to + suffix;
      };
      declare(
        operation(
          operator,
          names,
          operands.map((operand) => facts[operand]),
          ["floor", "round"].includes(nodes[operands[0]][0]),
          part,
        ),
      );
    }
  };

  /** The nodes that the results need, by the innermost sum around them. */
  const blocks = new Map<number | undefined, NodePlace[]>();
  const terms = new Map<number, NodePlace>();
  const needed = new Set<NodePlace>();
  for (let rest = [...results]; rest.length > 0; ) {
    const place = rest.pop() as NodePlace;
    if (needed.has(place)) continue;
    needed.add(place);
    if (!isFlat(place)) rest.push(...facts[place].operands);
  }
  for (const place of [...needed].sort((a, b) => a - b)) {
    const sum = facts[place].sums.at(-1);
    if (nodes[place][0] === "term") terms.set(sum as number, place);
    else if (!blocks.get(sum)?.push(place)) blocks.set(sum, [place]);
  }

  /** How a load in a sum moves along its source: if one index is base ± term, and no other differs between terms or between the sides. */
  const slideOf = (place: NodePlace, sum: number): Slide | undefined => {
    const [operator] = nodes[place];
    if (!isPair(place) || (operator !== "load" && operator !== "inside")) return undefined;
    const [index, ...more] = facts[place].operands.filter((at) => isPair(at) || facts[at].sums.includes(sum));
    const [how, a, b] = nodes[index];
    const term = terms.get(sum);
    const base = b === term ? a : a === term && how === "add" ? b : undefined;
    if (more.length > 0 || (how !== "add" && how !== "sub") || base === undefined || facts[base as NodePlace].sums.includes(sum))
      return undefined;
    return { index, base: base as NodePlace, sides: how === "add" ? ["b", "a"] : ["a", "b"] };
  };
  const isSum = (place: NodePlace): boolean => nodes[place][0] === "sum";

  /**
   * The loop of a sum. A load that slides is done for one side only; what it has loaded is the element of the other side in the next term.
   */
  const loop = (sum: NodePlace, slides: ReadonlyMap<NodePlace, Slide>): void => {
    const [, number, count, term, most] = nodes[sum] as readonly ["sum", number, NodePlace, NodePlace, number];
    for (const [place, slide] of slides) load("var", `n${place}h`, place, slide.sides[1], slide);
    const at = terms.has(number) ? name(terms.get(number) as NodePlace) : `${name(sum)}t`;
    // Compilers unroll loops and see that they end more readily if the count is a literal.
    const [low, high] = facts[count].range;
    const end = low === high ? `${Math.min(low, most)}i` : `min(${name(count)}, ${most}i)`;
    lines.push(`for (var ${at} = 0i; ${at} < ${end}; ${at}++) {`);
    block(number, slides);
    for (const [place, { sides }] of slides) lines.push(`n${place}h = ${name(place, sides[0])};`);
    for (const side of sidesOf(sum)) lines.push(`${name(sum, side)} += ${name(term, side)};`);
    lines.push("}");
  };
  const sidesOf = (place: NodePlace): readonly Side[] => (isPair(place) ? ["a", "b"] : [""]);
  const block = (sum: number | undefined, slides?: ReadonlyMap<NodePlace, Slide>): void => {
    for (const place of blocks.get(sum) ?? []) {
      if (!isSum(place)) {
        const slide = slides?.get(place);
        for (const side of sidesOf(place)) {
          if (side !== "" && slide?.sides[1] === side) lines.push(`let ${name(place, side)} = n${place}h;`);
          else emit(place, side);
        }
        continue;
      }
      for (const side of sidesOf(place)) lines.push(`var ${name(place, side)} = ${zeros[facts[place].kind]};`);
      const within = blocks.get(nodes[place][1] as number) ?? [];
      const found = new Map<NodePlace, Slide>();
      const conditions = new Set<string>();
      for (const one of within) {
        const slide = slideOf(one, nodes[place][1] as number);
        // Of sums in sums only the innermost has two loops, so the text at most doubles.
        const isCertain = slide && nodes[slide.base][0] === "index";
        if (!slide || !(isCertain || !within.some(isSum))) continue;
        found.set(one, slide);
        if (!isCertain) conditions.add(`${name(slide.base, "b")} == ${name(slide.base, "a")} + 1i`);
      }
      if (conditions.size > 0) lines.push(`if (${[...conditions].join(" && ")}) {`);
      loop(place, found);
      if (conditions.size > 0) {
        lines.push("} else {");
        loop(place, new Map());
        lines.push("}");
      }
    }
  };
  block(undefined);
  return { lines, name, real, complex };
}

const zeros: Readonly<Record<Kind, string>> = { real: "0.0", complex: "vec2f()", i32: "0i", u32: "0u", bool: "false" };

/** A constant. WGSL has no literal for the smallest i32. */
const literal = (kind: Kind, value: number | boolean): string =>
  kind === "real" ? wgslFloat(value as number) : kind === "bool" ? String(value) : kind === "u32" ? `${value}u` : `i32(${value})`;

/** The real number nearest to an integer. WGSL's own conversion may return another neighbour of one that f32 can't represent. */
const realOf = (x: string, { kind, range: [low, high] }: NodeFacts): string =>
  low >= -(2 ** 24) && high <= 2 ** 24
    ? `f32(${x})`
    : kind === "u32"
      ? `nearest_f32(${x})`
      : `(f32(${x} >> 16u) * 65536.0 + f32(${x} & 65535i))`;

const infix: Readonly<Record<string, string>> = {
  add: "+",
  sub: "-",
  mul: "*",
  div: "/",
  mod: "%",
  shl: "<<",
  shr: ">>",
  and: "&",
  or: "|",
  xor: "^",
  lt: "<",
  le: "<=",
  eq: "==",
  ne: "!=",
};

/**
 * The text of an operator. `isWhole` says that the first operand is a whole number if it is real. `part` declares a value that the text
 * uses and returns its name.
 */
function operation(
  operator: string,
  names: readonly string[],
  operands: readonly NodeFacts[],
  isWhole: boolean,
  part: (name: string, text: string) => string,
): string {
  const [a, b, c] = names;
  const [{ kind, range }, second] = operands;
  const isInteger = kind === "i32" || kind === "u32";
  switch (operator) {
    case "neg":
      return kind === "u32" ? `0u - ${a}` : `-${a}`;
    case "not":
      return kind === "bool" ? `!${a}` : `~${a}`;
    case "re":
      return `${a}.x`;
    case "im":
      return `${a}.y`;
    case "conj":
      return `vec2f(${a}.x, -${a}.y)`;
    case "complex":
      return `vec2f(${a}, ${b})`;
    case "select":
      return `select(${c}, ${b}, ${a})`;
    case "bits":
      return `bitcast<${kind === "u32" ? "i32" : "u32"}>(${a})`;
    case "real-of":
      return realOf(a, operands[0]);
    case "cis":
      return kind === "u32" ? `cis(f32(bitcast<i32>(${a})) * ${2 ** -32})` : `cis(${a} - round(${a}))`;
    case "finite":
      return kind === "real"
        ? `(bitcast<u32>(${a}) & 0x7f800000u) != 0x7f800000u`
        : `all((bitcast<vec2u>(${a}) & vec2u(0x7f800000u)) != vec2u(0x7f800000u))`;
    case "i32-of":
    case "u32-of": {
      const rounded = isWhole ? a : part("r", `round(${a})`);
      return operator === "i32-of"
        ? integerOf("i32", a, rounded, "-2147483648.0", "2147483520.0", "2147483647i")
        : integerOf("u32", a, rounded, "0.0", "4294967040.0", "4294967295u");
    }
    case "abs": {
      if (kind !== "complex") break;
      // Both parts are scaled by a power of two, so that the larger one is from 1 to 4 and squares neither overflow nor underflow.
      const e = part("e", `clamp(bitcast<u32>(max(abs(${a}.x), abs(${a}.y))) >> 23u, 1u, 253u)`);
      const scaled = part("s", `${a} * bitcast<f32>((254u - ${e}) << 23u)`);
      return `sqrt(dot(${scaled}, ${scaled})) * bitcast<f32>(${e} << 23u)`;
    }
    case "atan2":
      return `select(atan2(${a}, ${b}), 0.0, ${a} == 0.0 && ${b} == 0.0)`;
    case "mul":
      if (kind === "complex" && second.kind === "complex") return `cmul(${a}, ${b})`;
      break;
    case "div":
      if (isInteger && second.range[0] <= 0 && second.range[1] >= 0) return `select(${a} / ${b}, ${zeros[kind]}, ${b} == ${zeros[kind]})`;
      break;
    case "mod": {
      if (kind === "real") return `${a} - ${b} * floor(${a} / ${b})`;
      if (kind === "u32" || (range[0] >= 0 && second.range[0] >= 0)) break;
      const rest = part("r", `${a} % ${b}`);
      return `select(${rest}, ${rest} + ${b}, ${rest} != 0i && (${rest} ^ ${b}) < 0i)`;
    }
    case "shl":
    case "shr":
      return `${a} ${infix[operator]} ${second.range[0] === second.range[1] ? `${second.range[0] & 31}u` : `(u32(${b}) & 31u)`}`;
    case "xor":
      if (kind === "bool") return `${a} != ${b}`;
  }
  return Object.hasOwn(infix, operator) ? `${a} ${infix[operator]} ${b}` : `${operator}(${names.join(", ")})`;
}

/**
 * x, whose nearest whole number is `whole`, as an integer: saturated, and 0 for NaN. `highest` is the largest f32 that the type can
 * represent. NaN is recognized by its bits, as compilers may assume that there is none.
 */
const integerOf = (type: "i32" | "u32", x: string, whole: string, lowest: string, highest: string, largest: string): string =>
  `select(select(${type}(clamp(${whole}, ${lowest}, ${highest})), ${largest}, ${whole} > ${highest}), ${zeros[type]}, (bitcast<u32>(${x}) & 0x7fffffffu) > 0x7f800000u)`;
