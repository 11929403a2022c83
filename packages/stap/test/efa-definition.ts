/**
 * The extended factored algorithm as the paper states it, for small sizes: lists of complex numbers, sums by
 * definition, elimination with pivoting. It shares no code with the package, whose results are compared with it.
 */
import { add, at, type C, conj, mul, sum, times, turn } from "./helpers.ts";

export interface Definition {
  readonly channels: number;
  readonly pulses: number;
  readonly ranges: number;
  readonly bins: number;
  readonly taps: number;
  readonly window: readonly number[];
  readonly centred: boolean;
  readonly loading: number;
  /** Ranges that train range `l` at bin `n`. */
  readonly training: (l: number, n: number) => readonly number[];
}

/** X(m, n, l) of x[channel][pulse][range]. */
export function dopplerOf(x: ArrayLike<number>, d: Definition): (m: number, n: number, l: number) => C {
  const table = new Map<number, C>();
  return (m, n, l) => {
    const key = (m * d.bins + n) * d.ranges + l;
    const known = table.get(key);
    if (known) return known;
    const k = d.centred ? n - Math.floor(d.bins / 2) : n;
    const value = sum(
      times(d.pulses, (t) => mul(at(x, (m * d.pulses + t) * d.ranges + l), mul([d.window[t], 0], turn((-k * t) / d.bins)))),
    );
    table.set(key, value);
    return value;
  };
}

/** S(X, l, n): channel by channel, the bins around n. */
export function snapshot(X: (m: number, n: number, l: number) => C, d: Definition, l: number, n: number): C[] {
  const half = Math.floor(d.taps / 2);
  return times(d.channels, (m) => times(d.taps, (tap) => X(m, (n - half + tap + d.bins) % d.bins, l))).flat();
}

/** The mean of s·sᴴ over the training of (l, n), loaded. */
export function covarianceOf(X: (m: number, n: number, l: number) => C, d: Definition, l: number, n: number): C[][] {
  const order = d.channels * d.taps;
  const cells = d.training(l, n);
  const r: C[][] = times(order, () => times(order, (): C => [0, 0]));
  for (const cell of cells) {
    const s = snapshot(X, d, cell, n);
    for (let i = 0; i < order; i++) for (let j = 0; j < order; j++) r[i][j] = add(r[i][j], mul(s[i], conj(s[j])));
  }
  const trace = r.reduce((total, row, i) => total + row[i][0], 0) / cells.length;
  return r.map((row, i) =>
    row.map(([re, im], j): C => [re / cells.length + (i === j ? (d.loading * trace) / order : 0), im / cells.length]),
  );
}

/** w with R·w = v, by elimination with partial pivoting. */
export function solveByPivoting(r: readonly (readonly C[])[], v: readonly C[]): C[] {
  const n = v.length;
  const a: C[][] = r.map((row, i) => [...row, v[i]]);
  const size = ([re, im]: C): number => re * re + im * im;
  for (let k = 0; k < n; k++) {
    let best = k;
    for (let i = k; i < n; i++) if (size(a[i][k]) > size(a[best][k])) best = i;
    [a[k], a[best]] = [a[best], a[k]];
    const inverse = mul(conj(a[k][k]), [1 / size(a[k][k]), 0]);
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const factor = mul(a[i][k], inverse);
      for (let j = k; j <= n; j++) {
        const p = mul(factor, a[k][j]);
        a[i][j] = [a[i][j][0] - p[0], a[i][j][1] - p[1]];
      }
    }
  }
  return a.map((row, i) => mul(row[n], mul(conj(row[i]), [1 / size(row[i]), 0])));
}

export const dotH = (a: readonly C[], b: readonly C[]): C => sum(a.map((x, i) => mul(conj(x), b[i])));

/** wᴴx and wᴴv of one output. */
export function filterOf(
  X: (m: number, n: number, l: number) => C,
  d: Definition,
  v: readonly C[],
  l: number,
  n: number,
): { y: C; gain: number } {
  const w = solveByPivoting(covarianceOf(X, d, l, n), v);
  return { y: dotH(w, snapshot(X, d, l, n)), gain: dotH(w, v)[0] };
}
