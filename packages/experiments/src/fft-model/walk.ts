/**
 * Follows the invocations of a workgroup through statements: scopes, branches, loops, functions, and lanes that leave them. What expressions
 * and assignments do is up to the class that extends it.
 */
import { RadarError } from "@dechirp/core";
import { bytesOfType, isFloat, type Value, widthOf } from "./lanes.ts";
import type { Expression, Statement, WgslFunction, WgslModule } from "./wgsl-parser.ts";

/** A variable, whose value changes. */
export interface Variable {
  value: Value;
}

const mostTurns = 65_536;

/** The error of code that can't be followed. */
export const unfollowed = (what: string): RadarError => new RadarError("unsupported", `the model can't follow ${what}`, { what });

/** The name at the beginning of `a[i].x`. */
export function rootOf(target: Expression): string {
  if (target.kind === "name") return target.name;
  if (target.kind === "index" || target.kind === "member" || target.kind === "unary") return rootOf(target.of);
  throw unfollowed("a place that is not a variable");
}

const concrete = (type: string): string => (type === "int" ? "i32" : type === "float" ? "f32" : type);

/** Follows statements. */
export abstract class Walk {
  protected readonly module: WgslModule;
  /** Invocations of a workgroup. */
  protected readonly threads: number;
  protected scope = new Map<string, Variable>();
  /** The lanes that run the current statement, and their number. */
  protected mask: Uint8Array;
  protected active: number;
  /** The number of conditions around the current statement that depend on data. Both of their sides are counted. */
  protected doubts = 0;
  #returned: Value = { type: "" };

  constructor(module: WgslModule, threads: number) {
    this.module = module;
    this.threads = threads;
    this.mask = new Uint8Array(threads).fill(1);
    this.active = threads;
  }

  protected abstract evaluate(expression: Expression): Value;
  protected abstract assign(target: Expression, operator: string, value: Expression): void;

  /** Runs statements for the lanes of the mask. Lanes that leave the block by `return`, `break` or `continue` leave the mask. */
  protected run(body: readonly Statement[]): void {
    for (const statement of body) {
      if (this.active === 0) return;
      this.#statement(statement);
    }
  }

  #statement(statement: Statement): void {
    switch (statement.kind) {
      case "declare": {
        const given = statement.value && this.evaluate(statement.value);
        const type = statement.type ?? given?.type ?? "";
        const zero: Value = bytesOfType(type) !== undefined && !isFloat(type) && widthOf(type) === 1 ? { type, lanes: 0 } : { type };
        this.scope.set(statement.name, { value: given ? { ...given, type: concrete(type) } : zero });
        return;
      }
      case "assign":
        this.assign(statement.target, statement.operator, statement.value);
        return;
      case "expression":
        this.evaluate(statement.value);
        return;
      case "block":
        this.run(statement.body);
        return;
      case "if":
        this.#if(statement.condition, statement.yes, statement.no);
        return;
      case "loop":
        this.#loop(statement);
        return;
      case "return":
        if (statement.value) this.#returned = this.evaluate(statement.value);
        this.#leave(statement.kind);
        return;
      default:
        this.#leave(statement.kind);
    }
  }

  /** Lanes that have left, by how. They come back at the end of the loop or function. */
  readonly #left: Record<"return" | "break" | "continue", Uint8Array | undefined> = {
    return: undefined,
    break: undefined,
    continue: undefined,
  };

  #leave(how: "return" | "break" | "continue"): void {
    // If it depends on data, all lanes are counted as if they stayed.
    if (this.doubts > 0) {
      this.#use(new Uint8Array(this.threads));
      return;
    }
    const left = this.#left[how] ?? new Uint8Array(this.threads);
    this.#left[how] = left.map((set, i) => set | this.mask[i]);
    this.#use(new Uint8Array(this.threads));
  }

  #use(mask: Uint8Array): void {
    this.mask = mask;
    this.active = mask.reduce((sum, set) => sum + set, 0);
  }

  #if(condition: Expression, yes: readonly Statement[], no: readonly Statement[]): void {
    const { lanes } = this.evaluate(condition);
    // A condition on data: both sides are counted for all lanes.
    const holds = (i: number): boolean => (typeof lanes === "number" ? lanes : (lanes as Float64Array)[i]) !== 0;
    const before = this.mask;
    const side = (want: boolean): Uint8Array => (lanes === undefined ? before : before.map((set, i) => set & Number(holds(i) === want)));
    const stayed: Uint8Array[] = [];
    if (lanes === undefined) this.doubts += 1;
    for (const [body, want] of [[yes, true] as const, [no, false] as const]) {
      this.#use(side(want));
      if (this.active > 0) this.run(body);
      stayed.push(this.mask);
    }
    if (lanes === undefined) {
      this.doubts -= 1;
      this.#use(before);
    } else this.#use(before.map((_, i) => stayed[0][i] | stayed[1][i]));
  }

  #loop({ first, condition, next, body }: Extract<Statement, { kind: "loop" }>): void {
    const outer = { mask: this.mask, break: this.#left.break, continue: this.#left.continue };
    this.#left.break = undefined;
    if (first) this.#statement(first);
    for (let turn = 0; this.active > 0; turn++) {
      if (turn >= mostTurns) throw unfollowed("a loop that does not end");
      if (condition) {
        const { lanes } = this.evaluate(condition);
        if (lanes === undefined) throw unfollowed("a loop that depends on data");
        this.#use(this.mask.map((set, i) => set & Number((typeof lanes === "number" ? lanes : lanes[i]) !== 0)));
        if (this.active === 0) break;
      }
      this.#left.continue = undefined;
      this.run(body);
      const back: Uint8Array | undefined = this.#left.continue;
      if (back) this.#use(this.mask.map((set, i) => set | (back as Uint8Array)[i]));
      if (next && this.active > 0) this.#statement(next);
    }
    const gone = this.#left.return;
    this.#left.break = outer.break;
    this.#left.continue = outer.continue;
    this.#use(outer.mask.map((set, i) => set & (gone?.[i] ? 0 : 1)));
  }

  protected call(own: WgslFunction, args: readonly Expression[]): Value {
    const scope = new Map<string, Variable>([...this.scope].filter(([name]) => this.module.constants.has(name)));
    own.parameters.forEach(({ name, type }, i) => {
      const arg = args[i];
      // A pointer is the variable itself.
      const variable = arg?.kind === "unary" && arg.operator === "&" ? this.scope.get(rootOf(arg.of)) : undefined;
      scope.set(name, variable ?? { value: { ...this.evaluate(arg), type } });
    });
    const before = { scope: this.scope, mask: this.mask, left: this.#left.return };
    this.scope = scope;
    this.#left.return = undefined;
    this.#returned = { type: "" };
    this.run(own.body);
    this.scope = before.scope;
    this.#left.return = before.left;
    this.#use(before.mask);
    return this.#returned;
  }
}
