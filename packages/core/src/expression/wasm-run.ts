/**
 * The values of nodes in WebAssembly, and the parts of the function that compute them: once for the whole call, once for a row, once for
 * four elements or the last few of a row, and once for each term of a sum. A value is computed in the outermost part that has its
 * operands.
 */
import type { Kind } from "./nodes.ts";
import {
  bitsOf,
  type Code,
  four,
  integer,
  Locals,
  lane,
  local,
  memory,
  one,
  op,
  type Section,
  set,
  shuffle,
  type Type,
  type,
  when,
  words,
} from "./wasm-bytes.ts";
import type { Generator } from "./wasm-functions.ts";

/** A node's value. Its forms are computed when they are first asked for. A complex number has two parts. */
export interface Value {
  readonly kind: Kind;
  /** The part of the function that computes it. */
  readonly section: Section;
  /**
   * The difference between neighbouring elements if it is a constant; 0 for values that all elements of a run share, with any kind. In
   * the other cases it is an integer, and `scalar` is its value at index 0 of the last axis.
   */
  readonly stride?: number;
  /** One number of each part. */
  scalar?: readonly Code[];
  /** Four numbers of each part; truth values as masks. */
  vector?: readonly Code[];
  /** Four complex numbers as two vectors of re, im, re, im. Of a real number or mask: each number twice. */
  pairs?: readonly Code[];
}

const typeOf = (kind: Kind): Type => (kind === "real" || kind === "complex" ? type.f32 : type.i32);

export class Run implements Generator {
  readonly locals: Locals;
  readonly once: Section = { code: [], depth: 0 };
  readonly row: Section = { code: [], depth: 1 };
  body: Section = { code: [], depth: 2 };
  /** Where `keep` puts code. */
  at: Section = this.once;
  /** Whether the body is being computed. */
  inBody = false;
  /** Whether the body computes the last one to three elements of a row. */
  tail = false;
  /** Locals of the index along the last axis, the end of the run on this axis, and the row. */
  readonly index: Code;
  readonly end: Code;
  readonly rowIndex: Code;
  readonly isLong: boolean;
  /** For each split of rows at an end of an axis: whether the index is on it. Unless `apart`, it is, for all of them. */
  readonly partings: Code[] = [];
  apart = false;
  /** How often rows are split. */
  splits = 0;
  readonly #ofNodes = new Map<number, unknown>();
  readonly #known = new Map<string | number, Code>();
  #lanes = new Map<number, Code>();

  constructor(parameters: number, isLong: boolean) {
    this.isLong = isLong;
    this.locals = new Locals(parameters);
    [this.index, this.end, this.rowIndex] = [0, 1, 2].map(() => this.locals.new(type.i32));
  }

  keep(code: Code, kind: Type = type.v128): Code {
    const variable = this.locals.new(kind, 0);
    this.at.code.push(set(variable, code));
    return variable;
  }

  /** Computes a value in a section, for all nodes that use it. */
  put(section: Section, kind: Type, code: Code): Code {
    const variable = this.variable(section, kind);
    section.code.push(set(variable, code));
    return variable;
  }

  /** A local for a value of a section. */
  variable(section: Section, kind: Type): Code {
    return this.locals.new(kind, this.inBody && section !== this.once && section !== this.row ? 1 : undefined);
  }

  /** What is computed in a section only once, whatever asks for it. */
  shared(section: Section, key: string | number, kind: Type, code: () => Code): Code {
    let found = this.#known.get(key);
    if (!found) {
      found = this.put(section, kind, code());
      this.#known.set(key, found);
    }
    return found;
  }

  bits(value: number): Code {
    return this.shared(this.once, value >>> 0, type.v128, () => words(value, value, value, value));
  }

  real(value: number): Code {
    return this.bits(bitsOf(value));
  }

  /** The sign bit of every other number: what conjugates pairs. */
  signs(): Code {
    return this.shared(this.once, "signs", type.v128, () => words(0, 0x80000000, 0, 0x80000000));
  }

  /** The 32-bit word of the argument with this number. */
  word(number: number, instruction: number): Code {
    const kind = instruction === one.loadF32 ? type.f32 : type.i32;
    return this.shared(this.once, `word ${number}`, kind, () => memory(instruction, 4 * number, local(0)));
  }

  /** Begins the code of four elements, or of the last few. */
  begin(tail: boolean, apart: boolean): void {
    this.apart = apart;
    this.inBody = true;
    this.tail = tail;
    this.body = { code: [], depth: 2 };
    this.#lanes = new Map();
    this.locals.end(1);
  }

  /** Code in a list of its own, which a branch can run. */
  branch(write: () => void): Code {
    const outer = this.at;
    this.at = { code: [], depth: outer.depth };
    write();
    const { code } = this.at;
    this.at = outer;
    return code;
  }

  /** `stride` times the indices of the elements along the last axis. The last few elements of a row count again in place of more. */
  indices(stride: number): Code {
    let found = this.#lanes.get(stride);
    if (!found) {
      let code: Code;
      if (stride !== 1) code = op(four.mul, this.indices(1), this.bits(stride));
      else {
        const lanes = this.shared(this.once, "lanes", type.v128, () => words(0, 1, 2, 3));
        const last = op(four.splat, op(one.sub, op(one.sub, this.end, this.index), integer(1)));
        code = op(four.add, op(four.splat, this.index), this.tail ? op(four.min, lanes, last) : lanes);
      }
      found = this.put(this.body, type.v128, code);
      this.#lanes.set(stride, found);
    }
    return found;
  }

  /**
   * Ends the current part of the row before an index that grows by 1 along the row passes `limit`, or the largest i32 if it is beyond.
   * Each part has the code of the row to itself. Returns the index of its first element.
   */
  split(base: Code, limit: (first: Code) => Code): Code {
    this.splits++;
    const first = this.put(this.row, type.i32, op(one.add, base, this.index));
    const room = this.put(this.row, type.i32, op(one.sub, limit(first), first));
    const left = op(one.sub, op(one.sub, this.end, this.index), integer(1));
    const fits = op(one.lt_u, room, left);
    this.row.code.push(when(fits, set(this.end, op(one.add, op(one.add, this.index, room), integer(1)))));
    return first;
  }

  /** Whether an index grows by 1 along a row, and a row may be split for it. */
  canSplit({ stride, section }: Value): boolean {
    return stride === 1 && this.isLong && this.splits < 4 && (section === this.once || section === this.row);
  }

  /** What is known of the node with this place in both bodies. */
  ofNode<T>(place: number, make: () => T): T {
    if (!this.#ofNodes.has(place)) this.#ofNodes.set(place, make());
    return this.#ofNodes.get(place) as T;
  }

  /** The innermost of the sections of some values. */
  inner(...sections: readonly Section[]): Section {
    return sections.reduce((a, b) => (b.depth > a.depth ? b : a), this.once);
  }

  /** One number of each part of a value with stride. */
  scalarOf(value: Value): readonly Code[] {
    value.scalar ??= (value.vector as readonly Code[]).map((part) => {
      const kind = typeOf(value.kind);
      const code = lane(kind === type.f32 ? four.flane : four.lane, 0, part);
      return this.put(value.section, kind, value.kind === "bool" ? op(one.and, code, integer(1)) : code);
    });
    return value.scalar;
  }

  vectorOf(value: Value): readonly Code[] {
    if (value.vector) return value.vector;
    const { kind, section, stride, pairs } = value;
    const put = (code: Code, within = section): Code => this.put(within, type.v128, code);
    if (pairs) value.vector = [put(shuffle(pairs[0], pairs[1], 0, 2, 4, 6)), put(shuffle(pairs[0], pairs[1], 1, 3, 5, 7))];
    else {
      const splat = (part: Code): Code =>
        typeOf(kind) === type.f32 ? op(four.fsplat, part) : op(four.splat, kind === "bool" ? op(one.sub, integer(0), part) : part);
      const parts = value.scalar as readonly Code[];
      if (!stride) value.vector = parts.map((part) => put(splat(part)));
      else if (isZero(parts[0])) value.vector = [this.indices(stride)];
      else value.vector = [put(op(four.add, this.indices(stride), put(splat(parts[0]))), this.inner(section, this.body))];
    }
    return value.vector;
  }

  pairsOf(value: Value): readonly Code[] {
    if (value.pairs) return value.pairs;
    const { kind, section, stride } = value;
    const [a, b = a] = this.vectorOf(value);
    const put = (...lanes: readonly number[]): Code => this.put(section, type.v128, shuffle(a, b, ...lanes));
    if (kind === "complex") value.pairs = [put(0, 4, 1, 5), put(2, 6, 3, 7)];
    else if (stride === 0) value.pairs = [a, a];
    else value.pairs = [put(0, 0, 1, 1), put(2, 2, 3, 3)];
    return value.pairs;
  }
}

const isZero = (code: Code): boolean => code[0] === 0x41 && code[1] === 0;
