/**
 * Chooses the radices for a line of n complex numbers. Vectors run along the line if its length allows that, otherwise across four lines.
 * A length with a prime factor that has no codelet uses Bluestein's chirp.
 */

/** The radices with codelets for first stages, for middle stages, and for last stages, which write interleaved numbers. */
export const firstRadices = [4] as const;
/** Radices of middle stages. */
export const middleRadices = [2, 3, 4, 5, 6, 7, 8, 9, 11, 13] as const;
/** Radices of last stages. */
export const lastRadices = [2, 3, 4, 5] as const;

/** Stages whose vectors run along one line. */
export interface WithinLine {
  readonly mode: "within";
  readonly first: number;
  readonly middle: readonly number[];
  /** Absent if the last stage is a middle stage and a separate pass writes the line. */
  readonly last?: number;
}

/** Stages whose vectors run across four lines. */
export interface AcrossLines {
  readonly mode: "across";
  readonly middle: readonly number[];
}

/** Bluestein's algorithm. */
export interface Chirp {
  readonly mode: "chirp";
  /** Length of the convolution: a product of small primes, a multiple of 16, at least 2n − 1. */
  readonly m: number;
}

/** How a line is transformed. */
export type Factors = WithinLine | AcrossLines | Chirp;

/** The prime factors that have codelets, with their multiplicities, and the rest of n. */
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

/**
 * Stages for 2^twos: radix 4, and if `twos` is odd one stage of radix 8, or of radix 2 if there are few stages. Radix 8 is never first
 * because it is slow there.
 */
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

/** Chooses the stages for a line of n complex numbers. */
export function factorize(n: number): Factors {
  const { counts, rest } = primeFactors(n);
  if (rest !== 1) return { mode: "chirp", m: convolutionLength(2 * n - 1) };
  return withinLine(n, counts) ?? { mode: "across", middle: [...oddRadices(counts), ...radicesOfTwo(counts.get(2) ?? 0)] };
}

/** Chooses the stages for columns that are transformed together. All prime factors of n must have codelets. */
export function columnRadices(n: number): readonly number[] {
  const { counts } = primeFactors(n);
  return [...oddRadices(counts), ...radicesOfTwo(counts.get(2) ?? 0)];
}

/**
 * The stages within a line, if possible: the first stage is of radix 4 and computes four outputs at a time, so n must be at least 16. The
 * last stage is of radix 4 if one is left.
 */
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

/** Approximate cost of a line: its points times the work of its stages per point. */
const work = (n: number): number =>
  n * [...primeFactors(n).counts].reduce((total, [p, count]) => total + count * (p === 2 ? 1 : 0.8 * p - 0.4), 2);

/** The cheapest multiple of 16 that is a product of 2, 3 and 5, from `least` up to the next power of two. */
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

/** The stages as text: `4·5·5·8`. */
export function factorsText(factors: Factors): string {
  if (factors.mode === "chirp") return `bluestein m=${factors.m}`;
  if (factors.mode === "across") return `across 4 lines ${factors.middle.join("·")}`;
  return [factors.first, ...factors.middle, ...(factors.last ? [factors.last] : [])].join("·");
}
