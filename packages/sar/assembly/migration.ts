/**
 * AssemblyScript. Range cell migration correction and the azimuth phase: load of azimuth compression. Argument: doppler c64
 * [width][rows], migration f32 [rows][3], phase u32 [rows][3], taps f32 [phases + 1][taps], width, rows, phases and taps. A run is
 * of Doppler rows, which are columns of `doppler`, for one cell.
 *
 * The places of a row's samples are computed in float64, as in the reference, so that both use the same samples and weights at
 * every edge. Four rows are computed at a time if all their taps are in the swath. Nearly always they use the same cells then, whose
 * samples are neighbours. A result does not depend on the run it is in: taps are added one after another in either
 * case. The number of taps is even, and there are at most 2¹⁶ cells.
 */
import { turn, wholes } from "./phase";

export function migration(argument: usize, start: u32, count: u32, out: usize): void {
  const rows = u32(load<f32>(argument, 20));
  const cell = start / rows;
  const row = start - cell * rows;
  const end = i32(count);
  for (let i = 0; i < end; ) {
    i += fours(argument, cell, row + i, end - i, out + usize(i) * 8);
    const next = min(i + 4, end);
    for (; i < next; i++) one(argument, cell, row + i, out + usize(i) * 8);
  }
}

/**
 * Returns how many rows are done, a multiple of four. It stops before four rows some of which use samples outside the swath.
 * Something is written for them all the same: V8 moves invariants out of a loop only if the loop has one end, after
 * all of that (measured with Node 20, a third of the time).
 */
function fours(argument: usize, cell: u32, row: u32, count: i32, out: usize): i32 {
  const width = i32(load<f32>(argument, 16));
  const pitch = usize(load<f32>(argument, 20)) * 8;
  const phases = f64(load<f32>(argument, 24));
  const taps = i32(load<f32>(argument, 28));
  if (count < 4 || width < taps) return 0;
  let column = usize(load<u32>(argument)) + usize(row) * 8;
  let curve = usize(load<u32>(argument, 4)) + usize(row) * 12;
  let angle = usize(load<u32>(argument, 8)) + usize(row) * 12;
  const table = usize(load<u32>(argument, 12));
  const weightsPitch = usize(taps) * 4;

  const at = f64x2.splat(f64(cell));
  const base = f64x2.splat(f64(cell) - f64(taps) / 2.0 + 1.0);
  const steps = f64x2.splat(phases);
  const lastStep = f64x2.splat(phases - 1.0);
  const before = f64x2.splat(-f64(taps));
  const behind = f64x2.splat(f64(width));
  const none = i32x4.splat(0);
  const lastFirst = i32x4.splat(width - taps);
  const cells = i32x4.splat(cell);

  let done = 0;
  let outside: bool = false;
  do {
    const curves0 = lastOf(curve);
    const curves2 = lastOf(curve + 24);
    const whole = v128.shuffle<f32>(v128.load(curve), v128.load(curve, 24), 0, 3, 4, 7);
    const offset = v128.shuffle<f32>(curves0, curves2, 0, 2, 4, 6);
    const slope = v128.shuffle<f32>(curves0, curves2, 1, 3, 5, 7);
    const shiftLow = f64x2.add(low(offset), f64x2.mul(low(slope), at));
    const shiftHigh = f64x2.add(high(offset), f64x2.mul(high(slope), at));
    const wholeLow = f64x2.floor(shiftLow);
    const wholeHigh = f64x2.floor(shiftHigh);
    const positionLow = f64x2.mul(f64x2.sub(shiftLow, wholeLow), steps);
    const positionHigh = f64x2.mul(f64x2.sub(shiftHigh, wholeHigh), steps);
    // pmin returns its first argument if the second is NaN.
    const qLow = f64x2.pmin(lastStep, f64x2.floor(positionLow));
    const qHigh = f64x2.pmin(lastStep, f64x2.floor(positionHigh));
    const blendLow = f32x4.demote_f64x2_zero(f64x2.sub(positionLow, qLow));
    const blendHigh = f32x4.demote_f64x2_zero(f64x2.sub(positionHigh, qHigh));
    const blend0 = v128.shuffle<f32>(blendLow, blendLow, 0, 0, 0, 0);
    const blend1 = v128.shuffle<f32>(blendLow, blendLow, 1, 1, 1, 1);
    const blend2 = v128.shuffle<f32>(blendHigh, blendHigh, 0, 0, 0, 0);
    const blend3 = v128.shuffle<f32>(blendHigh, blendHigh, 1, 1, 1, 1);
    const weights = i32x4.mul(wholes(qLow, qHigh), i32x4.splat(i32(weightsPitch)));
    let w0 = table + usize(i32x4.extract_lane(weights, 0));
    let w1 = table + usize(i32x4.extract_lane(weights, 1));
    let w2 = table + usize(i32x4.extract_lane(weights, 2));
    let w3 = table + usize(i32x4.extract_lane(weights, 3));
    const end = w0 + weightsPitch;

    const wanted = wholes(
      f64x2.pmax(before, f64x2.pmin(behind, f64x2.add(f64x2.add(base, low(whole)), wholeLow))),
      f64x2.pmax(before, f64x2.pmin(behind, f64x2.add(f64x2.add(base, high(whole)), wholeHigh))),
    );
    const first = i32x4.min_s(lastFirst, i32x4.max_s(none, wanted));
    outside = v128.any_true(v128.xor(first, wanted));
    let x0 = column + usize(i32x4.extract_lane(first, 0)) * pitch;
    let ab = f32x4.splat(0.0);
    let cd = f32x4.splat(0.0);
    if (i32x4.all_true(i32x4.eq(first, v128.shuffle<i32>(first, first, 0, 0, 0, 0)))) {
      for (; w0 + 16 <= end; w0 += 16, w1 += 16, w2 += 16, w3 += 16, x0 += 4 * pitch) {
        const a = weighed(v128.load(w0), v128.load(w0 + weightsPitch), blend0);
        const b = weighed(v128.load(w1), v128.load(w1 + weightsPitch), blend1);
        const c = weighed(v128.load(w2), v128.load(w2 + weightsPitch), blend2);
        const d = weighed(v128.load(w3), v128.load(w3 + weightsPitch), blend3);
        ab = plus(ab, v128.shuffle<f32>(a, b, 0, 0, 4, 4), v128.shuffle<f32>(a, b, 1, 1, 5, 5), x0, pitch);
        cd = plus(cd, v128.shuffle<f32>(c, d, 0, 0, 4, 4), v128.shuffle<f32>(c, d, 1, 1, 5, 5), x0 + 16, pitch);
        ab = plus(ab, v128.shuffle<f32>(a, b, 2, 2, 6, 6), v128.shuffle<f32>(a, b, 3, 3, 7, 7), x0 + 2 * pitch, pitch);
        cd = plus(cd, v128.shuffle<f32>(c, d, 2, 2, 6, 6), v128.shuffle<f32>(c, d, 3, 3, 7, 7), x0 + 2 * pitch + 16, pitch);
      }
      if (w0 < end) {
        const a = weighed(v128.load64_zero(w0), v128.load64_zero(w0 + weightsPitch), blend0);
        const b = weighed(v128.load64_zero(w1), v128.load64_zero(w1 + weightsPitch), blend1);
        const c = weighed(v128.load64_zero(w2), v128.load64_zero(w2 + weightsPitch), blend2);
        const d = weighed(v128.load64_zero(w3), v128.load64_zero(w3 + weightsPitch), blend3);
        ab = plus(ab, v128.shuffle<f32>(a, b, 0, 0, 4, 4), v128.shuffle<f32>(a, b, 1, 1, 5, 5), x0, pitch);
        cd = plus(cd, v128.shuffle<f32>(c, d, 0, 0, 4, 4), v128.shuffle<f32>(c, d, 1, 1, 5, 5), x0 + 16, pitch);
      }
    } else {
      let x1 = column + 8 + usize(i32x4.extract_lane(first, 1)) * pitch;
      let x2 = column + 16 + usize(i32x4.extract_lane(first, 2)) * pitch;
      let x3 = column + 24 + usize(i32x4.extract_lane(first, 3)) * pitch;
      for (; w0 < end; w0 += 4, w1 += 4, w2 += 4, w3 += 4, x0 += pitch, x1 += pitch, x2 += pitch, x3 += pitch) {
        const a = weighed(v128.load32_splat(w0), v128.load32_splat(w0 + weightsPitch), blend0);
        const b = weighed(v128.load32_splat(w1), v128.load32_splat(w1 + weightsPitch), blend1);
        const c = weighed(v128.load32_splat(w2), v128.load32_splat(w2 + weightsPitch), blend2);
        const d = weighed(v128.load32_splat(w3), v128.load32_splat(w3 + weightsPitch), blend3);
        ab = f32x4.add(ab, f32x4.mul(v128.shuffle<f32>(a, b, 0, 0, 4, 4), v128.load64_lane(x1, v128.load64_zero(x0), 1)));
        cd = f32x4.add(cd, f32x4.mul(v128.shuffle<f32>(c, d, 0, 0, 4, 4), v128.load64_lane(x3, v128.load64_zero(x2), 1)));
      }
    }

    const angles0 = lastOf(angle);
    const angles2 = lastOf(angle + 24);
    const angle0 = v128.shuffle<i32>(v128.load(angle), v128.load(angle, 24), 0, 3, 4, 7);
    const angleSlope = v128.shuffle<i32>(angles0, angles2, 0, 2, 4, 6);
    const angleSlope16 = v128.shuffle<i32>(angles0, angles2, 1, 3, 5, 7);
    const more = i32x4.shr_u(i32x4.mul(angleSlope16, cells), 16);
    turn(i32x4.add(i32x4.add(angle0, i32x4.mul(angleSlope, cells)), more), ab, cd, out, 4);
    done += 4;
    column += 32;
    curve += 48;
    angle += 48;
    out += 32;
  } while (!outside && done + 4 <= count);
  return outside ? done - 4 : done;
}

/** One row. Taps outside the swath do not count. */
function one(argument: usize, cell: u32, row: u32, out: usize): void {
  const width = i32(load<f32>(argument, 16));
  const pitch = usize(load<f32>(argument, 20)) * 8;
  const phases = f64(load<f32>(argument, 24));
  const taps = i32(load<f32>(argument, 28));
  const curve = usize(load<u32>(argument, 4)) + usize(row) * 12;
  const angle = usize(load<u32>(argument, 8)) + usize(row) * 12;
  const shift = f64(load<f32>(curve, 4)) + f64(load<f32>(curve, 8)) * f64(cell);
  const whole = floor(shift);
  const start = f64(cell) - f64(taps) / 2.0 + 1.0 + f64(load<f32>(curve)) + whole;
  let sum = f32x4.splat(0.0);
  // NaN is not in the swath.
  if (start > -f64(taps) && start < f64(width)) {
    const position = (shift - whole) * phases;
    const q = min(floor(position), phases - 1.0);
    const blend = f32x4.splat(f32(position - q));
    const first = i32(start);
    const weights = usize(load<u32>(argument, 12)) + usize(q) * usize(taps) * 4;
    const x = usize(load<u32>(argument)) + usize(row) * 8;
    const end = min(taps, width - first);
    for (let j = max(0, -first); j < end; j++) {
      const w = weights + usize(j) * 4;
      const weight = weighed(v128.load32_splat(w), v128.load32_splat(w + usize(taps) * 4), blend);
      sum = f32x4.add(sum, f32x4.mul(weight, v128.load64_zero(x + usize(first + j) * pitch)));
    }
  }
  const fraction = load<u32>(angle) + load<u32>(angle, 4) * cell + ((load<u32>(angle, 8) * cell) >> 16);
  turn(i32x4.splat(fraction), sum, sum, out, 1);
}

/** The second and third of three numbers each of two rows. */
/* @inline */
function lastOf(row: usize): v128 {
  return v128.shuffle<i32>(v128.load(row, 4), v128.load(row, 8), 0, 1, 6, 7);
}

/** The first two of four numbers in float64. */
/* @inline */
function low(x: v128): v128 {
  return f64x2.promote_low_f32x4(x);
}

/** The two numbers after them. */
/* @inline */
function high(x: v128): v128 {
  return f64x2.promote_low_f32x4(v128.shuffle<f32>(x, x, 2, 3, 2, 3));
}

/** Weights between those of two rows of the table. */
/* @inline */
function weighed(near: v128, next: v128, blend: v128): v128 {
  return f32x4.add(near, f32x4.mul(blend, f32x4.sub(next, near)));
}

/** A sum and two cells' samples of two rows beside each other. */
/* @inline */
function plus(sum: v128, near: v128, next: v128, x: usize, pitch: usize): v128 {
  return f32x4.add(f32x4.add(sum, f32x4.mul(near, v128.load(x))), f32x4.mul(next, v128.load(x + pitch)));
}
