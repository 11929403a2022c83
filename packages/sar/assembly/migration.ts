/**
 * AssemblyScript. Range cell migration correction and the azimuth phase: load of azimuth compression. Argument: doppler c64
 * [rows][width], migration f32 [rows][3], phase u32 [rows][3], taps f32 [phases + 1][taps], width, phases, taps
 * and cells, which are the columns of the array that is computed.
 *
 * Four cells at a time: where they lie is computed in float64 as the reference does it, so that both take the same samples
 * and weights at every edge. A cell's result does not depend on the run it is in. Taps are even, cells at most 2¹⁶.
 */
// @ts-nocheck
import { gather } from "./gather";
import { turn, wholes } from "./phase";

export function migration(argument: usize, start: u32, count: u32, out: usize): void {
  const width = u32(load<f32>(argument, 16));
  const phases = f64(load<f32>(argument, 20));
  const taps = u32(load<f32>(argument, 24));
  const columns = u32(load<f32>(argument, 28));
  const row = start / columns;
  const line = usize(load<u32>(argument)) + usize(row * width) * 8;
  const curve = usize(load<u32>(argument, 4)) + usize(row) * 12;
  const angle = usize(load<u32>(argument, 8)) + usize(row) * 12;
  const table = usize(load<u32>(argument, 12));

  const base = f64x2.splat(f64(load<f32>(curve)) - f64(taps) / 2.0 + 1.0);
  const offset = f64x2.splat(f64(load<f32>(curve, 4)));
  const slope = f64x2.splat(f64(load<f32>(curve, 8)));
  const rows = f64x2.splat(phases);
  const lastRow = f64x2.splat(phases - 1.0);
  const before = f64x2.splat(-f64(taps));
  const behind = f64x2.splat(f64(width));
  const none = i32x4.splat(0);
  const lastFirst = i32x4.splat(i32(width) - i32(taps));
  const pitch = i32x4.splat(taps * 4);

  const angle0 = v128.load32_splat(angle);
  const angleSlope = v128.load32_splat(angle, 4);
  const angleSlope16 = v128.load32_splat(angle, 8);

  const cell = start - row * columns;
  let cells = i32x4.add(i32x4.splat(cell), i32x4(0, 1, 2, 3));
  let low = f64x2(f64(cell), f64(cell) + 1.0);
  for (let left: i32 = count; left > 0; left -= 4, out += 32) {
    const high = f64x2.add(low, f64x2.splat(2.0));
    const shiftLow = f64x2.add(offset, f64x2.mul(slope, low));
    const shiftHigh = f64x2.add(offset, f64x2.mul(slope, high));
    const wholeLow = f64x2.floor(shiftLow);
    const wholeHigh = f64x2.floor(shiftHigh);
    const positionLow = f64x2.mul(f64x2.sub(shiftLow, wholeLow), rows);
    const positionHigh = f64x2.mul(f64x2.sub(shiftHigh, wholeHigh), rows);
    // pmin takes its first argument where the second is no number.
    const qLow = f64x2.pmin(lastRow, f64x2.floor(positionLow));
    const qHigh = f64x2.pmin(lastRow, f64x2.floor(positionHigh));
    const blend = v128.shuffle<f32>(
      f32x4.demote_f64x2_zero(f64x2.sub(positionLow, qLow)),
      f32x4.demote_f64x2_zero(f64x2.sub(positionHigh, qHigh)),
      0,
      1,
      4,
      5,
    );
    const first = wholes(
      f64x2.pmax(before, f64x2.pmin(behind, f64x2.add(f64x2.add(low, base), wholeLow))),
      f64x2.pmax(before, f64x2.pmin(behind, f64x2.add(f64x2.add(high, base), wholeHigh))),
    );
    const weights = i32x4.mul(wholes(qLow, qHigh), pitch);
    const outside = v128.or(i32x4.lt_s(first, none), i32x4.gt_s(first, lastFirst));

    const first0 = i32x4.extract_lane(first, 0);
    const first1 = i32x4.extract_lane(first, 1);
    const first2 = i32x4.extract_lane(first, 2);
    const first3 = i32x4.extract_lane(first, 3);
    const w0 = table + usize(i32x4.extract_lane(weights, 0));
    const w1 = table + usize(i32x4.extract_lane(weights, 1));
    const w2 = table + usize(i32x4.extract_lane(weights, 2));
    const w3 = table + usize(i32x4.extract_lane(weights, 3));
    const blend0 = v128.shuffle<f32>(blend, blend, 0, 0, 0, 0);
    const blend1 = v128.shuffle<f32>(blend, blend, 1, 1, 1, 1);
    const blend2 = v128.shuffle<f32>(blend, blend, 2, 2, 2, 2);
    const blend3 = v128.shuffle<f32>(blend, blend, 3, 3, 3, 3);
    let a: v128;
    let b: v128;
    let c: v128;
    let d: v128;
    if (v128.any_true(outside) || left < 4) {
      a = checked(line, first0, width, w0, blend0, taps);
      b = left > 1 ? checked(line, first1, width, w1, blend1, taps) : none;
      c = left > 2 ? checked(line, first2, width, w2, blend2, taps) : none;
      d = left > 3 ? checked(line, first3, width, w3, blend3, taps) : none;
    } else {
      a = gather(line + usize(first0) * 8, w0, blend0, taps);
      b = gather(line + usize(first1) * 8, w1, blend1, taps);
      c = gather(line + usize(first2) * 8, w2, blend2, taps);
      d = gather(line + usize(first3) * 8, w3, blend3, taps);
    }
    const ab = f32x4.add(v128.shuffle<u64>(a, b, 0, 2), v128.shuffle<u64>(a, b, 1, 3));
    const cd = f32x4.add(v128.shuffle<u64>(c, d, 0, 2), v128.shuffle<u64>(c, d, 1, 3));
    const more = i32x4.shr_u(i32x4.mul(angleSlope16, cells), 16);
    turn(i32x4.add(i32x4.add(angle0, i32x4.mul(angleSlope, cells)), more), ab, cd, out, left);
    cells = i32x4.add(cells, i32x4.splat(4));
    low = f64x2.add(low, f64x2.splat(4.0));
  }
}

/** As `gather`, where taps that are outside the line do not count. */
function checked(line: usize, first: i32, width: u32, weights: usize, blend: v128, taps: u32): v128 {
  if (first >= 0 && first <= i32(width) - i32(taps)) return gather(line + usize(first) * 8, weights, blend, taps);
  const pitch = usize(taps) * 4;
  let sum = f32x4.splat(0.0);
  const end = min(i32(taps), i32(width) - first);
  for (let j = max(0, -first); j < end; j++) {
    const at = weights + usize(j) * 4;
    const p = v128.load32_splat(at);
    const w = f32x4.add(p, f32x4.mul(blend, f32x4.sub(v128.load32_splat(at + pitch), p)));
    sum = f32x4.add(sum, f32x4.mul(w, v128.load64_zero(line + usize(first + j) * 8)));
  }
  return sum;
}
