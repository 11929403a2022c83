/**
 * Which radices a line of n numbers is transformed by. A table of ways, first taker wins: vectors along the line where its
 * length lets them fit, across four lines where not, a chirp where a prime is left that has no codelet. Nothing here
 * knows of memory.
 */

/** Radices with a codelet, as first stages, in between and as last stages that write interleaved numbers. */
export const firstRadices = [4, 8] as const;
export const middleRadices = [2, 3, 4, 5, 6, 7, 8, 9, 11, 13] as const;
export const lastRadices = [2, 3, 4, 5, 8] as const;

export interface WithinLine {
  readonly mode: "within";
  readonly first: number;
  readonly middle: readonly number[];
  /** Left out where a middle stage comes last and a pass of its own writes the line. */
  readonly last?: number;
}

export interface AcrossLines {
  readonly mode: "across";
  readonly middle: readonly number[];
}

export interface Chirp {
  readonly mode: "chirp";
  /** Length of the convolution: smooth, a multiple of 16, at least 2n − 1. */
  readonly m: number;
}

export type Factors = WithinLine | AcrossLines | Chirp;

/** Prime factors that have codelets, with multiplicity, and what is left. */
function primeFactors(n: number): { readonly counts: Map<number, number>; readonly rest: number } {
  const counts = new Map<number, number>();
  let rest = n;
  for (const p of [2, 3, 5, 7, 11, 13]) {
    while (rest % p === 0) {
      rest /= p;
      counts.set(p, (counts.get(p) ?? 0) + 1);
    }
  }
  return { counts, rest };
}

export const isSmooth = (n: number): boolean => primeFactors(n).rest === 1;

/** Stages for 2^twos: fours, and one eight or two where that is odd. */
function radicesOfTwo(twos: number): number[] {
  if (twos === 0) return [];
  if (twos === 1) return [2];
  return twos % 2 === 0 ? new Array(twos / 2).fill(4) : [8, ...new Array((twos - 3) / 2).fill(4)];
}

function oddRadices(counts: Map<number, number>): number[] {
  const of = (p: number): number => counts.get(p) ?? 0;
  const threes = of(3);
  return [
    ...new Array<number>(of(13)).fill(13),
    ...new Array<number>(of(11)).fill(11),
    ...new Array<number>(of(7)).fill(7),
    ...new Array<number>(of(5)).fill(5),
    ...new Array<number>(threes >> 1).fill(9),
    ...new Array<number>(threes & 1).fill(3),
  ];
}

/** The stages of a line of n numbers. */
export function factorize(n: number): Factors {
  const { counts, rest } = primeFactors(n);
  if (rest !== 1) return { mode: "chirp", m: convolutionLength(2 * n - 1) };
  return withinLine(n, counts) ?? { mode: "across", middle: [...oddRadices(counts), ...radicesOfTwo(counts.get(2) ?? 0)] };
}

/** A first stage takes four outputs at a time, so n/first is at least four. */
function withinLine(n: number, counts: Map<number, number>): WithinLine | undefined {
  const twos = counts.get(2) ?? 0;
  if (twos < 2 || n < 16) return undefined;
  const odd = oddRadices(counts);
  const first = twos % 2 === 1 && n >= 32 ? 8 : 4;
  const rest = radicesOfTwo(twos - (first === 8 ? 3 : 2));
  if (rest.length > 0) return { mode: "within", first, middle: [...odd, ...rest.slice(0, -1)], last: rest[rest.length - 1] as number };
  const at = odd.findIndex((radix) => (lastRadices as readonly number[]).includes(radix));
  if (at < 0) return { mode: "within", first, middle: odd };
  return { mode: "within", first, middle: odd.filter((_, i) => i !== at), last: odd[at] as number };
}

/** Roughly what a line of n costs: its points times its stages' work per point. */
const work = (n: number): number => n * [...primeFactors(n).counts].reduce((total, [p, count]) => total + count * (p === 2 ? 1 : 0.8 * p - 0.4), 2);

/** The cheapest smooth multiple of 16 from `least` up to the next power of two. */
function convolutionLength(least: number): number {
  let best = 16;
  while (best < least) best *= 2;
  for (let m = 16 * Math.ceil(least / 16); m < best; m += 16) {
    const { counts, rest } = primeFactors(m);
    if (rest === 1 && !counts.has(7) && !counts.has(11) && !counts.has(13) && work(m) < work(best)) best = m;
  }
  return best;
}

/** `4·5·5·8` */
export function factorsText(factors: Factors): string {
  if (factors.mode === "chirp") return `bluestein m=${factors.m}`;
  if (factors.mode === "across") return `across 4 lines ${factors.middle.join("·")}`;
  return [factors.first, ...factors.middle, ...(factors.last ? [factors.last] : [])].join("·");
}
