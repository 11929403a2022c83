/**
 * Generates the stages of a Stockham autosort transform (decimation in frequency) as AssemblyScript functions. Between stages a line is
 * stored in blocks of four complex numbers: four real parts, then four imaginary parts. A stage of radix R reads leg k of output p from
 * index q + s(p + mk), multiplies by w^(pk), and writes to q + s(Rp + k). s is the product of the radices before it, and m·R·s is the
 * length. Addresses are in bytes. First stages read interleaved numbers; last stages write them.
 */

import { dft, dftThrough } from "./dft.ts";
import { type ComplexName, complexMul, createWriter, mul, type Writer } from "./emit.ts";

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

const indent = (lines: readonly string[], by: string): string => lines.map((line) => by + line).join("\n");

/** Loads four interleaved complex numbers from `address` and separates real and imaginary parts. */
function loadInterleaved(w: Writer, address: string): ComplexName {
  const a = w.let(`v128.load(${address})`);
  const b = w.let(`v128.load(${address}, 16)`);
  return { re: w.let(`even(${a}, ${b})`), im: w.let(`odd(${a}, ${b})`) };
}

/** Transposes four vectors of four lanes. */
function transpose(w: Writer, rows: readonly string[]): string[] {
  const [a, b, c, d] = rows;
  const ab = w.let(`zipLow(${a}, ${b})`);
  const AB = w.let(`zipHigh(${a}, ${b})`);
  const cd = w.let(`zipLow(${c}, ${d})`);
  const CD = w.let(`zipHigh(${c}, ${d})`);
  return [w.let(`lows(${ab}, ${cd})`), w.let(`highs(${ab}, ${cd})`), w.let(`lows(${AB}, ${CD})`), w.let(`highs(${AB}, ${CD})`)];
}

/** The end of a first stage: multiplies the outputs with the lanes' twiddle factors at tw and stores them at y, lane after lane. */
function turnAndTranspose(w: Writer, outputs: readonly ComplexName[], radix: number): void {
  const turned = outputs.map((y, k) =>
    k === 0 ? y : complexMul(w, y, { re: w.let(`v128.load(tw, ${32 * (k - 1)})`), im: w.let(`v128.load(tw, ${32 * k - 16})`) }),
  );
  for (const block of range(radix / 4)) {
    for (const part of ["re", "im"] as const) {
      const columns = transpose(
        w,
        turned.slice(4 * block, 4 * block + 4).map((y) => y[part]),
      );
      columns.forEach((column, lane) => {
        w.do(`v128.store(y, ${column}, ${lane * radix * 8 + block * 32 + (part === "im" ? 16 : 0)});`);
      });
    }
  }
}

export type First = "forward" | "inverse" | "filter";

/**
 * A stage with s = 1: four outputs p at a time. The last four overlap the ones before if m is not a multiple of four. `inverse` exchanges
 * the roles of real and imaginary parts. `filter` multiplies by h first and is an inverse.
 */
export function firstStage(radix: number, kind: First): string {
  const w = createWriter();
  const legs = range(radix).map((k) => {
    const x = loadInterleaved(w, k === 0 ? "x" : `x + ${k} * leg`);
    const y = kind === "filter" ? complexMul(w, x, loadInterleaved(w, k === 0 ? "g" : `g + ${k} * leg`)) : x;
    return kind === "forward" ? y : { re: y.im, im: y.re };
  });
  turnAndTranspose(w, dft(w, legs), radix);
  return `function first${radix}${kind}(src: usize, dst: usize, m: usize, tw: usize, h: usize): void {
  const leg = m * 8, end = m - 4;
  for (let i: usize = 0; i < m; i += 4) {
    const p = min(i, end), x = src + p * 8, y = dst + p * ${radix * 8};
${kind === "filter" ? "    const g = h + p * 8;\n" : ""}${indent(w.lines, "    ")}
    tw += ${32 * (radix - 1)};
  }
}
`;
}

/** Writes the addresses x1 = x + leg, x2 = x1 + leg, and so on. Returns a function that loads the block of a leg. */
function legLoads(w: Writer, radix: number): (k: number) => ComplexName {
  for (const k of range(radix)) if (k > 0) w.do(`const x${k} = ${k === 1 ? "x" : `x${k - 1}`} + leg;`);
  return (k) => {
    const at = k === 0 ? "x" : `x${k}`;
    return { re: w.let(`v128.load(${at})`), im: w.let(`v128.load(${at}, 16)`) };
  };
}

/** Writes the addresses y1 = y + distance, and so on. Returns a function from a leg to the name of its address. */
function legStores(w: Writer, radix: number, distance: string): (k: number) => string {
  for (const k of range(radix)) if (k > 0) w.do(`const y${k} = ${k === 1 ? "y" : `y${k - 1}`} + ${distance};`);
  return (k) => (k === 0 ? "y" : `y${k}`);
}

/**
 * A stage with vectors over q. The twiddle factors of one p are the same for all lanes. They are loaded where they are used; kept around
 * the loop they would only be spilled. `plain` is for m = 1, which has no twiddle factors.
 */
export function middleStage(radix: number, plain = false): string {
  const w = createWriter();
  const load = legLoads(w, radix);
  const address = legStores(w, radix, "step");
  dftThrough(w, radix, load, (k, y) => {
    const turn = (): ComplexName => ({
      re: w.let(`v128.load32_splat(tw, ${8 * (k - 1)})`),
      im: w.let(`v128.load32_splat(tw, ${8 * k - 4})`),
    });
    const z = k === 0 || plain ? y : complexMul(w, y, turn());
    w.do(`v128.store(${address(k)}, ${z.re});`);
    w.do(`v128.store(${address(k)}, ${z.im}, 16);`);
  });
  return `function middle${radix}${plain ? "plain" : ""}(src: usize, dst: usize, step: usize, m: usize, tw: usize): void {
  const leg = step * m;
  let x = src, y = dst;
  for (let p: usize = 0; p < m; p++) {
    const end = x + step;
    for (; x < end; x += 32, y += 32) {
${indent(w.lines, "      ")}
    }
    tw += ${8 * (radix - 1)};
    y += step * ${radix - 1};
  }
}
`;
}

/** Multiplies with 1/n as factor + rest: the nearest float32 and the difference. */
const scaled = (w: Writer, a: string): string => w.let(`madd(${a}, factor, ${mul(w, a, "rest")})`);

export type Last = "forward" | "inverse" | "exact";

/**
 * A last stage, m = 1: no twiddle factors. `inverse` puts real and imaginary parts back into their places and scales them; so does
 * `exact`, for 1/n a power of two.
 */
export function lastStage(radix: number, kind: Last): string {
  const w = createWriter();
  const load = legLoads(w, radix);
  const address = legStores(w, radix, "leg");
  dftThrough(w, radix, load, (k, y) => {
    const [a, b] =
      kind === "forward" ? [y.re, y.im] : [y.im, y.re].map((part) => (kind === "exact" ? mul(w, part, "factor") : scaled(w, part)));
    w.do(`v128.store(${address(k)}, zipLow(${a}, ${b}));`);
    w.do(`v128.store(${address(k)}, zipHigh(${a}, ${b}), 16);`);
  });
  return `function last${radix}${kind}(src: usize, dst: usize, leg: usize, factor: v128, rest: v128): void {
  for (let x = src, y = dst, end = src + leg; x < end; x += 32, y += 32) {
${indent(w.lines, "    ")}
  }
}
`;
}

/**
 * The last stage of a transform, the product with h in natural order, and the first stage of the inverse, in one: both access the same
 * indices. m is a multiple of four.
 */
export function bridgeStage(radix: number): string {
  const w = createWriter();
  const products = dft(w, range(radix).map(legLoads(w, radix))).map((y, k) =>
    complexMul(w, y, loadInterleaved(w, k === 0 ? "g" : `g + ${k} * leg`)),
  );
  const inverse = dft(
    w,
    products.map(({ re, im }) => ({ re: im, im: re })),
  );
  turnAndTranspose(w, inverse, radix);
  return `export function bridge${radix}(src: usize, dst: usize, m: usize, tw: usize, h: usize): void {
  const leg = m * 8;
  for (let x = src, g = h, y = dst, end = src + leg; x < end; x += 32, g += 32, y += ${32 * radix}) {
${indent(w.lines, "    ")}
    tw += ${32 * (radix - 1)};
  }
}
`;
}
