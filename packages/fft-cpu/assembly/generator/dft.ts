/**
 * Generates forward DFTs of a few points as straight-line code: y[k] = Σ x[i]·exp(−j2πik/n), in natural order. 2, 4 and odd primes are
 * computed directly (odd primes by their symmetric and antisymmetric halves), composite sizes by splitting (Cooley & Tukey 1965).
 */
import { add, type ComplexName, complexAdd, complexSub, minusJ, plusJ, scale, scaleAdd, sub, turn, type Writer } from "./emit.ts";

export function dft(w: Writer, x: readonly ComplexName[]): ComplexName[] {
  const n = x.length;
  if (n === 1) return [...x];
  if (n === 2) return [complexAdd(w, x[0], x[1]), complexSub(w, x[0], x[1])];
  if (n === 4) return dft4(w, x);
  if (n === 5) return dft5(w, x);
  const factor = splitOff(n);
  return factor === n ? dftPrime(w, x) : dftSplit(w, x, factor);
}

/** The factor by which a composite size is split: 4 before 2, so that most twiddle factors are quarter turns. */
const splitOff = (n: number): number => [4, 2, 3, 5, 7].find((factor) => n % factor === 0 && n > factor) ?? n;

/**
 * A DFT from memory to memory. `load` writes the load of a point; `store` is called with each result as soon as it exists. Even sizes
 * from 6 on are done in halves, even results first, and each half loads its inputs. That needs twice the loads, but only half of the
 * vectors at a time; machines have sixteen vector registers.
 */
export function dftThrough(w: Writer, n: number, load: (i: number) => ComplexName, store: (k: number, y: ComplexName) => void): void {
  if (n % 2 !== 0 || n < 6) {
    const x = Array.from({ length: n }, (_, i) => load(i));
    for (const [k, y] of dft(w, x).entries()) store(k, y);
    return;
  }
  const half = n / 2;
  for (const parity of [0, 1]) {
    const x = Array.from({ length: half }, (_, i) => {
      const a = load(i);
      const b = load(i + half);
      return parity === 0 ? complexAdd(w, a, b) : turn(w, complexSub(w, a, b), i, n);
    });
    for (const [k, y] of dft(w, x).entries()) store(2 * k + parity, y);
  }
}

function dft4(w: Writer, x: readonly ComplexName[]): ComplexName[] {
  const a = complexAdd(w, x[0], x[2]);
  const b = complexSub(w, x[0], x[2]);
  const c = complexAdd(w, x[1], x[3]);
  const d = complexSub(w, x[1], x[3]);
  return [complexAdd(w, a, c), minusJ(w, b, d), complexSub(w, a, c), plusJ(w, b, d)];
}

/** Five points, by the sum and the difference of the cosines: cos 72° + cos 144° = −1/2, cos 72° − cos 144° = √5/2. */
function dft5(w: Writer, x: readonly ComplexName[]): ComplexName[] {
  const t1 = complexAdd(w, x[1], x[4]);
  const t2 = complexAdd(w, x[2], x[3]);
  const u1 = complexSub(w, x[1], x[4]);
  const u2 = complexSub(w, x[2], x[3]);
  const t = complexAdd(w, t1, t2);
  const part = (
    f: "re" | "im",
  ): { readonly y0: string; readonly a1: string; readonly a2: string; readonly b1: string; readonly b2: string } => {
    const middle = scaleAdd(w, t[f], -0.25, x[0][f]);
    const half = sub(w, t1[f], t2[f]);
    const s1 = Math.sin((2 * Math.PI) / 5);
    const s2 = Math.sin((4 * Math.PI) / 5);
    return {
      y0: add(w, x[0][f], t[f]),
      a1: scaleAdd(w, half, Math.sqrt(5) / 4, middle),
      a2: scaleAdd(w, half, -Math.sqrt(5) / 4, middle),
      b1: scaleAdd(w, u2[f], s2, scale(w, u1[f], s1)),
      b2: scaleAdd(w, u2[f], -s1, scale(w, u1[f], s2)),
    };
  };
  const re = part("re");
  const im = part("im");
  const a1 = { re: re.a1, im: im.a1 };
  const a2 = { re: re.a2, im: im.a2 };
  const b1 = { re: re.b1, im: im.b1 };
  const b2 = { re: re.b2, im: im.b2 };
  return [{ re: re.y0, im: im.y0 }, minusJ(w, a1, b1), minusJ(w, a2, b2), plusJ(w, a2, b2), plusJ(w, a1, b1)];
}

/** Odd primes: y[k], y[n − k] = a ∓ jb with a = x0 + Σ cos(2πik/n)(x[i] + x[n − i]) and b = Σ sin(2πik/n)(x[i] − x[n − i]). */
function dftPrime(w: Writer, x: readonly ComplexName[]): ComplexName[] {
  const n = x.length;
  const half = (n - 1) / 2;
  const sums: ComplexName[] = [];
  const differences: ComplexName[] = [];
  for (let i = 1; i <= half; i++) {
    sums.push(complexAdd(w, x[i], x[n - i]));
    differences.push(complexSub(w, x[i], x[n - i]));
  }
  const y: ComplexName[] = new Array(n);
  y[0] = sums.reduce((total, term) => complexAdd(w, total, term), x[0]);
  for (let k = 1; k <= half; k++) {
    const even = (f: "re" | "im"): string => sums.reduce((total, term, i) => scaleAdd(w, term[f], cosine((i + 1) * k, n), total), x[0][f]);
    const odd = (f: "re" | "im"): string =>
      differences
        .slice(1)
        .reduce((total, term, i) => scaleAdd(w, term[f], sine((i + 2) * k, n), total), scale(w, differences[0][f], sine(k, n)));
    const a = { re: even("re"), im: even("im") };
    const b = { re: odd("re"), im: odd("im") };
    y[k] = minusJ(w, a, b);
    y[n - k] = plusJ(w, a, b);
  }
  return y;
}

const cosine = (k: number, n: number): number => Math.cos((2 * Math.PI * (k % n)) / n);
const sine = (k: number, n: number): number => Math.sin((2 * Math.PI * (k % n)) / n);

/** Composite n = a·b: b transforms of a points, twiddle factors, a transforms of b points. */
function dftSplit(w: Writer, x: readonly ComplexName[], a: number): ComplexName[] {
  const b = x.length / a;
  const inner: ComplexName[][] = [];
  for (let i = 0; i < b; i++)
    inner.push(
      dft(
        w,
        Array.from({ length: a }, (_, j) => x[i + b * j]),
      ),
    );
  const y: ComplexName[] = new Array(x.length);
  for (let k = 0; k < a; k++) {
    const column = inner.map((values, i) => turn(w, values[k], i * k, x.length));
    dft(w, column).forEach((value, j) => {
      y[k + a * j] = value;
    });
  }
  return y;
}
