/** Which ranges train which: adjacent blocks, sliding cells, and cells that the caller chooses. */
import { describe, expect, it } from "vitest";
import { type Training, trainingCells } from "../src/index.ts";
import { trainingSets } from "../src/training.ts";
import { refuse, times } from "./helpers.ts";

const cellsOf = (training: Training, ranges: number, block: number, group: number, bin = 0): number[] =>
  trainingSets(training, ranges, block)
    .runs(group, bin)
    .flatMap(([first, count]) => times(count, (i) => first + i));

describe("adjacent blocks", () => {
  it("are the two neighbours, and the two nearest at the edges", () => {
    const sets = trainingSets({ kind: "adjacent" }, 512, 32);
    expect(sets.groups).toBe(16);
    const blocks = times(16, (b) => sets.blocks?.(b));
    expect(blocks[0]).toEqual([1, 2]);
    expect(blocks[1]).toEqual([0, 2]);
    expect(blocks[14]).toEqual([13, 15]);
    expect(blocks[15]).toEqual([13, 14]);
    expect(sets.runs(5, 0)).toEqual([
      [128, 32],
      [192, 32],
    ]);
    expect(sets.runs(0, 0)).toEqual([[32, 64]]);
  });

  it("leave guard blocks out on both sides, down to the fewest blocks that can", () => {
    for (const guardBlocks of [0, 1, 2]) {
      const fewest = 2 * guardBlocks + 3;
      const sets = trainingSets({ kind: "adjacent", guardBlocks }, fewest, 1);
      for (let b = 0; b < fewest; b++) {
        const chosen = sets.blocks?.(b) ?? [];
        // By definition: the two of all blocks beyond the guards that are nearest, one a side where both sides have one.
        const below = times(fewest, (k) => k).filter((k) => k < b - guardBlocks);
        const above = times(fewest, (k) => k).filter((k) => k > b + guardBlocks);
        const expected = below.length === 0 ? above.slice(0, 2) : above.length === 0 ? below.slice(-2) : [below.at(-1), above[0]];
        expect(chosen).toEqual(expected);
      }
      refuse(() => trainingSets({ kind: "adjacent", guardBlocks }, fewest - 1, 1), /adjacent training with \d guard blocks/, "training");
    }
  });

  it("may end in a block that is shorter", () => {
    expect(cellsOf({ kind: "adjacent" }, 10, 3, 2)).toEqual([3, 4, 5, 9]);
    expect(cellsOf({ kind: "own" }, 10, 3, 3)).toEqual([9]);
  });
});

describe("sliding cells", () => {
  it("are the nearest ones on both sides beyond the guards, shifted inwards at the edges", () => {
    for (const ranges of [9, 20]) {
      for (const guardCells of [0, 1, 2]) {
        for (const cells of [1, 2, 4, undefined]) {
          for (let cell = 0; cell < ranges; cell++) {
            const chosen = cellsOf({ kind: "sliding", guardCells, ...(cells ? { cells } : {}) }, ranges, 1, cell);
            const allowed = times(ranges, (k) => k).filter((k) => Math.abs(k - cell) > guardCells);
            const below = allowed.filter((k) => k < cell);
            const above = allowed.filter((k) => k > cell);
            const wanted = cells ?? allowed.length;
            // By definition: cells one by one, from below while that side has its half or the other has none left.
            const high = Math.min(above.length, Math.max(Math.ceil(wanted / 2), wanted - below.length));
            const low = wanted - high;
            expect(chosen).toEqual([...below.slice(below.length - low), ...above.slice(0, high)]);
            expect(chosen.length).toBe(wanted);
          }
        }
      }
    }
  });

  it("refuse more cells or guards than there are", () => {
    refuse(() => trainingSets({ kind: "sliding", cells: 7, guardCells: 2 }, 11, 1), /^training\.cells must be an integer from 1 to 6/);
    refuse(() => trainingSets({ kind: "sliding", guardCells: 5 }, 11, 1), /^training\.guardCells/);
    refuse(() => trainingSets({ kind: "sliding", guardCells: -1 }, 11, 1), /^training\.guardCells/);
  });
});

describe("custom cells", () => {
  it("are the caller's, in runs", () => {
    const sets = trainingSets({ kind: "custom", cells: (block, bin) => [7, 1, 0, 3 + block + bin], perBin: true }, 12, 4);
    expect([sets.groups, sets.perBin]).toEqual([3, true]);
    expect(sets.runs(1, 2)).toEqual([
      [0, 2],
      [6, 2],
    ]);
    expect(trainingCells(sets.runs(1, 2))).toBe(4);
  });

  it("are refused if they are not a set of ranges", () => {
    for (const bad of [[], [12], [-1], [1.5], [3, 3], undefined, [Number.NaN]]) {
      const sets = trainingSets({ kind: "custom", cells: () => bad as number[] }, 12, 4);
      refuse(() => sets.runs(2, 5), /^training\.cells\(2, 5\) must be/);
    }
    refuse(() => trainingSets({ kind: "custom" } as never, 12, 4), /^training\.cells/);
    refuse(() => trainingSets({ kind: "power" } as never, 12, 4), /^training\.kind must be one of/);
    refuse(() => trainingSets(undefined as never, 12, 4), /^training\.kind/);
  });
});
