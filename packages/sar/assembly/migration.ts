/**
 * AssemblyScript. Range cell migration correction and the azimuth phase: load of azimuth compression. Argument: doppler c64
 * [width][rows], migration f32 [rows][3], phase u32 [rows][3], taps f32 [phases + 1][taps], width, rows, phases and taps. A run is
 * of Doppler rows, for one cell; both are columns here.
 *
 * Four rows at a time: where their samples lie is computed in float64 as the reference does it, so that both take the same samples
 * and weights at every edge. Nearly always the four take those of the same cells, which lie beside each other. A result does not
 * depend on the run it is in: its taps are added one after another whichever way they come. Taps are even, cells at most 2¹⁶.
 */
// @ts-nocheck
import { turn, wholes } from "./phase";

export function migration(argument: usize, start: u32, count: u32, out: usize): void {
  const width = i32(load<f32>(argument, 16));
  const rows = u32(load<f32>(argument, 20));
  const phases = f64(load<f32>(argument, 24));
  const taps = u32(load<f32>(argument, 28));
  const cell = start / rows;
  const row = usize(start - cell * rows);
  let column = usize(load<u32>(argument)) + row * 8;
  let curve = usize(load<u32>(argument, 4)) + row * 12;
  let angle = usize(load<u32>(argument, 8)) + row * 12;
  const table = usize(load<u32>(argument, 12));
  const pitch = usize(rows) * 8;
  const weightsPitch = usize(taps) * 4;
  const lastFirst = width - i32(taps);

  const at = f64x2.splat(f64(cell));
  const base = f64x2.splat(f64(cell) - f64(taps) / 2.0 + 1.0);
  const steps = f64x2.splat(phases);
  const lastStep = f64x2.splat(phases - 1.0);
  const before = f64x2.splat(-f64(taps));
  const behind = f64x2.splat(f64(width));

  for (let left: i32 = count; left > 0; left -= 4, column += 32, curve += 48, angle += 48, out += 32) {
    // Three numbers a row to three of four rows each.
    const curves0 = two(curve, left);
    const curves2 = left > 2 ? two(curve + 24, left - 2) : curves0;
    const offset = v128.shuffle<f32>(curves0, curves2, 0, 2, 4, 6);
    const slope = v128.shuffle<f32>(curves0, curves2, 1, 3, 5, 7);
    const whole = left > 3 ? v128.shuffle<f32>(v128.load(curve), v128.load(curve, 24), 0, 3, 4, 7) : firsts(curve, left);

    const shiftLow = f64x2.add(f64x2.promote_low_f32x4(offset), f64x2.mul(f64x2.promote_low_f32x4(slope), at));
    const shiftHigh = f64x2.add(high(offset), f64x2.mul(high(slope), at));
    const wholeLow = f64x2.floor(shiftLow);
    const wholeHigh = f64x2.floor(shiftHigh);
    const positionLow = f64x2.mul(f64x2.sub(shiftLow, wholeLow), steps);
    const positionHigh = f64x2.mul(f64x2.sub(shiftHigh, wholeHigh), steps);
    // pmin takes its first argument where the second is no number.
    const qLow = f64x2.pmin(lastStep, f64x2.floor(positionLow));
    const qHigh = f64x2.pmin(lastStep, f64x2.floor(positionHigh));
    const blend = v128.shuffle<f32>(
      f32x4.demote_f64x2_zero(f64x2.sub(positionLow, qLow)),
      f32x4.demote_f64x2_zero(f64x2.sub(positionHigh, qHigh)),
      0,
      1,
      4,
      5,
    );
    const first = wholes(
      f64x2.pmax(before, f64x2.pmin(behind, f64x2.add(f64x2.add(base, f64x2.promote_low_f32x4(whole)), wholeLow))),
      f64x2.pmax(before, f64x2.pmin(behind, f64x2.add(f64x2.add(base, high(whole)), wholeHigh))),
    );
    const weights = i32x4.mul(wholes(qLow, qHigh), i32x4.splat(i32(weightsPitch)));
    const first0 = i32x4.extract_lane(first, 0);
    let w0 = table + usize(i32x4.extract_lane(weights, 0));
    let w1 = table + usize(i32x4.extract_lane(weights, 1));
    let w2 = table + usize(i32x4.extract_lane(weights, 2));
    let w3 = table + usize(i32x4.extract_lane(weights, 3));
    const blend0 = v128.shuffle<f32>(blend, blend, 0, 0, 0, 0);
    const blend1 = v128.shuffle<f32>(blend, blend, 1, 1, 1, 1);
    const blend2 = v128.shuffle<f32>(blend, blend, 2, 2, 2, 2);
    const blend3 = v128.shuffle<f32>(blend, blend, 3, 3, 3, 3);

    let ab = f32x4.splat(0.0);
    let cd = f32x4.splat(0.0);
    if (left > 3 && u32(first0) <= u32(lastFirst) && lastFirst >= 0 && i32x4.all_true(i32x4.eq(first, i32x4.splat(first0)))) {
      let x = column + usize(first0) * pitch;
      const end = w0 + (weightsPitch & ~15);
      for (; w0 < end; w0 += 16, w1 += 16, w2 += 16, w3 += 16, x += pitch) {
        const a = weighed(v128.load(w0), v128.load(w0 + weightsPitch), blend0);
        const b = weighed(v128.load(w1), v128.load(w1 + weightsPitch), blend1);
        const c = weighed(v128.load(w2), v128.load(w2 + weightsPitch), blend2);
        const d = weighed(v128.load(w3), v128.load(w3 + weightsPitch), blend3);
        ab = f32x4.add(ab, f32x4.mul(v128.shuffle<f32>(a, b, 0, 0, 4, 4), v128.load(x)));
        cd = f32x4.add(cd, f32x4.mul(v128.shuffle<f32>(c, d, 0, 0, 4, 4), v128.load(x, 16)));
        x += pitch;
        ab = f32x4.add(ab, f32x4.mul(v128.shuffle<f32>(a, b, 1, 1, 5, 5), v128.load(x)));
        cd = f32x4.add(cd, f32x4.mul(v128.shuffle<f32>(c, d, 1, 1, 5, 5), v128.load(x, 16)));
        x += pitch;
        ab = f32x4.add(ab, f32x4.mul(v128.shuffle<f32>(a, b, 2, 2, 6, 6), v128.load(x)));
        cd = f32x4.add(cd, f32x4.mul(v128.shuffle<f32>(c, d, 2, 2, 6, 6), v128.load(x, 16)));
        x += pitch;
        ab = f32x4.add(ab, f32x4.mul(v128.shuffle<f32>(a, b, 3, 3, 7, 7), v128.load(x)));
        cd = f32x4.add(cd, f32x4.mul(v128.shuffle<f32>(c, d, 3, 3, 7, 7), v128.load(x, 16)));
      }
      if (taps & 2) {
        const a = weighed(v128.load64_zero(w0), v128.load64_zero(w0 + weightsPitch), blend0);
        const b = weighed(v128.load64_zero(w1), v128.load64_zero(w1 + weightsPitch), blend1);
        const c = weighed(v128.load64_zero(w2), v128.load64_zero(w2 + weightsPitch), blend2);
        const d = weighed(v128.load64_zero(w3), v128.load64_zero(w3 + weightsPitch), blend3);
        ab = f32x4.add(ab, f32x4.mul(v128.shuffle<f32>(a, b, 0, 0, 4, 4), v128.load(x)));
        cd = f32x4.add(cd, f32x4.mul(v128.shuffle<f32>(c, d, 0, 0, 4, 4), v128.load(x, 16)));
        x += pitch;
        ab = f32x4.add(ab, f32x4.mul(v128.shuffle<f32>(a, b, 1, 1, 5, 5), v128.load(x)));
        cd = f32x4.add(cd, f32x4.mul(v128.shuffle<f32>(c, d, 1, 1, 5, 5), v128.load(x, 16)));
      }
    } else {
      const none = f32x4.splat(0.0);
      const a = one(column, first0, width, pitch, w0, blend0, taps);
      const b = left > 1 ? one(column + 8, i32x4.extract_lane(first, 1), width, pitch, w1, blend1, taps) : none;
      const c = left > 2 ? one(column + 16, i32x4.extract_lane(first, 2), width, pitch, w2, blend2, taps) : none;
      const d = left > 3 ? one(column + 24, i32x4.extract_lane(first, 3), width, pitch, w3, blend3, taps) : none;
      ab = v128.shuffle<u64>(a, b, 0, 2);
      cd = v128.shuffle<u64>(c, d, 0, 2);
    }

    const angles0 = two(angle, left);
    const angles2 = left > 2 ? two(angle + 24, left - 2) : angles0;
    const angle0 = left > 3 ? v128.shuffle<i32>(v128.load(angle), v128.load(angle, 24), 0, 3, 4, 7) : firsts(angle, left);
    const angleSlope = v128.shuffle<i32>(angles0, angles2, 0, 2, 4, 6);
    const angleSlope16 = v128.shuffle<i32>(angles0, angles2, 1, 3, 5, 7);
    const cells = i32x4.splat(cell);
    const more = i32x4.shr_u(i32x4.mul(angleSlope16, cells), 16);
    turn(i32x4.add(i32x4.add(angle0, i32x4.mul(angleSlope, cells)), more), ab, cd, out, left);
  }
}

/** The second and third of three numbers of two rows; of the first row twice where only one is left. */
/* @inline */
function two(at: usize, left: i32): v128 {
  return left > 1 ? v128.shuffle<i32>(v128.load(at, 4), v128.load(at, 8), 0, 1, 6, 7) : v128.load64_splat(at, 4);
}

/** The first of three numbers of at most three rows. */
function firsts(at: usize, left: i32): v128 {
  let x = v128.load32_splat(at);
  if (left > 1) x = v128.load32_lane(at + 12, x, 1);
  if (left > 2) x = v128.load32_lane(at + 24, x, 2);
  return x;
}

/** The last two of four numbers in float64. */
/* @inline */
function high(x: v128): v128 {
  return f64x2.promote_low_f32x4(v128.shuffle<f32>(x, x, 2, 3, 2, 3));
}

/** Weights between those of two rows of the table. */
/* @inline */
function weighed(near: v128, next: v128, blend: v128): v128 {
  return f32x4.add(near, f32x4.mul(blend, f32x4.sub(next, near)));
}

/** One row's sum of taps, of which those that are outside do not count. */
function one(column: usize, first: i32, width: i32, pitch: usize, weights: usize, blend: v128, taps: u32): v128 {
  const from = max(0, -first);
  let x = column + usize(first + from) * pitch;
  let w = weights + usize(from) * 4;
  const end = weights + usize(max(0, min(i32(taps), width - first))) * 4;
  const next = usize(taps) * 4;
  let sum = f32x4.splat(0.0);
  for (; w < end; w += 4, x += pitch)
    sum = f32x4.add(sum, f32x4.mul(weighed(v128.load32_splat(w), v128.load32_splat(w + next), blend), v128.load64_zero(x)));
  return sum;
}
