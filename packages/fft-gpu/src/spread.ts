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
export const spreadWords = ({ group, pad, line }: Pick<Spread, "group" | "pad" | "line">, size: number, lines: number): number =>
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

/** The largest number of different words of one bank. */
function fullest(addresses: readonly number[]): number {
  const counts = new Array<number>(banks).fill(0);
  for (const address of new Set(addresses)) counts[address % banks]++;
  return Math.max(...counts);
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
  const writers = subgroups(threads, lines, from);
  const readers = subgroups(threads, lines, to);
  const writes = n / radix;
  const reads = n / next;
  let best: { spread: Spread; cost: number } | undefined;
  for (const group of groupsOf(exchanged)) {
    for (let pad = 0; pad < banks; pad++) {
      const used = size + pad * (Math.ceil(size / group) - 1);
      for (let apart = 0; apart < (lines === 1 ? 1 : banks); apart++) {
        const line = used + apart;
        const words = spreadWords({ group, pad, line }, size, lines);
        if (words > room) break;
        const at = (index: number, c: number): number => c * line + index + pad * Math.floor(index / group);
        let cost = words / (size * lines) / 64;
        let most = 0;
        for (const lanes of writers) {
          const given = lanes.filter(([t]) => t < writes).map(([t, c]) => at((t - (t % span)) * radix + (t % span), c));
          if (given.length === 0) continue;
          const words = fullest(given);
          most = Math.max(most, words);
          cost += words / writers.length;
        }
        for (const lanes of readers) {
          const taken = lanes.filter(([t]) => t < reads).map(([t, c]) => at(t, c));
          if (taken.length === 0) continue;
          const words = fullest(taken);
          most = Math.max(most, words);
          cost += words / readers.length;
        }
        if (pad === 0 && apart === 0 && most === 1) return { group, pad, line, most };
        if (!best || cost < best.cost - 1e-9) best = { spread: { group, pad, line, most }, cost };
      }
    }
  }
  // Without room for the elements themselves. Conflicts were not counted.
  return best?.spread ?? { group: span * radix, pad: 0, line: size, most: banks };
}
