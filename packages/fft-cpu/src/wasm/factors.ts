/**
 * Which radices a line of n numbers is transformed by. A table of ways, first taker wins: vectors along the line where its
 * length lets them fit, across four lines where not, a chirp where a prime is left that has no codelet. Nothing here
 * knows of memory.
 */

/** Radices with a codelet, as first stages, in between and as last stages that write interleaved numbers. */
export const firstRadices = [4] as const;
export const middleRadices = [2, 3, 4, 5, 6, 7, 8, 9, 11, 13] as const;
export const lastRadices = [2, 3, 4, 5] as const;

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

/** Stages for 2^twos: fours; where that is odd an eight, or a two where few are left. Never first: eights are slow there. */
function radicesOfTwo(twos: number): number[] {
  const fours = (count: number): number[] => new Array<number>(count).fill(4);
  if (twos % 2 === 0) return fours(twos / 2);
  return twos < 5 ? [2, ...fours((twos - 1) / 2)] : [8, ...fours((twos - 3) / 2)];
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

/** The stages of columns that are transformed together, n without a prime factor that has no codelet. */
export function columnRadices(n: number): readonly number[] {
  const { counts } = primeFactors(n);
  return [...oddRadices(counts), ...radicesOfTwo(counts.get(2) ?? 0)];
}

/** A first stage of four takes four outputs at a time, so n is at least sixteen. The last one is a four where there is one left. */
function withinLine(n: number, counts: Map<number, number>): WithinLine | undefined {
  const twos = counts.get(2) ?? 0;
  if (twos < 2 || n < 16) return undefined;
  const radices = [...oddRadices(counts), ...radicesOfTwo(twos - 2)];
  for (const last of [4, 5, 3, 2]) {
    const at = radices.lastIndexOf(last);
    if (at >= 0) return { mode: "within", first: 4, middle: radices.filter((_, i) => i !== at), last };
  }
  return { mode: "within", first: 4, middle: radices };
}

/** Roughly what a line of n costs: its points times its stages' work per point. */
const work = (n: number): number =>
  n * [...primeFactors(n).counts].reduce((total, [p, count]) => total + count * (p === 2 ? 1 : 0.8 * p - 0.4), 2);

/** The cheapest multiple of 16 that is a product of twos, threes and fives, from `least` up to the next power of two. */
function convolutionLength(least: number): number {
  let best = 16;
  while (best < least) best *= 2;
  const most = best;
  for (let fives = 1; 16 * fives < most; fives *= 5) {
    for (let odd = fives; 16 * odd < most; odd *= 3) {
      let m = 16 * odd;
      while (m < least) m *= 2;
      if (m < most && work(m) < work(best)) best = m;
    }
  }
  return best;
}

/** `4·5·5·8` */
export function factorsText(factors: Factors): string {
  if (factors.mode === "chirp") return `bluestein m=${factors.m}`;
  if (factors.mode === "across") return `across 4 lines ${factors.middle.join("·")}`;
  return [factors.first, ...factors.middle, ...(factors.last ? [factors.last] : [])].join("·");
}
