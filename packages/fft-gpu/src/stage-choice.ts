/**
 * Chooses the stages of a line and how many invocations share it. The rules were found by measuring on an H200 (`packages/bench/notes/fft-gpu.md`).
 */
import {
  allotted,
  coreBytes,
  fitsAlone,
  groupsAtATime,
  heldValues,
  isLarge,
  isPowerOfTwo,
  mostValuesOfTwo,
  valuesOf,
  windowsFor,
} from "./crowd.ts";
import { radices as offered, primeRadices, wideRadices } from "./wgsl/codelets.ts";

/** Whether adjacent invocations work on adjacent elements of a line, or on the same element of adjacent lines. */
export type Mapping = "line" | "tile";

/** What the choice of stages depends on, besides the length. */
export interface StageOptions {
  /** `line`: elements of a line are adjacent in memory. `tile`: adjacent lines are at adjacent addresses, on input or output. */
  readonly mapping: Mapping;
  /** Lines per invocation. 2 needs a tile of whole pairs. */
  readonly together?: 1 | 2;
  /**
   * Whether rows pass through workgroup memory on the way in and out: `narrow` rows, of which adjacent invocations would otherwise read few adjacent
   * elements, or, for measurements, all. Default: none.
   */
  readonly staged?: "narrow" | boolean;
  /** Use many invocations for a line, as there are so few lines that waiting counts, and not the work. */
  readonly few?: boolean;
  /** Use few values per invocation, if reading them involves waiting. More invocations can then wait at the same time. */
  readonly busy?: boolean;
  /** Use 32 values per invocation, if that saves an exchange or lets more workgroups share a core. */
  readonly wide?: boolean;
}

/** The largest number of values that an invocation may hold. More would not fit into registers. */
export const mostValues = 36;
/** The same if a stage has a prime radix beyond that. */
export const mostValuesOfPrimes = 48;
/** The largest number of values that does not reduce the number of invocations in flight. */
export const goodValues = 16;

const memory = new Map<string, readonly number[] | undefined>();

/** The fewest stages with radices up to `largest`, as equal as possible, smallest first. Undefined if n has other prime factors. */
export function stagesOf(n: number, largest = 16): readonly number[] | undefined {
  if (n === 1) return [];
  const key = `${n} ${largest}`;
  if (memory.has(key)) return memory.get(key);
  let best: readonly number[] | undefined;
  for (const r of largest > 16 ? allRadices : offered) {
    if (n % r !== 0 || r > largest) continue;
    const rest = stagesOf(n / r, largest);
    if (!rest) continue;
    const stages = [...rest, r].sort((a, b) => a - b);
    if (!best || weigh(stages) < weigh(best)) best = stages;
  }
  memory.set(key, best);
  return best;
}

/** The radices of stages that lines may have, but for large primes. */
export const allRadices: readonly number[] = [...offered, ...wideRadices];
/** The same, largest first. */
export const descendingRadices: readonly number[] = [...allRadices].reverse();

const weigh = (stages: readonly number[]): number => 1000 * stages.length + stages.reduce((sum, r) => sum + r ** 1.5, 0);

/** How many values an invocation may hold, and what those beyond `free` cost, in passes over the line. */
export interface ValueCosts {
  readonly most: number;
  readonly free: number;
  readonly each: number;
}

const usualCosts: ValueCosts = { most: mostValues, free: goodValues, each: 10 };
/** Of long lines and of those with a large prime. */
export const mildCosts: ValueCosts = { most: mostValues, free: 20, each: 0.03 };

/** What `threads` invocations of a line cost that hold so many values: slots for elements, idle ones too, and values beyond those that are free. */
export const costOf = (n: number, stages: readonly number[], threads: number, values: number, { free, each }: ValueCosts): number =>
  stages.reduce((sum, r) => sum + (r * Math.ceil(n / r / threads) * threads) / n, 0) + each * Math.max(0, values - free);

/**
 * In longer lines, idle invocations cost more than some further values: with 20 values instead of 16, 1890, 2250 and 2400 points are 1.07 to 1.14 times as fast on an
 * H200. From 546 to 1280 points some lengths were faster and some slower.
 */
const longForValues = 1536;

/** An invocation holds as many values as the largest radix anyway. With a large prime, idle invocations would cost more than some further values. */
function valueCosts(n: number, stages: readonly number[], free: boolean): ValueCosts {
  const largest = Math.max(...stages);
  if (!(primeRadices as readonly number[]).includes(largest)) return free && n > longForValues ? mildCosts : usualCosts;
  return largest > mostValues ? { ...mildCosts, most: mostValuesOfPrimes } : mildCosts;
}

/**
 * The number of invocations for a line: the one with the fewest idle invocations among those whose values fit into registers. `free`: the lines are
 * rows that are only transformed, for which more values per invocation were measured.
 */
export function threadsFor(
  n: number,
  stages: readonly number[],
  most: number,
  { together = 1, few = false, free = false }: Pick<StageOptions, "together" | "few"> & { readonly free?: boolean },
): number | undefined {
  if (stages.length === 0) return 1;
  const candidates = new Set([...stages.map((r) => n / r), ...(few ? [] : [most])]);
  const costs = valueCosts(n, stages, free);
  let best: { threads: number; cost: number } | undefined;
  for (const threads of candidates) {
    if (threads > most) continue;
    const values = valuesOf(n, stages, threads);
    if (values > costs.most / together) continue;
    const cost = few ? values : costOf(n, stages, threads, values, costs);
    if (!best || cost < best.cost - 1e-9 || (cost < best.cost + 1e-9 && threads > best.threads)) best = { threads, cost };
  }
  if (few && !best) return threadsFor(n, stages, most, { together, few: false, free });
  return best?.threads;
}

type MeasuredRows = Readonly<Record<number, StagesAndThreads & { readonly staged?: true; readonly exchange?: "both" }>>;

const measuredAlike: MeasuredRows = {
  20: { stages: [4, 5], threads: 4 },
  21: { stages: [21], threads: 1, staged: true },
  27: { stages: [27], threads: 1, staged: true },
  30: { stages: [2, 15], threads: 2, staged: true },
  36: { stages: [4, 9], threads: 4 },
  40: { stages: [4, 10], threads: 4 },
  49: { stages: [7, 7], threads: 7, staged: true },
  60: { stages: [4, 15], threads: 4 },
  84: { stages: [7, 12], threads: 7, staged: true },
};

const measuredHalves: MeasuredRows = {
  ...measuredAlike,
  50: { stages: [2, 25], threads: 2, staged: true },
  64: { stages: [8, 8], threads: 8, staged: true },
  128: { stages: [8, 16], threads: 8, staged: true },
};

/**
 * Rows for which other shapes than those of the rules were faster on an H200, by 2 to 50 %: of lines, and of those whose half spectra are read or written,
 * which are real lines of twice as many points.
 */
export const measuredRows: Readonly<Record<"lines" | "read" | "written", MeasuredRows>> = {
  lines: {
    ...measuredAlike,
    25: { stages: [5, 5], threads: 5, staged: true },
    35: { stages: [5, 7], threads: 7, staged: true },
    50: { stages: [5, 10], threads: 5, staged: true },
    98: { stages: [7, 14], threads: 7, staged: true },
    75: { stages: [15, 5], threads: 5, staged: true },
    108: { stages: [12, 9], threads: 12 },
    128: { stages: [8, 16], threads: 16 },
    612: { stages: [2, 17, 18], threads: 36 },
    800: { stages: [25, 32], threads: 32 },
    980: { stages: [5, 14, 14], threads: 70 },
    1456: { stages: [7, 16, 13], threads: 112 },
    1875: { stages: [5, 25, 15], threads: 75 },
    2500: { stages: [5, 20, 25], threads: 125 },
    5625: { stages: [15, 15, 25], threads: 375 },
    6655: { stages: [11, 11, 11, 5], threads: 303 },
    20250: { stages: [30, 25, 27], threads: 810 },
  },
  read: { ...measuredHalves, 32: { stages: [4, 8], threads: 4, staged: true } },
  written: {
    ...measuredHalves,
    28: { stages: [28], threads: 1, staged: true },
    50: { stages: [25, 2], threads: 2, staged: true },
    32: { stages: [4, 8], threads: 4, staged: true, exchange: "both" },
  },
};

/** Staged rows are fastest in a single stage up to this length. */
const longestSingle = 18;

/** Short rows that are not staged need more than one stage, so that adjacent invocations read adjacent elements. */
export function stagesFor(n: number, { mapping, wide = false, busy = false, staged = false }: StageOptions): readonly number[] | undefined {
  const single = mapping === "line" && staged !== false && n > 1 && n <= longestSingle;
  if (single && allRadices.includes(n)) return [n];
  if (busy) return stagesOf(n, busyRadix) ?? stagesOf(n);
  if (mapping === "line" && n <= 16) {
    const pair = { 4: [2, 2], 8: [2, 4], 9: [3, 3], 12: [3, 4], 15: [3, 5], 16: [4, 4] }[n];
    if (pair) return pair;
  }
  return (wide && wideStages(n, mapping)) || stagesOf(n) || primeStages(n, mapping === "line" && staged === false);
}

/**
 * The stages of a length with primes from 17 to 47. Undefined for a single stage if there must be `several`, because adjacent invocations would not
 * read adjacent elements: a convolution is faster then.
 */
function primeStages(n: number, several: boolean): readonly number[] | undefined {
  let rest = n;
  const primes: number[] = [];
  for (const p of primeRadices) {
    for (; rest % p === 0; rest /= p) primes.push(p);
  }
  const others = primes.length > 0 ? stagesOf(rest) : undefined;
  if (!others || (several && primes.length + others.length < 2)) return undefined;
  return [...others, ...primes].sort((a, b) => a - b);
}

/** From this length on, three stages with large radices are faster than four or more with small ones. */
const longForStages = 2400;

/** Stages of a line and their invocations. */
export interface StagesAndThreads {
  readonly stages: readonly number[];
  readonly threads: number;
}

const fewest = new Map<string, StagesAndThreads | undefined>();

/** What slots of the last stage cost, if those of others cost 1: no barrier waits for them. Idle ones cost 1 if the workgroup is alone on a core. */
const lastCost = 0.3;

/**
 * Three stages of long lines: those with which a core has so many workgroups at a time, and which keep most invocations busy and hold few values. The last
 * stage may have more values, as compilers need not hold all of them at once. Undefined if there are none.
 */
function longStages(n: number, most: number, groups: 1 | 2): StagesAndThreads | undefined {
  let best: (StagesAndThreads & { readonly cost: number }) | undefined;
  // Of stages that cost the same, the largest were fastest first.
  for (const first of descendingRadices) {
    for (const middle of descendingRadices) {
      const last = n / first / middle;
      const stages = [first, middle, last];
      if (!allRadices.includes(last) || windowsFor(n, stages, groups) === undefined) continue;
      for (const threads of new Set(stages.map((r) => n / r))) {
        const values = heldValues(n, stages, threads);
        if (threads > most) continue;
        const fits =
          groups === 1
            ? values <= mostValuesAlone && fitsAlone(threads, valuesOf(n, [first, middle], threads), last)
            : values <= mostValuesOfTwo && valuesOf(n, stages, threads) <= mostValues && groupsAtATime(threads, values, false) > 1;
        if (!fits) continue;
        const [a, b, c] = stages.map((r) => (r * Math.ceil(n / r / threads) * allotted(threads)) / n);
        const work = workCost * stages.reduce((sum, r) => sum + r ** 1.5, 0);
        const beyond = mildCosts.each * Math.max(0, values - mildCosts.free);
        const tight = groups === 1 && !fitsAlone(threads, 0, last, "amply") ? tightCost : 0;
        const ending = groups === 1 ? lastCost + (c - 1) : lastCost * c;
        const cost = a + b + ending + beyond + tight + work + middleCost * middle ** 1.5;
        if (!best || cost < best.cost - 1e-9) best = { stages, threads, cost };
      }
    }
  }
  return best;
}

/** The most values of an invocation whose workgroup is alone on a core. Half as many invocations with 50 were slower (20,000 points). */
const mostValuesAlone = 32;
/** What the middle stage costs in addition, between two exchanges: smaller radices were faster there. */
const middleCost = 0.0005;
/** What a last stage costs that has just enough registers. */
const tightCost = 0.3;
/** What the arithmetic of a stage of radix r costs: this times r^1.5. */
const workCost = 0.001;

/**
 * Three stages instead of more, with radices up to 32: those that keep most invocations busy, and hold few values. Undefined for lines that have
 * three stages anyway, for powers of two, and if a core's registers do not hold a line that is beyond its workgroup memory. Measured on an H200 with 5000,
 * 6000, 10000 and 12288 points, and with fifteen lengths from there to 22,500.
 */
export function fewerStages(n: number, most: number, free: boolean): StagesAndThreads | undefined {
  if (n < longForStages || isPowerOfTwo(n) || (stagesOf(n)?.length ?? 0) < 4) return undefined;
  const key = `${n} ${most} ${free}`;
  if (fewest.has(key)) return fewest.get(key);
  let best: (StagesAndThreads & { readonly cost?: number }) | undefined = isLarge(4 * n) ? longStages(n, most, 2) : undefined;
  if (4 * n > coreBytes) best ??= longStages(n, most, 1);
  else if (!best) {
    for (const last of allRadices) {
      if (n % last !== 0) continue;
      for (const middle of allRadices) {
        const first = n / last / middle;
        const stages = [first, middle, last];
        if (middle > last || first > middle || !allRadices.includes(first)) continue;
        for (const threads of new Set(stages.map((r) => n / r))) {
          const values = valuesOf(n, stages, threads);
          if (threads > most || values > mildCosts.most) continue;
          const cost = costOf(n, stages, threads, values, mildCosts);
          if (best?.cost === undefined || cost < best.cost - 1e-9) best = { stages, threads, cost };
        }
      }
    }
    if (best && free && isLarge(4 * n) && isAgain(n / best.stages[0], best.threads)) best = { ...best, stages: [...best.stages].reverse() };
  }
  fewest.set(key, best);
  return best;
}

/**
 * Whether some invocations have a second butterfly, and others do not. A stage with these is faster last, where the second one is computed after the others: 9375 to
 * 11,664 points were 1.15 to 1.26 times as fast on an H200.
 */
const isAgain = (butterflies: number, threads: number): boolean => butterflies > threads && butterflies < 2 * threads;

const busyRadix = 8;

/**
 * Uses one or two stages of radix 32 if that reduces the number of stages, in the order that measured fastest: first in long lines, or first and last of
 * three, and in the middle of tiles.
 */
function wideStages(n: number, mapping: Mapping): readonly number[] | undefined {
  let best: readonly number[] | undefined;
  for (const wide of [[32], [32, 32]]) {
    const rest = n % 32 ** wide.length === 0 ? stagesOf(n / 32 ** wide.length) : undefined;
    if (rest && (!best || rest.length + wide.length < best.length)) best = [...rest, ...wide];
  }
  if (best && mapping === "tile" && best.length === 3) return [best[0], best[2], best[1]];
  if (best?.length === 3 && best[1] === 32 && n > 4096) return [best[2], best[0], best[1]];
  return best && n > 4096 ? [...best].reverse() : best;
}
