/**
 * AssemblyScript. Raw samples times the gain of their line: loads of range compression. Argument: raw [lines][samples],
 * gain f32 [lines], samples. One function for each type of raw samples.
 */

/** The gain of the line that element `start` is in. */
/* @inline */
function gainOf(argument: usize, start: u32): f32 {
  const samples = u32(load<f32>(argument, 8));
  return load<f32>(usize(load<u32>(argument, 4)) + usize(start / samples) * 4);
}

export function rawCi8(argument: usize, start: u32, count: u32, out: usize): void {
  const gain = gainOf(argument, start);
  const gains = f32x4.splat(gain);
  let x = usize(load<u32>(argument)) + usize(start) * 2;
  const end = x + usize(count) * 2;
  for (; end - x >= 8; x += 8, out += 32) {
    const wide = i16x8.extend_low_i8x16_s(v128.load64_zero(x));
    v128.store(out, f32x4.mul(f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(wide)), gains));
    v128.store(out, f32x4.mul(f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(wide)), gains), 16);
  }
  for (; x < end; x++, out += 4) store<f32>(out, f32(load<i8>(x)) * gain);
}

export function rawCi16(argument: usize, start: u32, count: u32, out: usize): void {
  const gain = gainOf(argument, start);
  const gains = f32x4.splat(gain);
  let x = usize(load<u32>(argument)) + usize(start) * 4;
  const end = x + usize(count) * 4;
  for (; end - x >= 16; x += 16, out += 32) {
    const pairs = v128.load(x);
    v128.store(out, f32x4.mul(f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(pairs)), gains));
    v128.store(out, f32x4.mul(f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(pairs)), gains), 16);
  }
  for (; x < end; x += 2, out += 4) store<f32>(out, f32(load<i16>(x)) * gain);
}

export function rawC64(argument: usize, start: u32, count: u32, out: usize): void {
  const gain = gainOf(argument, start);
  const gains = f32x4.splat(gain);
  let x = usize(load<u32>(argument)) + usize(start) * 8;
  const end = x + usize(count) * 8;
  for (; end - x >= 16; x += 16, out += 16) v128.store(out, f32x4.mul(v128.load(x), gains));
  for (; x < end; x += 4, out += 4) store<f32>(out, load<f32>(x) * gain);
}
