/**
 * AssemblyScript. Substitution of right-hand sides with the factors of factor.ts. Element i of four sides is stored together: real parts of
 * all
 * four, then imaginary parts, in float64, or rounded to float32 with the room that apply.ts needs. Solutions are computed in
 * float64. Sides that are only whitened, L⁻¹x, are in float32: that costs the square root of the condition, while the rounding of the
 * covariance's products has already cost all of it.
 */

/** Bytes of an element of four sides, in float64 and in float32. */
export const element: usize = 64;
export const rounded: usize = 48;

/** to = (from − Σ factors·y)·scale, over `count` factors and elements of y. */
/* @inline */
function step(factor: usize, y: usize, count: u32, from: usize, to: usize, scale: f64): void {
  let re0 = v128.load(from);
  let re1 = v128.load(from, 16);
  let im0 = v128.load(from, 32);
  let im1 = v128.load(from, 48);
  const end = factor + usize(count) * 16;
  while (factor < end) {
    const c = v128.load64_splat(factor);
    const d = v128.load64_splat(factor, 8);
    const a0 = v128.load(y);
    const b0 = v128.load(y, 32);
    re0 = f64x2.sub(re0, f64x2.sub(f64x2.mul(c, a0), f64x2.mul(d, b0)));
    im0 = f64x2.sub(im0, f64x2.add(f64x2.mul(c, b0), f64x2.mul(d, a0)));
    const a1 = v128.load(y, 16);
    const b1 = v128.load(y, 48);
    re1 = f64x2.sub(re1, f64x2.sub(f64x2.mul(c, a1), f64x2.mul(d, b1)));
    im1 = f64x2.sub(im1, f64x2.add(f64x2.mul(c, b1), f64x2.mul(d, a1)));
    factor += 16;
    y += element;
  }
  const s = f64x2.splat(scale);
  v128.store(to, f64x2.mul(re0, s));
  v128.store(to, f64x2.mul(re1, s), 16);
  v128.store(to, f64x2.mul(im0, s), 32);
  v128.store(to, f64x2.mul(im1, s), 48);
}

/** y = L⁻¹·sides of Cholesky, or the first half of elimination. */
export function forward(r: usize, scales: usize, n: u32, sides: usize, y: usize): void {
  const pitch = usize(n) * 16;
  for (let i: u32 = 0; i < n; i++) step(r + i * pitch, y, i, sides + i * element, y + i * element, load<f64>(scales + i * 8));
}

/** The rest: y = L⁻ᴴ·y of Cholesky, whose factor has been mirrored, or of elimination. */
export function backward(r: usize, scales: usize, n: u32, y: usize, elimination: u32): void {
  for (let left: u32 = 0; left < n; left++) {
    const i = elimination ? left : n - 1 - left;
    const to = y + i * element;
    const factor = r + (usize(i) * (n + 1) + 1) * 16;
    step(factor, to + element, n - 1 - i, to, to, elimination ? 1.0 : load<f64>(scales + i * 8));
  }
}

/** Reads vectors `first` … of [P][n] as four sides. If there are fewer, the last one is repeated. */
export function readVectors(vectors: usize, n: u32, first: u32, last: u32, sides: usize): void {
  const pitch = usize(n) * 8;
  let a = vectors + first * pitch;
  let b = vectors + min(first + 1, last) * pitch;
  let c = vectors + min(first + 2, last) * pitch;
  let d = vectors + min(first + 3, last) * pitch;
  for (const end = a + pitch; a < end; a += 8, b += 8, c += 8, d += 8, sides += rounded) {
    const x = v128.load64_lane(b, v128.load64_zero(a), 1);
    const y = v128.load64_lane(d, v128.load64_zero(c), 1);
    v128.store(sides, v128.shuffle<f32>(x, y, 0, 2, 4, 6));
    v128.store(sides, v128.shuffle<f32>(x, y, 1, 3, 5, 7), 16);
  }
}

/** Four rounded sides in float64. */
export function promote(from: usize, n: u32, to: usize): void {
  for (const end = from + n * rounded; from < end; from += rounded, to += element) {
    const re = v128.load(from);
    const im = v128.load(from, 16);
    v128.store(to, f64x2.promote_low_f32x4(re));
    v128.store(to, f64x2.promote_low_f32x4(v128.shuffle<f32>(re, re, 2, 3, 2, 3)), 16);
    v128.store(to, f64x2.promote_low_f32x4(im), 32);
    v128.store(to, f64x2.promote_low_f32x4(v128.shuffle<f32>(im, im, 2, 3, 2, 3)), 48);
  }
}

/** Re(aᴴb) of each of four sides, to `to`. */
export function gainsOf(a: usize, b: usize, n: u32, to: usize): void {
  let low = f64x2.splat(0.0);
  let high = low;
  for (const end = a + n * element; a < end; a += element, b += element) {
    low = f64x2.add(low, f64x2.mul(v128.load(a), v128.load(b)));
    high = f64x2.add(high, f64x2.mul(v128.load(a, 16), v128.load(b, 16)));
    low = f64x2.add(low, f64x2.mul(v128.load(a, 32), v128.load(b, 32)));
    high = f64x2.add(high, f64x2.mul(v128.load(a, 48), v128.load(b, 48)));
  }
  v128.store(to, low);
  v128.store(to, high, 16);
}

/** The largest of four Σ dᵢ|wᵢ|²/gain, with d stored after the scales: the effect of rounding of R on each solution. */
export function conditionsOf(w: usize, scales: usize, n: u32, gains: usize): f64 {
  let low = f64x2.splat(0.0);
  let high = low;
  let d = scales + n * 8;
  for (const end = w + n * element; w < end; w += element, d += 8) {
    const scale = v128.load64_splat(d);
    low = f64x2.add(low, f64x2.mul(scale, squares(v128.load(w), v128.load(w, 32))));
    high = f64x2.add(high, f64x2.mul(scale, squares(v128.load(w, 16), v128.load(w, 48))));
  }
  const largest = f64x2.max(f64x2.div(low, v128.load(gains)), f64x2.div(high, v128.load(gains, 16)));
  return max(f64x2.extract_lane(largest, 0), f64x2.extract_lane(largest, 1));
}

/** y times a scale for each of the four, rounded. */
export function round(y: usize, n: u32, low: v128, high: v128, to: usize): void {
  for (const end = y + n * element; y < end; y += element, to += rounded) {
    v128.store(to, demoted(f64x2.mul(v128.load(y), low), f64x2.mul(v128.load(y, 16), high)));
    v128.store(to, demoted(f64x2.mul(v128.load(y, 32), low), f64x2.mul(v128.load(y, 48), high)), 16);
  }
}

/* @inline */
export function demoted(low: v128, high: v128): v128 {
  return v128.shuffle<f32>(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 1, 4, 5);
}

/** Cholesky's factor in float32 for `whiten`: row after row of it, each with its scale instead of its diagonal. */
export function pack(r: usize, scales: usize, n: u32, to: usize): void {
  for (let i: u32 = 0; i < n; i++, to += 8) {
    let from = r + usize(i) * n * 16;
    for (const end = from + i * 16; from < end; from += 16, to += 8) {
      v128.store64_lane(to, f32x4.demote_f64x2_zero(v128.load(from)), 0);
    }
    store<f32>(to, f32(load<f64>(scales + i * 8)));
  }
}

/** y = L⁻¹·y of rounded sides in float32, eight sides at a time: two blocks of four, one after the other. */
export function whiten(factor: usize, n: u32, y: usize): void {
  const next = usize(n) * rounded;
  const last = y + next;
  for (let to = y; to < last; to += rounded) {
    let re0 = v128.load(to);
    let im0 = v128.load(to, 16);
    let re1 = v128.load(to + next);
    let im1 = v128.load(to + next, 16);
    for (let from = y; from < to; from += rounded, factor += 8) {
      const c = v128.load32_splat(factor);
      const d = v128.load32_splat(factor, 4);
      const a0 = v128.load(from);
      const b0 = v128.load(from, 16);
      re0 = f32x4.sub(re0, f32x4.sub(f32x4.mul(c, a0), f32x4.mul(d, b0)));
      im0 = f32x4.sub(im0, f32x4.add(f32x4.mul(c, b0), f32x4.mul(d, a0)));
      const a1 = v128.load(from + next);
      const b1 = v128.load(from + next, 16);
      re1 = f32x4.sub(re1, f32x4.sub(f32x4.mul(c, a1), f32x4.mul(d, b1)));
      im1 = f32x4.sub(im1, f32x4.add(f32x4.mul(c, b1), f32x4.mul(d, a1)));
    }
    const scale = v128.load32_splat(factor);
    factor += 8;
    v128.store(to, f32x4.mul(re0, scale));
    v128.store(to, f32x4.mul(im0, scale), 16);
    v128.store(to + next, f32x4.mul(re1, scale));
    v128.store(to + next, f32x4.mul(im1, scale), 16);
  }
}

/** Scales four whitened vectors as the output is, by their squares; a bit for each that has no scale. */
export function scaleWhitened(output: u32, q: usize, n: u32): u32 {
  let low = f64x2.splat(0.0);
  let high = low;
  const end = q + n * rounded;
  for (let at = q; at < end; at += rounded) {
    const re = v128.load(at);
    const im = v128.load(at, 16);
    low = f64x2.add(low, squares(f64x2.promote_low_f32x4(re), f64x2.promote_low_f32x4(im)));
    const reHigh = f64x2.promote_low_f32x4(v128.shuffle<f32>(re, re, 2, 3, 2, 3));
    high = f64x2.add(high, squares(reHigh, f64x2.promote_low_f32x4(v128.shuffle<f32>(im, im, 2, 3, 2, 3))));
  }
  const scales = demoted(scalesOf(output, low), scalesOf(output, high));
  for (let at = q; at < end; at += rounded) {
    v128.store(at, f32x4.mul(v128.load(at), scales));
    v128.store(at, f32x4.mul(v128.load(at, 16), scales), 16);
  }
  return unscaled(scales);
}

/** A bit for each of four scales that is not positive and finite in float32. */
/* @inline */
export function scaleless(low: v128, high: v128): u32 {
  return unscaled(demoted(low, high));
}

/* @inline */
function unscaled(scales: v128): u32 {
  return 15 ^ i32x4.bitmask(v128.and(f32x4.gt(scales, f32x4.splat(0.0)), f32x4.lt(scales, f32x4.splat(Infinity))));
}

/* @inline */
function squares(re: v128, im: v128): v128 {
  return f64x2.add(f64x2.mul(re, re), f64x2.mul(im, im));
}

/** The factor of wᴴx before squaring, from the gains of two sides: that of `amplitudeScales`; 0 if a gain is not positive. */
export function scalesOf(output: u32, gains: v128): v128 {
  const one = f64x2.splat(1.0);
  const scale =
    output == 0 ? f64x2.div(one, f64x2.sqrt(gains)) : output == 2 ? f64x2.div(one, f64x2.sqrt(f64x2.sqrt(gains))) : f64x2.div(one, gains);
  return v128.and(scale, f64x2.gt(gains, f64x2.splat(0.0)));
}
