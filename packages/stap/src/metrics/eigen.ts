/**
 * Eigenvalues of Hermitian matrices: Householder's reduction to a real tridiagonal matrix and implicit QL steps (Golub & Van
 * Loan, Matrix Computations, 8.3). Values only; errors are a few ε of the largest. This is our own code, because the available libraries
 * support only real symmetric matrices, and a complex matrix made real has twice the order, eight times the work and every
 * eigenvalue twice.
 */
import { RadarError } from "@dechirp/core";
import { checkFinite, checkInteger, checkSquare } from "../arrays.ts";

const maxOrder = 4096;

/** Eigenvalues of R [n][n], largest first. Only its lower triangle is read. Throws `input` for a length that does not fit and for NaN. */
export function hermitianEigenvalues(r: ArrayLike<number>, n: number): Float64Array {
  checkInteger(n, "n", 1, maxOrder);
  checkSquare(r, n);
  checkFinite(r, "r");
  const { diagonal, off } = tridiagonal(Float64Array.from(r), n);
  implicitQl(diagonal, off);
  return diagonal.sort().reverse();
}

/** λ_max/λ_min; ∞ if the smallest eigenvalue is not positive. */
export function conditionNumber(r: ArrayLike<number>, n: number): number {
  const values = hermitianEigenvalues(r, n);
  return values[n - 1] > 0 ? values[0] / values[n - 1] : Number.POSITIVE_INFINITY;
}

/**
 * Reduces A, in place, by H = I − 2vvᴴ/(vᴴv) for each column: the trailing matrix becomes A − vwᴴ − wvᴴ with
 * p = 2Av/(vᴴv), w = p − (vᴴp/vᴴv)·v. The remaining elements below the diagonal have any phase. A diagonal matrix of phases could
 * remove it, so that only their magnitude counts.
 */
function tridiagonal(a: Float64Array, n: number): { diagonal: Float64Array; off: Float64Array } {
  const diagonal = new Float64Array(n);
  const off = new Float64Array(n);
  const v = new Float64Array(2 * n);
  const w = new Float64Array(2 * n);
  for (let k = 0; k < n; k++) {
    diagonal[k] = a[2 * (k * n + k)];
    if (k === n - 1) break;
    let below = 0;
    for (let i = k + 1; i < n; i++) {
      v[2 * i] = a[2 * (i * n + k)];
      v[2 * i + 1] = a[2 * (i * n + k) + 1];
      if (i > k + 1) below += v[2 * i] ** 2 + v[2 * i + 1] ** 2;
    }
    const first = Math.hypot(v[2 * k + 2], v[2 * k + 3]);
    const length = Math.sqrt(first * first + below);
    off[k] = length;
    if (below === 0) continue;
    // v = x + (x₁/|x₁|)·|x|·e₁, which has no cancellation.
    v[2 * k + 2] += first === 0 ? length : (v[2 * k + 2] / first) * length;
    v[2 * k + 3] += first === 0 ? 0 : (v[2 * k + 3] / first) * length;
    const norm = below + v[2 * k + 2] ** 2 + v[2 * k + 3] ** 2;
    reflect(a, n, k + 1, v, w, norm);
  }
  return { diagonal, off };
}

/** A − vwᴴ − wvᴴ on the lower triangle from row `start` on. */
function reflect(a: Float64Array, n: number, start: number, v: Float64Array, w: Float64Array, norm: number): void {
  w.fill(0, 2 * start);
  for (let i = start; i < n; i++) {
    const d = a[2 * (i * n + i)];
    let re = d * v[2 * i];
    let im = d * v[2 * i + 1];
    for (let j = start, at = 2 * (i * n + start); j < i; j++, at += 2) {
      const [ar, ai] = [a[at], a[at + 1]];
      re += ar * v[2 * j] - ai * v[2 * j + 1];
      im += ar * v[2 * j + 1] + ai * v[2 * j];
      w[2 * j] += ar * v[2 * i] + ai * v[2 * i + 1];
      w[2 * j + 1] += ar * v[2 * i + 1] - ai * v[2 * i];
    }
    w[2 * i] += re;
    w[2 * i + 1] += im;
  }
  let inner = 0; // vᴴAv, real
  for (let i = 2 * start; i < 2 * n; i++) {
    w[i] *= 2 / norm;
    inner += v[i] * w[i];
  }
  for (let i = 2 * start; i < 2 * n; i++) w[i] -= (inner / norm) * v[i];
  for (let i = start; i < n; i++) {
    const [vr, vi, wr, wi] = [v[2 * i], v[2 * i + 1], w[2 * i], w[2 * i + 1]];
    for (let j = start, at = 2 * (i * n + start); j <= i; j++, at += 2) {
      a[at] -= vr * w[2 * j] + vi * w[2 * j + 1] + wr * v[2 * j] + wi * v[2 * j + 1];
      a[at + 1] -= vi * w[2 * j] - vr * w[2 * j + 1] + wi * v[2 * j] - wr * v[2 * j + 1];
    }
  }
}

/** Eigenvalues of a real symmetric tridiagonal matrix into `d`. `e` holds the elements below the diagonal, and is overwritten. */
function implicitQl(d: Float64Array, e: Float64Array): void {
  const n = d.length;
  const scale = d.reduce((most, x, i) => Math.max(most, Math.abs(x) + Math.abs(e[i])), 0);
  // Elements as small as the rounding of the reduction count as zero.
  const small = Number.EPSILON * scale;
  for (let l = 0; l < n; l++) {
    for (let step = 0; ; step++) {
      let m = l;
      while (m < n - 1 && Math.abs(e[m]) > small) m++;
      if (m === l) break;
      if (step === 100) throw new RadarError("failed", "eigenvalues did not converge", { field: "r", index: l });
      let g = (d[l + 1] - d[l]) / (2 * e[l]);
      g = d[m] - d[l] + e[l] / (g + (g < 0 ? -1 : 1) * Math.hypot(g, 1));
      let [s, c, p] = [1, 1, 0];
      let i = m - 1;
      for (; i >= l; i--) {
        const f = s * e[i];
        const b = c * e[i];
        const radius = Math.hypot(f, g);
        e[i + 1] = radius;
        if (radius === 0) {
          d[i + 1] -= p;
          e[m] = 0;
          break;
        }
        s = f / radius;
        c = g / radius;
        g = d[i + 1] - p;
        const turn = (d[i] - g) * s + 2 * c * b;
        p = s * turn;
        d[i + 1] = g + p;
        g = c * turn - b;
      }
      if (i >= l) continue;
      d[l] -= p;
      e[l] = g;
      e[m] = 0;
    }
  }
}
