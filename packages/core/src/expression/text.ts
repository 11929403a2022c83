/**
 * The text form of expressions, for files, messages and pages whose policy forbids code: `x * w[i1]`. It has the operators of C with C's
 * precedence, the functions of build.ts by their names, and the indices as i0, i1, …
 *
 * - `x[i0, i1 - 3]` is an element of a source, and `x` alone the element at the own index.
 * - `inside(x, i0, i1 - 3)` is zero outside the array, and `sum(j, 8, x[i0, i1 + j])` a sum. The largest count follows a count that is not
 *   a number: `sum(j, count, 64, x[i0, i1 + j])`.
 * - `taps(x, 1, w0, w1, i0, i1 - 1)` is the sum of neighbouring elements along axis 1, here two, each times its weight.
 * - `p = re(x * conj(x)); sqrt(p)` names a value. Statements end with a semicolon or a line break outside brackets. Brackets may have
 *   names of their own: `sum(j, 8, (a = x[i0, j]; a * conj(a)))`.
 * - In a map, the values with the names of the outputs are the results.
 */
import { layoutError, RadarError } from "../errors.ts";
import * as build from "./build.ts";
import type { Domain } from "./nodes.ts";

/** The binary operators by precedence, loosest first. The last entry of each is the operator of nodes that is the same. */
export const infix: readonly (readonly (readonly [text: string, make: string, node: string])[])[] = [
  [["|", "or", "or"]],
  [["^", "xor", "xor"]],
  [["&", "and", "and"]],
  [
    ["==", "equal", "eq"],
    ["!=", "notEqual", "ne"],
  ],
  [
    ["<=", "lessOrEqual", "le"],
    [">=", "greaterOrEqual", ""],
    ["<", "less", "lt"],
    [">", "greater", ""],
  ],
  [
    ["<<", "shiftLeft", "shl"],
    [">>", "shiftRight", "shr"],
  ],
  [
    ["+", "plus", "add"],
    ["-", "minus", "sub"],
  ],
  [
    ["*", "times", "mul"],
    ["/", "divide", "div"],
    ["%", "mod", "mod"],
  ],
];

/** The functions of a text, by the operator of nodes; those with an operator in `infix` or a form of their own are left out. */
export const functions = {
  abs: "abs",
  floor: "floor",
  round: "round",
  sqrt: "sqrt",
  log: "log",
  cis: "cis",
  re: "re",
  im: "im",
  conj: "conj",
  complex: "complex",
  min: "min",
  max: "max",
  atan2: "atan2",
  select: "select",
  finite: "finite",
  "real-of": "toReal",
  "i32-of": "toI32",
  "u32-of": "toU32",
} as const;

const callable = new Set<string>([...Object.values(functions), "asI32", "asU32", "i32", "u32", "real", "sum", "inside", "taps"]);
const token =
  /\s*(?:(0x[0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([A-Za-z][A-Za-z0-9_]*)|(<<|>>|<=|>=|==|!=|[-+*/%&|^<>=!()[\],;]))/y;
/** How deep brackets may be nested. */
export const deepest = 100;
/** Longest text. */
const longest = 100_000;

interface Token {
  readonly text: string;
  readonly type: "number" | "name" | "sign" | "end";
  readonly at: number;
  /** Whether a line break precedes it. */
  readonly newLine: boolean;
}

const fail = (expected: string, at: number, text: string, actual: string): never => {
  throw new RadarError(
    "layout",
    `expression: ${expected} at character ${at + 1}, not ${actual === "" ? "the end" : JSON.stringify(actual)}`,
    {
      field: "expression",
      offset: at,
      expected,
      actual,
      text,
    },
  );
};

function tokens(text: string): readonly Token[] {
  if (text.length > longest)
    throw new RadarError("limit", `expression must have at most ${longest} characters`, {
      field: "expression",
      limit: longest,
      actual: text.length,
    });
  const list: Token[] = [];
  let at = 0;
  while (text.slice(at).trim() !== "") {
    token.lastIndex = at;
    const found = token.exec(text);
    if (!found) {
      const start = at + text.slice(at).search(/\S/);
      return fail("a number, a name or an operator is expected", start, text, String.fromCodePoint(text.codePointAt(start) as number));
    }
    const [whole, number, name, sign] = found;
    const said = number ?? name ?? sign;
    const start = at + whole.length - said.length;
    list.push({ text: said, type: number ? "number" : name ? "name" : "sign", at: start, newLine: whole.includes("\n") });
    at = token.lastIndex;
  }
  list.push({ text: "", type: "end", at: text.length, newLine: true });
  return list;
}

/** Throws `layout` if a source or uniform has a name that means something else in a text. */
export function checkNames(domain: Domain): void {
  for (const name of Object.keys({ ...domain.sources, ...domain.uniforms }))
    if (callable.has(name) || /^(i\d+|true|false|value)$/.test(name))
      throw layoutError(`sources.${name}`, "a name that is not taken", name);
}

/**
 * Parses a text in a domain. Returns the value of its last statement, or the values of `outputs` by name. Throws `layout`, with the
 * `offset` of the character, if the text is wrong.
 */
export function parse(text: string, { shape, sources, uniforms = {}, value }: Domain, outputs?: readonly string[]): unknown {
  checkNames({ shape, sources, uniforms });
  const list = tokens(text);
  let place = 0;
  let depth = 0;
  let brackets = 0;
  const named = new Map<string, unknown>([
    ...shape.map((_, axis): [string, unknown] => [`i${axis}`, build.indexOf(axis)]),
    ...Object.entries(uniforms).map(([name, type]): [string, unknown] => [name, build.uniformOf(name, type)]),
    ...(value ? [["value", build.valueOfStore()] as [string, unknown]] : []),
    ["true", true],
    ["false", false],
  ]);
  const isFree = (name: string): boolean => !named.has(name) && !Object.hasOwn(sources, name) && !callable.has(name);
  /** Whether an output that is also a source can be assigned to. Its name still means the source afterwards. */
  const isUpdated = (name: string): boolean =>
    brackets === 0 && outputs?.includes(name) === true && Object.hasOwn(sources, name) && !named.has(name);

  /** Whether the next token is this sign. A line break outside brackets ends a statement, so no operator follows it. */
  const is = (sign: string, anyLine = brackets > 0): boolean =>
    list[place].type === "sign" && list[place].text === sign && (anyLine || !list[place].newLine);
  const wrong = (expected: string): never => fail(`${expected} is expected`, list[place].at, text, list[place].text);
  const take = (sign: string): void => {
    if (list[place].type !== "sign" || list[place].text !== sign) wrong(`"${sign}"`);
    place += 1;
  };
  /** Calls a function of build.ts; its error gets the place of the operator. */
  const placed = (at: number, call: () => unknown): unknown => {
    try {
      return call();
    } catch (error) {
      // The error of a sum's term has a place already.
      if (!(error instanceof RadarError) || "offset" in error.fields) throw error;
      throw new RadarError(
        error.code,
        `expression: ${error.message} (at character ${at + 1})`,
        { ...error.fields, field: "expression", offset: at },
        error,
      );
    }
  };
  const functionOf = (name: string) => (build as unknown as Record<string, (...given: readonly unknown[]) => unknown>)[name];
  const make = (name: string, operands: readonly unknown[], at: number): unknown => placed(at, () => functionOf(name)(...operands));
  /** Operands in brackets that end with `close`. */
  const operands = (close: string): unknown[] => {
    const all: unknown[] = [];
    brackets += 1;
    while (all.length === 0 || is(",")) {
      if (all.length > 0) take(",");
      all.push(operation(0));
    }
    take(close);
    brackets -= 1;
    return all;
  };

  function operation(level: number): unknown {
    if (level === infix.length) return prefix();
    let left = operation(level + 1);
    for (;;) {
      const found = infix[level].find(([sign]) => is(sign));
      if (!found) return left;
      const { at } = list[place];
      place += 1;
      left = make(found[1], [left, operation(level + 1)], at);
    }
  }

  function prefix(): unknown {
    const { at } = list[place];
    if (++depth > deepest) fail(`at most ${deepest} brackets and signs within each other are possible`, at, text, list[place].text);
    try {
      for (const [sign, name] of [
        ["-", "negate"],
        ["!", "not"],
      ] as const) {
        if (!is(sign, true)) continue;
        place += 1;
        const operand = prefix();
        return sign === "-" && typeof operand === "number" ? -operand : make(name, [operand], at);
      }
      return primary();
    } finally {
      depth -= 1;
    }
  }

  function primary(): unknown {
    const { text: said, type, at } = list[place];
    if (type === "number") {
      place += 1;
      return Number(said);
    }
    if (is("(", true)) {
      place += 1;
      return block();
    }
    if (type !== "name") return wrong("a value");
    place += 1;
    if (said === "sum") return sum();
    if (said === "inside") {
      take("(");
      const name = list[place].text;
      if (!Object.hasOwn(sources, name)) return wrong("the name of a source");
      place += 1;
      if (is(")")) {
        place += 1;
        return make("inside", [build.sourceOf(name, sources[name]), ...own(name)], at);
      }
      take(",");
      return make("inside", [build.sourceOf(name, sources[name]), ...operands(")")], at);
    }
    if (said === "taps") return taps(at);
    if (Object.hasOwn(sources, said)) {
      if (!is("[")) return element(said, own(said), at);
      place += 1;
      return element(said, operands("]"), at);
    }
    if (callable.has(said)) {
      take("(");
      const given = operands(")");
      const { length } = functionOf(said);
      if (given.length !== length) fail(`${length} operands are expected`, at, text, said);
      return make(said, given, at);
    }
    if (!named.has(said)) {
      place -= 1;
      return wrong("a source, a uniform, an index, a function or a named value");
    }
    return named.get(said);
  }

  /** Named values and a last value, in brackets of which the first has been read. */
  function block(): unknown {
    const own: string[] = [];
    brackets += 1;
    while (isNaming()) {
      own.push(naming());
      take(";");
    }
    const result = operation(0);
    take(")");
    brackets -= 1;
    for (const name of own) named.delete(name);
    return result;
  }

  const isNaming = (): boolean => list[place].type === "name" && list[place + 1].text === "=";
  /** Reads `name = value` and returns the name. */
  function naming(): string {
    const { text: name, at } = list[place];
    if (!isFree(name) && !isUpdated(name)) fail("a name that is not taken is expected", at, text, name);
    place += 2;
    named.set(name, operation(0));
    return name;
  }

  const own = (name: string): unknown[] => {
    const rank = sources[name].shape.length;
    if (rank !== shape.length) wrong(`"[" and ${rank} indices of ${name}, whose rank is not that of the result,`);
    return shape.map((_, axis) => named.get(`i${axis}`));
  };
  const element = (name: string, indices: readonly unknown[], at: number): unknown =>
    placed(at, () => build.sourceOf(name, sources[name])(...(indices as readonly build.Index[])));

  function taps(at: number): unknown {
    take("(");
    const name = list[place].text;
    if (!Object.hasOwn(sources, name)) return wrong("the name of a source");
    place += 1;
    take(",");
    if (list[place].type !== "number") return wrong("the number of an axis");
    const axis = Number(list[place].text);
    place += 1;
    take(",");
    const given = operands(")");
    const count = given.length - sources[name].shape.length;
    return make(
      "taps",
      [build.sourceOf(name, sources[name]), axis, given.slice(0, Math.max(0, count)), given.slice(Math.max(0, count))],
      at,
    );
  }

  function sum(): unknown {
    take("(");
    const { at } = list[place];
    const name = list[place].text;
    if (list[place].type !== "name" || !isFree(name)) return wrong("a new name for the index of the sum");
    place += 1;
    take(",");
    brackets += 1;
    const count = operation(0);
    take(",");
    const hasMost = list[place].type === "number" && list[place + 1].text === ",";
    const most = hasMost ? [Number(list[place].text)] : [];
    if (hasMost) place += 2;
    const term = (index: unknown): unknown => {
      named.set(name, index);
      const made = operation(0);
      named.delete(name);
      return made;
    };
    const made = make("sum", [count, term, ...most], at);
    take(")");
    brackets -= 1;
    return made;
  }

  let last: unknown;
  while (list[place].type !== "end") {
    if (isNaming()) {
      naming();
      last = undefined;
    } else last = operation(0);
    if (is(";", true)) place += 1;
    else if (list[place].type !== "end" && !list[place].newLine) wrong('an operator, ";" or the end');
    if (last !== undefined && list[place].type !== "end") wrong("the end after the result");
  }
  if (!outputs) return last === undefined ? wrong("a result") : last;
  return Object.fromEntries(
    outputs.map((name) => [
      name,
      named.has(name) ? named.get(name) : outputs.length === 1 && last !== undefined ? last : wrong(`a value ${name}`),
    ]),
  );
}
