/**
 * Writes straight-line vector code. Every call writes one statement of AssemblyScript on v128 values and returns the name of its result.
 * It knows arithmetic on four float32 lanes, and complex numbers as pairs of names; it knows nothing of transforms. The compiler that
 * reads the code rounds constants to float32.
 */

/** A complex number in each lane: the names of the vectors of real and imaginary parts. */
export interface ComplexName {
  readonly re: string;
  readonly im: string;
}

export interface Writer {
  readonly lines: string[];
  /** Writes `const x = expression` and returns x. */
  let(expression: string): string;
  do(statement: string): void;
}

export function createWriter(): Writer {
  const lines: string[] = [];
  let count = 0;
  return {
    lines,
    let(expression) {
      const name = `t${count++}`;
      lines.push(`const ${name} = ${expression};`);
      return name;
    },
    do(statement) {
      lines.push(statement);
    },
  };
}

const literal = (value: number): string => `f32x4.splat(${Number.isInteger(value) ? `${value}.0` : value})`;

export const add = (w: Writer, a: string, b: string): string => w.let(`f32x4.add(${a}, ${b})`);
export const sub = (w: Writer, a: string, b: string): string => w.let(`f32x4.sub(${a}, ${b})`);
export const mul = (w: Writer, a: string, b: string): string => w.let(`f32x4.mul(${a}, ${b})`);
export const scale = (w: Writer, a: string, factor: number): string => w.let(`f32x4.mul(${a}, ${literal(factor)})`);
/** a·factor + c, fused in builds with relaxed SIMD. */
export const scaleAdd = (w: Writer, a: string, factor: number, c: string): string => w.let(`madd(${a}, ${literal(factor)}, ${c})`);

export const complexAdd = (w: Writer, a: ComplexName, b: ComplexName): ComplexName => ({ re: add(w, a.re, b.re), im: add(w, a.im, b.im) });
export const complexSub = (w: Writer, a: ComplexName, b: ComplexName): ComplexName => ({ re: sub(w, a.re, b.re), im: sub(w, a.im, b.im) });

export function complexMul(w: Writer, a: ComplexName, b: ComplexName): ComplexName {
  return {
    re: w.let(`nmadd(${a.im}, ${b.im}, f32x4.mul(${a.re}, ${b.re}))`),
    im: w.let(`madd(${a.im}, ${b.re}, f32x4.mul(${a.re}, ${b.im}))`),
  };
}

/** a − jb */
export const minusJ = (w: Writer, a: ComplexName, b: ComplexName): ComplexName => ({ re: add(w, a.re, b.im), im: sub(w, a.im, b.re) });
/** a + jb */
export const plusJ = (w: Writer, a: ComplexName, b: ComplexName): ComplexName => ({ re: sub(w, a.re, b.im), im: add(w, a.im, b.re) });

/** a·exp(−j2πk/n) for constants k and n. Quarter turns need no multiplication, eighths few. */
export function turn(w: Writer, a: ComplexName, k: number, n: number): ComplexName {
  const eighths = (8 * (((k % n) + n) % n)) / n;
  if (eighths === 0) return a;
  if (eighths === 1 || eighths === 3) {
    // Scale before adding: the sum could overflow although the result does not.
    const re = scale(w, a.re, Math.SQRT1_2);
    const im = scale(w, a.im, Math.SQRT1_2);
    const [sum, difference] = [add(w, re, im), sub(w, im, re)];
    return eighths === 1 ? { re: sum, im: difference } : { re: difference, im: w.let(`f32x4.neg(${sum})`) };
  }
  const c = Math.cos((2 * Math.PI * k) / n);
  const s = Math.sin((2 * Math.PI * k) / n);
  return { re: scaleAdd(w, a.im, s, scale(w, a.re, c)), im: scaleAdd(w, a.re, -s, scale(w, a.im, c)) };
}
