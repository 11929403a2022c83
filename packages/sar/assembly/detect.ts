/**
 * AssemblyScript. Detection: stores of azimuth compression, from c64 to one number an element. Four elements at a time, in
 * float64 inside: squares of float32 are exact there and neither overflow nor vanish, so that power has the same bits as the reference. The result of an element does not depend on the run it is in.
 *
 * The logarithm is e + s·P(s²) for power 2^e·m, m in [√½, √2), s = (m − 1)/(m + 1): P is the quartic polynomial that interpolates
 * log₂(m)/s at the five Chebyshev nodes of s² in [0, (3 − √8)²], computed in float64; it is within 2.2e-12 of the logarithm, which
 * is 6.4e-12 dB.
 */

const p0: f64 = 2.8853900817899873;
const p1: f64 = 0.9617966734512674;
const p2: f64 = 0.5770835660440502;
const p3: f64 = 0.41167376460594324;
const p4: f64 = 0.3407120622472623;
/** 10·log₁₀2: decibels of a factor of 2 in power. */
const octave: f64 = 3.010299956639812;

/** No argument. `out` f32. */
export function power(argument: usize, start: u32, count: u32, x: usize, out: usize): void {
  for (let left: i32 = count; left > 0; left -= 4, x += 32, out += 16) {
    store4(out, powers(first(x, left)), powers(last(x, left)), left);
  }
}

/** Argument: decibels of 0 and of 255, f32. `out` u8. */
export function decibel(argument: usize, start: u32, count: u32, x: usize, out: usize): void {
  const lowDb = f64(load<f32>(argument));
  const low = f64x2.splat(lowDb);
  const scale = f64x2.splat(255.0 / (f64(load<f32>(argument, 4)) - lowDb));
  for (let left: i32 = count; left > 0; left -= 4, x += 32, out += 4) {
    const grays = v128.shuffle<i32>(gray(powers(first(x, left)), low, scale), gray(powers(last(x, left)), low, scale), 0, 1, 4, 5);
    const words = i16x8.narrow_i32x4_s(grays, grays);
    const bytes = i8x16.narrow_i16x8_u(words, words);
    if (left >= 4) {
      v128.store32_lane(out, bytes, 0);
    } else {
      v128.store8_lane(out, bytes, 0);
      if (left > 1) v128.store8_lane(out, bytes, 1, 1);
      if (left > 2) v128.store8_lane(out, bytes, 2, 2);
    }
  }
}

/** The first two of `left` elements, zero if there are fewer. */
/* @inline */
function first(x: usize, left: i32): v128 {
  return left > 1 ? v128.load(x) : v128.load64_zero(x);
}

/** The two elements after them, zero if there are fewer. */
/* @inline */
function last(x: usize, left: i32): v128 {
  return left > 3 ? v128.load(x, 16) : left > 2 ? v128.load64_zero(x, 16) : f32x4.splat(0.0);
}

/** |z|² of two elements in float64. */
/* @inline */
function powers(ab: v128): v128 {
  const re = f64x2.promote_low_f32x4(v128.shuffle<f32>(ab, ab, 0, 2, 0, 2));
  const im = f64x2.promote_low_f32x4(v128.shuffle<f32>(ab, ab, 1, 3, 1, 3));
  return f64x2.add(f64x2.mul(re, re), f64x2.mul(im, im));
}

/** Writes `left` (four where more) float64 numbers as float32. */
/* @inline */
function store4(out: usize, ab: v128, cd: v128, left: i32): void {
  const low = f32x4.demote_f64x2_zero(ab);
  const high = f32x4.demote_f64x2_zero(cd);
  if (left >= 4) {
    v128.store(out, v128.shuffle<f32>(low, high, 0, 1, 4, 5));
    return;
  }
  v128.store32_lane(out, low, 0);
  if (left > 1) v128.store32_lane(out, low, 1, 4);
  if (left > 2) v128.store32_lane(out, high, 0, 8);
}

/** Grey levels of two powers as 32-bit integers, rounded, not yet clamped. NaN becomes 0. */
/* @inline */
function gray(p: v128, low: v128, scale: v128): v128 {
  const level = f64x2.mul(f64x2.sub(f64x2.mul(log2(p), f64x2.splat(octave)), low), scale);
  return i32x4.trunc_sat_f64x2_s_zero(f64x2.add(level, f64x2.splat(0.5)));
}

/** Logarithm to base 2 of numbers that are normal, zero (−∞), or infinite or NaN (themselves). */
/* @inline */
function log2(p: v128): v128 {
  // Bits of √½, so that the exponent changes there; 2⁵² + e has e as its low bits.
  const half = i64x2.splat(0x3fe6a09e667f3bcd);
  const q = i64x2.add(p, i64x2.splat(0x3ff0000000000000 - 0x3fe6a09e667f3bcd));
  const e = f64x2.sub(v128.or(i64x2.shr_u(q, 52), i64x2.splat(0x4330000000000000)), f64x2.splat(4503599627370496.0 + 1023.0));
  const m = i64x2.add(v128.and(q, i64x2.splat(0x000fffffffffffff)), half);
  const one = f64x2.splat(1.0);
  const s = f64x2.div(f64x2.sub(m, one), f64x2.add(m, one));
  const v = f64x2.mul(s, s);
  const upper = f64x2.add(f64x2.splat(p2), f64x2.mul(v, f64x2.add(f64x2.splat(p3), f64x2.mul(v, f64x2.splat(p4)))));
  const series = f64x2.add(f64x2.splat(p0), f64x2.mul(v, f64x2.add(f64x2.splat(p1), f64x2.mul(v, upper))));
  const zero = f64x2.splat(0.0);
  const number = v128.and(f64x2.gt(p, zero), f64x2.lt(p, f64x2.splat(Infinity)));
  const other = v128.bitselect(f64x2.splat(-Infinity), p, f64x2.eq(p, zero));
  return v128.bitselect(f64x2.add(e, f64x2.mul(s, series)), other, number);
}
