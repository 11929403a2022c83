/**
 * AssemblyScript. Assembles a covariance from its means and factors it, all in float64: an n × n matrix of complex numbers, row after row,
 * and
 * n scales. Substitution (substitute.ts) reads the factors of both solvers in the same way. The arithmetic is that of src/device/host.ts.
 */
import {
  belowAt,
  binsAt,
  channelsAt,
  eliminateAt,
  groupsAt,
  loadingOf,
  membersWidthAt,
  orderAt,
  productsAt,
  setsAt,
  tapsAt,
  whole,
  wideAt,
  workOf,
  wrapped,
} from "./arguments";
import { leastPivotOf, pivotShareOf, pivotStatus, weak, weakShare } from "./status";

/** Places in work memory, of `n`: the matrix, its scales and as many numbers more, means of products, where elements are among them. */
export const matrixPlace: u32 = 0;
export const scalesPlace: u32 = 1;
const productsPlace: u32 = 2;
const sourcesPlace: u32 = 3;

/**
 * Where elements of the lower triangle are among the means of products as `addProducts` puts them together, in bytes, and 1 where
 * conjugated. Of `elements` as src/device/tables.ts makes them; the same for all items.
 */
export function writeSources(constants: usize, unit: u32, element: usize): void {
  const n = whole(constants, orderAt);
  const bins = whole(constants, binsAt);
  const half = halfOf(constants);
  let to = workOf(constants, unit, sourcesPlace);
  for (const end = to + n * (n + 1) * 2; to < end; to += 4, element += 12) {
    let at = load<u32>(element, 4);
    for (let tap = wrapped(load<u32>(element), half, bins); tap > 0; tap--) at += productsOf(constants, tap - 1);
    store<u32>(to, at * 16 + load<u32>(element, 8));
  }
}

/** Bins of a window that have products of their own: all where windows share products, else the first. */
/* @inline */
function sharedTaps(constants: usize): u32 {
  return whole(constants, belowAt) ? 1 : whole(constants, tapsAt);
}

/** Bins from the first of those to the window's own. */
/* @inline */
function halfOf(constants: usize): u32 {
  return whole(constants, belowAt) ? 0 : whole(constants, tapsAt) >> 1;
}

/** How many products of its bin `tap` a window needs: with the bins above it as far as the window goes, which come first. */
/* @inline */
function productsOf(constants: usize, tap: u32): u32 {
  const channels = whole(constants, channelsAt);
  return whole(constants, productsAt) - tap * channels * channels;
}

/**
 * Assembles the covariance of an item [bin][group] from ports means, elements, members, whose words begin at `ports`, and factors it.
 * Returns 0,
 * `weak`, or the status of a row whose pivot is not positive. The loaded diagonal is stored after the scales.
 */
export function factorItem(constants: usize, unit: u32, ports: usize, item: u32): u32 {
  const n = whole(constants, orderAt);
  const elimination = whole(constants, eliminateAt);
  const r = workOf(constants, unit, matrixPlace);
  const scales = workOf(constants, unit, scalesPlace);
  const products = workOf(constants, unit, productsPlace);
  addMembers(constants, ports, item, products);
  placeElements(r, n, products, workOf(constants, unit, sourcesPlace), elimination != 0);
  let trace = 0.0;
  for (let i: u32 = 0; i < n; i++) trace += load<f64>(diagonal(r, i, n));
  // A row that is not finite is reported as it is, and must not make others so.
  const more = trace < Infinity ? (loadingOf(constants) * trace) / f64(n) : 0.0;
  for (let i: u32 = 0; i < n; i++) {
    const value = load<f64>(diagonal(r, i, n)) + more;
    store<f64>(diagonal(r, i, n), value);
    store<f64>(scales + usize(n + i) * 8, value);
  }
  return elimination ? eliminate(constants, r, n, scales) : cholesky(constants, r, n, scales);
}

/* @inline */
function diagonal(r: usize, i: u32, n: u32): usize {
  return r + usize(i) * (n + 1) * 16;
}

/** The products of a window, each the mean over the sets that train its group. */
function addMembers(constants: usize, ports: usize, item: u32, products: usize): void {
  const bins = whole(constants, binsAt);
  const groups = whole(constants, groupsAt);
  const sets = whole(constants, setsAt);
  const wide = whole(constants, wideAt) != 0;
  const pitch = usize(whole(constants, productsAt)) * (wide ? 16 : 8);
  const bin = item / groups;
  const member = usize(load<u32>(ports, 8)) + usize(item - bin * groups) * whole(constants, membersWidthAt) * 4;
  const many = u32(load<f32>(member));
  const taps = sharedTaps(constants);
  const half = halfOf(constants);
  for (let tap: u32 = 0; tap < taps; tap++) {
    const count = productsOf(constants, tap);
    const from = usize(load<u32>(ports)) + usize(wrapped(wrapped(bin, half ? bins - half : 0, bins), tap, bins)) * sets * pitch;
    for (let m: u32 = 0; m < many; m++) {
      const mean = from + usize(u32(load<f32>(member + m * 8, 4))) * pitch;
      const share = f64x2.splat(f64(load<f32>(member + m * 8, 8)));
      if (wide) addWideMeans(mean, count, share, products, m > 0);
      else addMeans(mean, count, share, products, m > 0);
    }
    products += usize(count) * 16;
  }
}

/** to = means·share, or to += means·share if `more`. */
function addMeans(mean: usize, count: u32, share: v128, to: usize, more: bool): void {
  const zero = f64x2.splat(0.0);
  const last = to + usize(count & ~1) * 16;
  for (; to < last; to += 32, mean += 16) {
    const values = v128.load(mean);
    const low = f64x2.mul(share, f64x2.promote_low_f32x4(values));
    const high = f64x2.mul(share, f64x2.promote_low_f32x4(v128.shuffle<f32>(values, values, 2, 3, 2, 3)));
    v128.store(to, f64x2.add(more ? v128.load(to) : zero, low));
    v128.store(to, f64x2.add(more ? v128.load(to, 16) : zero, high), 16);
  }
  if (count & 1) {
    const value = f64x2.mul(share, f64x2.promote_low_f32x4(v128.load64_zero(mean)));
    v128.store(to, f64x2.add(more ? v128.load(to) : zero, value));
  }
}

/** The same for means in float64. */
function addWideMeans(mean: usize, count: u32, share: v128, to: usize, more: bool): void {
  for (const last = to + usize(count) * 16; to < last; to += 16, mean += 16) {
    const value = f64x2.mul(share, v128.load(mean));
    v128.store(to, more ? f64x2.add(v128.load(to), value) : value);
  }
}

/** The lower triangle, or all of it. */
function placeElements(r: usize, n: u32, products: usize, source: usize, full: bool): void {
  const pitch = usize(n) * 16;
  for (let row: u32 = 0; row < n; row++) {
    let to = r + row * pitch;
    let mirrored = r + row * 16;
    for (const end = to + row * 16; to <= end; to += 16, mirrored += pitch, source += 4) {
      const code = load<u32>(source);
      // The sign of the imaginary part without a branch.
      const sign = i64x2.replace_lane(i64x2.splat(0), 1, i64(code) << 63);
      const value = v128.xor(v128.load(products + usize(code & ~1)), sign);
      v128.store(to, value);
      if (full) v128.store(mirrored, v128.xor(value, i64x2(0, i64.MIN_VALUE)));
    }
  }
}

/** L below the diagonal, reciprocals of its diagonal as scales. */
function cholesky(constants: usize, r: usize, n: u32, scales: usize): u32 {
  const floor = pivotShareOf(constants);
  const least = leastPivotOf(constants);
  let found: u32 = 0;
  const pitch = usize(n) * 16;
  for (let k: u32 = 0; k < n; k++) {
    const rowK = r + k * pitch;
    const endK = rowK + k * 16;
    let squares = f64x2.splat(0.0);
    for (let a = rowK; a < endK; a += 16) squares = f64x2.add(squares, f64x2.mul(v128.load(a), v128.load(a)));
    const whole = load<f64>(endK);
    const pivot = whole - (f64x2.extract_lane(squares, 0) + f64x2.extract_lane(squares, 1));
    if (!(pivot > max(floor * whole, least))) return pivotStatus(constants, k, whole);
    if (pivot < weakShare * whole) found = weak;
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
  return found;
}

/**
 * κ of the covariance R = LLᴴ, scaled to a diagonal of ones: ‖w‖²/(bᴴw) of w = R⁻¹b in that scale. b has elements ±1 and ±j, which let
 * L⁻¹b grow (after LINPACK's estimator: Cline, Moler, Stewart & Wilkinson 1979), so that the weakest direction is in it, and
 * w is little else. `z` has room for n complex numbers.
 */
export function conditionOf(r: usize, scales: usize, n: u32, z: usize): f64 {
  const pitch = usize(n) * 16;
  let quadratic = 0.0;
  for (let k: u32 = 0; k < n; k++) {
    const end = z + k * 16;
    let a = r + k * pitch;
    let s = f64x2.splat(0.0);
    let t = s;
    for (let y = z; y < end; y += 16, a += 16) {
      const x = v128.load(a);
      const value = v128.load(y);
      s = f64x2.sub(s, f64x2.mul(x, value));
      t = f64x2.sub(t, f64x2.mul(v128.shuffle<f64>(x, x, 1, 0), value));
    }
    const re = f64x2.extract_lane(s, 0) - f64x2.extract_lane(s, 1);
    const im = f64x2.extract_lane(t, 0) + f64x2.extract_lane(t, 1);
    const scale = load<f64>(scales + k * 8);
    const root = Math.sqrt(load<f64>(scales + usize(n + k) * 8));
    // Along the nearest axis: there is no root and no quotient that the next row would wait for.
    const real = Math.abs(re) >= Math.abs(im);
    const first = (real ? re + copysign(root, re) : re) * scale;
    const second = (real ? im : im + copysign(root, im)) * scale;
    store<f64>(end, first);
    store<f64>(end, second, 8);
    quadratic += first * first + second * second;
  }
  let square = 0.0;
  for (let left = n; left > 0; left--) {
    const k = left - 1;
    const scale = f64x2.splat(load<f64>(scales + k * 8));
    const w = f64x2.mul(v128.load(z + k * 16), scale);
    const squares = f64x2.mul(w, w);
    square += load<f64>(scales + usize(n + k) * 8) * (f64x2.extract_lane(squares, 0) + f64x2.extract_lane(squares, 1));
    // z minus conj(L[k])·w.
    const turned = v128.xor(v128.shuffle<f64>(w, w, 1, 0), i64x2(0, i64.MIN_VALUE));
    let a = r + k * pitch;
    for (let y = z, end = z + k * 16; y < end; y += 16, a += 16) {
      const c = v128.load64_splat(a);
      const d = v128.load64_splat(a, 8);
      v128.store(y, f64x2.sub(v128.load(y), f64x2.add(f64x2.mul(c, w), f64x2.mul(d, turned))));
    }
  }
  return square / quadratic;
}

/** Writes the factor of Cholesky above the diagonal, conjugated. */
export function mirror(r: usize, n: u32): void {
  for (let row: u32 = 1; row < n; row++) {
    for (let column: u32 = 0; column < row; column++) {
      const value = v128.load(r + (usize(row) * n + column) * 16);
      v128.store(r + (usize(column) * n + row) * 16, v128.xor(value, i64x2(0, i64.MIN_VALUE)));
    }
  }
}

/** Gauss-Jordan elimination: off the diagonal the factors that each step takes rows by, reciprocals of pivots as scales. */
function eliminate(constants: usize, r: usize, n: u32, scales: usize): u32 {
  const floor = pivotShareOf(constants);
  const least = leastPivotOf(constants);
  let found: u32 = 0;
  const pitch = usize(n) * 16;
  for (let k: u32 = 0; k < n; k++) {
    const at = diagonal(r, k, n);
    const pivot = load<f64>(at);
    const own = load<f64>(scales + usize(n + k) * 8);
    if (!(pivot > max(floor * own, least))) return pivotStatus(constants, k, own);
    if (pivot < weakShare * own) found = weak;
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
  return found;
}
