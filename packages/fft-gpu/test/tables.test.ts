/** Twiddle factors and the host's DFT, to the last bits of their precision. No GPU. */
import { dft } from "@dechirp/conformance";
import { describe, expect, it } from "vitest";
import { hostDft } from "../src/host-dft.ts";
import { longTwiddle, stageTwiddles, TableBuilder, unitRoot } from "../src/tables.ts";

const relative = (a: Float64Array, b: Float64Array): number => {
  let error = 0;
  let energy = 0;
  a.forEach((v, i) => {
    error += (v - b[i]) ** 2;
    energy += b[i] ** 2;
  });
  return Math.sqrt(error / energy);
};

describe("unit roots", () => {
  it("has unit magnitude, is exact at eighths and conjugate in opposite places", () => {
    for (const n of [1, 2, 3, 7, 8, 12, 1000, 4096, 2 ** 20]) {
      for (let i = 0; i < Math.min(n, 500); i++) {
        const k = Math.floor((i * n) / Math.min(n, 500));
        const [re, im] = unitRoot(k, n);
        expect(Math.abs(Math.hypot(re, im) - 1)).toBeLessThan(4e-16);
        const [cr, ci] = unitRoot(n - k, n);
        expect(Math.hypot(cr - re, ci + im)).toBeLessThan(3e-16);
        expect(Math.hypot(re - Math.cos((2 * Math.PI * k) / n), im + Math.sin((2 * Math.PI * k) / n))).toBeLessThan(2e-15);
      }
    }
    expect(unitRoot(1, 4).map((v) => v + 0)).toEqual([0, -1]);
    expect(unitRoot(2, 4).map((v) => v + 0)).toEqual([-1, 0]);
    expect(unitRoot(3, 4).map((v) => v + 0)).toEqual([0, 1]);
  });
});

describe("tables", () => {
  it("keeps one copy of what is asked for twice", () => {
    const table = new TableBuilder();
    const first = stageTwiddles(table, [8, 8]);
    const again = stageTwiddles(table, [8, 8]);
    expect(again).toEqual(first);
    const built = table.build();
    expect(built?.layout.shape).toEqual([56]);
    const data = built?.make() as Float32Array;
    for (let q = 1; q < 8; q++) {
      for (let k = 0; k < 8; k++) {
        const at = 2 * (first[1] + (q - 1) * 8 + k);
        expect([data[at], data[at + 1]]).toEqual(Array.from(unitRoot(q * k, 64), Math.fround));
      }
    }
  });

  it("makes long twiddles of two short tables", () => {
    for (const n of [2, 30, 32_768, 2 ** 22, 30_030]) {
      const table = new TableBuilder();
      const { low, high, bits } = longTwiddle(table, n);
      const data = table.build()?.make() as Float32Array;
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

  it("is nothing where nothing was added", () => {
    expect(new TableBuilder().build()).toBeUndefined();
  });
});

describe("the host's DFT", () => {
  it("agrees with the definition to float64's last bits", () => {
    for (const n of [1, 2, 3, 4, 12, 17, 60, 64, 105, 256, 500]) {
      const x = Float64Array.from({ length: 2 * n }, (_, i) => Math.sin(i * i + 1));
      expect(relative(hostDft(x), dft(x, n, false) as Float64Array)).toBeLessThan(2 ** -52 * 4 * Math.sqrt(1 + Math.log2(n)));
    }
  });
});
