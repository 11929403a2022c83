/** Tests how lines are divided among the threads of a workgroup and into passes. Without a GPU. */
import { describe, expect, it } from "vitest";
import { heldValues, valuesOf } from "../src/crowd.ts";
import { splitLength } from "../src/passes.ts";
import { type LineShape, lineShape, stagedPlaces, workgroupBytes } from "../src/shape.ts";
import { mostValues, mostValuesOfPrimes, stagesOf } from "../src/stage-choice.ts";

const devices = {
  defaults: { workgroupBytes: 16_384, invocations: 256 },
  swiftshader: { workgroupBytes: 32_768, invocations: 256 },
  usual: { workgroupBytes: 32_768, invocations: 1024 },
  large: { workgroupBytes: 49_152, invocations: 1024 },
  larger: { workgroupBytes: 65_536, invocations: 1024 },
};
const smooth = (n: number): boolean => {
  let rest = n;
  for (const p of [2, 3, 5, 7, 11, 13]) while (rest % p === 0) rest /= p;
  return rest === 1;
};
const product = (list: readonly number[]): number => list.reduce((a, b) => a * b, 1);

const sound = (s: LineShape, limits: { workgroupBytes: number; invocations: number }): void => {
  expect(product(s.radices)).toBe(s.n);
  expect(s.threads * s.lines).toBeLessThanOrEqual(limits.invocations);
  if (s.radices.length > 1) expect(workgroupBytes(s)).toBeLessThanOrEqual(limits.workgroupBytes);
  // Long lines have a core's registers to themselves, and may compute some butterflies of the last stage after the others.
  if (s.n > 12_288) expect(heldValues(s.n, s.radices, s.threads), `n = ${s.n}`).toBeLessThanOrEqual(mostValues);
  else
    expect(valuesOf(s.n, s.radices, s.threads)).toBeLessThanOrEqual(Math.max(...s.radices) > mostValues ? mostValuesOfPrimes : mostValues);
  expect(s.threads * valuesOf(s.n, s.radices, s.threads)).toBeGreaterThanOrEqual(s.n);
};

describe("shapes of lines", () => {
  it("has stages for exactly the lengths without primes above 13", () => {
    for (let n = 1; n <= 4096; n++) {
      const stages = stagesOf(n);
      expect(stages !== undefined, `n = ${n}`).toBe(smooth(n));
      if (stages) expect(product(stages)).toBe(n);
    }
  });

  it.each(Object.entries(devices))("fits rows of every smooth length up to 4096 into one workgroup: %s", (_, limits) => {
    for (let n = 1; n <= 4096; n++) {
      if (!smooth(n)) continue;
      for (const count of [1, 3, 1000]) {
        const shape = lineShape(n, limits, { mapping: "line", count });
        expect(shape, `n = ${n}`).toBeDefined();
        sound(shape as LineShape, limits);
      }
    }
  });

  it("transforms lines with primes to 47 in two stages or more, and columns also in one", () => {
    const rows = (n: number) => lineShape(n, devices.large, { mapping: "line", count: 1000 });
    expect(rows(187)?.radices).toEqual([11, 17]);
    expect(rows(1088)?.radices).toEqual([8, 8, 17]);
    expect(rows(4913)?.radices).toEqual([17, 17, 17]);
    expect(rows(2368)?.radices).toEqual([8, 8, 37]);
    for (const n of [17, 31, 47, 53, 106]) expect(rows(n), `n = ${n}`).toBeUndefined();
    expect(lineShape(17, devices.large, { mapping: "tile", count: 1000 })?.radices).toEqual([17]);
  });

  it("gives invocations few idle turns in lines with a large prime", () => {
    for (const n of [34, 74, 148, 187, 296, 493, 851]) {
      const { radices, threads } = lineShape(n, devices.large, { mapping: "line", count: 1000, staged: "narrow" })!;
      const slots = radices.reduce((sum, r) => sum + r * Math.ceil(n / r / threads) * threads, 0);
      expect(slots / n / radices.length, `n = ${n}`).toBeLessThan(1.35);
    }
  });

  it.each(Object.entries(devices))("stages rows that few invocations share, where they fit: %s", (_, limits) => {
    const staged = (n: number, count = 10_000) => lineShape(n, limits, { mapping: "line", count, staged: "narrow" })!;
    for (const n of [2, 3, 7, 11, 13, 16, 17, 18, 22, 23, 31, 33, 34, 37, 47, 57, 74, 111]) {
      const shape = staged(n);
      sound(shape, limits);
      expect(shape.staged, `n = ${n}`).toBe(n);
      expect((shape.exchange === "both" ? 8 : 4) * stagedPlaces(shape) * shape.lines).toBeLessThanOrEqual(limits.workgroupBytes);
      expect(staged(n, 3).lines).toBeLessThanOrEqual(3);
    }
    for (const n of [20, 24, 32, 64, 1000]) expect(staged(n).staged, `n = ${n}`).toBeUndefined();
    const exchangeOf = (n: number, stagedExchange?: "split" | "both") =>
      lineShape(n, limits, { mapping: "line", count: 1000, staged: "narrow", ...(stagedExchange && { stagedExchange }) })!.exchange;
    expect([7, 17, 38, 47].map((n) => exchangeOf(n))).toEqual(["both", "split", "split", "both"]);
    expect([7, 17, 38, 47].map((n) => exchangeOf(n, "split"))).toEqual(["split", "split", "split", "both"]);
    expect([7, 17, 38, 47].map((n) => exchangeOf(n, "both"))).toEqual(["both", "both", "both", "both"]);
  });

  it.each([1, 2, 3])("puts the elements of adjacent invocations in different banks: %i of a row", (threads) => {
    for (let n = 2; n < 150; n++) {
      for (const [exchange, count] of [["both", 16] as const, ["split", 32] as const]) {
        const row = stagedPlaces({ n, threads, exchange });
        const banks = Array.from({ length: count }, (_, i) => (Math.floor(i / threads) * row + (i % threads)) % count);
        expect(new Set(banks).size, `n = ${n}`).toBe(count);
        expect(row - n).toBeLessThan(count);
      }
    }
  });

  it("gives few lines many invocations", () => {
    const threads = (n: number) => lineShape(n, devices.large, { mapping: "line", count: 4, exchange: "both", few: true })?.threads;
    expect([512, 1024, 2048, 4096].map(threads)).toEqual([64, 128, 256, 256]);
  });

  it.each(Object.entries(devices))("gives few lines a shape wherever many have one: %s", (_, limits) => {
    for (let n = 1; n <= 4096; n++) {
      for (const exchange of ["split", "both"] as const) {
        const shape = (few: boolean) => lineShape(n, limits, { mapping: "line", count: 64, exchange, few, staged: "narrow" });
        if (shape(false)) expect(shape(true), `n = ${n}, ${exchange}`).toBeDefined();
      }
    }
  });

  it("gives long lines three stages whose invocations have work", () => {
    for (const n of [2500, 4000, 5000, 6000, 6561, 9600, 10000, 12000, 12288]) {
      const shape = lineShape(n, devices.large, { mapping: "line", count: 1000, wide: n > 4096 });
      expect(shape?.radices, `n = ${n}`).toHaveLength(3);
      sound(shape!, devices.large);
      expect(shape!.windows).toBe(1);
    }
  });

  it("leaves room for a second workgroup on a core, in windows if need be", () => {
    const crowded = (n: number) => lineShape(n, devices.large, { mapping: "line", count: 1000, wide: n > 4096, crowded: true });
    for (const n of [4608, 5000, 6000, 6144, 6400, 6561, 7200, 7680, 8000, 8192, 8640, 9000, 9216, 9600]) {
      const shape = crowded(n)!;
      sound(shape, devices.large);
      const bytes = 4 * Math.max(workgroupBytes(shape) / 4, shape.leastWords ?? 0);
      expect(2 * bytes, `n = ${n}`).toBeLessThanOrEqual(49_152);
      expect(valuesOf(n, shape.radices.slice(0, -1), shape.threads), `n = ${n}`).toBeLessThanOrEqual(32);
    }
    // Their values fill the registers of a core.
    for (const n of [10_000, 12_288]) expect(crowded(n), `n = ${n}`).toMatchObject({ windows: 1 });
    expect(crowded(16_384)).toMatchObject({ windows: 2 });
    // Words between elements must not cost a workgroup.
    expect(crowded(4096)).toMatchObject({ windows: 1, room: 4096 });
  });

  it.each(Object.entries(devices))("leaves exchanges within the memory of a workgroup: %s", (_, limits) => {
    for (let n = 2; n <= 24_576; n++) {
      if (!smooth(n)) continue;
      for (const mapping of ["line", "tile"] as const) {
        const shape = lineShape(n, limits, { mapping, count: 1000, wide: n > 4096, crowded: true });
        if (!shape || shape.radices.length === 1) continue;
        sound(shape, limits);
        expect(4 * Math.max(shape.room ?? 0, shape.leastWords ?? 0), `n = ${n}`).toBeLessThanOrEqual(limits.workgroupBytes);
        expect(shape.room ?? Number.POSITIVE_INFINITY, `n = ${n}`).toBeGreaterThanOrEqual(workgroupBytes(shape) / 4);
      }
    }
  });

  it("reaches 16384 points if 512 invocations hold 32 values each", () => {
    expect(lineShape(8192, devices.usual, { mapping: "line", count: 9, wide: true })).toMatchObject({ threads: 256, windows: 1 });
    expect(lineShape(16384, devices.usual, { mapping: "line", count: 9, wide: true })).toMatchObject({ threads: 512, windows: 2 });
    expect(lineShape(16384, devices.defaults, { mapping: "line", count: 9 })).toBeUndefined();
    expect(lineShape(32768, devices.large, { mapping: "line", count: 9 })).toBeUndefined();
  });

  it("places as many adjacent columns in a workgroup as fit", () => {
    for (const limits of Object.values(devices)) {
      for (const n of [2, 13, 64, 100, 512, 1000, 1024, 2048]) {
        const shape = lineShape(n, limits, { mapping: "tile", count: 4096 });
        if (!shape) continue;
        sound(shape, limits);
        if (n <= 512) expect(shape.lines, `n = ${n}`).toBeGreaterThanOrEqual(4);
      }
    }
  });

  it("declines large primes", () => {
    expect(lineShape(17, devices.usual, { mapping: "line", count: 1 })).toBeUndefined();
    expect(lineShape(4 * 1009, devices.usual, { mapping: "line", count: 1 })).toBeUndefined();
  });
});

describe("lengths in several passes", () => {
  it("has two factors up to 2^22, three to 2^24", () => {
    for (let k = 13; k <= 22; k++) {
      const factors = splitLength(2 ** k, 2048) ?? [];
      expect(factors).toHaveLength(2);
      expect(product(factors)).toBe(2 ** k);
    }
    expect(splitLength(2 ** 24, 2048)).toHaveLength(3);
    expect(splitLength(30_030 * 16, 2048)).toHaveLength(2);
    expect(splitLength(2 * 10_007, 2048)).toBeUndefined();
  });
});
