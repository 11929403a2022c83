/** Half precision between the steps of the range-Doppler program: how far its images are off, that nothing overflows, what it refuses. */

import { createRandom, evaluate, open, type RadarError } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { chirpReplica } from "@dechirp/radar";
import { describe, expect, test } from "vitest";
import { fusedSarScene, type RangeDopplerParams, rangeDoppler } from "../src/index.ts";

const [lines, samples] = [128, 256];
const scene = fusedSarScene(lines, samples);
const sources = ["range", "doppler"] as const;

/** Error of the image with half precision, relative to the image without. */
async function errorOf(params: RangeDopplerParams, raw: Float32Array | Int8Array): Promise<number> {
  using device = await open(cpu());
  const imageOf = async (of: RangeDopplerParams): Promise<Float32Array> =>
    (await evaluate(rangeDoppler(of), device, { raw })).image as Float32Array;
  const [half, single] = [await imageOf({ ...params, storage: "f16" }), await imageOf(params)];
  expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  const energy = single.reduce((sum, v) => sum + v * v, 0);
  expect(energy).toBeGreaterThan(0);
  return Math.sqrt(half.reduce((sum, v, i) => sum + (v - single[i]) ** 2, 0) / energy);
}

/** Numbers of each stored array are wrong by half a unit of 11 bits at most, 2⁻¹¹ of their value, and errors add up at worst. */
const allowed = (src: (typeof sources)[number]): number => (src === "range" ? 2 : 3) * 2 ** -11;

describe.each(sources)("secondary range compression in %s", (src) => {
  test.each([1e-6, 1, 1e6])("rounds noise of deviation %d to 11 bits", async (sigma) => {
    const random = createRandom(3);
    const raw = Float32Array.from({ length: 2 * lines * samples }, () => sigma * random.gaussian());
    const rawPeak = 8 * sigma;
    const error = await errorOf({ ...scene, src, rawPeak }, raw);
    expect(error).toBeLessThan(allowed(src));
    // The result really has half precision: one rounding alone is uniform within ±2⁻¹¹ of the power of two below a value, half of it or
    // more.
    expect(error).toBeGreaterThan(2 ** -12 / Math.sqrt(3));
  });

  test("does not overflow on the strongest echo that the peak allows", async () => {
    // Echoes of a target in every cell cannot all add up; this one does, in every line, after all steps.
    const replica = chirpReplica(scene.radar);
    const raw = new Float32Array(2 * lines * samples);
    for (let l = 0; l < lines; l++) {
      for (let s = 0; s < samples; s++) {
        const i = (s - 100) * 2;
        const inside = i >= 0 && i < replica.length;
        raw[2 * (l * samples + s)] = inside ? replica[i] : 1;
        raw[2 * (l * samples + s) + 1] = inside ? replica[i + 1] : 0;
      }
    }
    expect(await errorOf({ ...scene, src, rawPeak: 1 }, raw)).toBeLessThan(allowed(src));
  });

  test("derives the peak of integer samples from their type", async () => {
    const raw = Int8Array.from({ length: 2 * lines * samples }, (_, i) => (i % 3 === 0 ? -128 : 127));
    const lineGain = Float32Array.from({ length: lines }, (_, i) => (i % 2 === 0 ? 500 : -700));
    expect(await errorOf({ ...scene, src, rawType: "ci8", lineGain }, raw)).toBeLessThan(allowed(src));
  });
});

test("refuses what it can't store", () => {
  const bad: readonly [Partial<RangeDopplerParams>, string][] = [
    [{ storage: "f8" as "f16" }, "storage"],
    [{ storage: "f16" }, "rawPeak"],
    [{ storage: "f16", rawPeak: 0 }, "rawPeak"],
    [{ storage: "f16", rawPeak: Number.NaN }, "rawPeak"],
    [{ storage: "f16", rawPeak: 1e300 }, "rawPeak"],
    [{ storage: "f16", rawPeak: 1, precision: "f64" }, "storage"],
  ];
  for (const [change, field] of bad) {
    expect(() => rangeDoppler({ ...scene, ...change })).toThrowError(
      expect.objectContaining({ code: "input", fields: expect.objectContaining({ field }) }) as RadarError,
    );
  }
});
