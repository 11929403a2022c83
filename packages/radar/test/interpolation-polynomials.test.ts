/** Kernels as polynomials: what they are against the kernels' own rows, and where there are none. */
import { describe, expect, it } from "vitest";
import { type InterpolatorSpec, interpolatorPolynomials, interpolatorTable } from "../src/interpolation.ts";

const kernels: readonly (readonly [InterpolatorSpec, number])[] = [
  [{ kind: "sinc", taps: 4, window: "kaiser" }, 1.33],
  [{ kind: "sinc", taps: 8, window: "kaiser" }, 1.07],
  [{ kind: "sinc", taps: 8, window: "kaiser" }, 1.2],
  [{ kind: "sinc", taps: 8, window: "knab" }, 1.35],
  [{ kind: "sinc", taps: 16, window: "kaiser" }, 1.2],
  [{ kind: "sinc", taps: 16, window: "knab" }, 2],
];

describe("kernels as polynomials", () => {
  it.each(kernels)("%o at oversampling %d: every weight within float32's last bit, between rows too", (spec, oversampling) => {
    const polynomials = interpolatorPolynomials(interpolatorTable(spec, { oversampling }));
    // Twice as many rows: half of them were not fitted.
    const { taps, phases, table } = interpolatorTable(spec, { oversampling, phases: 4096 });
    if (!polynomials) throw new Error("there are none");
    let worst = 0;
    for (let q = 0; q <= phases; q++) {
      const v = (2 * q) / phases - 1;
      for (let j = 0; j < taps; j++) {
        const [coefficients, x] = j < taps / 2 ? [polynomials[j], v] : [polynomials[taps - 1 - j], -v];
        const weight = coefficients.reduceRight((sum, c) => sum * x + c, 0);
        worst = Math.max(worst, Math.abs(weight - table[q * taps + j]));
      }
    }
    expect(worst).toBeLessThan(2 ** -25);
    expect(polynomials.length).toBe(taps / 2);
  });

  it("has no polynomial for a step", () => {
    expect(interpolatorPolynomials(interpolatorTable("nearest", { oversampling: 1.2 }))).toBeUndefined();
  });
});
