/**
 * AssemblyScript. The load of Doppler processing: samples of a cube times the weight of their pulse. Argument: cube c64
 * [channel][pulse][range], weights c64 [pulse], pulses, ranges.
 */

export function weightedPulses(argument: usize, start: u32, count: u32, out: usize): void {
  const pulses = u32(load<f32>(argument, 8));
  const ranges = u32(load<f32>(argument, 12));
  const weight = usize(load<u32>(argument, 4)) + usize((start / ranges) % pulses) * 8;
  const c = v128.load32_splat(weight);
  const d = v128.xor(v128.load32_splat(weight, 4), i32x4(i32.MIN_VALUE, 0, i32.MIN_VALUE, 0));
  let x = usize(load<u32>(argument)) + usize(start) * 8;
  for (let pairs = count >> 1; pairs > 0; pairs--, x += 16, out += 16) v128.store(out, turned(v128.load(x), c, d));
  if (count & 1) v128.store64_lane(out, turned(v128.load64_zero(x), c, d), 0);
}

/** Two elements times c + jd, of which c is in all lanes and d, negative for real parts. */
/* @inline */
function turned(x: v128, c: v128, d: v128): v128 {
  return f32x4.add(f32x4.mul(x, c), f32x4.mul(v128.shuffle<f32>(x, x, 1, 0, 3, 2), d));
}
