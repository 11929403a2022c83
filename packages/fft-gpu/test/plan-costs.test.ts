/**
 * Guards what plans take, for lengths of many kinds: passes over memory, dispatches and bytes. These decide how fast a card is that is not here, and
 * plans of the generators show them without a device.
 */
import { layout, type TransformOp } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import { stagesOf } from "../src/stage-choice.ts";
import type { PassLimits } from "../src/transform.ts";
import { transformBody } from "../src/transform-body.ts";

/** Those of an NVIDIA card. */
const card = { workgroupBytes: 49_152, invocations: 1024 };
/** WebGPU's default limits. */
const defaults = { workgroupBytes: 16_384, invocations: 256 };

const rows = (n: number, inverse = false): TransformOp => ({ op: "fft", layout: layout("c64", [4, n]), axis: 1, inverse });
const columns = (n: number, count: number): TransformOp => ({ op: "fft", layout: layout("c64", [n, count]), axis: 0, inverse: false });
const real = (n: number): TransformOp => ({ op: "real-fft", layout: layout("f32", [4, n]), axis: 1, inverse: false });
const back = (n: number): TransformOp => ({ op: "real-fft", layout: layout("c64", [4, n / 2 + 1]), axis: 1, inverse: true });

/** What a plan takes: passes, dispatches, and bytes in units of a complex element of each point. */
function taken(op: TransformOp, points: number, limits = card) {
  const body = transformBody(op, limits)!;
  return [body.cost.passes, body.dispatches.length, body.cost.bytes / (8 * points)] as const;
}

/** Bytes of workgroup memory that a kernel declares. */
const declaredBytes = (code: string): number =>
  [...code.matchAll(/var<workgroup> \w+: array<(\w+)(?:<u32>)?, (\d+)>/g)].reduce(
    (sum, [, type, count]) => sum + { f32: 4, atomic: 4, vec2f: 8, vec4f: 16 }[type]! * Number(count),
    0,
  );

describe("shapes", () => {
  const smooth = Array.from({ length: 1500 }, (_, i) => i + 2).filter((n) => stagesOf(n));
  const long = [2 ** 15, 2 ** 16, 48_000, 2 ** 17, 2 ** 18, 2 * 3 ** 10, 2 ** 20, 10 ** 6, 2 ** 22];
  it.each<[string, readonly number[], (n: number) => TransformOp, PassLimits["scratch"]?]>([
    ["rows", smooth, rows],
    ["real rows of twice the length", smooth, (n) => real(2 * n)],
    ["real rows of twice the length, back", smooth, (n) => back(2 * n)],
    ["long rows", long, rows],
    ["long rows with half precision between passes", long, rows, "f16"],
    ["long real rows", long, real],
    ["long real rows, back", long, back],
  ])("have whole numbers that fit the device: %s", (_, lengths, of, scratch = "f32") => {
    for (const n of lengths) {
      for (const limits of [card, { ...defaults, workgroupBytes: 32_768 }, defaults]) {
        const { choice, text, dispatches } = transformBody(of(n), { ...limits, scratch })!;
        for (const { n: length, radices, threads, lines, together } of choice!.shapes) {
          expect([threads, lines].every(Number.isInteger), text).toBe(true);
          expect((threads * lines) / together, text).toBeLessThanOrEqual(limits.invocations);
          expect(
            radices.reduce((product, r) => product * r, 1),
            text,
          ).toBe(length);
        }
        for (const { code } of dispatches) expect(declaredBytes(code), text).toBeLessThanOrEqual(limits.workgroupBytes);
      }
    }
  });

  it("of columns in wide tiles fit the memory of a workgroup", () => {
    const op: TransformOp = { op: "real-fft", layout: layout("f32", [32, 4096]), axis: 0, inverse: false };
    const { dispatches, text } = transformBody(op, { ...card, prefer: { tile: 1024 } })!;
    for (const { code } of dispatches) expect(declaredBytes(code), text).toBeLessThanOrEqual(card.workgroupBytes);
  });
});

describe("long columns", () => {
  it.each([2592, 3000, 3125, 4000])("of %i points take two passes if all of them are read and written", (n) => {
    expect(taken(columns(n, 1000), 1000 * n)).toEqual([2, 2, 4]);
    expect(taken({ ...columns(n, 1000), layout: layout("c64", [Math.floor(n / 2), 1000]), n } as TransformOp, 1000 * n)[0]).toBe(1);
    expect(taken({ ...columns(n, 1000), keep: [0, 10] } as TransformOp, 1000 * n)[0]).toBe(1);
  });

  it.each([2560, 2592, 3000, 4096])("of %i points, and rows, take one pass with a corner turn", (n) => {
    for (const op of [columns(n, 1000), rows(n)]) expect(taken({ ...op, cornerTurn: true } as TransformOp, 1000 * n)[0]).toBe(1);
  });

  it("take two passes of 4096 points if they can't be paired", () => {
    expect(taken(columns(4096, 1000), 4096 * 1000)[0]).toBe(1);
    expect(taken(columns(4096, 1001), 4096 * 1001)[0]).toBe(2);
  });
});

describe("workgroup memory", () => {
  const body = (n: number) => transformBody({ op: "fft", layout: layout("c64", [1000, n]), axis: 1, inverse: false }, card)!;

  it.each([4608, 6144, 6561, 7200, 8000, 8192, 9000, 9216, 9600])("of rows of %d points is at most half of a core's", (n) => {
    expect(2 * declaredBytes(body(n).dispatches[0]!.code), body(n).text).toBeLessThanOrEqual(49_152);
  });

  it("of adjacent lines of 1024 points in two passes, too", () => {
    for (const { code } of body(2 ** 20).dispatches) expect(2 * declaredBytes(code)).toBeLessThanOrEqual(49_152);
  });

  it.each([[1000], [1536], [5000], [6561], [8000], [8192], [9216], [16_384]])(
    "is addressed by sums of whole spans, which compilers need not clamp: rows of %d points",
    (n) => {
      expect(body(n).dispatches[0]!.code).not.toMatch(/\^|& \d+u/);
    },
  );

  it("of powers of two that fill it is addressed by moving bits, which needs no room", () => {
    const { code } = body(4096).dispatches[0]!;
    expect(code).toContain("^");
    expect(declaredBytes(code)).toBe(16_384);
  });
});

describe("complex lines", () => {
  it.each([
    7, 16, 17, 31, 34, 47, 74, 272, 243, 1000, 1369, 1536, 4096, 4913, 5000, 6561, 8192, 10_000, 12_288, 12_500, 13_824, 14_400, 15_625,
    16_000, 16_384, 18_225, 19_683, 20_000, 20_480,
  ])("of %d points take one pass", (n) => {
    expect(taken(rows(n), 4 * n)).toEqual([1, 1, 2]);
    expect(taken(rows(n, true), 4 * n)).toEqual([1, 1, 2]);
    expect(transformBody(rows(n), card)!.convolved).toBeUndefined();
  });

  it.each([14_641, 21_600, 22_500, 32_768, 65_536, 100_000, 2 ** 20, 3 ** 12, 10 ** 6])("of %d points take two passes", (n) => {
    expect(taken(rows(n), 4 * n)).toEqual([2, 2, 4]);
  });

  it("take one pass wherever they fit, if that is wanted or the device has more memory than an H200", () => {
    for (const n of [12_740, 13_720, 14_641, 15_972]) {
      expect(transformBody(rows(n), card)!.cost.passes, `n = ${n}`).toBe(2);
      expect(transformBody(rows(n), { ...card, longestPass: n })!.cost.passes, `n = ${n}`).toBe(1);
      expect(transformBody(rows(n), { ...card, workgroupBytes: 65_536 })!.cost.passes, `n = ${n}`).toBe(1);
    }
  });

  it.each([53, 61, 1009, 10_007])("of %d points, a prime, are one convolution", (n) => {
    const [passes, , bytes] = taken(rows(n), 4 * n);
    expect(passes).toBeLessThanOrEqual(n > 8000 ? 3 : 1);
    // The longest convolution has less than four times as many points, and goes through memory twice in between.
    expect(bytes).toBeLessThanOrEqual(passes === 1 ? 2 : 2 + 2 * 2 * 4);
  });

  it("take as few passes along columns, also many", () => {
    expect(taken(columns(512, 2 ** 14), 512 * 2 ** 14)).toEqual([1, 1, 2]);
    expect(taken(columns(4096, 4096), 4096 ** 2)).toEqual([1, 1, 2]);
    expect(taken(columns(65_536, 64), 64 * 65_536)).toEqual([2, 2, 4]);
  });
});

describe("real lines", () => {
  it.each([32, 1000, 1024, 4096, 8192, 16_384, 20_000, 24_576, 32_000, 32_768, 40_000])("of %d points take one pass", (n) => {
    for (const op of [real(n), back(n)]) {
      const [passes, dispatches, bytes] = taken(op, 4 * n);
      expect([passes, dispatches]).toEqual([1, 1]);
      // Half of a complex line is read, and half is written, with one bin more.
      expect(bytes).toBeCloseTo(1 + 1 / n, 9);
    }
  });

  it.each([45_000, 48_000, 65_536, 100_000, 2 ** 20, 10 ** 6])("of %d points take two passes of half of a complex line each", (n) => {
    for (const op of [real(n), back(n)]) {
      const [passes, dispatches, bytes] = taken(op, 4 * n);
      expect([passes, dispatches]).toEqual([2, 2]);
      expect(bytes).toBeCloseTo(2 + 1 / n, 9);
    }
  });

  it("take as few passes of half a line within WebGPU's default limits", () => {
    for (const n of [1024, 8192]) for (const op of [real(n), back(n)]) expect(taken(op, 4 * n, defaults).slice(0, 2)).toEqual([1, 1]);
    for (const n of [65_536, 2 ** 20]) {
      for (const op of [real(n), back(n)]) {
        const [passes, dispatches, bytes] = taken(op, 4 * n, defaults);
        expect([passes, dispatches]).toEqual([2, 2]);
        expect(bytes).toBeCloseTo(2 + 1 / n, 9);
      }
    }
  });
});
