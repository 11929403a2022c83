/** Interpolators: what tables of taps must be, and that predicted errors are those measured on tones. */
import { createRandom } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import {
  defaultPhases,
  type InterpolatorSpec,
  interpolationErrorDb,
  interpolatorBeta,
  interpolatorTable,
  knabBeta,
} from "../src/interpolation.ts";

const sinc = (taps: number, window: "kaiser" | "knab", beta?: number): InterpolatorSpec =>
  beta === undefined ? { kind: "sinc", taps, window } : { kind: "sinc", taps, window, beta };

/** Error power of blending two rows, relative to the signal, for white signals over the full sampling rate. */
const blendErrorDb = (phases: number): number => 10 * Math.log10(Math.PI ** 4 / 600 / phases ** 4);

/** Signal over error power of a table used as documented, on random tones in the band at random positions. */
function measure(spec: InterpolatorSpec, oversampling: number, phases: number, trials: number): number {
  const { taps, table } = interpolatorTable(spec, { oversampling, phases });
  const random = createRandom(7);
  let error = 0;
  for (let trial = 0; trial < trials; trial++) {
    const f = (random.uniform() - 0.5) / oversampling;
    const x = 1000 * random.uniform();
    const mu = x - Math.floor(x);
    const q = Math.floor(mu * phases);
    const blend = mu * phases - q;
    let re = 0;
    let im = 0;
    for (let j = 0; j < taps; j++) {
      const weight = table[q * taps + j] * (1 - blend) + table[(q + 1) * taps + j] * blend;
      const angle = 2 * Math.PI * f * (Math.floor(x) - taps / 2 + 1 + j - x);
      re += weight * Math.cos(angle);
      im += weight * Math.sin(angle);
    }
    error += (re - 1) ** 2 + im ** 2;
  }
  return -10 * Math.log10(error / trials);
}

describe("interpolation", () => {
  it("rows are delays: identity at both ends, unit sum, mirror images", () => {
    for (const spec of ["nearest", sinc(8, "kaiser"), sinc(16, "knab"), sinc(2, "kaiser", 2.5)] as InterpolatorSpec[]) {
      const { taps, phases, table } = interpolatorTable(spec, { oversampling: 1.2, phases: 63 });
      expect(table.length).toBe((phases + 1) * taps);
      for (let q = 0; q <= phases; q++) {
        const row = [...table.subarray(q * taps, (q + 1) * taps)];
        expect(Math.abs(row.reduce((a, b) => a + b) - 1)).toBeLessThan(1e-14);
        const mirror = [...table.subarray((phases - q) * taps, (phases - q + 1) * taps)].reverse();
        row.forEach((value, j) => expect(Math.abs(value - mirror[j])).toBeLessThan(1e-14));
      }
      expect(table[taps / 2 - 1]).toBeCloseTo(1, 14);
      expect(table[phases * taps + taps / 2]).toBeCloseTo(1, 14);
    }
  });

  // Reference values of the same experiment with finite random signals, whose band edges are less filled: within 0.5 dB.
  it.each([
    [1.07, 6.5, 14.7, 20.6, 31.0],
    [1.2, 7.4, 19.2, 30.9, 37.7],
    [1.33, 8.3, 23.3, 32.1, 38.5],
    [2.0, 11.7, 27.9, 33.9, 39.4],
  ])("agrees with the reference errors at oversampling %f", (oversampling, nearest, four, eight, sixteen) => {
    expect(Math.abs(interpolationErrorDb("nearest", oversampling) - nearest)).toBeLessThan(0.5);
    expect(Math.abs(interpolationErrorDb(sinc(4, "kaiser", 2.5), oversampling) - four)).toBeLessThan(0.5);
    expect(Math.abs(interpolationErrorDb(sinc(8, "kaiser", 2.5), oversampling) - eight)).toBeLessThan(0.5);
    expect(Math.abs(interpolationErrorDb(sinc(16, "kaiser", 2.5), oversampling) - sixteen)).toBeLessThan(0.5);
  });

  it("predicts the error measured on random tones", () => {
    // Per-tone errors are at most about 30 times their mean (they peak at the band edge): the mean over 40,000 tones is
    // good to √30/200 = 3 %, five times which is 0.6 dB.
    for (const [spec, oversampling] of [
      [sinc(8, "knab"), 1.2],
      [sinc(8, "kaiser"), 1.33],
      [sinc(16, "kaiser"), 1.2],
      [sinc(4, "kaiser", 2.5), 2],
    ] as const) {
      expect(Math.abs(measure(spec, oversampling, defaultPhases, 40_000) - interpolationErrorDb(spec, oversampling))).toBeLessThan(0.6);
    }
  });

  it("blending rows errs as predicted", () => {
    // 32 taps at oversampling 2 err by less than −150 dB: blending is all that is left. Tones up to a quarter of the rate
    // bend 2⁴ times less in power. Squared errors scatter by 1.7 times their mean: 5·1.7/√40,000 = 4.3 %, or 0.19 dB.
    const measured = -measure(sinc(32, "kaiser"), 2, 128, 40_000);
    expect(Math.abs(measured - (blendErrorDb(128) - 40 * Math.log10(2)))).toBeLessThan(0.19);
    expect(blendErrorDb(defaultPhases)).toBeLessThan(-20 * Math.log10(2 ** 23));
  });

  it("chooses its parameter from the oversampling", () => {
    expect(interpolatorBeta(sinc(8, "knab"), 1.25)).toBeCloseTo(4 * Math.PI * 0.2, 12);
    for (const oversampling of [1.07, 1.2, 1.33, 2]) {
      for (const taps of [4, 8, 16]) {
        const best = interpolationErrorDb(sinc(taps, "kaiser"), oversampling);
        const beta = interpolatorBeta(sinc(taps, "kaiser"), oversampling);
        for (const other of [2.5, knabBeta(taps, oversampling), beta + 0.2, Math.max(0, beta - 0.2)]) {
          expect(best).toBeGreaterThanOrEqual(interpolationErrorDb(sinc(taps, "kaiser", other), oversampling) - 1e-6);
        }
      }
    }
  });

  it("refuses bad specs by field", () => {
    const at = { oversampling: 1.2 };
    expect(() => interpolatorTable(sinc(7, "kaiser"), at)).toThrow(/interpolator\.taps/);
    expect(() => interpolatorTable(sinc(34, "kaiser"), at)).toThrow(/interpolator\.taps/);
    expect(() => interpolatorTable(sinc(8, "hann" as "knab"), at)).toThrow(/interpolator\.window/);
    expect(() => interpolatorTable(sinc(8, "kaiser", -1), at)).toThrow(/interpolator\.beta/);
    expect(() => interpolatorTable("linear" as "nearest", at)).toThrow(/interpolator/);
    expect(() => interpolatorTable("nearest", { oversampling: 0.9 })).toThrow(/oversampling/);
    expect(() => interpolatorTable("nearest", { oversampling: 1.2, phases: 1e9 })).toThrow(/phases/);
  });
});
