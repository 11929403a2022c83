/**
 * AssemblyScript. Parabolas of range profiles, two bins at a time: the kernel of curves.ts. quadratic.ts describes parabolas and how slope
 * and curvature share a word. Argument of `curves`: profiles c64 [pulses][bins], curves c64 [pulses][curves][2], bins, curves. Item i is
 * parabola i mod curves of a pulse. If there is one more curve than bins, the bins repeat. If there are as many, the two at each end have
 * no parabola and are zeros. Argument of `curvesPart`: profiles, firsts u32 [pulses], curves c64 [pulses][kept][2], bins, curves, kept; it makes
 * `kept` parabolas of each pulse, from its first one on.
 */

const near: f32 = 0.6470311;
const far: f32 = -0.07357588;
const nearSum: f32 = 0.64063856;
const farSum: f32 = -0.03517388;

/** Slope and curvature of both parts of two bins, from those one and two before and behind them, as words. */
/* @inline */
function words(far0: v128, near0: v128, v: v128, near1: v128, far1: v128): v128 {
  const slope = f32x4.add(f32x4.mul(f32x4.splat(near), f32x4.sub(near1, near0)), f32x4.mul(f32x4.splat(far), f32x4.sub(far1, far0)));
  const curvature = f32x4.add(
    f32x4.mul(f32x4.splat(nearSum), f32x4.add(f32x4.sub(near1, v), f32x4.sub(near0, v))),
    f32x4.mul(f32x4.splat(farSum), f32x4.add(f32x4.sub(far1, v), f32x4.sub(far0, v))),
  );
  const low = v128.and(i32x4.shr_u(i32x4.add(curvature, i32x4.splat(0x20000)), 18), i32x4.splat(0x3fff));
  const magnitude = i32x4.sub(i32x4.add(v128.and(slope, i32x4.splat(0x7fffffff)), i32x4.splat(0x2000)), low);
  const high = v128.and(i32x4.max_s(i32x4.splat(0), magnitude), i32x4.splat(0x7fffc000));
  return v128.or(v128.or(v128.and(slope, i32x4.splat(0x80000000)), high), low);
}

/* @inline */
function around(row: usize, k: u32, bins: u32): v128 {
  return v128.load64_zero(row + usize(k % bins) * 8);
}

export function curves(argument: usize, start: u32, end: u32): void {
  const count = u32(load<f32>(argument, 12));
  items(usize(load<u32>(argument)), 0, usize(load<u32>(argument, 4)), u32(load<f32>(argument, 8)), count, count, start, end);
}

export function curvesPart(argument: usize, start: u32, end: u32): void {
  const out = usize(load<u32>(argument, 8));
  const bins = u32(load<f32>(argument, 12));
  const count = u32(load<f32>(argument, 16));
  items(usize(load<u32>(argument)), usize(load<u32>(argument, 4)), out, bins, count, u32(load<f32>(argument, 20)), start, end);
}

/** Items of pulses of which `kept` parabolas of `count` are made, from those in `firsts` on, or from the first if there are none. */
function items(profiles: usize, firsts: usize, to: usize, bins: u32, count: u32, kept: u32, start: u32, end: u32): void {
  let out = to + usize(start) * 16;
  let pulse = start / kept;
  let skipped = start - pulse * kept;
  for (let left = end - start; left > 0; pulse++, skipped = 0) {
    const row = profiles + usize(pulse) * bins * 8;
    const here = min(left, kept - skipped);
    let k = skipped + (firsts ? load<u32>(firsts + usize(pulse) * 4) : 0);
    const last = k + here;
    left -= here;
    while (k < last) {
      if (k >= 2 && k + 3 < bins && k + 1 < last) {
        let at = row + usize(k) * 8;
        const stop = min(last, bins - 2);
        for (; k + 1 < stop; k += 2, at += 16, out += 32) {
          const v = v128.load(at);
          const w = words(v128.load(at - 16), v128.load(at - 8), v, v128.load(at, 8), v128.load(at, 16));
          v128.store(out, v128.shuffle<f32>(v, w, 0, 1, 4, 5));
          v128.store(out, v128.shuffle<f32>(v, w, 2, 3, 6, 7), 16);
        }
        continue;
      }
      if (count === bins && (k < 2 || k + 2 >= bins)) {
        v128.store(out, f32x4.splat(0.0));
      } else {
        const from = k + bins;
        const v = around(row, from, bins);
        const before = around(row, from - 1, bins);
        const behind = around(row, from + 1, bins);
        const w = words(around(row, from + bins - 2, bins), before, v, behind, around(row, from + 2, bins));
        v128.store(out, v128.shuffle<f32>(v, w, 0, 1, 4, 5));
      }
      k++;
      out += 16;
    }
  }
}
