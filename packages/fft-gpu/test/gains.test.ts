/** Tests how a transform's scale is distributed over its passes and stages. Without a GPU. */
import { describe, expect, it } from "vitest";
import { gainsOf, inTwo, sharesOf } from "../src/gains.ts";

describe("gains", () => {
  it("divide by n in all, by half of it before a filter's product", () => {
    for (const n of [1, 2, 3, 60, 1009, 2 ** 20]) {
      expect(gainsOf("forward", n)).toEqual({ forward: 1, inverse: 1 });
      expect(gainsOf("inverse", n)).toEqual({ forward: 1, inverse: 1 / n });
      const { forward, inverse } = gainsOf("filter", n);
      expect(forward * inverse * n).toBeCloseTo(1, 15);
      expect(Math.abs(Math.log2(forward * Math.sqrt(n)))).toBeLessThanOrEqual(0.5 + 1e-12);
    }
  });

  it("are distributed evenly over stages, as powers of two except for the last share", () => {
    for (const radices of [[16, 16, 16], [3, 5, 7, 11, 13], [2, 9, 9], [7]]) {
      const n = radices.reduce((a, b) => a * b, 1);
      const shares = sharesOf(radices, 1 / n);
      expect(shares.reduce((a, b) => a * b, 1) * n).toBeCloseTo(1, 14);
      let points = 1;
      let gain = 1;
      shares.forEach((share, i) => {
        points *= radices[i];
        gain *= share;
        if (i < shares.length - 1) expect(Number.isInteger(Math.log2(share))).toBe(true);
        expect(Math.abs(Math.log2(gain * points))).toBeLessThanOrEqual(0.5 + 1e-12);
      });
    }
    expect(sharesOf([4, 4], 1)).toEqual([1, 1]);
    expect(sharesOf([], 1)).toEqual([]);
  });
});

describe("the factor of a single stage", () => {
  it("is a product of two float32 numbers, exact to a thirtieth of their precision", () => {
    for (let n = 1; n <= 47; n++) {
      const [before, after] = inTwo(1 / n);
      expect([Math.fround(before), Math.fround(after)]).toEqual([before, after]);
      expect(Math.abs(before * after * n - 1), `n = ${n}`).toBeLessThan(2 ** -23 / 30);
    }
    expect(inTwo(0.25)).toEqual([0.25, 1]);
  });
});
