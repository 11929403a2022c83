/** Operators in WebAssembly: on one number, on four, and on two complex numbers as re, im, re, im. */
import type { Kind } from "./nodes.ts";
import { type Code, four, integer, lane, one, op } from "./wasm-bytes.ts";
import { atan2, cisOfCycles, cisOfFractions, divide, log, magnitude } from "./wasm-functions.ts";
import type { Run, Value } from "./wasm-run.ts";

type Range = readonly [low: number, high: number];
type Instructions = readonly [scalar: number, vector: number];
const integers = {
  add: [one.add, four.add],
  sub: [one.sub, four.sub],
  mul: [one.mul, four.mul],
  and: [one.and, four.and],
  or: [one.or, four.or],
  xor: [one.xor, four.xor],
  eq: [one.eq, four.eq],
  ne: [one.ne, four.ne],
  shl: [one.shl, four.shl],
} as const;
/** Instructions by kind and operator. Where there is none for one number, 0, the vector instruction is used. */
export const instructions: Readonly<Record<Kind, Readonly<Record<string, Instructions>>>> = {
  real: {
    add: [0x92, four.fadd],
    sub: [0x93, four.fsub],
    mul: [0x94, four.fmul],
    div: [0x95, four.fdiv],
    min: [0x96, four.fmin],
    max: [0x97, four.fmax],
    neg: [0x8c, four.fneg],
    abs: [0x8b, four.fabs],
    floor: [0x8e, four.ffloor],
    round: [0x90, four.fround],
    sqrt: [0x91, four.fsqrt],
    eq: [0x5b, four.feq],
    ne: [0x5c, four.fne],
    lt: [0x5d, four.flt],
    le: [0x5f, four.fle],
  },
  i32: {
    ...integers,
    lt: [one.lt_s, four.lt],
    le: [one.le_s, four.le],
    min: [0, four.min],
    max: [0, four.max],
    neg: [0, four.neg],
    abs: [0, four.abs],
    not: [0, four.not],
    shr: [one.shr_s, four.shr_s],
    "real-of": [0xb2, four.fromI32],
  },
  u32: {
    ...integers,
    lt: [one.lt_u, four.ltu],
    le: [one.le_u, four.leu],
    min: [0, four.minu],
    max: [0, four.maxu],
    neg: [0, four.neg],
    not: [0, four.not],
    shr: [one.shr_u, four.shr_u],
    "real-of": [0xb3, four.fromU32],
  },
  bool: { ...integers, not: [one.eqz, four.not] },
  complex: {},
};

/** Whether all instructions of an operator exist for one number. */
export function isScalar(operator: string, used: readonly Value[]): boolean {
  if (operator === "select") return true;
  const kind = used[0].kind === "complex" || used.at(-1)?.kind === "complex" ? "real" : used[0].kind;
  if (used.some((value) => value.kind === "complex")) return ["add", "sub", "mul", "div", "neg", "conj"].includes(operator);
  return (instructions[kind][operator]?.[0] ?? 0) > 0;
}

/** The parts of the result of an operator: of scalars, `form` 0, or of vectors, 1. */
export function calculate(run: Run, operator: string, used: readonly Value[], ranges: readonly Range[], form: 0 | 1): readonly Code[] {
  const [x, y, z] = used.map((value) => (form === 0 ? run.scalarOf(value) : run.vectorOf(value)));
  const kinds = used.map((value) => value.kind);
  const real = (name: string, ...codes: readonly Code[]): Code => op(instructions.real[name][form], ...codes);
  const [first, second] = kinds;
  if (operator === "select") return y.map((part, i) => (form === 0 ? op(one.select, part, z[i], x[0]) : op(four.pick, part, z[i], x[0])));
  if (operator === "cis") return first === "u32" ? cisOfFractions(run, x[0]) : cisOfCycles(run, x[0]);
  if (operator === "finite") return [x.map((part) => isFinite4(run, part)).reduce((a, b) => op(four.and, a, b))];
  if (first === "complex" || second === "complex") {
    if (operator === "abs") return [magnitude(run, x[0], x[1])];
    if (operator === "conj") return [x[0], real("neg", x[1])];
    if (operator !== "mul") return x.map((part, i) => real(operator, part, ...(y ? [y[second === "complex" ? i : 0]] : [])));
    if (first === "real") return y.map((part) => real("mul", x[0], part));
    if (second === "real") return x.map((part) => real("mul", part, y[0]));
    return [real("sub", real("mul", x[0], y[0]), real("mul", x[1], y[1])), real("add", real("mul", x[0], y[1]), real("mul", x[1], y[0]))];
  }
  const [a, b] = [x[0], y?.[0]];
  switch (operator) {
    case "bits":
      return [a];
    case "log":
      return [log(run, a)];
    case "atan2":
      return [atan2(run, a, b)];
    case "i32-of":
      return [op(four.toI32, op(four.fround, a))];
    case "u32-of":
      return [op(four.toU32, op(four.fround, a))];
    case "mod":
      if (first === "real") return [real("sub", a, real("mul", b, real("floor", real("div", a, b))))];
      return [quotient(run, ranges, first === "i32", true, a, b)];
    case "div":
      if (first !== "real") return [quotient(run, ranges, first === "i32", false, a, b)];
      break;
    case "shl":
    case "shr":
      if (form === 1) return [shifted(run, instructions[first][operator], a, used[1])];
  }
  return [op(instructions[first][operator][form], ...(y ? [a, b] : [a]))];
}

function isFinite4(run: Run, x: Code): Code {
  const exponent = run.bits(0x7f800000);
  return op(four.ne, op(four.and, x, exponent), exponent);
}

/** Shifts; SIMD has only those in which all four counts are the same. */
function shifted(run: Run, [scalar, vector]: Instructions, x: Code, count: Value): Code {
  if (count.stride === 0) return op(vector, x, run.scalarOf(count)[0]);
  const [counts] = run.vectorOf(count);
  return [0, 1, 2, 3].reduce<Code>(
    (code, i) => lane(four.lane + 1, i, code, op(scalar, lane(four.lane, i, x), lane(four.lane, i, counts))),
    x,
  );
}

/** Quotient or remainder of four integers, simpler for a divisor that is a positive constant. */
function quotient(run: Run, [[low, high], [divisor, most]]: readonly Range[], signed: boolean, remainder: boolean, x: Code, y: Code): Code {
  const bits = Math.log2(divisor);
  if (divisor === most && divisor > 0) {
    if (remainder && Number.isInteger(bits)) return op(four.and, x, run.bits(divisor - 1));
    if (!remainder && Number.isInteger(bits) && low >= 0) return op(four.shr_u, x, integer(bits));
    if (remainder && low >= -divisor && high < 2 * divisor) {
      const above = high < divisor ? x : op(four.sub, x, op(four.and, op(signed ? four.ge : four.geu, x, y), y));
      return low >= 0 ? above : op(four.add, above, op(four.and, op(four.shr_s, x, integer(31)), y));
    }
  }
  return divide(run, x, y, signed, remainder);
}

/** An operator on one half of complex pairs. */
export function pairOf(run: Run, operator: string, [x, y, z]: readonly Code[]): Code {
  if (operator === "select") return op(four.pick, y, z, x);
  if (operator === "conj") return op(four.xor, x, run.signs());
  return op(instructions.real[operator][1], ...(y ? [x, y] : [x]));
}
