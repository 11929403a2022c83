/** Tests tables of twiddle factors to the last bits of their precision. Without a GPU. */
import { unitRoot } from "@dechirp/core/tables";
import { describe, expect, it } from "vitest";
import type { TableSpec } from "../src/dispatch.ts";
import { factorRows, longTwiddle, rowsOfLeg, stageTwiddles, TableBuilder } from "../src/tables.ts";

/** A table, made without pauses. */
function made(table: TableBuilder): Float32Array {
  const work = (table.build() as TableSpec).make();
  for (;;) {
    const piece = work.next();
    if (piece.done) return piece.value as Float32Array;
  }
}

describe("tables", () => {
  it("shares sections with equal keys", () => {
    const table = new TableBuilder();
    const first = stageTwiddles(table, [4, 4]);
    const again = stageTwiddles(table, [4, 4]);
    expect(again).toEqual(first);
    expect(table.build()?.layout.shape).toEqual([12]);
    const data = made(table);
    for (let q = 1; q < 4; q++) {
      for (let k = 0; k < 4; k++) {
        const at = 2 * (first[1] + (q - 1) * 4 + k);
        expect([data[at], data[at + 1]]).toEqual(Array.from(unitRoot(q * k, 16), Math.fround));
      }
    }
  });

  it.each([1, 1 / 3])("has the factors of all legs as products of two that are looked up: gain %d", (gain) => {
    for (const [span, r] of [
      [12, 16],
      [9, 27],
      [5, 9],
      [32, 32],
    ] as const) {
      const table = new TableBuilder();
      const [, at] = stageTwiddles(table, [span, r], [1, gain], true);
      const data = made(table);
      const rows = factorRows(r, true, gain);
      expect(rows.length).toBeLessThanOrEqual(r - 1);
      if (r >= 16) expect(rows.length).toBeLessThan(0.7 * (r - 1));
      const stored = (row: number, k: number) => [data[2 * (at + row * span + k)], data[2 * (at + row * span + k) + 1]] as const;
      for (let leg = 1; leg < r; leg++) {
        const found = rowsOfLeg(rows, leg);
        for (let k = 0; k < span; k++) {
          const [[a, b], [c, d] = [1, 0]] = found.map((row) => stored(row, k));
          const expected = unitRoot(k * leg, span * r);
          expect(Math.hypot((a * c - b * d) / gain - expected[0], (a * d + b * c) / gain - expected[1])).toBeLessThan(1.3 * 2 ** -23);
        }
      }
      expect(factorRows(r, false, gain)).toHaveLength(r - 1);
      expect(factorRows(4, true, gain)).toHaveLength(3);
    }
  });

  it("compensates the rounding of the radices' constants to less than a unit in the last place", () => {
    const table = new TableBuilder();
    const [, , at] = stageTwiddles(table, [9, 9, 9]);
    const data = made(table);
    let mean = 0;
    for (let i = 0; i < 8 * 81; i++) mean += Math.hypot(data[2 * (at + i)], data[2 * (at + i) + 1]) / (8 * 81);
    // cos and sin of 60° and the factors of nine points are rounded down on average.
    expect(mean - 1).toBeGreaterThan(2e-9);
    expect(mean - 1).toBeLessThan(2 ** -25);
  });

  it("computes long twiddles from two short tables", () => {
    for (const n of [2, 30, 32_768, 2 ** 22, 30_030]) {
      const table = new TableBuilder();
      const { low, high, bits } = longTwiddle(table, n);
      const data = made(table);
      for (const e of [0, 1, n >> 1, n - 1]) {
        const a = 2 * (high + (e >> bits));
        const b = 2 * (low + (e & (2 ** bits - 1)));
        const turned = [data[a] * data[b] - data[a + 1] * data[b + 1], data[a] * data[b + 1] + data[a + 1] * data[b]];
        const [re, im] = [data[a] + turned[0], data[a + 1] + turned[1]];
        const expected = unitRoot(e, n);
        expect(Math.hypot(re - expected[0], im - expected[1])).toBeLessThan(2 ** -23);
      }
    }
  });

  it("is undefined without sections", () => {
    expect(new TableBuilder().build()).toBeUndefined();
  });
});
