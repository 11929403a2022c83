/**
 * DFTs of a few values in straight-line WGSL: primes by the symmetry of their cosines and sines, composite lengths by Cooley-Tukey from
 * smaller ones. Rotations by multiples of 45° need no full product. Every constant is computed in float64.
 */
import { wgslFloat } from "@dechirp/core/internal";
import type { Text } from "./text.ts";

/** −1 for forward, 1 for inverse (without scaling). */
export type Sign = -1 | 1;

/** Radices of stages, for which `dft` generates fast code. */
export const radices = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16] as const;

/** Larger radices: they save a stage of long lines, but an invocation needs more registers. */
export const wideRadices = [18, 20, 21, 22, 24, 25, 26, 27, 28, 30, 32] as const;

/** Primes beyond the usual radices, for lines that have one or two as factors. The next one, 53, does not fit into registers: a convolution is twice as fast. */
export const primeRadices = [17, 19, 23, 29, 31, 37, 41, 43, 47] as const;

const inner: Readonly<Record<number, number>> = {
  ...{ 4: 2, 6: 2, 8: 2, 9: 3, 10: 2, 12: 4, 14: 2, 15: 3, 16: 4, 18: 2, 20: 4, 21: 3, 22: 2, 24: 3, 25: 5, 26: 2, 27: 3, 28: 4 },
  ...{ 30: 5, 32: 4, 64: 8 },
};

/** The factor p by which a composite radix is split: p DFTs of every p-th value come first. */
export const splitOf = (radix: number): number | undefined => inner[radix];

/** Generates y[k] = Σ v[i]·exp(sign·j2πik/r) and returns the names of the results. */
export function dft(text: Text, v: readonly string[], sign: Sign): string[] {
  const r = v.length;
  if (r === 1) return [...v];
  if (r === 2) return [text.let(`${v[0]} + ${v[1]}`), text.let(`${v[0]} - ${v[1]}`)];
  const p = inner[r];
  return p === undefined ? primeDft(text, v, sign) : compositeDft(text, v, sign, p, r / p);
}

function compositeDft(text: Text, v: readonly string[], sign: Sign, p: number, q: number): string[] {
  const r = p * q;
  const parts = Array.from({ length: p }, (_, i) => {
    const part = dft(
      text,
      Array.from({ length: q }, (_, m) => v[i + p * m]),
      sign,
    );
    return part.map((value, k) => turn(text, value, (sign * i * k) / r));
  });
  const out = new Array<string>(r);
  for (let k = 0; k < q; k++) {
    dft(
      text,
      parts.map((part) => part[k]),
      sign,
    ).forEach((value, m) => {
      out[k + q * m] = value;
    });
  }
  return out;
}

/** value·exp(j2π·cycles). */
export function turn(text: Text, value: string, cycles: number): string {
  const eighths = ((Math.round(cycles * 8) % 8) + 8) % 8;
  if (Math.abs(cycles * 8 - Math.round(cycles * 8)) < 1e-9) {
    // Scales before adding, as the sum of the parts may overflow although the result does not.
    const root = eighths % 2 === 0 ? value : text.let(`${wgslFloat(Math.SQRT1_2)} * ${value}`);
    const { x, y } = { x: `${root}.x`, y: `${root}.y` };
    const forms = [
      undefined,
      `vec2f(${x} - ${y}, ${x} + ${y})`,
      `vec2f(-${y}, ${x})`,
      `vec2f(-${x} - ${y}, ${x} - ${y})`,
      `-${value}`,
      `vec2f(${y} - ${x}, -${x} - ${y})`,
      `vec2f(${y}, -${x})`,
      `vec2f(${x} + ${y}, ${y} - ${x})`,
    ];
    const form = forms[eighths];
    return form === undefined ? value : text.let(form);
  }
  const angle = 2 * Math.PI * cycles;
  return text.let(`cmul(${value}, vec2f(${wgslFloat(Math.cos(angle))}, ${wgslFloat(Math.sin(angle))}))`);
}

function primeDft(text: Text, v: readonly string[], sign: Sign): string[] {
  const p = v.length;
  const half = (p - 1) / 2;
  const sums: string[] = [];
  const differences: string[] = [];
  for (let m = 1; m <= half; m++) {
    sums.push(text.let(`${v[m]} + ${v[p - m]}`));
    differences.push(text.let(`${v[m]} - ${v[p - m]}`));
  }
  const out = new Array<string>(p);
  out[0] = text.let([v[0], ...sums].join(" + "));
  for (let k = 1; k <= half; k++) {
    const angle = (m: number): number => (2 * Math.PI * ((k * (m + 1)) % p)) / p;
    const even = text.let([v[0], ...sums.map((s, m) => `${wgslFloat(Math.cos(angle(m)))} * ${s}`)].join(" + "));
    const odd = text.let(differences.map((d, m) => `${wgslFloat(sign * Math.sin(angle(m)))} * ${d}`).join(" + "));
    out[k] = text.let(`vec2f(${even}.x - ${odd}.y, ${even}.y + ${odd}.x)`);
    out[p - k] = text.let(`vec2f(${even}.x + ${odd}.y, ${even}.y - ${odd}.x)`);
  }
  return out;
}
