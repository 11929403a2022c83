/** The text of an expression, which text.ts parses. */
import { checkExpression } from "./check.ts";
import type { Domain, Expression, Node } from "./nodes.ts";
import { checkNames, deepest, functions, infix } from "./text.ts";

/** The precedence of operands that need no brackets: names, calls, elements. */
const tight = infix.length;

/**
 * The text of an expression. Values that are used more than once get names. Parsing the text in the same domain gives the same expression,
 * apart from the order of its nodes. Throws what `checkExpression` throws. `outputs` are the names of a map's results.
 */
export function format(expression: Expression, domain: Domain, outputs?: readonly string[]): string {
  const facts = checkExpression(expression, domain);
  checkNames(domain);
  const { nodes, results } = expression;
  const uses = new Uint32Array(nodes.length);
  for (const { operands } of facts) for (const operand of operands) uses[operand] += 1;
  for (const place of results) uses[place] += 1;
  const taken = new Set([...Object.keys(domain.sources), ...Object.keys(domain.uniforms ?? {}), ...(outputs ?? [])]);
  let count = 0;
  const fresh = (letter: string): string => {
    for (;;) {
      const name = `${letter}${count++}`;
      if (!taken.has(name)) return name;
    }
  };
  const names = new Map<number, string>();
  const terms = new Map<number, string>();
  const depths = new Uint32Array(nodes.length);
  /** Names the values of a sum, or those outside all sums, that are used more than once or nested deeply. Returns the statements. */
  const statements = (within: number | undefined): readonly string[] => {
    const made: string[] = [];
    for (const [place, { operands, sums }] of facts.entries()) {
      if (sums.at(-1) !== within || operands.length === 0) continue;
      depths[place] = 1 + Math.max(...operands.map((operand) => (names.has(operand) ? 0 : depths[operand])));
      if (uses[place] < 2 && depths[place] < deepest / 4) continue;
      const text = shown(place);
      const name = fresh("v");
      names.set(place, name);
      made.push(`${name} = ${text}`);
    }
    return made;
  };
  const shown = (place: number, least = 0): string => {
    const [text, level] = written(place);
    return level < least ? `(${text})` : text;
  };
  function written(place: number): readonly [text: string, level: number] {
    const name = names.get(place);
    if (name) return [name, tight];
    return spelled(nodes[place], place);
  }
  function spelled(node: Node, place: number): readonly [text: string, level: number] {
    const [operator, ...rest] = node as readonly [string, ...(number | string)[]];
    const number = (value: number): string => (Object.is(value, -0) ? "-0" : String(value));
    switch (operator) {
      case "real":
      case "i32":
      case "u32":
        return [`${operator}(${number(rest[0] as number)})`, tight];
      case "bool":
        return [String(rest[0]), tight];
      case "index":
        return [`i${rest[0]}`, tight];
      case "uniform":
        return [String(rest[0]), tight];
      case "value":
        return ["value", tight];
      case "term":
        return [terms.get(rest[0] as number) as string, tight];
      case "load":
        return [`${rest[0]}[${facts[place].operands.map((operand) => shown(operand)).join(", ")}]`, tight];
      case "inside":
        return [`inside(${rest[0]}, ${facts[place].operands.map((operand) => shown(operand)).join(", ")})`, tight];
      case "taps":
        return [`taps(${rest[0]}, ${rest[1]}, ${facts[place].operands.map((operand) => shown(operand)).join(", ")})`, tight];
      case "sum": {
        const name = fresh("j");
        terms.set(rest[0] as number, name);
        const before = statements(rest[0] as number);
        const term = shown(rest[2] as number);
        return [
          `sum(${name}, ${shown(rest[1] as number)}, ${rest[3]}, ${before.length > 0 ? `(${[...before, term].join("; ")})` : term})`,
          tight,
        ];
      }
      case "neg":
        return [`-${shown(rest[0] as number, tight)}`, tight];
      case "not":
        return [`!${shown(rest[0] as number, tight)}`, tight];
      case "bits":
        return [`${facts[place].kind === "i32" ? "asI32" : "asU32"}(${shown(rest[0] as number)})`, tight];
      default: {
        const level = infix.findIndex((row) => row.some(([, , same]) => same === operator));
        if (level < 0)
          return [`${functions[operator as keyof typeof functions]}(${rest.map((operand) => shown(operand as number)).join(", ")})`, tight];
        const [sign] = infix[level].find(([, , same]) => same === operator) as readonly [string, string, string];
        return [`${shown(rest[0] as number, level)} ${sign} ${shown(rest[1] as number, level + 1)}`, level];
      }
    }
  }
  const lines = statements(undefined);
  const finals = results.map((place) => shown(place));
  return [...lines, ...(outputs ? outputs.map((name, i) => `${name} = ${finals[i]}`) : finals)].join("\n");
}
