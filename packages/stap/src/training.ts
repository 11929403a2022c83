/**
 * Which ranges train which covariance: training rules as plain data, and the index sets that follow from them. The ranges under test
 * that share a covariance are a group: a block of ranges, or one range if training slides. A training set is a list of
 * runs of ranges. The covariance is the mean over its cells with equal weights, which for whole blocks is the mean of the means of the
 * blocks. Devices and the float64 reference read the same sets. No samples here.
 */
import { inputError, RadarError } from "@dechirp/core";
import { checkInteger } from "./arrays.ts";

/** Which ranges train the covariance of which. */
export type Training =
  /**
   * The nearest block on either side, beyond `guardBlocks` (default: 0) on each. If a side has none, the two
   * nearest of the other side (Section III-B of the paper: blocks 1 and 2 train block 0).
   */
  | { readonly kind: "adjacent"; readonly guardBlocks?: number }
  /** The block itself, including the cells under test, as in the PERFECT suite: a target takes part in its own suppression. */
  | { readonly kind: "own" }
  /**
   * Every range by itself, trained by the `cells` nearest ranges (default: all) beyond `guardCells` (default: 0) on
   * each side, without itself: half below and half above, an odd one above, shifted inwards at the edges.
   */
  | { readonly kind: "sliding"; readonly cells?: number; readonly guardCells?: number }
  /**
   * Ranges that the caller chooses for every block, each named once, in any order. With `perBin` the choice may differ from
   * bin to bin, as in power-selected training; Doppler windows cannot share products then.
   */
  | {
      readonly kind: "custom";
      /** Ranges that train a block; with `perBin`, at one bin. */
      readonly cells: (block: number, bin: number) => readonly number[];
      readonly perBin?: boolean;
    };

/** Consecutive ranges. */
export type RangeRun = readonly [first: number, count: number];

/** Groups of ranges that share a covariance, and the ranges that train each. */
export interface TrainingSets {
  readonly ranges: number;
  /** Ranges of a group, B; the last group may have fewer. 1 if training slides. */
  readonly groupRanges: number;
  /** How many groups there are. */
  readonly groups: number;
  /** Whether sets may differ from bin to bin. */
  readonly perBin: boolean;
  /** Whole blocks that train a group, ascending; undefined if sets are not whole blocks. */
  readonly blocks: ((group: number) => readonly number[]) | undefined;
  /** Disjoint ascending runs that train a group. Custom sets are checked here and throw `input`. */
  readonly runs: (group: number, bin: number) => readonly RangeRun[];
}

/** The ranges of a group. */
export function groupRun({ ranges, groupRanges }: Pick<TrainingSets, "ranges" | "groupRanges">, group: number): RangeRun {
  const first = group * groupRanges;
  return [first, Math.min(groupRanges, ranges - first)];
}

/** Number of cells of a set. */
export const trainingCells = (runs: readonly RangeRun[]): number => runs.reduce((sum, [, count]) => sum + count, 0);

/**
 * The sets of `training` over `ranges` ranges in blocks of `blockRanges`. Throws `input`, naming `training.<field>`, if a
 * rule leaves a group without training.
 */
export function trainingSets(training: Training, ranges: number, blockRanges: number): TrainingSets {
  const kind = (training as { kind?: unknown } | null | undefined)?.kind;
  if (training?.kind === "sliding") return slidingSets(training, ranges);
  const groups = Math.ceil(ranges / blockRanges);
  const common = { ranges, groupRanges: blockRanges, groups };
  const blockRun = (block: number): RangeRun => groupRun(common, block);
  if (training?.kind === "custom") {
    if (typeof training.cells !== "function") throw inputError("training.cells", "a function", training.cells);
    return { ...common, perBin: training.perBin === true, blocks: undefined, runs: customRuns(training.cells, ranges) };
  }
  let blocks: (group: number) => readonly number[];
  if (training?.kind === "own") blocks = (group) => [group];
  else if (training?.kind === "adjacent") blocks = adjacentBlocks(groups, training.guardBlocks ?? 0);
  else throw inputError("training.kind", "one of adjacent, own, sliding, custom", kind);
  return { ...common, perBin: false, blocks, runs: (group) => mergeRuns(blocks(group).map(blockRun)) };
}

function adjacentBlocks(groups: number, guard: number): (group: number) => readonly number[] {
  checkInteger(guard, "training.guardBlocks", 0, groups);
  // The middle block has the fewest others beyond its guards.
  const middle = groups >> 1;
  const fewest = Math.max(0, middle - guard) + Math.max(0, groups - 1 - middle - guard);
  if (fewest < 2) {
    const message = `adjacent training with ${guard} guard blocks must have 2 other blocks for every block, but there are ${groups} in all`;
    throw new RadarError("input", message, { field: "training", blocks: groups, guardBlocks: guard });
  }
  return (group) => {
    const below = group - 1 - guard;
    const above = group + 1 + guard;
    if (below < 0) return [above, above + 1];
    if (above >= groups) return [below - 1, below];
    return [below, above];
  };
}

function slidingSets({ cells, guardCells = 0 }: Extract<Training, { kind: "sliding" }>, ranges: number): TrainingSets {
  checkInteger(guardCells, "training.guardCells", 0, ranges);
  // The middle range has the fewest cells beyond its guards.
  const middle = ranges >> 1;
  const fewest = Math.max(0, middle - guardCells) + Math.max(0, ranges - 1 - middle - guardCells);
  if (fewest < 1) throw inputError("training.guardCells", `small enough to leave training among ${ranges} ranges`, guardCells);
  if (cells !== undefined) checkInteger(cells, "training.cells", 1, fewest);
  const runs = (cell: number): readonly RangeRun[] => {
    const below = Math.max(0, cell - guardCells);
    const aboveFirst = Math.min(ranges, cell + guardCells + 1);
    const above = ranges - aboveFirst;
    const wanted = cells ?? below + above;
    const low = Math.min(below, Math.max(wanted >> 1, wanted - above));
    return mergeRuns([
      [below - low, low],
      [aboveFirst, wanted - low],
    ]);
  };
  return { ranges, groupRanges: 1, groups: ranges, perBin: false, blocks: undefined, runs };
}

const customRuns =
  (cells: (block: number, bin: number) => readonly number[], ranges: number) =>
  (group: number, bin: number): readonly RangeRun[] => {
    const chosen = cells(group, bin);
    const field = `training.cells(${group}, ${bin})`;
    if (!(Array.isArray(chosen) && chosen.length > 0 && chosen.length <= ranges))
      throw inputError(field, `a list of 1 to ${ranges} ranges`, chosen);
    const sorted = [...chosen].sort((a, b) => a - b);
    for (const [i, cell] of sorted.entries()) {
      checkInteger(cell, field, 0, ranges - 1);
      if (i > 0 && sorted[i - 1] === cell) throw inputError(field, "ranges, each once", cell);
    }
    return mergeRuns(sorted.map((cell): RangeRun => [cell, 1]));
  };

/** Ascending disjoint runs with neighbours joined and empty ones left out. */
function mergeRuns(runs: readonly RangeRun[]): readonly RangeRun[] {
  const merged: [number, number][] = [];
  for (const [first, count] of runs) {
    const last = merged.at(-1);
    if (count === 0) continue;
    if (last && last[0] + last[1] === first) last[1] += count;
    else merged.push([first, count]);
  }
  return merged;
}
