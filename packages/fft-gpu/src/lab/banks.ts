/**
 * Addresses of an array in workgroup memory without bank conflicts, although several access patterns with different strides share the
 * array. The address of an element is its index, with low bits that are sums (exclusive or) of bits of the index.
 */

/** Bits of the number of a bank: 32 banks of one word. */
const bankBits = 5;

/** A linear map of indices to addresses: `columns[b]` is the address of index 2^b. */
export type Banks = readonly number[];

/**
 * Chooses the map for indices of `bits` bits. A pattern is the list of the index bits in which adjacent invocations differ, the lowest
 * bit of the invocation's number first. As far as possible, 32 adjacent invocations of each pattern get 32 banks.
 */
export function banksFor(bits: number, patterns: readonly (readonly number[])[]): Banks {
  const lanes = patterns.map((pattern) => pattern.slice(0, bankBits));
  const columns: number[] = [];
  const bank = (b: number): number => columns[b] & (2 ** bankBits - 1);
  for (let b = 0; b < bits; b++) {
    if (b < bankBits) {
      columns.push(2 ** b);
      continue;
    }
    /** The banks that the known bits of each pattern with this bit reach. */
    const reached = lanes.filter((pattern) => pattern.includes(b)).map((pattern) => sums(pattern.filter((a) => a < b).map(bank)));
    const candidates = Array.from({ length: 2 ** bankBits }, (_, v) => v);
    const conflicts = (v: number): number => reached.filter((set) => set.has(v)).length;
    const best = candidates.reduce((a, v) => (conflicts(v) < conflicts(a) ? v : a));
    columns.push(2 ** b + best);
  }
  return columns;
}

/** All sums of the vectors. */
function sums(vectors: readonly number[]): ReadonlySet<number> {
  let all = [0];
  for (const v of vectors) all = [...all, ...all.map((a) => a ^ v)];
  return new Set(all);
}

/** The address of a known index. The address of a sum without carry is the exclusive or of the addresses. */
export const addressOf = (banks: Banks, index: number): number => banks.reduce((a, column, b) => (index & (2 ** b) ? a ^ column : a), 0);

/** WGSL for the address of an index, an identifier. */
export function addressText(banks: Banks, index: string): string {
  /** For each distance that bits move down, the bits that they move to. */
  const moves = new Map<number, number>();
  banks.forEach((column, b) => {
    for (let to = 0; to < bankBits && b >= bankBits; to++) if (column & (2 ** to)) moves.set(b - to, (moves.get(b - to) ?? 0) | (2 ** to));
  });
  const terms = [...moves].map(([distance, mask]) => ` ^ ((${index} >> ${distance}u) & ${mask}u)`);
  return `(${index}${terms.join("")})`;
}
