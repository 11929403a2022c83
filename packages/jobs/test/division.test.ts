/** The cost model of divisions: against hand-made numbers, and that the choice is the best of what can be chosen. */
import { describe, expect, it } from "vitest";
import { chooseDivision, type DivisionRequest, divisionCost } from "../src/index.ts";

/** A large image: 32k² pixels, 10⁵ pulses of 8192 samples, cards of 631 Gbp/s, 100 Gb/s a node, 200 GB/s in all. */
const large = (nodes: number, more: Partial<DivisionRequest> = {}): DivisionRequest => ({
  image: [32_768, 32_768],
  pulses: 100_000,
  samples: 8192,
  nodes,
  rate: 631e9,
  nodeBytesPerSecond: 12.5e9,
  storeBytesPerSecond: 200e9,
  ...more,
});
const [imageBytes, pulseBytes] = [8 * 32_768 ** 2, 8 * 8192 * 1e5];
const alone = (32_768 ** 2 * 1e5) / 631e9;

describe("divisionCost", () => {
  it("is work over rate, and the image's way to the store, on one node", () => {
    const { seconds, parts, efficiency, tasks } = divisionCost(large(1), { tile: 32_768, sets: 1, rangeWindows: false });
    expect(parts.computing).toBeCloseTo(alone, 9);
    expect(parts.reading).toBeCloseTo(pulseBytes / 12.5e9, 9);
    expect(seconds).toBeCloseTo(alone + imageBytes / 12.5e9, 9);
    expect(efficiency).toBeCloseTo(alone / seconds, 12);
    expect(tasks).toBe(1);
  });

  it("has the three ways' seconds for 16 to 1024 nodes", () => {
    for (const across of [4, 8, 16, 32]) {
      const nodes = across ** 2;
      const tile = 32_768 / across;
      const writing = Math.max(imageBytes / nodes / 12.5e9, imageBytes / 200e9);
      const compute = alone / nodes;
      const read = (bytes: number) => Math.max(bytes / 12.5e9, (nodes * bytes) / 200e9);
      const cost = (sets: number, edge: number, rangeWindows: boolean) => divisionCost(large(nodes), { tile: edge, sets, rangeWindows });
      expect(cost(1, tile, false).seconds).toBeCloseTo(Math.max(compute, read(pulseBytes)) + writing, 9);
      expect(cost(1, tile, true).seconds).toBeCloseTo(Math.max(compute, read(pulseBytes * (1 / across + 0.05))) + writing, 9);
      // Every node writes an image of the whole size and reads its share of all of them.
      const pulses = Math.ceil(1e5 / nodes);
      const exchange = (2 * nodes * imageBytes) / Math.min(200e9, nodes * 12.5e9);
      const computing = (32_768 ** 2 * pulses) / 631e9;
      expect(cost(nodes, 32_768, false).seconds).toBeCloseTo(Math.max(computing, read(pulseBytes / nodes)) + exchange + writing, 9);
    }
  });

  it("counts rounds of unequal numbers of tasks, nodes without a task, and cards of a node", () => {
    const nine = { tile: 10_923, sets: 1, rangeWindows: false };
    expect(divisionCost(large(4), nine).parts.computing).toBeCloseTo((3 * 10_923 ** 2 * 1e5) / 631e9, 6);
    expect(divisionCost(large(64), nine)).toMatchObject({ tiles: 9, tasks: 9, parts: { reading: pulseBytes / 12.5e9 } });
    expect(divisionCost(large(2, { cardsPerNode: 8 }), { tile: 8192, sets: 1, rangeWindows: false }).parts.computing).toBeCloseTo(
      alone / 16,
      9,
    );
  });

  it("lets only the first tasks of a card wait for pulses that its node keeps", () => {
    const cost = (rangeWindows: boolean) => divisionCost(large(64), { tile: 2048, sets: 1, rangeWindows });
    const [reading, task, writing] = [(64 * pulseBytes) / 200e9, alone / 256, imageBytes / 200e9];
    expect(cost(false).seconds).toBeCloseTo(reading + 3 * task + writing, 9);
    expect(cost(true).seconds).toBeCloseTo(4 * task + writing, 9);
  });

  it("takes the rate from a table of task sizes, between its entries by the logarithm", () => {
    const rate = [
      [2 ** 20, 100e9],
      [2 ** 24, 300e9],
    ] as const;
    const computing = (tile: number) => divisionCost(large(1e6, { rate }), { tile, sets: 1, rangeWindows: true }).parts.computing;
    expect(computing(512)).toBeCloseTo((512 ** 2 * 1e5) / 100e9, 9);
    expect(computing(2048)).toBeCloseTo((2048 ** 2 * 1e5) / 200e9, 9);
    expect(computing(8192)).toBeCloseTo((8192 ** 2 * 1e5) / 300e9, 9);
  });

  it("reads by ranges for every task anew, in proportion to the bytes of profiles", () => {
    const cost = (rangeBytesRatio: number) => divisionCost(large(16, { rangeBytesRatio }), { tile: 1024, sets: 1, rangeWindows: true });
    expect(cost(1).bytes.readByNode).toBeCloseTo(64 * pulseBytes * (1 / 32 + 0.05), 0);
    expect(cost(9.7).bytes.readByNode).toBeCloseTo(9.7 * cost(1).bytes.readByNode, 0);
  });

  it("needs no tile that is larger than the image", () => {
    const small = { ...large(4), image: [100, 300] as const, pulses: 10 };
    expect(divisionCost(small, { tile: 4096, sets: 1, rangeWindows: true })).toMatchObject({
      tiles: 1,
      tasks: 1,
      text: "1 tile of 100 × 300 pixels, each from the ranges that they need",
    });
  });
});

describe("chooseDivision", () => {
  it("is as fast as every division that it may choose", () => {
    for (const nodes of [1, 3, 16, 64, 100, 256, 1000])
      for (const more of [{}, { storeBytesPerSecond: 2e9 }, { rangeBytesRatio: 10 }, { cardsPerNode: 8 }, { pulses: 10_000_000 }]) {
        const request = large(nodes, more);
        const best = chooseDivision(request);
        expect(divisionCost(request, best)).toEqual(best);
        for (let tile = 256; tile <= 32_768; tile += 256)
          for (const sets of [1, 2, 4, 64, 1024])
            for (const rangeWindows of [false, true])
              if (sets < 2 * nodes * (request.cardsPerNode ?? 1) && isEdge(tile))
                expect(best.seconds).toBeLessThanOrEqual(1.001 * divisionCost(request, { tile, sets, rangeWindows }).seconds + 1e-12);
      }
  });

  it("chooses tiles from all pulses for few nodes, ranges for more, and sets where the store is slow or the aperture is long", () => {
    expect(chooseDivision(large(16))).toMatchObject({ tile: 8192, sets: 1, rangeWindows: false });
    expect(chooseDivision(large(64)).rangeWindows).toBe(false);
    // All pulses are read by every node in less than computing takes, up to 72 nodes.
    const limit = Math.sqrt((alone * 200e9) / pulseBytes);
    expect(limit).toBeCloseTo(72.1, 1);
    expect(chooseDivision(large(100))).toMatchObject({ sets: 1, rangeWindows: true });
    expect(chooseDivision(large(1024)).sets).toBeGreaterThan(1);
    // A small image from very many pulses: what is read is far more than an image.
    const strip = large(64, { image: [2048, 2048], pulses: 10_000_000 });
    expect(chooseDivision(strip).sets).toBeGreaterThan(1);
    // Profiles of ten times the bytes are not worth it.
    expect(chooseDivision(large(70, { rangeBytesRatio: 20 })).rangeWindows).toBe(false);
  });

  it("chooses no sets and no ranges if it must not", () => {
    expect(chooseDivision(large(1024, { mostSets: 1 }))).toMatchObject({ sets: 1, rangeWindows: true });
    expect(chooseDivision(large(1024, { readsByRanges: false })).rangeWindows).toBe(false);
  });

  it("makes as many tasks for a card as are asked for, if the image has them", () => {
    const { tasks } = chooseDivision(large(16, { tasksPerCard: 10 }));
    expect(tasks).toBeGreaterThanOrEqual(160);
    expect(chooseDivision({ ...large(100, { tasksPerCard: 10 }), image: [10, 10], pulses: 2 })).toMatchObject({ tasks: 2, sets: 2 });
  });

  it.each([
    ["image", { image: [0, 10] }],
    ["image", { image: [10] }],
    ["pulses", { pulses: 0 }],
    ["samples", { samples: 1.5 }],
    ["nodes", { nodes: -1 }],
    ["cardsPerNode", { cardsPerNode: "2" }],
    ["rate", { rate: 0 }],
    ["rate", { rate: [] }],
    [
      "rate",
      {
        rate: [
          [4, 1],
          [2, 1],
        ],
      },
    ],
    ["nodeBytesPerSecond", { nodeBytesPerSecond: Number.POSITIVE_INFINITY }],
    ["storeBytesPerSecond", { storeBytesPerSecond: undefined }],
    ["warmUpSeconds", { warmUpSeconds: -1 }],
    ["lattice", { lattice: 0 }],
    ["tasksPerCard", { tasksPerCard: 0.5 }],
    ["mostSets", { mostSets: 0 }],
    ["readsByRanges", { readsByRanges: 1 }],
  ] as const)("refuses a wrong %s", (field, more) => {
    const thrown = (work: () => unknown): unknown => {
      try {
        return work();
      } catch (error) {
        return error;
      }
    };
    expect(thrown(() => chooseDivision({ ...large(4), ...more } as DivisionRequest))).toMatchObject({ code: "input", fields: { field } });
  });

  it("refuses wrong divisions", () => {
    for (const [field, choice] of [
      ["tile", { tile: 0, sets: 1, rangeWindows: true }],
      ["sets", { tile: 256, sets: 100_001, rangeWindows: true }],
      ["rangeWindows", { tile: 256, sets: 1, rangeWindows: "no" }],
    ] as const) {
      let fields: unknown;
      try {
        divisionCost(large(4), choice as never);
      } catch (error) {
        fields = (error as { fields?: unknown }).fields;
      }
      expect(fields).toMatchObject({ field });
    }
  });
});

/** Edges of whole numbers of tiles, which the choice is from. */
const isEdge = (tile: number): boolean => {
  for (let across = 1; across <= 128; across++) if (256 * Math.ceil(32_768 / across / 256) === tile) return true;
  return false;
};
