/** How reductions are divided: at most two passes, every element once, and no path of additions longer than core promises. */
import { expect, it } from "vitest";
import { divide, tuning } from "../src/wgsl/reduce.ts";

const counts = [1, 2, 3, 7, 8, 31, 100, 1000, 4096, 5003, 2 ** 16, 2 ** 20, 10 ** 7, 2 ** 25, 2 ** 28, 2 ** 30];

it("adds along paths that are bounded by the logarithm, in two passes", () => {
  for (const rows of [true, false]) {
    for (const width of [1, 2, 4] as const) {
      for (const arrays of [1, 2]) {
        for (const count of counts) {
          for (const outputs of counts) {
            // A device's arrays have at most 2³¹ elements.
            if (count * outputs > 2 ** 31 || (rows ? count : outputs) % width > 0) continue;
            const pass = { rows, width, count, outputs, loads: Array(arrays).fill(() => "") };
            const first = divide(pass, false);
            const second = divide({ rows, width: 1, count: first.chunks, outputs, loads: [() => ""] }, true);
            const what = `${rows ? "rows" : "columns"} of ${count} in ${outputs} results by ${width}: ${JSON.stringify([first, second])}`;
            const units = rows ? count / width : count;
            expect(first.chunks * first.length, what).toBeGreaterThanOrEqual(units);
            expect((first.chunks - 1) * first.length, what).toBeLessThan(units);
            expect(second.chunks, what).toBe(1);
            expect(first.lanes * first.across, what).toBe(tuning.invocations);
            // 24 − 5: a product's own roundings, and that of the result.
            const depth = first.depth + (first.chunks > 1 ? second.depth : 0);
            expect(depth, what).toBeLessThanOrEqual(2 * Math.log2(count) + 19);
          }
        }
      }
    }
  }
});
