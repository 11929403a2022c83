/**
 * Parses the WGSL that the generators of `@dechirp/fft-gpu` write, which is a part of the language: functions, variables, `if`, loops and
 * expressions. census.ts counts the work of what it returns. (The parsers on npm do not know subgroup matrices.)
 */
import { RadarError } from "@dechirp/core";

/** An expression. */
export type Expression =
  | { readonly kind: "number"; readonly value: number; readonly type: string }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "call"; readonly name: string; readonly type?: string; readonly args: readonly Expression[] }
  | { readonly kind: "index"; readonly of: Expression; readonly at: Expression }
  | { readonly kind: "member"; readonly of: Expression; readonly name: string }
  | { readonly kind: "unary"; readonly operator: string; readonly of: Expression }
  | { readonly kind: "binary"; readonly operator: string; readonly left: Expression; readonly right: Expression };

/** A statement. */
export type Statement =
  | { readonly kind: "declare"; readonly name: string; readonly type?: string; readonly value?: Expression }
  | { readonly kind: "assign"; readonly target: Expression; readonly operator: string; readonly value: Expression }
  | { readonly kind: "expression"; readonly value: Expression }
  | { readonly kind: "if"; readonly condition: Expression; readonly yes: readonly Statement[]; readonly no: readonly Statement[] }
  | {
      readonly kind: "loop";
      readonly first?: Statement;
      readonly condition?: Expression;
      readonly next?: Statement;
      readonly body: readonly Statement[];
    }
  | { readonly kind: "block"; readonly body: readonly Statement[] }
  | { readonly kind: "return"; readonly value?: Expression }
  | { readonly kind: "break" | "continue" };

/** A parameter with its builtin, if it has one. */
export interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly builtin?: string;
}

/** A function. */
export interface WgslFunction {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly body: readonly Statement[];
  /** Invocations of a workgroup, if it is an entry point. */
  readonly threads?: number;
}

/** A module. */
export interface WgslModule {
  readonly functions: ReadonlyMap<string, WgslFunction>;
  /** Types of workgroup memory by name. */
  readonly workgroup: ReadonlyMap<string, string>;
  readonly constants: ReadonlyMap<string, Expression>;
}

interface Token {
  readonly text: string;
  readonly at: number;
}

const pattern =
  /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|([A-Za-z_]\w*|0[xX][0-9a-fA-F]+[iu]?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[iufh]?|&&|\|\||==|!=|<=|<<=|<<|->|\+\+|--|[-+*/%&|^]=|[-+*/%&|^<>=!~.,;:(){}[\]@])/gy;

/** Types and functions that may be followed by types in angle brackets. */
const templates =
  /^(array|ptr|vec[234]|mat[234]x[234]|atomic|bitcast|subgroup_matrix_(left|right|result)|subgroupMatrix(Load|Store|Multiply|MultiplyAccumulate))$/;

const precedence: Readonly<Record<string, number>> = {
  "||": 1,
  "&&": 2,
  "|": 3,
  "^": 4,
  "&": 5,
  "==": 6,
  "!=": 6,
  "<": 7,
  ">": 7,
  "<=": 7,
  ">=": 7,
  "<<": 8,
  ">>": 8,
  "+": 9,
  "-": 9,
  "*": 10,
  "/": 10,
  "%": 10,
};

/** Parses a module. Throws `unsupported` at a part of the language that it does not know. */
export function parseWgsl(code: string): WgslModule {
  return new Parser(code).module();
}

class Parser {
  readonly #tokens: Token[] = [];
  #next = 0;
  readonly #aliases = new Map<string, string>();

  constructor(code: string) {
    pattern.lastIndex = 0;
    while (pattern.lastIndex < code.length) {
      const at = pattern.lastIndex;
      const found = pattern.exec(code);
      if (!found) throw unknown(code.slice(at, at + 20));
      if (found[1] !== undefined) this.#tokens.push({ text: found[1], at });
    }
  }

  module(): WgslModule {
    const functions = new Map<string, WgslFunction>();
    const workgroup = new Map<string, string>();
    const constants = new Map<string, Expression>();
    while (this.#next < this.#tokens.length) {
      const attributes = this.#attributes();
      const word = this.#take();
      if (word === "fn") {
        const one = this.#function(attributes);
        functions.set(one.name, one);
      } else if (word === "var") {
        const space = this.#is("<") ? this.#angled() : "";
        const name = this.#take();
        const type = this.#accept(":") ? this.#type() : "";
        if (this.#accept("=")) this.#expression();
        this.#expect(";");
        if (space.startsWith("workgroup")) workgroup.set(name, type);
      } else if (word === "const" || word === "override") {
        const name = this.#take();
        if (this.#accept(":")) this.#type();
        if (this.#accept("=")) constants.set(name, this.#expression());
        this.#expect(";");
      } else if (word === "alias") {
        const name = this.#take();
        this.#expect("=");
        this.#aliases.set(name, this.#type());
        this.#expect(";");
      } else if (word === "enable" || word === "requires" || word === "diagnostic") while (this.#take() !== ";");
      else if (word !== ";") throw unknown(word);
    }
    return { functions, workgroup, constants };
  }

  #function(attributes: ReadonlyMap<string, readonly Expression[]>): WgslFunction {
    const name = this.#take();
    this.#expect("(");
    const parameters: Parameter[] = [];
    while (!this.#accept(")")) {
      const [own] = this.#attributes().get("builtin") ?? [];
      const parameter = this.#take();
      this.#expect(":");
      parameters.push({ name: parameter, type: this.#type(), ...(own?.kind === "name" && { builtin: own.name }) });
      this.#accept(",");
    }
    if (this.#accept("->")) {
      this.#attributes();
      this.#type();
    }
    const body = this.#block();
    const size = attributes.get("workgroup_size");
    const threads = size?.reduce((product, one) => product * (one.kind === "number" ? one.value : Number.NaN), 1);
    return { name, parameters, body, ...(threads !== undefined && { threads }) };
  }

  #attributes(): Map<string, readonly Expression[]> {
    const found = new Map<string, readonly Expression[]>();
    while (this.#accept("@")) found.set(this.#take(), this.#is("(") ? this.#arguments() : []);
    return found;
  }

  #block(): Statement[] {
    this.#attributes();
    this.#expect("{");
    const body: Statement[] = [];
    while (!this.#accept("}")) {
      const statement = this.#statement();
      if (statement) body.push(statement);
    }
    return body;
  }

  #statement(): Statement | undefined {
    this.#attributes();
    if (this.#accept(";")) return undefined;
    if (this.#is("{")) return { kind: "block", body: this.#block() };
    if (this.#accept("if")) return this.#if();
    if (this.#accept("for")) {
      this.#expect("(");
      const first = this.#is(";") ? undefined : this.#simple();
      this.#expect(";");
      const condition = this.#is(";") ? undefined : this.#expression();
      this.#expect(";");
      const next = this.#is(")") ? undefined : this.#simple();
      this.#expect(")");
      return { kind: "loop", ...(first && { first }), ...(condition && { condition }), ...(next && { next }), body: this.#block() };
    }
    if (this.#accept("while")) return { kind: "loop", condition: this.#expression(), body: this.#block() };
    if (this.#accept("loop")) return { kind: "loop", body: this.#block() };
    if (this.#accept("return")) {
      const value = this.#is(";") ? undefined : this.#expression();
      this.#expect(";");
      return { kind: "return", ...(value && { value }) };
    }
    for (const kind of ["break", "continue"] as const)
      if (this.#accept(kind)) {
        this.#expect(";");
        return { kind };
      }
    const statement = this.#simple();
    this.#expect(";");
    return statement;
  }

  #if(): Statement {
    const condition = this.#expression();
    const yes = this.#block();
    if (!this.#accept("else")) return { kind: "if", condition, yes, no: [] };
    return { kind: "if", condition, yes, no: this.#accept("if") ? [this.#if()] : this.#block() };
  }

  #simple(): Statement {
    for (const word of ["let", "var", "const"])
      if (this.#accept(word)) {
        if (this.#is("<")) this.#angled();
        const name = this.#take();
        const type = this.#accept(":") ? this.#type() : undefined;
        const value = this.#accept("=") ? this.#expression() : undefined;
        return { kind: "declare", name, ...(type && { type }), ...(value && { value }) };
      }
    const target = this.#unary();
    const operator = this.#is(";") ? "" : this.#assignment();
    if (operator === "") return { kind: "expression", value: target };
    if (operator === "++" || operator === "--")
      return { kind: "assign", target, operator: `${operator[0]}=`, value: { kind: "number", value: 1, type: "int" } };
    return { kind: "assign", target, operator, value: this.#expression() };
  }

  #assignment(): string {
    const text = this.#peek();
    if (text === ")") return "";
    this.#next += 1;
    if (/^([-+*/%&|^]=|<<=|=|\+\+|--)$/.test(text)) return text;
    throw unknown(text);
  }

  #expression(least = 1): Expression {
    let left = this.#unary();
    for (;;) {
      const operator = this.#operator();
      const power = operator === undefined ? 0 : precedence[operator];
      if (operator === undefined || power < least) return left;
      this.#next += operator === ">>" || operator === ">=" ? 2 : 1;
      left = { kind: "binary", operator, left, right: this.#expression(power + 1) };
    }
  }

  /** The next binary operator. A `>` is a token of its own, as it may close angle brackets. */
  #operator(): string | undefined {
    const [one, two] = [this.#tokens[this.#next], this.#tokens[this.#next + 1]];
    if (one?.text === ">" && two?.at === one.at + 1 && (two.text === ">" || two.text === "=")) return `>${two.text}`;
    return one && precedence[one.text] !== undefined ? one.text : undefined;
  }

  #unary(): Expression {
    const text = this.#peek();
    if (["-", "!", "~", "&", "*"].includes(text)) {
      this.#next += 1;
      return { kind: "unary", operator: text, of: this.#unary() };
    }
    let value = this.#primary();
    for (;;) {
      if (this.#accept("[")) {
        value = { kind: "index", of: value, at: this.#expression() };
        this.#expect("]");
      } else if (this.#accept(".")) value = { kind: "member", of: value, name: this.#take() };
      else return value;
    }
  }

  #primary(): Expression {
    if (this.#accept("(")) {
      const value = this.#expression();
      this.#expect(")");
      return value;
    }
    const text = this.#take();
    if (/^[\d.]/.test(text)) return numberOf(text);
    if (!/^[A-Za-z_]/.test(text)) throw unknown(text);
    if (text === "true" || text === "false") return { kind: "number", value: text === "true" ? 1 : 0, type: "bool" };
    const type = templates.test(text) && this.#is("<") ? `${text}<${this.#angled()}>` : undefined;
    if (!this.#is("(")) return { kind: "name", name: text };
    const full = normal(type ?? this.#aliases.get(text) ?? text);
    return { kind: "call", name: text, type: full, args: this.#arguments() };
  }

  #arguments(): Expression[] {
    this.#expect("(");
    const args: Expression[] = [];
    while (!this.#accept(")")) {
      args.push(this.#expression());
      this.#accept(",");
    }
    return args;
  }

  #type(): string {
    const name = this.#take();
    const full = this.#is("<") ? `${name}<${this.#angled()}>` : (this.#aliases.get(name) ?? name);
    return normal(full);
  }

  /** What is in angle brackets, as text. Aliases are replaced. */
  #angled(): string {
    this.#expect("<");
    let text = "";
    for (let depth = 1; ; ) {
      const token = this.#take();
      if (token === "<") depth += 1;
      if (token === ">") depth -= 1;
      if (depth === 0) return text;
      text += token === "," ? ", " : (this.#aliases.get(token) ?? token);
    }
  }

  #peek(): string {
    return this.#tokens[this.#next]?.text ?? "the end";
  }

  #take(): string {
    const text = this.#peek();
    if (this.#next >= this.#tokens.length) throw unknown(text);
    this.#next += 1;
    return text;
  }

  #is(text: string): boolean {
    return this.#tokens[this.#next]?.text === text;
  }

  #accept(text: string): boolean {
    if (!this.#is(text)) return false;
    this.#next += 1;
    return true;
  }

  #expect(text: string): void {
    if (!this.#accept(text)) throw unknown(this.#peek());
  }
}

const unknown = (text: string): RadarError => new RadarError("unsupported", `WGSL that the model does not know, at ${text}`, { text });

function numberOf(text: string): Expression {
  const hexadecimal = /^0[xX]/.test(text);
  const suffix = /[iu]$/.exec(text)?.[0] ?? (hexadecimal ? undefined : /[fh]$/.exec(text)?.[0]);
  const value = Number(suffix ? text.slice(0, -1) : text);
  const types: Readonly<Record<string, string>> = { i: "i32", u: "u32", f: "f32", h: "f16" };
  return { kind: "number", value, type: suffix ? types[suffix] : /[.eE]/.test(text) && !hexadecimal ? "float" : "int" };
}

/** `vec2<f32>` as `vec2f`, and so on. */
const normal = (type: string): string =>
  type.replace(
    /\bvec([234])<(f32|f16|u32|i32)>/g,
    (_, n: string, of: string) => `vec${n}${{ f32: "f", f16: "h", u32: "u", i32: "i" }[of]}`,
  );
