/**
 * Chooses how a workgroup transforms adjacent lines, such as columns: how many of them, in which stages, and by how many invocations. All choices
 * that fit are compared by what they cost. The costs are logarithms of times, fitted to 500 choices for 75 lengths that were measured on an H200
 * (`packages/bench/notes/fft-gpu.md`, "Columns"). The choice takes at most 7 % longer than the fastest of them.
 */
import { coreBytes, coreRegisters, heldValues, isPowerOfTwo, largestWindow, leastRoom, subgroup, valuesOf, windowCounts } from "./crowd.ts";
import { descendingRadices, mostValues, type StagesAndThreads } from "./stage-choice.ts";

/** What the choice depends on, besides the length. */
export interface TileOptions {
  /** Lines of the transform. */
  readonly count: number;
  /** The limits of a workgroup. */
  readonly workgroupBytes: number;
  readonly invocations: number;
  /** Bytes of a number that is exchanged. */
  readonly numberBytes: 4 | 8;
  /** Bytes of workgroup memory that each line needs besides. */
  readonly lineBytes: number;
  /** The most and the fewest lines of a workgroup. */
  readonly most?: number | undefined;
  readonly fewest: number;
}

/** A workgroup of adjacent lines. */
export interface TileChoice {
  readonly lines: number;
  readonly stages: readonly number[];
  readonly threads: number;
  /** Windows in which lines are exchanged (`LineShape.windows`). */
  readonly windows: number;
  /** Workgroups that a core is to have at a time. */
  readonly groups: number;
  /** Whether there are more of them, which would have too few registers. */
  readonly full: boolean;
}

/** Shorter lines have one stage, or were fast with the stages of `stagesFor`. */
export const shortestChosen = 64;

/**
 * What so many adjacent lines cost compared with 32. A row of a tile has 8 bytes for each line, and memory is read and written in parts of 32, 64 and
 * 128 bytes.
 */
const linesCosts: readonly (readonly [lines: number, cost: number])[] = [
  [32, 0],
  [16, 0.036],
  [8, 0.225],
  [4, 0.742],
  [2, 1.3],
  [1, 2],
];
/** Longer lines leave too few invocations on a core for 32 of them in a workgroup. */
const longestOf32 = 128;
/** A third stage. */
const stageCost = 0.04;
/** Each exchange of a workgroup that is alone on a core: nothing else runs while it waits at the barriers. */
const aloneCost = 0.095;
/** Twice as many invocations as the fewest: barriers wait for more of them. */
const invocationsCost = 0.026;
const fewestInvocations = 128;
/** Each halving of the invocations on a core below those that hide the latency of memory: `many` workgroups for each core, or `few`, at most one. */
const loneCost = 0.158;
const enoughInvocations = { many: 384, few: 1024 } as const;
/** As many idle slots for elements as others. */
const idleCost = 0.046;
/** Conditions and barriers of windows. */
const windowCost = 0.005;
/** The arithmetic of a stage of radix r: this times r^1.5. */
const workCost = 0.0002;
/** Stages whose radices do not descend. */
const orderCost = 0.016;
/** Registers of an invocation besides those of its values, with which it runs well. */
const registersBesides = 40;
/** Each register less than that; how many there may be less; and in addition, if several workgroups have too few. */
const registerCost = 0.007;
const mostMissing = 16;
const tightCost = 0.206;
/** More values than the most, of several workgroups whose lines have three stages: the factors of several butterflies need registers, too. */
const factorsCost = 0.05;
const mostWithFactors = 32;
/** The most values of an invocation, with those of butterflies that only some have in the last stage. */
const mostInAll = 40;
/** Registers are allotted in such numbers, and an invocation has no more than the most. */
const registerStep = 8;
const mostRegisters = 255;
/** Parts of a core with registers of their own. Subgroups are dealt out to them, so nine subgroups take as many registers as twelve. */
const parts = 4;
/** Cores of the cards for which the choice is made. If there are fewer workgroups, some cores have nothing to do. */
const cores = 132;

/** Lengths for which other stages than those that cost least were faster on an H200: by 24 % (576), 1, 12, 9 and 6 %. */
const measuredStages: Readonly<Record<number, StagesAndThreads>> = {
  576: { stages: [4, 18, 8], threads: 16 },
  640: { stages: [32, 20], threads: 20 },
  1080: { stages: [20, 9, 6], threads: 60 },
  1296: { stages: [27, 8, 6], threads: 54 },
  2187: { stages: [9, 27, 9], threads: 81 },
};

/** With so many lines, each core has a workgroup of 32. */
const manyLines = 32 * cores;
/** With so many lines, more make no difference: all cores have as many workgroups as they can. */
const mostLines = 2 ** 19;

const chosen = new Map<string, TileChoice | undefined>();

/**
 * The choice that costs least. Undefined if there is none: for short lines, for those with other prime factors than 2 to 13 or more than three stages,
 * and if too few lines fit.
 */
export function tileChoice(n: number, { count, ...options }: TileOptions): TileChoice | undefined {
  if (n < shortestChosen) return undefined;
  const wanted = { ...options, count: Math.min(count, mostLines) };
  const key = JSON.stringify([n, wanted]);
  if (!chosen.has(key)) chosen.set(key, choose(n, wanted));
  return chosen.get(key);
}

function choose(n: number, options: TileOptions): TileChoice | undefined {
  const free = cheapest(n, options, stagesAndThreads(n));
  const measured = options.count >= manyLines && measuredStages[n];
  const own = measured ? cheapest(n, options, [measured]) : undefined;
  return own && own.lines >= (free?.lines ?? 0) ? own : free;
}

function cheapest(n: number, options: TileOptions, candidates: readonly StagesAndThreads[]): TileChoice | undefined {
  const { count, most = n <= longestOf32 ? 32 : 16, fewest } = options;
  let best: TileChoice | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const [wanted, linesCost] of linesCosts) {
    const lines = Math.min(wanted, count);
    if (wanted > most || lines < Math.min(fewest, count)) continue;
    const workgroups = Math.ceil(count / lines);
    const cost = linesCost + Math.log(Math.max(1, cores / workgroups));
    for (const { stages, threads } of candidates) {
      const invocations = threads * lines;
      if (invocations > options.invocations) continue;
      const place = placeOf(n, stages, heldValues(n, stages, threads), { invocations, lines, workgroups }, options);
      if (!place) continue;
      const { cost: placeCost, ...where } = place;
      const whole = cost + placeCost + costOfStages(n, stages, threads);
      if (whole > least - 1e-9) continue;
      best = { lines, stages, threads, ...where };
      least = whole;
    }
  }
  return best;
}

function costOfStages(n: number, stages: readonly number[], threads: number): number {
  const slots = stages.reduce((sum, r) => sum + (r * Math.ceil(n / r / threads) * threads) / n, 0) / stages.length;
  const work = stages.reduce((sum, r) => sum + workCost * r ** 1.5, 0);
  const order = stages.every((r, i) => i === 0 || r <= stages[i - 1]) ? 0 : orderCost;
  return stageCost * (stages.length - 2) + idleCost * (slots - 1) + work + order;
}

/** The stages of a line, and the numbers of invocations whose values fit into registers. */
function stagesAndThreads(n: number): readonly StagesAndThreads[] {
  return ordersOf(n).flatMap((stages) =>
    [...new Set(stages.flatMap((r) => [n / r, Math.ceil(n / r / 2)]))]
      .filter((threads) => heldValues(n, stages, threads) <= mostValues && valuesOf(n, stages, threads) <= mostInAll)
      .map((threads) => ({ stages, threads })),
  );
}

/** Two or three stages, largest first and with the largest in the middle, and two also with the largest last. */
function ordersOf(n: number): readonly (readonly number[])[] {
  const orders: (readonly number[])[] = [];
  for (const a of descendingRadices) {
    for (const b of descendingRadices) {
      if (b > a || n % (a * b) !== 0) continue;
      const rest = n / a / b;
      if (rest === 1) orders.push([a, b], ...(a === b ? [] : [[b, a]]));
      else if (rest <= b && descendingRadices.includes(rest)) orders.push([a, b, rest], [rest, a, b]);
    }
  }
  return orders;
}

/** The workgroups of a choice. */
interface Workgroups {
  readonly invocations: number;
  readonly lines: number;
  /** How many there are. */
  readonly workgroups: number;
}

/** How many workgroups are on a core, with which windows, and what that costs. Undefined if one does not fit. */
function placeOf(
  n: number,
  stages: readonly number[],
  values: number,
  { invocations, lines, workgroups }: Workgroups,
  { workgroupBytes, numberBytes, lineBytes }: TileOptions,
): (Pick<TileChoice, "groups" | "windows" | "full"> & { readonly cost: number }) | undefined {
  const room = isPowerOfTwo(n) ? 1 : leastRoom;
  const isFew = workgroups <= cores;
  const enough = enoughInvocations[isFew ? "few" : "many"];
  const waiting = isFew ? 0 : invocationsCost * Math.max(0, Math.log2(invocations / fewestInvocations));
  const missingOf = (groups: number): number => Math.max(0, 2 * values + registersBesides - registersOf(invocations, groups));
  let best: ReturnType<typeof placeOf>;
  for (const windows of windowCounts) {
    const bytes = lines * (room * numberBytes * largestWindow(n, windows, stages) + lineBytes);
    if (bytes > Math.min(workgroupBytes, coreBytes)) continue;
    const most = Math.min(Math.floor(coreBytes / bytes), Math.ceil(workgroups / cores));
    for (let groups = 1; groups <= most; groups++) {
      const missing = missingOf(groups);
      // One workgroup must run somehow.
      if (missing > mostMissing && groups > 1) break;
      const alone = groups === 1 ? aloneCost * (stages.length - 1) : 0;
      const lone = loneCost * Math.max(0, Math.log2(enough / groups / invocations));
      const tight = missing > 0 && groups > 1 ? tightCost : 0;
      const factors = groups > 1 && stages.length > 2 && values > mostWithFactors ? factorsCost : 0;
      const cost = registerCost * missing + tight + factors + windowCost * (windows - 1) + alone + lone + waiting;
      if (!best || cost <= best.cost + 1e-9)
        best = { groups, windows, full: missingOf(groups + 1) > 0 && workgroups > groups * cores, cost };
    }
  }
  return best;
}

/** The registers that an invocation of so many workgroups on a core may have. */
function registersOf(invocations: number, groups: number): number {
  const subgroups = Math.ceil((groups * Math.ceil(invocations / subgroup)) / parts);
  return Math.min(mostRegisters, registerStep * Math.floor(coreRegisters / parts / subgroup / subgroups / registerStep));
}
