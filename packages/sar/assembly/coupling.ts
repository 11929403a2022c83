/**
 * AssemblyScript. The two-dimensional spectrum times the secondary range compression phase of every Doppler row: load of the range
 * filter. Argument: spectrum c64 [rows][n], coupling f32 [rows][3], n. Cycles are computed in float64 and reduced there, because
 * there may be many; coefficients are finite.
 */
import { turn, wholes } from "./phase";

export function coupling(argument: usize, start: u32, count: u32, out: usize): void {
  const columns = u32(load<f32>(argument, 8));
  const row = start / columns;
  const table = usize(load<u32>(argument, 4)) + usize(row) * 12;
  const a = f64x2.splat(f64(load<f32>(table)));
  const b = f64x2.splat(f64(load<f32>(table, 4)));
  const c = f64x2.splat(f64(load<f32>(table, 8)));
  const n = f64x2.splat(f64(columns));
  const step = f64x2.splat(2.0 / f64(columns));
  const first = f64(start - row * columns);
  let low = f64x2(first, first + 1.0);
  let x = usize(load<u32>(argument)) + usize(start) * 8;
  for (let left: i32 = count; left > 0; left -= 4, x += 32, out += 32) {
    const high = f64x2.add(low, f64x2.splat(2.0));
    const ab = left > 1 ? v128.load(x) : v128.load64_zero(x);
    const cd = left > 3 ? v128.load(x, 16) : left > 2 ? v128.load64_zero(x, 16) : f32x4.splat(0.0);
    turn(wholes(cycles(low, n, step, a, b, c), cycles(high, n, step, a, b, c)), ab, cd, out, left);
    low = f64x2.add(low, f64x2.splat(4.0));
  }
}

/** The phase of two bins in 2⁻³² cycles, −2³¹ … 2³¹, in float64. */
/* @inline */
function cycles(bin: v128, n: v128, step: v128, a: v128, b: v128, c: v128): v128 {
  const signed = f64x2.sub(bin, v128.and(f64x2.ge(f64x2.add(bin, bin), n), n));
  const x = f64x2.mul(signed, step);
  const turns = f64x2.mul(f64x2.mul(x, x), f64x2.add(a, f64x2.mul(x, f64x2.add(b, f64x2.mul(x, c)))));
  return f64x2.mul(f64x2.sub(turns, f64x2.nearest(turns)), f64x2.splat(4294967296.0));
}
