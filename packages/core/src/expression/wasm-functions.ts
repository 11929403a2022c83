/**
 * Functions of four numbers at a time in WebAssembly SIMD. The polynomials interpolate at the Chebyshev nodes of their intervals; the
 * coefficients were computed with 60 decimal digits and rounded to float32.
 */
import { type Code, doubles, four, op, shuffle } from "./wasm-bytes.ts";

/** What the functions need of the generator. */
export interface Generator {
  /** Computes a vector now and returns the local that holds it, until the end of the node. */
  keep(code: Code): Code;
  /** A local with four times this number, as float32. */
  real(value: number): Code;
  /** A local with four times these 32 bits. */
  bits(value: number): Code;
}

/** With u = 8·cycles in [−1, 1] and v = u²: sin(πu/4) = u·P(v), within 2.5e-9, and cos(πu/4) = 1 + v·Q(v), within 2e-10. */
const sine = [0.7853981609766183, -0.08074543470810147, 0.0024900068014923568, -3.595429072511075e-5];
const cosine = [-0.3084251373435548, 0.01585433814731928, -0.0003259613803468745, 3.54195272813776e-6];
/** With s = (m − 1)/(m + 1), v = s², m in [√½, √2]: log m = 2s + s·v·P(v), within 2.3e-9 of its size. */
const logarithm = [0.6666668503957586, 0.3998878056602198, 0.2957994939197278];
/** With v = t², t in [0, 1]: atan t = t + t·v·P(v), within 1.1e-8 of its size. */
const arcTangent = [
  -0.3333333173306352, 0.1999973932983558, -0.14278568748210602, 0.11033764115313455, -0.08656880430154522, 0.06250169444749563,
  -0.03587153898204335, 0.013507771427020534, -0.0023869973167241127,
];

function polynomial(g: Generator, x: Code, coefficients: readonly number[]): Code {
  return coefficients
    .slice(0, -1)
    .reduceRight<Code>((sum, c) => op(four.fadd, g.real(c), op(four.fmul, x, sum)), g.real(coefficients[coefficients.length - 1]));
}

/** Sign bits where the second bit of an integer is set. */
const signOf = (g: Generator, integer: Code): Code => op(four.shl, op(four.and, integer, g.bits(2)), [0x41, 30]);

/** cos and sin of u eighths of a cycle, |u| ≤ 1, after a number of quarters. Absolute error at most 1.2e-7. */
function turned(g: Generator, u: Code, quarters: Code): readonly [Code, Code] {
  const v = g.keep(op(four.fmul, u, u));
  const s = g.keep(op(four.fmul, u, polynomial(g, v, sine)));
  const c = g.keep(op(four.fadd, g.real(1), op(four.fmul, v, polynomial(g, v, cosine))));
  const odd = g.keep(op(four.shr_s, op(four.shl, quarters, [0x41, 31]), [0x41, 31]));
  return [
    g.keep(op(four.xor, op(four.pick, s, c, odd), signOf(g, op(four.add, quarters, g.bits(1))))),
    g.keep(op(four.xor, op(four.pick, c, s, odd), signOf(g, quarters))),
  ];
}

/** exp(j2πx) of cycles. The nearest whole number and the nearest quarter are subtracted without error. */
export function cisOfCycles(g: Generator, x: Code): readonly [Code, Code] {
  const rest = g.keep(op(four.fmul, op(four.fsub, x, op(four.fround, x)), g.real(4)));
  const quarters = g.keep(op(four.fround, rest));
  const u = g.keep(op(four.fmul, op(four.fsub, rest, quarters), g.real(2)));
  return turned(g, u, g.keep(op(four.toI32, quarters)));
}

/** exp(j2πx) of 32-bit fractions of a cycle. */
export function cisOfFractions(g: Generator, x: Code): readonly [Code, Code] {
  const quarters = g.keep(op(four.shr_u, op(four.add, x, g.bits(0x20000000)), [0x41, 30]));
  const rest = op(four.sub, x, op(four.shl, quarters, [0x41, 30]));
  return turned(g, g.keep(op(four.fmul, op(four.fromI32, rest), g.real(2 ** -29))), quarters);
}

/** Natural logarithm, as e·log 2 + log m with m in [√½, √2). */
export function log(g: Generator, x: Code): Code {
  const zero = g.real(0);
  // Subnormal numbers are scaled.
  const small = g.keep(op(four.flt, x, g.real(2 ** -126)));
  const scaled = op(four.pick, op(four.fmul, x, g.real(2 ** 24)), x, small);
  const half = 0x3f3504f3;
  const bits = g.keep(op(four.add, scaled, g.bits(0x3f800000 - half)));
  const exponent = op(four.sub, op(four.shr_s, bits, [0x41, 23]), op(four.pick, g.bits(127 + 24), g.bits(127), small));
  const e = g.keep(op(four.fromI32, exponent));
  const m = op(four.add, op(four.and, bits, g.bits(0x7fffff)), g.bits(half));
  const f = g.keep(op(four.fsub, m, g.real(1)));
  const s = g.keep(op(four.fdiv, f, op(four.fadd, f, g.real(2))));
  const v = g.keep(op(four.fmul, s, s));
  // log m = f − s·(f − v·P), and log 2 in two parts: e times the first is exact.
  const tail = op(four.fmul, s, op(four.fsub, f, op(four.fmul, v, polynomial(g, v, logarithm))));
  const low = op(four.fsub, op(four.fmul, e, g.real(Math.LN2 - 0.693359375)), tail);
  const value = op(four.fadd, op(four.fmul, e, g.real(0.693359375)), op(four.fadd, f, low));
  const number = op(four.and, op(four.fgt, x, zero), op(four.flt, x, g.real(Number.POSITIVE_INFINITY)));
  const other = op(four.pick, g.real(Number.NEGATIVE_INFINITY), op(four.fsqrt, x), op(four.feq, x, zero));
  return op(four.pick, value, other, number);
}

/** Angle of x + jy. */
export function atan2(g: Generator, y: Code, x: Code): Code {
  const [a, b] = [g.keep(op(four.fabs, x)), g.keep(op(four.fabs, y))];
  const [least, most] = [g.keep(op(four.fmin, a, b)), g.keep(op(four.fmax, a, b))];
  const t = g.keep(op(four.pick, g.real(1), op(four.fdiv, least, most), op(four.feq, least, most)));
  const v = g.keep(op(four.fmul, t, t));
  const angle = g.keep(op(four.fadd, t, op(four.fmul, t, op(four.fmul, v, polynomial(g, v, arcTangent)))));
  const steep = g.keep(op(four.pick, op(four.fsub, g.real(Math.PI / 2), angle), angle, op(four.flt, a, b)));
  const whole = op(four.pick, op(four.fsub, g.real(Math.PI), steep), steep, op(four.flt, x, g.real(0)));
  const signed = op(four.or, whole, op(four.and, y, g.bits(0x80000000)));
  return op(four.andnot, signed, op(four.feq, most, g.real(0)));
}

const high = (x: Code): Code => shuffle(x, x, 2, 3, 2, 3);

/** Magnitude, in float64, in which squares of float32 are exact and neither overflow nor vanish. */
export function magnitude(g: Generator, re: Code, im: Code): Code {
  const half = (part: (x: Code) => Code): Code => {
    const [a, b] = [re, im].map((x) => g.keep(op(four.promote, part(x))));
    return op(four.demote, op(four.dsqrt, op(four.dadd, op(four.dmul, a, a), op(four.dmul, b, b))));
  };
  return shuffle(
    half((x) => x),
    half(high),
    ...[0, 1, 4, 5],
  );
}

/**
 * Quotient, truncated, or remainder, floored, of integers; 0 if y is 0. Quotients of 32-bit integers in float64 are never rounded to a
 * whole number that they don't reach. Whole numbers added to 1.5·2⁵² are in its low bits.
 */
export function divide(g: Generator, x: Code, y: Code, signed: boolean, remainder: boolean): Code {
  const convert = signed ? four.dFromI32 : four.dFromU32;
  const half = (part: (x: Code) => Code): Code => {
    const [a, b] = [x, y].map((value) => g.keep(op(convert, part(value))));
    const quotient = op(remainder ? four.dfloor : four.dtrunc, op(four.ddiv, a, b));
    return op(four.dadd, remainder ? op(four.dsub, a, op(four.dmul, quotient, b)) : quotient, doubles(6755399441055744));
  };
  const result = shuffle(
    half((value) => value),
    half(high),
    ...[0, 2, 4, 6],
  );
  return op(four.andnot, result, op(four.eq, y, g.bits(0)));
}
