/**
 * Real numbers with a bound of what a device may compute instead: a running error analysis (N. J. Higham, Accuracy and Stability of
 * Numerical Algorithms, section 3.3). A number is a value in float64 and a bound e, so that the device's number is within e of the value. It
 * is undecided if its bound includes a jump: of `floor`, of a rounding, of a comparison, of a logarithm at zero, of an angle at ±π, or if
 * float32 may overflow.
 *
 * The accuracy of operations: IEEE 754 rounds to nearest. For WGSL section 15.7.4 of its specification, "Floating Point Accuracy": sums
 * and products are rounded to nearest or fused, quotients are within 2.5 ULP, square roots inherit from 1/inverseSqrt(x), logarithms are
 * within 2⁻²¹ from ½ to 2 and 3 ULP elsewhere, angles within 4096 ULP, and subnormal numbers may be zero. cis is within 2⁻²² everywhere.
 */
import { type DType, dtypes } from "@dechirp/core";
import type { Kind } from "@dechirp/core/expression";

/** How a device computes: in float64, in float32 by IEEE 754, or in float32 by the rules of WGSL. */
export type Arithmetic = "float64" | "ieee" | "wgsl";

/** A number, and how far the device's number may be from it. 0 means that they are equal, even if not finite. Infinity is undecided. */
export type Bounded = readonly [value: number, error: number];
/** The two parts of a value. Real numbers, integers and truth values have no imaginary part. */
export type BoundedComplex = readonly [re: Bounded, im: Bounded];

/** Nothing is known of the device's number. */
export const undecided: Bounded = [Number.NaN, Number.POSITIVE_INFINITY];
export const zero: Bounded = [0, 0];
const smallestNormal = 2 ** -126;
const smallest = 2 ** -149;
/** From here on float32 rounds to infinity. */
const overflow = 2 ** 128 - 2 ** 103;

/** Whether a number may be compared with the device's. */
export const isDecided = ([, e]: Bounded): boolean => e !== Number.POSITIVE_INFINITY;
const isSpecial = ([v]: Bounded): boolean => !Number.isFinite(v);
/** The ends of the interval in which the device's number lies. Their own rounding widens it. */
const low = ([v, e]: Bounded): number => (e === 0 ? v : v - e - Math.abs(v) * 2 ** -50);
const high = ([v, e]: Bounded): number => (e === 0 ? v : v + e + Math.abs(v) * 2 ** -50);
/** Whether the number may be zero without being known to be it. */
const mayVanish = (x: Bounded): boolean => x[1] !== 0 && low(x) <= 0 && high(x) >= 0;
/** A number that every device has. */
export const exactly = (v: number): Bounded => [v, 0];

/** The nearest whole number, ties to even. */
export function roundToEven(x: number): number {
  const below = Math.floor(x);
  const rest = x - below;
  const rounded = rest < 0.5 || (rest === 0.5 && below % 2 === 0) ? below : below + 1;
  return rounded === 0 ? (x < 0 ? -0 : x * 0) : rounded;
}
/** A number rounded to an integer of a range. NaN becomes 0. */
export const saturated = (x: number, least: number, most: number): number =>
  Number.isNaN(x) ? 0 : Math.min(most, Math.max(least, roundToEven(x))) + 0;

/** The bounded operations of real numbers in one arithmetic. */
export type Operations = ReturnType<typeof operationsOf>;

/** The operations in one arithmetic. */
export function operationsOf(arithmetic: Arithmetic) {
  const isDouble = arithmetic === "float64";
  const flushes = arithmetic === "wgsl";

  /** A result with the error of its operands, after roundings of this many half units. `exact`: v itself has not been rounded. */
  const rounded = (v: number, e: number, halves: number, exact = true): Bounded => {
    if (Number.isNaN(v) || Number.isNaN(e)) return undecided;
    if (isDouble) return [v, e === 0 && halves === 1 ? 0 : e * (1 + 2 ** -50) + halves * 2 ** -52 * Math.abs(v)];
    const size = Math.abs(v);
    const isExact = e === 0 && exact && halves === 1 && Math.fround(v) === v;
    let error = isExact ? 0 : e * (1 + 2 ** -40) + halves * 2 ** -24 * (size + e) * (1 + 2 ** -20) + smallest;
    if (flushes && (size > 0 || error > 0) && size - error < smallestNormal) error += smallestNormal;
    return size + error < overflow ? [v, error] : undecided;
  };

  /** A constant or an element of an array in the device's memory. */
  const stored = (v: number): Bounded =>
    isDouble || !Number.isFinite(v) ? [v, 0] : rounded(v, Math.abs(Math.fround(v) - v), Math.fround(v) === v ? 1 : 0);

  /** Wraps an operation, so that it needs to care only for decided operands, which are finite in WGSL. */
  const guarded =
    (operation: (...operands: readonly Bounded[]) => Bounded) =>
    (...operands: readonly Bounded[]): Bounded =>
      operands.every(isDecided) && !(flushes && operands.some(isSpecial)) ? operation(...operands) : undecided;

  const same = guarded((x) => x);
  const add = guarded((a, b) => {
    const v = a[0] + b[0];
    if (isSpecial(a) || isSpecial(b)) return exactly(v);
    const back = v - a[0];
    const rest = a[0] - (v - back) + (b[0] - back);
    return rounded(v, a[1] + b[1], 1, rest === 0);
  });
  const neg = guarded(([v, e]) => [-v, e]);
  const sub = guarded((a, b) => add(a, neg(b)));
  const mul = guarded((a, b) => {
    const v = a[0] * b[0];
    if (isSpecial(a) || isSpecial(b)) return !Number.isNaN(a[0] + b[0]) && (mayVanish(a) || mayVanish(b)) ? undecided : exactly(v);
    return rounded(v, Math.abs(a[0]) * b[1] + Math.abs(b[0]) * a[1] + a[1] * b[1], 1);
  });
  const div = guarded((a, b) => {
    const v = a[0] / b[0];
    if (Number.isNaN(a[0]) || Number.isNaN(b[0])) return exactly(Number.NaN);
    if (isSpecial(b)) return isSpecial(a) || !mayVanish(a) ? exactly(v) : [0, smallest];
    if (isSpecial(a)) return mayVanish(b) ? undecided : exactly(v);
    if (b[0] === 0 && b[1] === 0) return mayVanish(a) || flushes ? undecided : exactly(v);
    const least = Math.abs(b[0]) - b[1];
    if (least <= 0 || (flushes && (least < smallestNormal || least > 2 ** 126))) return undecided;
    return rounded(v, (a[1] + Math.abs(v) * b[1]) / least, flushes ? 5 : 1, v * b[0] === a[0]);
  });
  /** A function that is constant but for jumps. It may be given any number in WGSL, too: conversions look at bits. */
  const step =
    (f: (x: number) => number): ((x: Bounded) => Bounded) =>
    (x) => {
      if (!isDecided(x)) return undecided;
      const [first, last] = [f(low(x)), f(high(x))];
      if (Object.is(first, last)) return exactly(first);
      return first === 0 && last === 0 ? [0, smallest] : undecided; // zeros of either sign
    };
  const floor = guarded(step(Math.floor));
  const round = guarded(step(roundToEven));
  const abs = guarded(([v, e]) => [Math.abs(v), e]);
  /** −1, 0 or 1 by the order of two numbers, NaN if they have none. Undefined if it is undecided. */
  const order = (a: Bounded, b: Bounded): number | undefined => {
    if (!isDecided(a) || !isDecided(b) || (flushes && (isSpecial(a) || isSpecial(b)))) return undefined;
    if (Number.isNaN(a[0]) || Number.isNaN(b[0])) return Number.NaN;
    if (a[1] === 0 && b[1] === 0) return a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0;
    return high(a) < low(b) ? -1 : low(a) > high(b) ? 1 : undefined;
  };
  /** The smaller (sign 1) or the larger (−1) of two numbers. */
  const least = (sign: number) =>
    guarded((a, b) => {
      if (Number.isNaN(a[0]) || Number.isNaN(b[0])) return Number.isNaN(a[0]) && Number.isNaN(b[0]) ? a : undecided;
      if (a[0] === 0 && b[0] === 0 && !Object.is(a[0], b[0])) return [0, Math.max(a[1], b[1], smallest)];
      const [first, second] = sign * a[0] <= sign * b[0] ? [a, b] : [b, a];
      return isSpecial(first) || isSpecial(second) || order(first, second) === -sign ? first : [first[0], Math.max(a[1], b[1])];
    });
  const sqrt = guarded((x) => {
    if (high(x) < 0) return flushes ? undecided : exactly(Number.NaN);
    if (x[1] === 0 && (isSpecial(x) || x[0] === 0)) return exactly(Math.sqrt(x[0]));
    if (low(x) <= 0) return undecided;
    const v = Math.sqrt(x[0]);
    return rounded(v, x[1] / (v + Math.sqrt(low(x))), flushes ? 10 : 1, v * v === x[0]);
  });
  const log = guarded((x) => {
    if (high(x) < 0 || (x[0] === 0 && x[1] === 0)) return flushes ? undecided : exactly(Math.log(x[0]));
    if (isSpecial(x)) return exactly(Math.log(x[0]));
    if (low(x) <= 0) return undecided;
    const v = Math.log(x[0]);
    const near = flushes && low(x) <= 2 && high(x) >= 0.5 ? 2 ** -21 : 0;
    return rounded(v, x[1] / low(x) + near, flushes ? 6 : 4, false);
  });
  const mod = guarded((x, y) => {
    if (isSpecial(x) || isSpecial(y) || (y[0] === 0 && y[1] === 0)) return flushes ? undecided : exactly(Number.NaN);
    // In float64 the device has the exact remainder.
    const quotient = div(x, y);
    const whole = floor(isDouble ? [quotient[0], quotient[1] + 2 ** -51 * Math.abs(quotient[0])] : quotient);
    if (!isDecided(whole) || isSpecial(whole)) return undecided;
    const [v, e] = sub(x, mul(y, whole));
    return isDouble ? rounded(v, e + 2 ** -51 * Math.abs(x[0]), 2) : [v, e];
  });
  const atan2 = guarded((y, x) => {
    if (Number.isNaN(x[0]) || Number.isNaN(y[0])) return exactly(Number.NaN);
    if (x[0] === 0 && x[1] === 0 && y[0] === 0 && y[1] === 0) return zero;
    const isNormal = ([v, e]: Bounded): boolean => Math.abs(v) - e >= smallestNormal && Math.abs(v) + e <= 2 ** 126;
    if (flushes && !(isNormal(x) && isNormal(y))) return undecided;
    // A negative zero and a positive one are on different sides of the cut.
    if (low(x) < 0 && mayVanish(y)) return undecided;
    const v = Math.atan2(y[0], x[0]);
    const away = Math.hypot(x[0], y[0]);
    const change = Math.hypot(x[1], y[1]);
    if (!(change < away)) return undecided;
    return rounded(v, change === 0 ? 0 : change / (away - change), flushes ? 8192 : 4, false);
  });
  /** exp(j2πx) of `cycles` with an error. */
  const cis = (v: number, e: number): BoundedComplex => {
    if (flushes && !Number.isFinite(v)) return [undecided, undecided];
    if (!Number.isFinite(v)) return [exactly(Number.NaN), exactly(Number.NaN)];
    const error = 2 * Math.PI * e + (isDouble ? 2 ** -50 : 2 ** -22);
    if (!(error < 1)) return [undecided, undecided];
    const angle = 2 * Math.PI * (v - Math.round(v));
    return [
      [Math.cos(angle), error],
      [Math.sin(angle), error],
    ];
  };
  const magnitude = guarded((re, im) => {
    if (isSpecial(re) || isSpecial(im)) {
      const isInfinite = Math.abs(re[0]) === Number.POSITIVE_INFINITY || Math.abs(im[0]) === Number.POSITIVE_INFINITY;
      return Number.isNaN(re[0] + im[0]) && isInfinite && !(Math.abs(re[0]) === Math.abs(im[0]))
        ? undecided
        : exactly(Math.hypot(re[0], im[0]));
    }
    const v = Math.hypot(re[0], im[0]);
    return v === 0 && re[1] + im[1] === 0 ? zero : rounded(v, Math.hypot(re[1], im[1]), flushes ? 14 : 2, false);
  });
  return {
    same,
    stored,
    add,
    neg,
    sub,
    mul,
    div,
    step,
    floor,
    round,
    abs,
    min: least(1),
    max: least(-1),
    sqrt,
    log,
    mod,
    atan2,
    cis,
    magnitude,
    order,
    rounded,
  };
}

/**
 * Makes a function that returns the number that an output array of this type holds for one part of a result of this kind. A hook hands
 * every result over as real numbers, so `isHook` is for loads and stores.
 */
export function storedAs(arithmetic: Arithmetic, kind: Kind, dtype: DType, isHook = false): (x: Bounded) => Bounded {
  const real = operationsOf(arithmetic);
  const { float, array, components } = dtypes[dtype];
  if (float)
    return arithmetic === "float64" ? (x) => x : (x) => (isDecided(x) ? (isSpecial(x) ? real.same(x) : real.rounded(x[0], x[1], 1)) : x);
  const bits = 8 * array.BYTES_PER_ELEMENT;
  const [least, most] = dtype.startsWith(components === 2 ? "ci" : "i") ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1];
  const fit = (v: number): number => Math.min(most, Math.max(least, v));
  const away = (v: number): number => (Number.isNaN(v) ? 0 : fit(Math.sign(v) * Math.round(Math.abs(v))) + 0);
  if (kind === "u32" && dtype === "u32" && !isHook) return (x) => x;
  // Integers become real numbers, and those integers of the array's type.
  return (x) => real.step(away)(kind === "real" || kind === "complex" ? real.same(x) : isDecided(x) ? real.stored(x[0]) : x);
}
