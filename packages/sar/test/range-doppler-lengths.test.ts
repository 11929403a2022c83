/** Transform lengths of the range-Doppler program: what a range transform without room for guard cells keeps, and lengths that are no powers of two. */

import { createRandom, evaluate, open, type Program, type RadarError } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { chirpSamples } from "@dechirp/radar";
import { expect, test } from "vitest";
import { fusedSarScene, type RangeDopplerParams, rangeDoppler, scenePresets } from "../src/index.ts";

const { radar, processedBandwidthHz } = fusedSarScene(64, 2048);
const params: RangeDopplerParams = { radar, lines: 8, samples: 2048, processedBandwidthHz, precision: "f64" };

function noise(count: number): Float64Array {
  const random = createRandom(5);
  return Float64Array.from({ length: 2 * count }, () => random.gaussian());
}

/** Impulse response of a filter by definition: [n], interleaved. */
function response(filter: Float64Array): Float64Array {
  const n = filter.length / 2;
  const cosines = Float64Array.from({ length: n }, (_, i) => Math.cos((2 * Math.PI * i) / n));
  const sines = Float64Array.from({ length: n }, (_, i) => Math.sin((2 * Math.PI * i) / n));
  const h = new Float64Array(2 * n);
  for (let t = 0; t < n; t++) {
    for (let k = 0; k < n; k++) {
      const [c, s] = [cosines[(t * k) % n], sines[(t * k) % n]];
      h[2 * t] += (filter[2 * k] * c - filter[2 * k + 1] * s) / n;
      h[2 * t + 1] += (filter[2 * k] * s + filter[2 * k + 1] * c) / n;
    }
  }
  return h;
}

test("a short range transform compresses its cells as a padded one does, except for the filters' own far lobes", async () => {
  using device = await open(cpu());
  const { lines, samples } = params;
  const raw = noise(lines * samples);
  const padded = rangeDoppler(params);
  const short = rangeDoppler({ ...params, rangeLength: samples });
  expect(padded.geometry).toMatchObject({ rangeLength: 4096, firstCell: 0, cells: samples - chirpSamples(radar) + 1 });
  const { guard, cells, firstCell } = short.geometry;
  expect(firstCell).toBe(guard[0]);
  const width = guard[0] + cells + guard[1];
  expect(width % 4).toBe(0);
  expect(padded.geometry.cells - width).toBeGreaterThanOrEqual(0);
  expect(padded.geometry.cells - width).toBeLessThan(12);
  expect(short.axes.slantRangeMeters.start).toBeCloseTo(
    padded.axes.slantRangeMeters.start + guard[0] * padded.axes.slantRangeMeters.step,
    6,
  );

  const compressed = async (program: Program): Promise<Float64Array> =>
    (await evaluate({ ...program, outputs: ["compressed"] } as Program, device, { raw }))["compressed"] as Float64Array;
  const [mine, theirs] = [await compressed(short), await compressed(padded)];
  const [h, g] = [short, padded].map((program) => response(program.constants?.["rangeFilter"].data as Float64Array));
  const before = padded.geometry.guard[0];
  const paddedWidth = theirs.length / 2 / lines;
  let elsewhere = 0;
  for (let cell = 0; cell < width; cell += 37) {
    // |Σ (h − g)·x| ≤ ‖h − g‖·‖x‖ over the samples of a line (Cauchy and Schwarz).
    let apart = 0;
    for (let s = 0; s < samples; s++) {
      const i = (cell - s + samples) % samples;
      const k = (cell + before - s + 4096) % 4096;
      apart += (h[2 * i] - g[2 * k]) ** 2 + (h[2 * i + 1] - g[2 * k + 1]) ** 2;
    }
    for (let l = 0; l < lines; l++) {
      const norm = Math.sqrt(raw.subarray(2 * l * samples, 2 * (l + 1) * samples).reduce((sum, v) => sum + v * v, 0));
      const at = 2 * (l * width + cell);
      const distance = (from: number): number => Math.hypot(mine[at] - theirs[from], mine[at + 1] - theirs[from + 1]);
      const same = 2 * (l * paddedWidth + cell + before);
      expect(distance(same)).toBeLessThan(Math.sqrt(apart) * norm + 1e-12 * norm);
      if (distance(same + 2) > Math.sqrt(apart) * norm) elsewhere += 1;
    }
  }
  // The bound tells a cell from the next.
  expect(elsewhere / (lines * Math.ceil(width / 37))).toBeGreaterThan(0.5);
});

test.each([
  [96, 160, "range"],
  [96, 160, "doppler"],
  [45, 77, "range"],
] as const)("lengths need no powers of two: %d lines of %d samples, src %s", async (lines, samples, src) => {
  using device = await open(cpu());
  const scene = fusedSarScene(lines, samples);
  const same = { ...scene, src, azimuthLength: lines };
  const raw = noise(lines * samples);
  const exact = rangeDoppler({ ...same, precision: "f64" });
  expect(exact.geometry).toMatchObject({ rangeLength: samples, azimuthLength: lines });
  expect(exact.geometry.cells).toBeGreaterThan(samples / 2);
  const image = (await evaluate(exact, device, { raw })).image;
  const energy = image.reduce((sum, v) => sum + v * v, 0);
  expect(energy).toBeGreaterThan(0);
  for (const fuse of [true, false]) {
    const single = (await evaluate(rangeDoppler(same), device, { raw: Float32Array.from(raw) }, { fuse })).image;
    const error = single.reduce((sum, v, i) => sum + (v - image[i]) ** 2, 0);
    // Rounding of the input, then every transform at the gate of its length (four or six of up to 2⁸), tables rounded once.
    expect(Math.sqrt(error / energy)).toBeLessThan(0.4 * 2 ** -23 * Math.sqrt((src === "range" ? 4 : 6) * 8) + 5 * 2 ** -23);
  }
});

test("refuses range lengths that make no image", () => {
  for (const rangeLength of [2047, 0, -1, 2048.5, Number.NaN, 2 ** 27, "4096" as unknown as number]) {
    const make = (): unknown => rangeDoppler({ ...params, rangeLength });
    expect(make).toThrowError(
      expect.objectContaining({ code: "input", fields: expect.objectContaining({ field: "rangeLength" }) }) as RadarError,
    );
  }
  // Seven exposed cells are too few to take eight guards from.
  const { radar: wide } = scenePresets.quality;
  const samples = chirpSamples(wide) + 6;
  expect(() => rangeDoppler({ radar: wide, lines: 8, samples, rangeLength: samples })).toThrowError(/rangeLength must be at least/);
  expect(rangeDoppler({ radar: wide, lines: 8, samples, rangeLength: 2 * samples }).geometry.cells).toBe(7);
});

test.each([
  ["lines", { lines: 2 ** 40 }],
  ["lines", { lines: 2 ** 40, azimuthLength: 2 ** 41 }],
  ["samples", { samples: 2 ** 40 }],
  ["azimuthLength", { azimuthLength: 2 ** 31 }],
  ["azimuthLength", { azimuthLength: 7 }],
  ["precision", { precision: "f16" as "f32" }],
  ["lineGain", { lineGain: { length: 2 ** 40 } }],
  ["lineGain", { lineGain: new Float64Array(7) }],
] as const)("refuses %s before it takes memory: %j", (field, change) => {
  const make = (): unknown => rangeDoppler({ ...params, ...change });
  expect(make).toThrowError(expect.objectContaining({ code: "input", fields: expect.objectContaining({ field }) }) as RadarError);
});
