/** Images in blocks against images made as a whole: rows, columns, sub-swaths, gains, and the memory that plans promise. */
import { createRandom, evaluate, open, RadarError } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import type { StripmapRadar } from "@dechirp/radar";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BlockOptions, imageGeometry, planBlocks, type RangeDopplerParams, rangeDoppler, scenePresets } from "../src/index.ts";
import { imageInBlocks } from "./blocks-image.ts";

const { radar } = scenePresets.default;
const base: RangeDopplerParams = { radar, lines: 1100, samples: 640, processedBandwidthHz: 110 };
let device: Awaited<ReturnType<typeof open>>;
beforeAll(async () => {
  device = await open(cpu());
});
afterAll(() => device[Symbol.dispose]());

function noise(params: RangeDopplerParams, type: "c64" | "ci8"): Float32Array | Int8Array {
  const { uniform } = createRandom(params.lines);
  const count = 2 * params.lines * params.samples;
  return type === "c64"
    ? Float32Array.from({ length: count }, () => uniform() - 0.5)
    : Int8Array.from({ length: count }, () => 200 * uniform() - 100);
}

/** Decibels of the difference over the whole image's power: of all rows, and by row relative to the mean row. */
async function difference(params: RangeDopplerParams, options: Partial<BlockOptions>) {
  const raw = noise(params, params.rawType === "ci8" ? "ci8" : "c64");
  const whole = imageGeometry({ rcmc: { kind: "sinc", taps: 8, window: "kaiser" }, ...params });
  const plan = planBlocks(params, whole, { memoryBytes: 2 ** 31, ...options });
  const { image: expected } = await evaluate(rangeDoppler(params), device, { raw });
  const image = await imageInBlocks(device, params, whole, plan, raw);
  const [errors, powers] = [new Float64Array(whole.rows), new Float64Array(whole.rows)];
  const middle = Math.floor(whole.cells / 2);
  for (let i = 0; i < image.length; i++) {
    // Sub-swaths have range filters of another length, whose responses differ at both ends of the swath.
    if (plan.swaths.length > 1 && Math.abs((Math.floor(i / 2) % whole.cells) - middle) > whole.cells / 4) continue;
    const row = Math.floor(i / 2 / whole.cells);
    errors[row] += (image[i] - expected[i]) ** 2;
    powers[row] += expected[i] ** 2;
  }
  const sum = (values: Float64Array): number => values.reduce((a, b) => a + b, 0);
  const decibels = 10 * Math.log10(sum(errors) / sum(powers));
  return { plan, whole, decibels, rows: Array.from(errors, (error) => 10 * Math.log10((error * whole.rows) / sum(powers))) };
}

describe("blocks", () => {
  it.each([
    ["a narrow band", {}],
    ["only full rows", { rows: "full" }],
    ["a squinted radar", { radar: { ...radar, dopplerCentroidHz: 400 } as StripmapRadar }],
    ["secondary range compression by Doppler", { src: "doppler" }],
    ["no migration correction", { rcmc: "off" }],
    ["integers", { rawType: "ci8" }],
    ["integers with gains", { rawType: "ci8", lineGain: Float32Array.from({ length: 1100 }, (_, i) => 1 + (i % 7)) }],
  ] as const)("make the image of %s", async (_, more) => {
    const { plan, decibels, rows } = await difference({ ...base, ...more }, { mostLines: 640 });
    expect(plan.blocks.length).toBeGreaterThan(2);
    expect(decibels).toBeLessThan(-85);
    expect(Math.max(...rows)).toBeLessThan(-75);
  });

  it("differ more if the margin is smaller, and by the tails of the response if the band is the whole PRF", async () => {
    const whole = imageGeometry(base);
    const errors: number[] = [];
    for (const marginRows of [0, Math.round(whole.fadingRows / 4), Math.round(whole.fadingRows / 2), whole.fadingRows])
      errors.push((await difference(base, { mostLines: 720, marginRows })).decibels);
    for (const [i, error] of errors.slice(1).entries()) expect(error).toBeLessThan(errors[i] - 1);
    expect(errors[3]).toBeLessThan(-85);
    const { processedBandwidthHz: _, ...full } = base;
    expect((await difference(full, { mostLines: 720 })).decibels).toBeLessThan(-28);
  });

  it("divide the swath if the memory is too small, and keep the columns", async () => {
    const { plan, decibels } = await difference({ ...base, samples: 2400, lines: 700 }, { memoryBytes: 24e6 });
    expect(plan.swaths.length).toBeGreaterThan(1);
    expect(plan.swaths.flatMap(({ columns: [first, count] }) => [first, first + count]).slice(1, -1)).toEqual(
      plan.swaths.slice(1).flatMap(({ columns: [first] }) => [first, first]),
    );
    expect(decibels).toBeLessThan(-25);
  });

  it("cover the image once, for any memory", () => {
    const { integer } = { integer: createRandom(5).uniform };
    for (let i = 0; i < 40; i++) {
      const params: RangeDopplerParams = {
        ...base,
        lines: 500 + Math.floor(60_000 * integer()),
        samples: 600 + Math.floor(4000 * integer()),
      };
      const whole = imageGeometry(params);
      const memoryBytes = 2 ** (25 + 6 * integer());
      const plan = planBlocks(params, whole, { memoryBytes });
      expect(plan.bytes).toBeLessThanOrEqual(memoryBytes);
      let area = 0;
      for (const { window, from, firstLine } of plan.blocks) {
        area += window.rows * window.columns;
        expect(window.row + window.rows).toBeLessThanOrEqual(whole.rows);
        expect(window.column + window.columns).toBeLessThanOrEqual(whole.cells);
        expect(from[0] + window.rows).toBeLessThanOrEqual(plan.lines);
        expect(firstLine).toBe(plan.blocks[0].firstLine + window.row);
      }
      expect(area).toBe(whole.rows * whole.cells);
      const count = plan.swaths.length;
      expect(plan.blocks.slice(0, count).map(({ window }) => window.row)).toEqual(new Array(count).fill(0));
    }
  });

  it("are refused by name if nothing fits", () => {
    const whole = imageGeometry(base);
    const refusal = (options: BlockOptions): unknown => {
      try {
        planBlocks(base, whole, options);
      } catch (error) {
        return error instanceof RadarError ? [error.code, error.fields["field"]] : error;
      }
      return undefined;
    };
    expect(refusal({ memoryBytes: 1e5 })).toEqual(["input", "memoryBytes"]);
    expect(refusal({ memoryBytes: Number.NaN })).toEqual(["input", "memoryBytes"]);
    expect(refusal({ memoryBytes: 2 ** 31, mostLines: 100 })).toEqual(["input", "mostLines"]);
    expect(refusal({ memoryBytes: 2 ** 31, mostLines: 0 })).toEqual(["input", "mostLines"]);
    expect(refusal({ memoryBytes: 2 ** 31, marginRows: -1 })).toEqual(["input", "marginRows"]);
  });
});
