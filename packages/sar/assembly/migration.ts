/**
 * AssemblyScript. Range cell migration correction and the azimuth phase: load of azimuth compression. Argument: doppler c64
 * [width][rows], migration f32 [rows][3], phase u32 [rows][3], taps f32 [phases + 1][taps], width, rows, phases, taps. Elements
 * are Doppler rows of one cell: what a tap needs of neighbours lies together.
 *
 * Four rows at a time: where their samples lie is computed in float64 as the reference does it, so that both take the same
 * samples and weights at every edge. Where four rows begin at one cell, as nearly all do, samples are loaded together;
 * either way an element is the sum of its taps in order, and does not depend on the run it is in. Taps are even.
 */
// @ts-nocheck
import { turn, wholes } from "./phase";

export function migration(argument: usize, start: u32, count: u32, out: usize): void {
  const width = u32(load<f32>(argument, 16));
  const rows = u32(load<f32>(argument, 20));
  const phases = f64(load<f32>(argument, 24));
  const taps = u32(load<f32>(argument, 28));
  const cell = start / rows;
  const row = usize(start - cell * rows);
  const table = usize(load<u32>(argument, 12));
  const pitch = usize(rows) * 8;
  let line = usize(load<u32>(argument)) + row * 8;
  let curve = usize(load<u32>(argument, 4)) + row * 12;
  let angle = usize(load<u32>(argument, 8)) + row * 12;

  const cells = f64x2.splat(f64(cell));
  const base = f64x2.splat(f64(cell) - f64(taps) / 2.0 + 1.0);
  const places = f64x2.splat(phases);
  const lastPlace = f64x2.splat(phases - 1.0);
  const before = f64x2.splat(-f64(taps));
  const behind = f64x2.splat(f64(width));
  const bytes = i32x4.splat(taps * 4);
  const number = i32x4.splat(cell);
  let left: i32 = count;
  for (; left >= 4; left -= 4, out += 32, line += 32, curve += 48, angle += 48) {
    const m0 = v128.load(curve);
    const m1 = v128.load(curve, 16);
    const m2 = v128.load(curve, 32);
    const whole = v128.shuffle<f32>(v128.shuffle<f32>(m0, m1, 0, 3, 6, 6), m2, 0, 1, 2, 5);
    const offset = v128.shuffle<f32>(v128.shuffle<f32>(m0, m1, 1, 4, 7, 7), m2, 0, 1, 2, 6);
    const slope = v128.shuffle<f32>(v128.shuffle<f32>(m0, m1, 2, 5, 5, 5), m2, 0, 1, 4, 7);
    const shiftLow = f64x2.add(f64x2.promote_low_f32x4(offset), f64x2.mul(f64x2.promote_low_f32x4(slope), cells));
    const shiftHigh = f64x2.add(f64x2.promote_low_f32x4(upper(offset)), f64x2.mul(f64x2.promote_low_f32x4(upper(slope)), cells));
    const wholeLow = f64x2.floor(shiftLow);
    const wholeHigh = f64x2.floor(shiftHigh);
    const first = wholes(
      f64x2.pmax(before, f64x2.pmin(behind, f64x2.add(f64x2.add(base, f64x2.promote_low_f32x4(whole)), wholeLow))),
      f64x2.pmax(before, f64x2.pmin(behind, f64x2.add(f64x2.add(base, f64x2.promote_low_f32x4(upper(whole))), wholeHigh))),
    );
    const lowest = i32x4.extract_lane(first, 0);
    let ab: v128;
    let cd: v128;
    if (i32x4.all_true(i32x4.eq(first, i32x4.splat(lowest))) && lowest >= 0 && lowest <= i32(width) - i32(taps)) {
      const positionLow = f64x2.mul(f64x2.sub(shiftLow, wholeLow), places);
      const positionHigh = f64x2.mul(f64x2.sub(shiftHigh, wholeHigh), places);
      // pmin takes its first argument where the second is no number.
      const qLow = f64x2.pmin(lastPlace, f64x2.floor(positionLow));
      const qHigh = f64x2.pmin(lastPlace, f64x2.floor(positionHigh));
      const blendLow = f32x4.demote_f64x2_zero(f64x2.sub(positionLow, qLow));
      const blendHigh = f32x4.demote_f64x2_zero(f64x2.sub(positionHigh, qHigh));
      const blend01 = v128.shuffle<f32>(blendLow, blendLow, 0, 0, 1, 1);
      const blend23 = v128.shuffle<f32>(blendHigh, blendHigh, 0, 0, 1, 1);
      const weights = i32x4.mul(wholes(qLow, qHigh), bytes);
      let w0 = table + usize(i32x4.extract_lane(weights, 0));
      let w1 = table + usize(i32x4.extract_lane(weights, 1));
      let w2 = table + usize(i32x4.extract_lane(weights, 2));
      let w3 = table + usize(i32x4.extract_lane(weights, 3));
      const next = usize(taps) * 4;
      let x = line + usize(lowest) * pitch;
      ab = f32x4.splat(0.0);
      cd = f32x4.splat(0.0);
      for (let j: u32 = 0; j < taps; j += 2) {
        const near01 = v128.load64_lane(w1, v128.load64_zero(w0), 1);
        const near23 = v128.load64_lane(w3, v128.load64_zero(w2), 1);
        const far01 = v128.load64_lane(w1 + next, v128.load64_zero(w0 + next), 1);
        const far23 = v128.load64_lane(w3 + next, v128.load64_zero(w2 + next), 1);
        const a = f32x4.add(near01, f32x4.mul(blend01, f32x4.sub(far01, near01)));
        const b = f32x4.add(near23, f32x4.mul(blend23, f32x4.sub(far23, near23)));
        ab = f32x4.add(ab, f32x4.mul(v128.shuffle<f32>(a, a, 0, 0, 2, 2), v128.load(x)));
        cd = f32x4.add(cd, f32x4.mul(v128.shuffle<f32>(b, b, 0, 0, 2, 2), v128.load(x, 16)));
        x += pitch;
        ab = f32x4.add(ab, f32x4.mul(v128.shuffle<f32>(a, a, 1, 1, 3, 3), v128.load(x)));
        cd = f32x4.add(cd, f32x4.mul(v128.shuffle<f32>(b, b, 1, 1, 3, 3), v128.load(x, 16)));
        x += pitch;
        w0 += 8;
        w1 += 8;
        w2 += 8;
        w3 += 8;
      }
    } else {
      const a = single(curve, line, cell, width, pitch, phases, taps, table);
      const b = single(curve + 12, line + 8, cell, width, pitch, phases, taps, table);
      const c = single(curve + 24, line + 16, cell, width, pitch, phases, taps, table);
      const d = single(curve + 36, line + 24, cell, width, pitch, phases, taps, table);
      ab = v128.shuffle<u64>(a, b, 0, 2);
      cd = v128.shuffle<u64>(c, d, 0, 2);
    }
    const p0 = v128.load(angle);
    const p1 = v128.load(angle, 16);
    const p2 = v128.load(angle, 32);
    const fraction = v128.shuffle<i32>(v128.shuffle<i32>(p0, p1, 0, 3, 6, 6), p2, 0, 1, 2, 5);
    const coarse = v128.shuffle<i32>(v128.shuffle<i32>(p0, p1, 1, 4, 7, 7), p2, 0, 1, 2, 6);
    const fine = v128.shuffle<i32>(v128.shuffle<i32>(p0, p1, 2, 5, 5, 5), p2, 0, 1, 4, 7);
    const more = i32x4.shr_u(i32x4.mul(fine, number), 16);
    turn(i32x4.add(i32x4.add(fraction, i32x4.mul(coarse, number)), more), ab, cd, out, 4);
  }
  for (; left > 0; left--, out += 8, line += 8, curve += 12, angle += 12) {
    const sum = single(curve, line, cell, width, pitch, phases, taps, table);
    const fraction = load<u32>(angle) + load<u32>(angle, 4) * cell + ((load<u32>(angle, 8) * cell) >> 16);
    turn(i32x4.splat(fraction), sum, sum, out, 1);
  }
}

/* @inline */
function upper(x: v128): v128 {
  return v128.shuffle<u64>(x, x, 1, 1);
}

/** The sum of one row, re and im: taps that are outside the array do not count. */
function single(curve: usize, line: usize, cell: u32, width: u32, pitch: usize, phases: f64, taps: u32, table: usize): v128 {
  const shift = f64(load<f32>(curve, 4)) + f64(load<f32>(curve, 8)) * f64(cell);
  const whole = Math.floor(shift);
  const position = (shift - whole) * phases;
  const place = Math.floor(position);
  const q = place < phases - 1.0 ? place : phases - 1.0;
  const blend = f32x4.splat(f32(position - q));
  const at = f64(cell) - f64(taps) / 2.0 + 1.0 + f64(load<f32>(curve)) + whole;
  const bounded = at < f64(width) ? at : f64(width);
  const first = i32(bounded > -f64(taps) ? bounded : -f64(taps));
  const next = usize(taps) * 4;
  const weights = table + usize(u32(q)) * next;
  let sum = f32x4.splat(0.0);
  const end = min(i32(taps), i32(width) - first);
  for (let j = max(0, -first); j < end; j++) {
    const from = weights + usize(j) * 4;
    const p = v128.load32_splat(from);
    const w = f32x4.add(p, f32x4.mul(blend, f32x4.sub(v128.load32_splat(from + next), p)));
    sum = f32x4.add(sum, f32x4.mul(w, v128.load64_zero(line + usize(first + j) * pitch)));
  }
  return sum;
}
