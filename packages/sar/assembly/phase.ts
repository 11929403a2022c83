/**
 * AssemblyScript. Rotates four complex numbers by four phases, which are 32-bit fractions of a cycle. The nearest
 * quarter cycle is a swap of sine and cosine and two signs; the remainder is at most an eighth of a cycle.
 * Absolute error of sine and cosine at most 1.2e-7.
 *
 * With u = 8·cycles in [−1, 1] and v = u²: sin(πu/4) = u·P(v) and cos(πu/4) = 1 + v·Q(v). P and Q are the cubic polynomials
 * that interpolate sin(πu/4)/u and (cos(πu/4) − 1)/u² at the four Chebyshev nodes of v in [0, 1], computed in float64; they
 * are within 2.5e-9 and 2e-10 of sine and cosine, so that rounding dominates.
 */

const s0: f32 = 0.7853981609766182;
const s1: f32 = -0.0807454347081001;
const s2: f32 = 0.0024900068014893353;
const s3: f32 = -0.00003595429072327398;
const c0: f32 = -0.3084251373435548;
const c1: f32 = 0.015854338147318826;
const c2: f32 = -0.0003259613803459922;
const c3: f32 = 0.000003541952727795029;

/**
 * Writes `left` (four where more) products of the complex numbers in `ab` and `cd` with exp(j2π·fraction/2³²) to `out`.
 * A product is the reference's: (re·c − im·s, re·s + im·c).
 */
/* @inline */
export function turn(fraction: v128, ab: v128, cd: v128, out: usize, left: i32): void {
  const quarter = i32x4.shr_u(i32x4.add(fraction, i32x4.splat(0x20000000)), 30);
  const rest = i32x4.sub(fraction, i32x4.shl(quarter, 30));
  const u = f32x4.mul(f32x4.convert_i32x4_s(rest), f32x4.splat(1.0 / 536870912.0));
  const v = f32x4.mul(u, u);
  const p = f32x4.add(f32x4.splat(s2), f32x4.mul(v, f32x4.splat(s3)));
  const q = f32x4.add(f32x4.splat(c2), f32x4.mul(v, f32x4.splat(c3)));
  const pp = f32x4.add(f32x4.splat(s0), f32x4.mul(v, f32x4.add(f32x4.splat(s1), f32x4.mul(v, p))));
  const qq = f32x4.add(f32x4.splat(c0), f32x4.mul(v, f32x4.add(f32x4.splat(c1), f32x4.mul(v, q))));
  const sine = f32x4.mul(u, pp);
  const cosine = f32x4.add(f32x4.splat(1.0), f32x4.mul(v, qq));
  const odd = i32x4.shr_s(i32x4.shl(quarter, 31), 31);
  const second = i32x4.splat(2);
  const c = v128.xor(v128.bitselect(sine, cosine, odd), i32x4.shl(v128.and(i32x4.add(quarter, i32x4.splat(1)), second), 30));
  const s = v128.xor(v128.bitselect(cosine, sine, odd), i32x4.shl(v128.and(quarter, second), 30));
  // Signs of −im·s in even places.
  const sign = i32x4(i32.MIN_VALUE, 0, i32.MIN_VALUE, 0);
  const first = f32x4.add(
    f32x4.mul(ab, v128.shuffle<f32>(c, c, 0, 0, 1, 1)),
    f32x4.mul(v128.shuffle<f32>(ab, ab, 1, 0, 3, 2), v128.xor(v128.shuffle<f32>(s, s, 0, 0, 1, 1), sign)),
  );
  const last = f32x4.add(
    f32x4.mul(cd, v128.shuffle<f32>(c, c, 2, 2, 3, 3)),
    f32x4.mul(v128.shuffle<f32>(cd, cd, 1, 0, 3, 2), v128.xor(v128.shuffle<f32>(s, s, 2, 2, 3, 3), sign)),
  );
  if (left >= 4) {
    v128.store(out, first);
    v128.store(out, last, 16);
    return;
  }
  v128.store64_lane(out, first, 0);
  if (left > 1) v128.store64_lane(out, first, 1, 8);
  if (left > 2) v128.store64_lane(out, last, 0, 16);
}

/** The low 32 bits of four whole numbers, each of magnitude less than 2⁵¹. */
/* @inline */
export function wholes(ab: v128, cd: v128): v128 {
  // Added to 1.5·2⁵², a whole number is in the low bits of the mantissa.
  const shift = f64x2.splat(6755399441055744.0);
  return v128.shuffle<i32>(f64x2.add(ab, shift), f64x2.add(cd, shift), 0, 2, 4, 6);
}
