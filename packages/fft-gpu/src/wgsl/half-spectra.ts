/**
 * Real lines as complex lines of half the length, and half spectra: what elements of the one are in terms of elements of the other. An even number of
 * real elements x is read as z[i] = x[2i] + j·x[2i + 1]. Its spectrum Z and the half spectrum X of x follow from each other: X[k] = E + O·W with
 * E = (Z[k] + Z*[n/2 − k])/2, O = −j·(Z[k] − Z*[n/2 − k])/2 and W = exp(−j2πk/n) (Press et al., Numerical Recipes, third edition, section 12.3).
 */
import { unitRoot } from "@dechirp/core/tables";
import { longTwiddle, type TableBuilder } from "../tables.ts";
import type { LineAt, MirroredWriter, Reader } from "./line-kernel.ts";
import { longRoot } from "./long-root.ts";
import type { Text } from "./text.ts";

/** Generates the expression for element i of a line. */
export type ReadElement = (text: Text, i: string) => string;
type ReadLine = (text: Text, at: LineAt) => ReadElement;

/** Two real elements as one complex: x[2i] + j·x[2i + 1]. */
export const pairs =
  (line: ReadLine, extent: number): Reader["line"] =>
  (text, at) => {
    const element = line(text, at);
    return (t, i) => {
      const even = t.let(`2u * (${i})`, "i");
      if (extent % 2 === 0) return `vec2f(${element(t, even)}, ${element(t, `(${even} + 1u)`)})`;
      const odd = t.variable("f32");
      t.when(`${even} + 1u < ${extent}u`, () => t.line(`${odd} = ${element(t, `(${even} + 1u)`)};`));
      return `vec2f(${element(t, even)}, ${odd})`;
    };
  };

/** Bin k ≤ n/2 of a half spectrum of `extent` bins: zero beyond them, and real at its ends. */
function bin(t: Text, element: ReadElement, k: string, n: number, extent: number): string {
  const whole = extent > Math.floor(n / 2);
  const value = whole ? t.let(element(t, k)) : t.variable("vec2f");
  if (!whole) t.when(`${k} < ${extent}u`, () => t.line(`${value} = ${element(t, k)};`));
  return t.let(`vec2f(${value}.x, select(${value}.y, 0.0, ${k} == 0u${n % 2 === 0 ? ` || ${k} == ${n / 2}u` : ""}))`);
}

/** The full spectrum of a real line from its half. */
export const hermitian =
  (line: ReadLine, n: number, extent: number): Reader["line"] =>
  (text, at) => {
    const element = line(text, at);
    return (t, i) => {
      const k = t.let(`min(${i}, ${n}u - (${i}))`, "k");
      const value = bin(t, element, k, n, extent);
      return `select(vec2f(${value}.x, -${value}.y), ${value}, ${k} == ${i})`;
    };
  };

/**
 * The spectrum of x[2i] + j·x[2i + 1] from the half spectrum X of x: E + jO with E = (X[k] + X*[n/2 − k])/2 and
 * O = exp(j2πk/n)·(X[k] − X*[n/2 − k])/2.
 */
export function halfPairs(line: ReadLine, n: number, extent: number): Pick<Reader, "line" | "mirrored"> {
  const mirrored: NonNullable<Reader["mirrored"]> = (text, at, table) => {
    const element = line(text, at);
    const root = splitRoots(table, n);
    return {
      // Halves are added, and not sums halved, so that nothing overflows if the result is finite.
      part: (t, i) => t.let(`0.5 * ${bin(t, element, i, n, extent)}`),
      whole(t, i, a, b) {
        const even = t.let(`vec2f(${a}.x + ${b}.x, ${a}.y - ${b}.y)`);
        const odd = t.let(`cmulc(vec2f(${a}.x - ${b}.x, ${a}.y + ${b}.y), ${root(t, i)})`);
        return t.let(`vec2f(${even}.x - ${odd}.y, ${even}.y + ${odd}.x)`);
      },
      ofZero: `${n / 2}u`,
    };
  };
  return {
    mirrored,
    line(text, at, table) {
      const { part, whole } = mirrored(text, at, table);
      return (t, i) => whole(t, i, part(t, i), part(t, t.let(`${n / 2}u - (${i})`, "k")));
    },
  };
}

/**
 * The half spectrum X of x from elements of the spectrum of x[2i] + j·x[2i + 1] and their mirror images: the first formula above. Halves are added, so that
 * nothing overflows if the result is finite.
 */
export const spectrumOfPairs = (n: number): Pick<MirroredWriter, "whole" | "last"> => ({
  whole(table) {
    const root = splitRoots(table, n);
    return (t, k, element, image) => {
      const [z, m] = [element, image].map((value) => t.let(`0.5 * ${value}`));
      const even = t.let(`vec2f(${z}.x + ${m}.x, ${z}.y - ${m}.y)`);
      const odd = t.let(`cmul(vec2f(${z}.y + ${m}.y, ${m}.x - ${z}.x), ${root(t, k)})`);
      return t.let(`${even} + ${odd}`);
    };
  },
  last: (t, first) => t.let(`vec2f(${first}.x - ${first}.y, 0.0)`),
});

/** Up to this length a table of its own has the roots of the split: it stays in cache. */
const longestSplit = 2 ** 15;

/** Generates exp(−j2πk/n) for k < n/2. */
export function splitRoots(table: TableBuilder, n: number): (t: Text, k: string) => string {
  if (n > longestSplit) {
    const tables = longTwiddle(table, n);
    return (t, k) => longRoot(t, tables, t.let(k, "e"));
  }
  const offset = table.add(`split ${n}`, n / 2, (k) => unitRoot(k, n));
  return (_, k) => `load_dechirp_table(${k} + ${offset}u)`;
}
