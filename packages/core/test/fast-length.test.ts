/** Tests of the lengths for padding. The bench measures that they are fast. */
import { describe, expect, it } from "vitest";
import { nextFastLength } from "../src/fast-length.ts";

const smooth = (n: number): boolean => {
  let rest = n;
  for (const p of [2, 3, 5, 7, 11, 13]) while (rest % p === 0) rest /= p;
  return rest === 1;
};

describe("nextFastLength", () => {
  it("is smooth, at least n and less than twice n", () => {
    for (let n = 1; n < 40_000; n += 1 + (n >> 6)) {
      const m = nextFastLength(n);
      expect(smooth(m) && m >= n && m < 2 * n + 1, `${n} → ${m}`).toBe(true);
    }
  });

  it("keeps powers of two", () => {
    for (let k = 0; k <= 20; k++) expect(nextFastLength(2 ** k)).toBe(2 ** k);
  });

  it.each([0, -1, 1.5, Number.NaN])("rejects %s", (n) => {
    expect(() => nextFastLength(n)).toThrow(expect.objectContaining({ code: "input", fields: expect.objectContaining({ field: "n" }) }));
  });
});
