/** Helpers for the tests of long lines: layouts, float64 references and tolerances of the four kinds of transform. */
import { type Layout, layout, type TransformOp } from "@dechirp/core";
import { bar, epsilon, reference } from "./wasm-support.ts";

export const kinds = ["fft", "inverse-fft", "real-fft", "inverse-real-fft"] as const;
export type Kind = (typeof kinds)[number];

export const isReal = (kind: Kind): boolean => kind.endsWith("real-fft");

/** n is the length of the transform. For real ones it must be even. */
export function layoutsOf(kind: Kind, n: number, lines: number): readonly [input: Layout, output: Layout] {
  const complex = layout("c64", [lines, n]);
  if (!isReal(kind)) return [complex, complex];
  const pair = [layout("f32", [lines, n]), layout("c64", [lines, n / 2 + 1])] as const;
  return kind === "real-fft" ? pair : [pair[1], pair[0]];
}

export const opOf = (kind: Kind, n: number, lines: number): TransformOp =>
  ({
    op: isReal(kind) ? "real-fft" : "fft",
    layout: layoutsOf(kind, n, lines)[0],
    axis: 1,
    inverse: kind.startsWith("inverse"),
  }) as TransformOp;

export const numbersIn = (kind: Kind, n: number): number => (kind === "real-fft" ? n : kind === "inverse-real-fft" ? n + 2 : 2 * n);

/** The result in float64, line by line. Ignores the imaginary parts of a real line's first and last bin. */
export function expectedOf(kind: Kind, n: number, x: ArrayLike<number>): Float64Array {
  if (!isReal(kind)) return reference(x, n, kind === "inverse-fft");
  const bins = n / 2 + 1;
  const lines = x.length / numbersIn(kind, n);
  const full = new Float64Array(2 * n * lines);
  for (let line = 0; line < lines; line++) {
    for (let k = 0; k < n; k++) {
      const at = 2 * (n * line + k);
      if (kind === "real-fft") {
        full[at] = x[n * line + k];
        continue;
      }
      const bin = 2 * (bins * line + Math.min(k, n - k));
      full[at] = x[bin];
      full[at + 1] = k % (n / 2) === 0 ? 0 : 2 * k < n ? x[bin + 1] : -x[bin + 1];
    }
  }
  if (kind === "inverse-real-fft") return reference(full, n, true).filter((_, i) => i % 2 === 0);
  return reference(full, n).filter((_, i) => i % (2 * n) < 2 * bins);
}

/**
 * The tolerance of the complex transform. For a real line, that of its half-length transform, and the rounding of the additional pass: a
 * twiddle factor, a product and two sums.
 */
export const limitOf = (kind: Kind, n: number): number => (isReal(kind) ? bar(n / 2) + epsilon / 2 : bar(n));

/** Whether all numbers are identical, including NaN. */
export function same(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i] + 0, b[i] + 0)) return false;
  return true;
}
