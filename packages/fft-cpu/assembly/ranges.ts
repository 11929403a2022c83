/**
 * AssemblyScript. Lines on their way in and out: small lines, whose arithmetic would be slow or lossy (below 2^-126 every operation
 * may take a hundred times as long), and large lines, whose sums would overflow on the way to a finite result, are scaled by a power
 * of two, exactly; lines are padded, cut and gathered from columns. Counts are of float32 numbers unless they say bytes.
 */

/** How a line is taken: as it is, times 2^64, with numbers below 2^-126 made zero, or times 2^-96. */
export const plain: u32 = 0;
export const raised: u32 = 1;
export const flushed: u32 = 2;
export const lowered: u32 = 3;

/**
 * Bit patterns: a line whose largest number is below 2^-64 is raised, one whose largest number is 2^96 or more is lowered. Numbers of such
 * a line below 2^-30, which would fall below 2^-126, the least normal number, become zero.
 */
const small: i32 = 63 << 23;
const large: i32 = 223 << 23;
const negligible: i32 = 97 << 23;
const normal: i32 = 1 << 23;

/** Whether four magnitudes hold a number that is neither zero nor normal. */
function anyDenormal(magnitudes: v128): bool {
  return v128.any_true(i32x4.lt_u(i32x4.sub(magnitudes, i32x4.splat(1)), i32x4.splat(normal - 1)));
}

/** Looks at some of a line and, where those are small or large, at all of it. */
export function inspect(src: usize, count: usize): u32 {
  if (count < 4) return inspectAll(src, count);
  const mask = i32x4.splat(0x7fffffff);
  const step: usize = count <= 64 ? 16 : 256;
  const end = src + count * 4 - 16;
  let most = i32x4.splat(0);
  let least = i32x4.splat(-1);
  for (let x = src; x <= end; x += step) {
    const magnitudes = v128.and(v128.load(x), mask);
    most = i32x4.max_u(most, magnitudes);
    least = i32x4.min_u(least, i32x4.sub(magnitudes, i32x4.splat(1)));
  }
  if (v128.any_true(i32x4.ge_u(most, i32x4.splat(large)))) return lowered;
  if (v128.any_true(i32x4.ge_u(most, i32x4.splat(small))) && !v128.any_true(i32x4.lt_u(least, i32x4.splat(normal - 1)))) return plain;
  return inspectAll(src, count);
}

function inspectAll(src: usize, count: usize): u32 {
  const mask = i32x4.splat(0x7fffffff);
  let most = i32x4.splat(0);
  let denormal: bool = false;
  let i: usize = 0;
  for (; i + 4 <= count; i += 4) {
    const magnitudes = v128.and(v128.load(src + i * 4), mask);
    most = i32x4.max_u(most, magnitudes);
    denormal = denormal || anyDenormal(magnitudes);
  }
  for (; i < count; i++) {
    const magnitude = v128.and(i32x4.splat(load<i32>(src + i * 4)), mask);
    most = i32x4.max_u(most, magnitude);
    denormal = denormal || anyDenormal(magnitude);
  }
  if (v128.any_true(i32x4.ge_u(most, i32x4.splat(large)))) return lowered;
  if (v128.any_true(i32x4.ge_u(most, i32x4.splat(small)))) return denormal ? flushed : plain;
  return v128.any_true(most) ? raised : plain;
}

/** Whether a line is nothing but zeros; the first number that is not ends the search. */
export function isZero(src: usize, count: usize): bool {
  const mask = i32x4.splat(0x7fffffff);
  let i: usize = 0;
  for (; i + 4 <= count; i += 4) if (v128.any_true(v128.and(v128.load(src + i * 4), mask))) return false;
  for (; i < count; i++) if (load<u32>(src + i * 4) & 0x7fffffff) return false;
  return true;
}

/** Four numbers times 2^64; integers carry those that are not normal. */
function raise(x: v128): v128 {
  const magnitude = v128.and(x, i32x4.splat(0x7fffffff));
  const isNormal = i32x4.ge_u(magnitude, i32x4.splat(normal));
  const big = f32x4.mul(v128.and(x, isNormal), f32x4.splat(<f32>1.8446744073709552e19));
  const little = f32x4.mul(f32x4.convert_i32x4_s(v128.andnot(magnitude, isNormal)), f32x4.splat(<f32>2.584939414228211e-26));
  return v128.or(v128.bitselect(big, little, isNormal), v128.and(x, i32x4.splat(0x80000000)));
}

/** Four numbers times 2^-64, rounded to even, by integers where the result is not normal. */
function unraise(x: v128): v128 {
  const magnitude = v128.and(x, i32x4.splat(0x7fffffff));
  const isNormal = f32x4.ge(magnitude, f32x4.splat(<f32>2.168404344971009e-19));
  const isNumber = f32x4.eq(x, x);
  const big = f32x4.mul(v128.and(x, isNormal), f32x4.splat(<f32>5.421010862427522e-20));
  const little = i32x4.trunc_sat_f32x4_s(
    f32x4.nearest(f32x4.mul(v128.andnot(magnitude, isNormal), f32x4.splat(<f32>3.8685626227668134e25))),
  );
  const result = v128.or(v128.bitselect(big, little, isNormal), v128.and(x, i32x4.splat(0x80000000)));
  return v128.bitselect(result, x, isNumber);
}

/** Four numbers times 2^-96. */
function lower(x: v128): v128 {
  const kept = v128.and(x, i32x4.ge_u(v128.and(x, i32x4.splat(0x7fffffff)), i32x4.splat(negligible)));
  return f32x4.mul(kept, f32x4.splat(<f32>1.262177448353619e-29));
}

function flush(x: v128): v128 {
  return v128.and(x, i32x4.ge_u(v128.and(x, i32x4.splat(0x7fffffff)), i32x4.splat(normal)));
}

/** Four numbers as `inspect` says that their line is taken. */
function taken(way: u32, x: v128): v128 {
  return way === raised ? raise(x) : way === lowered ? lower(x) : flush(x);
}

/** Copies `count` numbers the way that `inspect` found; whole vectors may write up to 12 bytes beyond `dst`'s last. */
export function takeAs(way: u32, dst: usize, src: usize, count: usize): void {
  if (way === plain) {
    memory.copy(dst, src, count * 4);
    return;
  }
  for (let i: usize = 0; i < count; i += 4) {
    const x = i + 4 <= count ? v128.load(src + i * 4) : tail(src + i * 4, count - i);
    v128.store(dst + i * 4, taken(way, x));
  }
}

function tail(src: usize, count: usize): v128 {
  let x = f32x4.replace_lane(f32x4.splat(0), 0, load<f32>(src));
  if (count > 1) x = f32x4.replace_lane(x, 1, load<f32>(src, 4));
  if (count > 2) x = f32x4.replace_lane(x, 2, load<f32>(src, 8));
  return x;
}

/** `count` results of a line that was taken a way, in place: times what undoes it. */
export function restore(way: u32, x: usize, count: usize): void {
  if (way === raised) unraiseLine(x, count);
  else if (way === lowered) unlowerLine(x, count);
}

function unraiseLine(x: usize, count: usize): void {
  let i: usize = 0;
  for (; i + 4 <= count; i += 4) v128.store(x + i * 4, unraise(v128.load(x + i * 4)));
  for (; i < count; i++) store<f32>(x + i * 4, f32x4.extract_lane(unraise(f32x4.splat(load<f32>(x + i * 4))), 0));
}

function unlowerLine(x: usize, count: usize): void {
  const factor = f32x4.splat(<f32>7.922816251426434e28);
  let i: usize = 0;
  for (; i + 4 <= count; i += 4) v128.store(x + i * 4, f32x4.mul(v128.load(x + i * 4), factor));
  for (; i < count; i++) store<f32>(x + i * 4, load<f32>(x + i * 4) * <f32>7.922816251426434e28);
}

/** As `restore` of what was raised, of a multiple of four numbers; those below 2^-126 become zero. */
export function unraiseFlushed(x: usize, count: usize): void {
  for (let i: usize = 0; i < count; i += 4) v128.store(x + i * 4, flush(unraise(v128.load(x + i * 4))));
}

/** A multiple of four numbers times 2^-96, those below 2^-30 zero: as lines are lowered. */
export function lowerLine(x: usize, count: usize): void {
  for (let i: usize = 0; i < count; i += 4) v128.store(x + i * 4, lower(v128.load(x + i * 4)));
}

/** Elements `stride` bytes apart of `width` adjacent columns to lines `pitch` bytes apart. Elements are 8, 4, 2 or 1 bytes. */
export function gather(src: usize, stride: usize, dst: usize, pitch: usize, count: usize, width: usize, elementBytes: usize): void {
  if (elementBytes === 4) return gatherOf<u32>(src, stride, dst, pitch, count, width);
  if (elementBytes === 2) return gatherOf<u16>(src, stride, dst, pitch, count, width);
  if (elementBytes === 1) return gatherOf<u8>(src, stride, dst, pitch, count, width);
  let i: usize = 0;
  for (; i + 2 <= count; i += 2) {
    const x = src + i * stride;
    let y = dst + i * 8;
    let c: usize = 0;
    for (; c + 2 <= width; c += 2) {
      const a = v128.load(x + c * 8);
      const b = v128.load(x + stride + c * 8);
      v128.store(y, v128.shuffle<u64>(a, b, 0, 2));
      v128.store(y + pitch, v128.shuffle<u64>(a, b, 1, 3));
      y += 2 * pitch;
    }
    if (c < width) {
      store<u64>(y, load<u64>(x + c * 8));
      store<u64>(y, load<u64>(x + stride + c * 8), 8);
    }
  }
  if (i < count) {
    for (let c: usize = 0; c < width; c++) store<u64>(dst + c * pitch + i * 8, load<u64>(src + i * stride + c * 8));
  }
}

function gatherOf<T>(src: usize, stride: usize, dst: usize, pitch: usize, count: usize, width: usize): void {
  for (let i: usize = 0; i < count; i++) {
    for (let c: usize = 0; c < width; c++) store<T>(dst + c * pitch + i * sizeof<T>(), load<T>(src + i * stride + c * sizeof<T>()));
  }
}

/** The opposite of `gather`. */
export function scatter(src: usize, pitch: usize, dst: usize, stride: usize, count: usize, width: usize, elementBytes: usize): void {
  if (elementBytes === 4) return scatterOf<u32>(src, pitch, dst, stride, count, width);
  if (elementBytes === 2) return scatterOf<u16>(src, pitch, dst, stride, count, width);
  if (elementBytes === 1) return scatterOf<u8>(src, pitch, dst, stride, count, width);
  let i: usize = 0;
  for (; i + 2 <= count; i += 2) {
    let x = src + i * 8;
    const y = dst + i * stride;
    let c: usize = 0;
    for (; c + 2 <= width; c += 2) {
      const a = v128.load(x);
      const b = v128.load(x + pitch);
      v128.store(y + c * 8, v128.shuffle<u64>(a, b, 0, 2));
      v128.store(y + stride + c * 8, v128.shuffle<u64>(a, b, 1, 3));
      x += 2 * pitch;
    }
    if (c < width) {
      store<u64>(y + c * 8, load<u64>(x));
      store<u64>(y + stride + c * 8, load<u64>(x, 8));
    }
  }
  if (i < count) {
    for (let c: usize = 0; c < width; c++) store<u64>(dst + i * stride + c * 8, load<u64>(src + c * pitch + i * 8));
  }
}

function scatterOf<T>(src: usize, pitch: usize, dst: usize, stride: usize, count: usize, width: usize): void {
  for (let i: usize = 0; i < count; i++) {
    for (let c: usize = 0; c < width; c++) store<T>(dst + i * stride + c * sizeof<T>(), load<T>(src + c * pitch + i * sizeof<T>()));
  }
}
