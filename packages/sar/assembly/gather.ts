/**
 * AssemblyScript. Interpolates a sample between those of a line, by taps from a row of weights that is blended with the next row. It does
 * not
 * check whether the taps are on the line.
 */

/** Σ of even and of odd taps' products, each re and im. Taps are even. */
/* @inline */
export function gather(x: usize, weights: usize, blend: v128, taps: u32): v128 {
  const pitch = usize(taps) * 4;
  let even = f32x4.splat(0.0);
  let odd = f32x4.splat(0.0);
  const end = weights + (pitch & ~15);
  for (; weights < end; weights += 16, x += 32) {
    const p = v128.load(weights);
    const w = f32x4.add(p, f32x4.mul(blend, f32x4.sub(v128.load(weights + pitch), p)));
    even = f32x4.add(even, f32x4.mul(v128.shuffle<f32>(w, w, 0, 0, 1, 1), v128.load(x)));
    odd = f32x4.add(odd, f32x4.mul(v128.shuffle<f32>(w, w, 2, 2, 3, 3), v128.load(x, 16)));
  }
  if (taps & 2) {
    const p = v128.load64_zero(weights);
    const w = f32x4.add(p, f32x4.mul(blend, f32x4.sub(v128.load64_zero(weights + pitch), p)));
    even = f32x4.add(even, f32x4.mul(v128.shuffle<f32>(w, w, 0, 0, 1, 1), v128.load(x)));
  }
  return f32x4.add(even, odd);
}
