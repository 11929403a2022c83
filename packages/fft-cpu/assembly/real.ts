/**
 * AssemblyScript. Between transforms of real lines and of complex ones: the pass that takes the spectrum of n real numbers from
 * that of n/2 complex ones or back (Press et al., Numerical Recipes, section 12.3), and for odd n the widening to complex.
 */
import { product } from "./lines";

/**
 * y[k], y[h − k] = E + T, conj(E − T) with E = x[k]/2 + conj x[h − k]/2 and T = t[k]·(x[k]/2 − conj x[h − k]/2) for
 * 0 < k ≤ h/2. With t = −j·exp(−jπk/h) that untangles a packed spectrum, with its conjugate it tangles one. In place too. Halves
 * are added, not sums halved, so that nothing overflows on the way to a finite result.
 */
function pairs(src: usize, dst: usize, h: usize, table: usize): void {
  const conjugate = i32x4(0, 0x80000000, 0, 0x80000000);
  const half = f32x4.splat(0.5);
  let k: usize = 1;
  for (; k * 2 + 2 < h; k += 2) {
    const front = k * 8;
    const back = (h - k - 1) * 8;
    const a = f32x4.mul(v128.load(src + front), half);
    const r = f32x4.mul(v128.load(src + back), half);
    const b = v128.xor(v128.shuffle<u64>(r, r, 1, 0), conjugate);
    const e = f32x4.add(a, b);
    const t = product(f32x4.sub(a, b), v128.load(table + front));
    const d = v128.xor(f32x4.sub(e, t), conjugate);
    v128.store(dst + front, f32x4.add(e, t));
    v128.store(dst + back, v128.shuffle<u64>(d, d, 1, 0));
  }
  for (; k * 2 <= h; k++) {
    const front = k * 8;
    const back = (h - k) * 8;
    const a = f32x4.mul(v128.load64_zero(src + front), half);
    const b = v128.xor(f32x4.mul(v128.load64_zero(src + back), half), conjugate);
    const e = f32x4.add(a, b);
    const t = product(f32x4.sub(a, b), v128.load64_zero(table + front));
    v128.store64_lane(dst + back, v128.xor(f32x4.sub(e, t), conjugate), 0);
    v128.store64_lane(dst + front, f32x4.add(e, t), 0);
  }
}

/** h packed bins to bins 0 … h. */
export function untangle(src: usize, dst: usize, h: usize, table: usize): void {
  const re = load<f32>(src);
  const im = load<f32>(src, 4);
  pairs(src, dst, h, table);
  store<f32>(dst, re + im);
  store<f32>(dst, 0, 4);
  store<f32>(dst + h * 8, re - im);
  store<f32>(dst + h * 8, 0, 4);
}

/** Bins 0 … h to h packed bins. The imaginary parts of bins 0 and h do not count. */
export function tangle(src: usize, dst: usize, h: usize, table: usize): void {
  const first = load<f32>(src);
  const last = load<f32>(src + h * 8);
  pairs(src, dst, h, table);
  store<f32>(dst, <f32>0.5 * first + <f32>0.5 * last);
  store<f32>(dst, <f32>0.5 * first - <f32>0.5 * last, 4);
}

/** n real numbers to complex ones; `dst` may be `src`. */
export function widen(src: usize, dst: usize, n: usize): void {
  for (let i = n; i > 0; i--) {
    store<f32>(dst + (i - 1) * 8, load<f32>(src + (i - 1) * 4));
    store<f32>(dst + (i - 1) * 8, 0, 4);
  }
}

/** The real parts of n complex numbers; `dst` may be `src`. */
export function narrow(src: usize, dst: usize, n: usize): void {
  for (let i: usize = 0; i < n; i++) store<f32>(dst + i * 4, load<f32>(src + i * 8));
}

/** Bins 0 … (n − 1)/2 to all n, n odd; `dst` may be `src`. The imaginary part of bin 0 does not count. */
export function mirror(src: usize, dst: usize, n: usize): void {
  store<f32>(dst, load<f32>(src));
  store<f32>(dst, 0, 4);
  for (let k: usize = 1; k * 2 < n; k++) {
    const re = load<f32>(src + k * 8);
    const im = load<f32>(src + k * 8, 4);
    store<f32>(dst + k * 8, re);
    store<f32>(dst + k * 8, im, 4);
    store<f32>(dst + (n - k) * 8, re);
    store<f32>(dst + (n - k) * 8, -im, 4);
  }
}
