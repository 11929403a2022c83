/**
 * AssemblyScript. A covariance out of its means, and its factors, all in float64: an n × n matrix of complex numbers, row after row, and
 * n scales. Substitution (substitute.ts) reads both solvers' factors alike. The arithmetic is that of src/device/host.ts.
 */
// @ts-nocheck
import { binsAt, eliminateAt, groupsAt, loadingOf, membersWidthAt, orderAt, productsAt, setsAt, whole, wrapped } from "./arguments";

/**
 * Reads and factors the covariance of an item [bin][group] of ports means, elements, members, whose words begin at `ports`: 0, or the
 * row, from 1, whose pivot is not positive. `scales` has room for 2n numbers.
 */
export function factorItem(constants: usize, ports: usize, item: u32, r: usize, scales: usize): u32 {
  const n = whole(constants, orderAt);
  const elimination = whole(constants, eliminateAt);
  readCovariance(constants, ports, item, r, n, elimination != 0);
  let trace = 0.0;
  for (let i: u32 = 0; i < n; i++) trace += load<f64>(diagonal(r, i, n));
  const more = (loadingOf(constants) * trace) / f64(n);
  for (let i: u32 = 0; i < n; i++) store<f64>(diagonal(r, i, n), load<f64>(diagonal(r, i, n)) + more);
  // A pivot of at most so many roundings of its diagonal is none.
  const floor = f64(n) * f64.EPSILON;
  return elimination ? eliminate(r, n, scales, floor) : cholesky(r, n, scales, floor);
}

/* @inline */
function diagonal(r: usize, i: u32, n: u32): usize {
  return r + usize(i) * (n + 1) * 16;
}

/** The lower triangle, or all of it. */
function readCovariance(constants: usize, ports: usize, item: u32, r: usize, n: u32, full: bool): void {
  const bins = whole(constants, binsAt);
  const groups = whole(constants, groupsAt);
  const sets = whole(constants, setsAt);
  const products = whole(constants, productsAt);
  const means: usize = load<u32>(ports);
  let element: usize = load<u32>(ports, 4);
  const bin = item / groups;
  const member = usize(load<u32>(ports, 8)) + usize(item - bin * groups) * whole(constants, membersWidthAt) * 4;
  const end = member + 4 + u32(load<f32>(member)) * 8;
  for (let row: u32 = 0; row < n; row++) {
    for (let column: u32 = 0; column <= row; column++, element += 12) {
      const from = means + (usize(wrapped(bin, load<u32>(element), bins)) * sets * products + load<u32>(element, 4)) * 8;
      let sum = f64x2.splat(0.0);
      for (let m = member + 4; m < end; m += 8) {
        const mean = v128.load64_zero(from + usize(u32(load<f32>(m))) * products * 8);
        sum = f64x2.add(sum, f64x2.mul(f64x2.splat(f64(load<f32>(m, 4))), f64x2.promote_low_f32x4(mean)));
      }
      const conjugate = v128.xor(sum, i64x2(0, i64.MIN_VALUE));
      const turned = load<u32>(element, 8);
      v128.store(r + (usize(row) * n + column) * 16, turned ? conjugate : sum);
      if (full) v128.store(r + (usize(column) * n + row) * 16, turned ? sum : conjugate);
    }
  }
}

/** L below the diagonal, reciprocals of its diagonal as scales. */
function cholesky(r: usize, n: u32, scales: usize, floor: f64): u32 {
  const pitch = usize(n) * 16;
  for (let k: u32 = 0; k < n; k++) {
    const rowK = r + k * pitch;
    const endK = rowK + k * 16;
    let squares = f64x2.splat(0.0);
    for (let a = rowK; a < endK; a += 16) squares = f64x2.add(squares, f64x2.mul(v128.load(a), v128.load(a)));
    const whole = load<f64>(endK);
    const pivot = whole - (f64x2.extract_lane(squares, 0) + f64x2.extract_lane(squares, 1));
    if (!(pivot > floor * whole)) return k + 1;
    const scale = 1.0 / Math.sqrt(pivot);
    store<f64>(scales + k * 8, scale);
    let row = endK + pitch;
    for (let left = n - 1 - k; left > 0; left--, row += pitch) {
      let b = row - k * 16;
      // (re·re, im·im) and (im·re, re·im) of rows and pivot row.
      let s = f64x2.splat(0.0);
      let t = s;
      for (let a = rowK; a < endK; a += 16, b += 16) {
        const x = v128.load(a);
        const y = v128.load(b);
        s = f64x2.add(s, f64x2.mul(y, x));
        t = f64x2.add(t, f64x2.mul(v128.shuffle<f64>(y, y, 1, 0), x));
      }
      store<f64>(row, (load<f64>(row) - (f64x2.extract_lane(s, 0) + f64x2.extract_lane(s, 1))) * scale);
      store<f64>(row, (load<f64>(row, 8) - (f64x2.extract_lane(t, 0) - f64x2.extract_lane(t, 1))) * scale, 8);
    }
  }
  return 0;
}

/** Above the diagonal of Cholesky's factor what lies below, conjugated. */
export function mirror(r: usize, n: u32): void {
  for (let row: u32 = 1; row < n; row++) {
    for (let column: u32 = 0; column < row; column++) {
      const value = v128.load(r + (usize(row) * n + column) * 16);
      v128.store(r + (usize(column) * n + row) * 16, v128.xor(value, i64x2(0, i64.MIN_VALUE)));
    }
  }
}

/** Gauss-Jordan elimination: off the diagonal the factors that each step takes rows by, reciprocals of pivots as scales. */
function eliminate(r: usize, n: u32, scales: usize, floor: f64): u32 {
  const pitch = usize(n) * 16;
  for (let k: u32 = 0; k < n; k++) store<f64>(scales + usize(n + k) * 8, load<f64>(diagonal(r, k, n)));
  for (let k: u32 = 0; k < n; k++) {
    const at = diagonal(r, k, n);
    const pivot = load<f64>(at);
    if (!(pivot > floor * load<f64>(scales + usize(n + k) * 8))) return k + 1;
    const scale = 1.0 / pivot;
    store<f64>(scales + k * 8, scale);
    const end = r + (k + 1) * pitch;
    for (let a = at + 16; a < end; a += 16) v128.store(a, f64x2.mul(v128.load(a), f64x2.splat(scale)));
    for (let i: u32 = 0; i < n; i++) {
      if (i == k) continue;
      let b = r + i * pitch + k * 16;
      const re = v128.load64_splat(b);
      const im = v128.xor(v128.load64_splat(b, 8), i64x2(i64.MIN_VALUE, 0));
      b += 16;
      for (let a = at + 16; a < end; a += 16, b += 16) {
        const x = v128.load(a);
        const product = f64x2.add(f64x2.mul(re, x), f64x2.mul(im, v128.shuffle<f64>(x, x, 1, 0)));
        v128.store(b, f64x2.sub(v128.load(b), product));
      }
    }
  }
  return 0;
}
