/**
 * Where the elements of an exchange are in workgroup memory, for lengths whose addresses can't be spread over the banks by moving bits. After
 * every group of elements that the stage before has computed together, some words are left free, so that invocations of one subgroup use
 * different banks; and lines of a workgroup are some words apart. The numbers of words are found by counting the accesses to the fullest bank.
 */
import type { Mapping } from "./stage-choice.ts";

/** The exchange between two stages of a line. */
export interface Exchanged {
  readonly n: number;
  /** Points of the transforms that were complete before the stage that writes, and its radix. */
  readonly span: number;
  readonly radix: number;
  /** Radix of the stage that reads. */
  readonly next: number;
  readonly threads: number;
  readonly lines: number;
  readonly from: Mapping;
  readonly to: Mapping;
  /** Elements of a line that are in workgroup memory at a time: all, or those of a window. */
  readonly size: number;
  /** Words of workgroup memory for all lines. */
  readonly room: number;
}

/** How addresses follow from an index i and a line c: c·line + i + pad·⌊i/group⌋. */
export interface Spread {
  readonly group: number;
  readonly pad: number;
  readonly line: number;
  /** The most words of one bank that a subgroup accesses at a time. */
  readonly most: number;
}

/** Words of workgroup memory that the lines take, with `size` elements of each. */
export const spreadWords = ({ group, pad, line }: Omit<Spread, "most">, size: number, lines: number): number =>
  line * (lines - 1) + size + pad * (Math.ceil(size / group) - 1);

const banks = 32;
/** Subgroups that are looked at. */
const looked = 3;

/** The subgroups of a workgroup: for each invocation its number among those of its line, and its line. */
function subgroups(threads: number, lines: number, mapping: Mapping): readonly (readonly [t: number, c: number])[][] {
  const all = threads * lines;
  const count = Math.ceil(all / banks);
  const which = [...new Set(Array.from({ length: looked }, (_, i) => Math.floor((i * Math.max(0, count - 1)) / Math.max(1, looked - 1))))];
  return which.map((g) =>
    Array.from({ length: Math.min(banks, all - g * banks) }, (_, i) => {
      const id = g * banks + i;
      return mapping === "line" || lines === 1
        ? ([id % threads, Math.floor(id / threads)] as const)
        : ([Math.floor(id / lines), id % lines] as const);
    }),
  );
}

/** Elements that the invocations of a subgroup access at the same time. */
interface Access {
  readonly elements: readonly (readonly [index: number, c: number])[];
  /** Share of the subgroups that were looked at. */
  readonly share: number;
}

/** The accesses of subgroups, of invocations below `most`. `indexOf`: the element that invocation t accesses first. */
function accessesOf(lanes: ReturnType<typeof subgroups>, most: number, indexOf: (t: number) => number): readonly Access[] {
  const share = 1 / lanes.length;
  const all = lanes.map((one): Access => ({ elements: one.filter(([t]) => t < most).map(([t, c]) => [indexOf(t), c]), share }));
  return all.filter(({ elements }) => elements.length > 0);
}

const found = new Map<string, Spread>();

/** The words that take the fewest accesses in turn, and of these the least memory. */
export function spreadOf(exchanged: Exchanged): Spread {
  const key = JSON.stringify(exchanged);
  let best = found.get(key);
  if (!best) {
    best = search(exchanged);
    found.set(key, best);
  }
  return best;
}

/**
 * The elements between which words can be left free: those that the stage before has computed together, and multiples of these up to a word of
 * each bank, if the operands of a stage are still whole groups apart.
 */
function groupsOf({ span, radix, n, next, size }: Exchanged): readonly number[] {
  const groups = [span * radix];
  for (let group = 2 * groups[0]; group <= banks; group *= 2) if ((n / next) % group === 0 && size % group === 0) groups.push(group);
  return groups;
}

function search(exchanged: Exchanged): Spread {
  const { n, span, radix, next, threads, lines, from, to, size, room } = exchanged;
  const accesses = [
    ...accessesOf(subgroups(threads, lines, from), n / radix, (t) => (t - (t % span)) * radix + (t % span)),
    ...accessesOf(subgroups(threads, lines, to), n / next, (t) => t),
  ];
  /** What memory costs: the least memory is taken of what takes as many accesses. */
  const memoryCost = (words: number): number => words / (size * lines) / 64;
  const leastCost = accesses.reduce((sum, { share }) => sum + share, 0);
  let best: { spread: Spread; cost: number } | undefined;
  for (const group of groupsOf(exchanged)) {
    for (let pad = 0; pad < banks; pad++) {
      const used = size + pad * (Math.ceil(size / group) - 1);
      for (let apart = 0; apart < (lines === 1 ? 1 : banks); apart++) {
        const place = { group, pad, line: used + apart };
        const words = spreadWords(place, size, lines);
        // Without a conflict it would not be better, and further words only cost more.
        if (words > room || (best && memoryCost(words) + leastCost >= best.cost - 1e-9)) break;
        const conflicts = accesses.map(({ elements }) => fullest(elements, place));
        const most = Math.max(...conflicts);
        if (pad === 0 && apart === 0 && most === 1) return { ...place, most };
        const cost = conflicts.reduce((sum, one, i) => sum + one * accesses[i].share, memoryCost(words));
        if (!best || cost < best.cost - 1e-9) best = { spread: { ...place, most }, cost };
      }
    }
  }
  // Without room for the elements themselves. Conflicts were not counted.
  return best?.spread ?? { group: span * radix, pad: 0, line: size, most: banks };
}

/** The largest number of elements in one bank. Those of different windows are counted together. */
function fullest(elements: Access["elements"], { group, pad, line }: Omit<Spread, "most">): number {
  const counts = new Uint8Array(banks);
  let most = 0;
  for (const [index, c] of elements) {
    const bank = (c * line + index + pad * Math.floor(index / group)) % banks;
    most = Math.max(most, ++counts[bank]);
  }
  return most;
}
