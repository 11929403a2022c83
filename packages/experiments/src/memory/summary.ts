/** What follows from the rows of a report: single rates, the fastest number of threads, and where the rate drops. */
import type { MemoryRow, MemorySection } from "./report.ts";

/** The row of a section with these parameters, and this name if one is given. */
export const findRow = (rows: readonly MemoryRow[], section: MemorySection, at: MemoryRow["at"], name?: string): MemoryRow | undefined =>
  rows.find(
    (row) =>
      row.section === section &&
      (name === undefined || row.name === name) &&
      Object.entries(at).every(([key, value]) => row.at[key] === value),
  );

/** The median of a row that was measured and is correct. Undefined otherwise. */
export const medianOf = (row: MemoryRow | undefined): number | undefined => (row?.correct === true ? row.value?.median : undefined);

/** As `medianOf`, but NaN instead of undefined. */
export const rateOf = (row: MemoryRow | undefined): number => medianOf(row) ?? Number.NaN;

/** The copy with the largest footprint. Cold if that was measured. */
export function largestCopy(rows: readonly MemoryRow[]): MemoryRow | undefined {
  const copies = rows.filter((row) => row.section === "device-memory" && row.name.startsWith("copy") && medianOf(row) !== undefined);
  const most = Math.max(...copies.map(({ at }) => at["bytes"]));
  const largest = copies.filter(({ at }) => at["bytes"] === most);
  return largest.find(({ name }) => name.endsWith("cold")) ?? largest[0];
}

const measuredArithmetic = (rows: readonly MemoryRow[]): readonly MemoryRow[] =>
  rows.filter((row) => row.section === "occupancy" && medianOf(row) !== undefined);

/** The highest rate of arithmetic, in operations per second. Undefined if none was measured. */
export function bestArithmetic(rows: readonly MemoryRow[]): number | undefined {
  const rates = rows.filter(({ section }) => section === "occupancy" || section === "groups").flatMap((row) => medianOf(row) ?? []);
  return rates.length > 0 ? Math.max(...rates) : undefined;
}

/** Threads of a workgroup with the highest rate of arithmetic. */
export function bestThreads(rows: readonly MemoryRow[]): number | undefined {
  const found = measuredArithmetic(rows);
  return found.reduce<MemoryRow | undefined>((best, row) => (best && rateOf(best) >= rateOf(row) ? best : row), undefined)?.at["threads"];
}

/** The share of the best rate below which the rate has dropped. */
const dropped = 0.8;

/**
 * The fewest values held from which on the best rate of any number of threads stays below four fifths of the highest. `none` if it never
 * does. Fewer values than those of the highest rate do not count: they have too little independent work.
 */
export function occupancyDrop(rows: readonly MemoryRow[]): number | "none" | undefined {
  const found = measuredArithmetic(rows);
  if (found.length === 0) return undefined;
  const counts = [...new Set(found.map(({ at }) => at["values"]))].sort((a, b) => a - b);
  const rates = counts.map((values) => Math.max(...found.filter(({ at }) => at["values"] === values).map(rateOf)));
  const best = Math.max(...rates);
  let last = rates.length - 1;
  while (rates[last] < dropped * best) last -= 1;
  return counts[last + 1] ?? "none";
}

/**
 * Bytes of the values that a workgroup held at the most without losing more than a fifth of the highest rate of arithmetic: a lower bound of
 * the registers that it may have. Undefined if no arithmetic was measured.
 */
export function heldBytes(rows: readonly MemoryRow[]): number | undefined {
  const found = measuredArithmetic(rows);
  const best = Math.max(...found.map(rateOf));
  const held = found.filter((row) => rateOf(row) >= dropped * best).map(({ at }) => 4 * at["threads"] * at["values"]);
  return held.length > 0 ? Math.max(...held) : undefined;
}
