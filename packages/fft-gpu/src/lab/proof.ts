/**
 * The comparison of a variant with float64 on the device, before the variant is used. Products of matrices are an experimental feature, and
 * drivers differ in what they accept: NVIDIA's (580) computed noise for tiles that were not at multiples of 16 bytes, without a message.
 */
import { createRandom } from "@dechirp/core";
import { lineStages, runStages } from "@dechirp/core/tables";
import type { Unmet, Variant } from "../variants.ts";

/** So many lines are compared. They do not fill workgroups that take a power of two of them. */
const lines = 9;

/** A comparison with float64. Results may have four times the variant's stated error, as few lines are compared. */
export const proofOf =
  (error: Variant["error"]): NonNullable<Variant["prove"]> =>
  async (run, n): Promise<Unmet | undefined> => {
    const { uniform } = createRandom(n);
    const x = Float32Array.from({ length: 2 * n * lines }, () => uniform() - 0.5);
    const results = await run(x, lines);
    const stages = lineStages(n);
    let worst = 0;
    for (let line = 0; line < lines; line++) {
      const [from, to] = [2 * n * line, 2 * n * (line + 1)];
      const expected = runStages(stages, Float64Array.from(x.subarray(from, to)), new Float64Array(2 * n), 1);
      const [wrong, energy] = expected.reduce(([w, e], value, i) => [w + (results[from + i] - value) ** 2, e + value ** 2], [0, 0]);
      worst = Math.max(worst, Number.isNaN(wrong) ? Number.POSITIVE_INFINITY : Math.sqrt(wrong / energy));
    }
    return worst <= 4 * error(n)
      ? undefined
      : { needs: `a driver that compiles it rightly (here the relative error of ${n} points is ${worst.toPrecision(2)})` };
  };
