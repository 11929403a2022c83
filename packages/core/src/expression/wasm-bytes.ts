/**
 * WebAssembly in bytes: instructions, locals and the module around one function (WebAssembly Core Specification 2.0, section 5). Code is
 * a list of bytes that leaves one value on the stack, or none. Nothing here knows of expressions.
 */

/** Bytes of instructions, with parts in lists of their own, which are joined at the end. */
export type Code = readonly (number | Code)[];
/** Code that more is added to. */
export type Draft = (number | Code)[];

/** Types of locals. */
export const type = { i32: 0x7f, f32: 0x7d, v128: 0x7b } as const;
export type Type = (typeof type)[keyof typeof type];

const simd = 0xfd00;
/** Instructions on one number. */
export const one = {
  ...{ eqz: 0x45, eq: 0x46, ne: 0x47, lt_s: 0x48, lt_u: 0x49, le_s: 0x4c, le_u: 0x4d, add: 0x6a, sub: 0x6b, mul: 0x6c, div_u: 0x6e },
  ...{
    rem_s: 0x6f,
    rem_u: 0x70,
    and: 0x71,
    or: 0x72,
    xor: 0x73,
    shl: 0x74,
    shr_s: 0x75,
    shr_u: 0x76,
    select: 0x1b,
    load: 0x28,
    loadF32: 0x2a,
  },
} as const;
/** Instructions on four numbers; `f` at the front marks float32, `d` two numbers of float64, and others take i32 or bits. */
export const four = {
  ...{
    load: simd,
    load8: simd + 1,
    load32: simd + 92,
    load64: simd + 93,
    store: simd + 11,
    splat: simd + 17,
    fsplat: simd + 19,
    lane: simd + 27,
  },
  ...{ flane: simd + 31, eq: simd + 55, ne: simd + 56, lt: simd + 57, ltu: simd + 58, le: simd + 61, leu: simd + 62, ge: simd + 63 },
  ...{ geu: simd + 64, feq: simd + 65, fne: simd + 66, flt: simd + 67, fgt: simd + 68, fle: simd + 69, not: simd + 77, and: simd + 78 },
  ...{ andnot: simd + 79, or: simd + 80, xor: simd + 81, pick: simd + 82, demote: simd + 94, promote: simd + 95, ffloor: simd + 104 },
  ...{ fround: simd + 106, dfloor: simd + 117, dtrunc: simd + 122, narrow8s: simd + 101, narrow8u: simd + 102, narrow16: simd + 133 },
  ...{ abs: simd + 160, neg: simd + 161, all: simd + 163, shl: simd + 171, shr_s: simd + 172, shr_u: simd + 173, add: simd + 174 },
  ...{ sub: simd + 177, mul: simd + 181, min: simd + 182, minu: simd + 183, max: simd + 184, maxu: simd + 185, fabs: simd + 224 },
  ...{ fneg: simd + 225, fsqrt: simd + 227, fadd: simd + 228, fsub: simd + 229, fmul: simd + 230, fdiv: simd + 231, fmin: simd + 232 },
  ...{ fmax: simd + 233, dsqrt: simd + 239, dadd: simd + 240, dsub: simd + 241, dmul: simd + 242, ddiv: simd + 243 },
  ...{ toI32: simd + 248, toU32: simd + 249, fromI32: simd + 250, fromU32: simd + 251, dFromI32: simd + 254, dFromU32: simd + 255 },
} as const;

/** An unsigned number in LEB128. */
function unsigned(value: number): number[] {
  const out: number[] = [];
  let rest = value >>> 0;
  for (; rest > 127; rest >>>= 7) out.push((rest & 127) | 128);
  out.push(rest);
  return out;
}

/** An instruction after the code of its operands. */
export function op(instruction: number, ...code: Draft): Draft {
  if (instruction < 256) code.push(instruction);
  else if (instruction < simd + 128) code.push(0xfd, instruction - simd);
  else code.push(0xfd, instruction - simd, 1);
  return code;
}

/** A load or store at an address, and `offset` bytes on. */
export function memory(instruction: number, offset: number, ...operands: readonly Code[]): Draft {
  const out = op(instruction, ...operands);
  out.push(0, ...(offset < 128 ? [offset] : unsigned(offset)));
  return out;
}

/** Reads (`width` bytes, load: true) or writes one lane of four, two, eight or sixteen. */
export function memoryLane(load: boolean, width: number, lane: number, offset: number, ...operands: readonly Code[]): Draft {
  const out = memory(simd + (load ? 84 : 88) + Math.log2(width), offset, ...operands);
  out.push(lane);
  return out;
}

/** One lane of a vector, or with another number in its place. */
export function lane(instruction: number, index: number, ...operands: readonly Code[]): Code {
  const out = op(instruction, ...operands);
  out.push(index);
  return out;
}

/** Words of two vectors: 0 to 3 of the first, 4 to 7 of the second. */
export function shuffle(a: Code, b: Code, ...words: readonly number[]): Code {
  const out = op(simd + 13, a, b);
  for (const word of words) for (let byte = 0; byte < 4; byte++) out.push(4 * word + byte);
  return out;
}

/** A constant i32, given as any number of which the low 32 bits count. */
export function integer(value: number): number[] {
  const out = [0x41];
  let rest = value | 0;
  for (; rest < -64 || rest > 63; rest >>= 7) out.push((rest & 127) | 128);
  out.push(rest & 127);
  return out;
}

const scratch = new DataView(new ArrayBuffer(8));
/** The bits of a number that is rounded to float32. */
export const bitsOf = (value: number): number => {
  scratch.setFloat32(0, value);
  return scratch.getUint32(0);
};
const bytesOf = (bits: number): number[] => [bits & 255, (bits >> 8) & 255, (bits >> 16) & 255, bits >>> 24];

/** A constant f32. */
export const float = (value: number): number[] => [0x43, ...bytesOf(bitsOf(value))];

/** A constant vector of four words. */
export const words = (...bits: readonly number[]): number[] => [0xfd, 12, ...bits.flatMap(bytesOf)];

/** A constant vector of two float64 numbers. */
export function doubles(value: number): number[] {
  scratch.setFloat64(0, value);
  const [high, low] = [scratch.getUint32(0), scratch.getUint32(4)];
  return words(low, high, low, high);
}

/** Reads a local. */
export const local = (index: number): Code => (index < 128 ? [0x20, index] : [0x20, ...unsigned(index)]);

/** Sets the local that `variable` reads. */
export const set = (variable: Code, value: Code): Code => [value, 0x21, ...variable.slice(1)];

/** `then` if the condition is not zero, else `otherwise`. Neither leaves a value. */
export const when = (condition: Code, then: Code, otherwise?: Code): Code =>
  otherwise ? [condition, 0x04, 0x40, then, 0x05, otherwise, 0x0b] : [condition, 0x04, 0x40, then, 0x0b];

/** Repeats `body` as long as the condition after it is not zero. */
export const loop = (body: Code, condition: Code): Code => [0x03, 0x40, body, condition, 0x0d, 0x00, 0x0b];

/** A part of the function that is put together apart from the others. A deeper one lies within the ones above it. */
export interface Section {
  readonly code: Draft;
  readonly depth: number;
}

/** Locals of one function. Those of a scope, 0 or 1, are given back together, and only that scope takes them again. */
export class Locals {
  readonly #parameters: number;
  readonly #types: Type[] = [];
  readonly #taken: readonly [number[], number[]] = [[], []];
  readonly #free: readonly [Record<number, number[]>, Record<number, number[]>] = [{}, {}];

  constructor(parameters: number) {
    this.#parameters = parameters;
  }

  /** A new local. Without a scope nothing else ever takes it. */
  new(kind: Type, scope?: 0 | 1): Code {
    const index = (scope === undefined ? undefined : this.#free[scope][kind]?.pop()) ?? this.#types.push(kind) - 1;
    if (scope !== undefined) this.#taken[scope].push(index);
    return local(this.#parameters + index);
  }

  /** Gives the locals of a scope back. */
  end(scope: 0 | 1): void {
    const free = this.#free[scope];
    for (const index of this.#taken[scope].splice(0)) {
      const kind = this.#types[index];
      free[kind] ??= [];
      free[kind].push(index);
    }
  }

  /** Their declarations. */
  declare(): number[] {
    const groups: number[][] = [];
    for (const kind of this.#types) {
      const last = groups.at(-1);
      if (last?.[1] === kind) last[0]++;
      else groups.push([1, kind]);
    }
    return [...unsigned(groups.length), ...groups.flatMap(([count, kind]) => [...unsigned(count), kind])];
  }
}

const text = (string: string): number[] => [string.length, ...Array.from(string, (letter) => letter.charCodeAt(0))];

/** The limits of a shared memory of 1 to 65536 pages, and of another of at least 0 pages in as many bytes. */
const limits = { shared: [3, 1, 0x80, 0x80, 4], plain: [0, 0x80, 0x80, 0x80, 0] };

/** The code of a function, without its parameters. */
export interface WasmCode {
  readonly locals: Locals;
  readonly body: Code;
}

/**
 * A module of functions of so many i32 parameters without result, for either kind of memory. It exports the first as `main` and imports
 * `env.memory`.
 */
export function moduleOf(parameters: number, functions: readonly WasmCode[]): (shared: boolean) => Uint8Array<ArrayBuffer> {
  const code = [...unsigned(functions.length)];
  for (const { locals, body } of functions) {
    const own = [...locals.declare()];
    join(own, body);
    own.push(0x0b);
    code.push(...unsigned(own.length));
    join(code, own);
  }
  const section = (id: number, content: readonly number[]): number[] => [id, ...unsigned(content.length), ...content];
  const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  const types = section(1, [1, 0x60, parameters, ...new Array<number>(parameters).fill(type.i32), 0]);
  const names = [1, ...text("env"), ...text("memory"), 2];
  const imports = section(2, [...names, ...limits.shared]);
  const others = [...section(3, [...unsigned(functions.length), ...functions.map(() => 0)]), ...section(7, [1, ...text("main"), 0, 0])];
  const before = [...header, ...types, ...imports, ...others, 10, ...unsigned(code.length)];
  return (shared) => {
    const bytes = new Uint8Array(before.length + code.length);
    bytes.set(before);
    bytes.set(code, before.length);
    bytes.set(shared ? limits.shared : limits.plain, header.length + types.length + 2 + names.length);
    return bytes;
  };
}

function join(out: number[], code: Code): void {
  for (let i = 0; i < code.length; i++) {
    const item = code[i];
    if (typeof item === "number") out.push(item);
    else join(out, item);
  }
}
