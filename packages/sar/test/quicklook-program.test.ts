/** The quicklook that a device makes, against what its definition says of the image, on every kind of device. */

import { random, randomArray } from "@dechirp/conformance";
import { evaluate, layout, open, type Program } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import { chirpSamples } from "@dechirp/radar";
import { describe, expect, it, test } from "vitest";
import { multilook, rangeDoppler, scenePresets, withQuicklook } from "../src/index.ts";

const { radar, processedBandwidthHz } = scenePresets.quality;
const [lines, samples] = [96, chirpSamples(radar) + 128];
const program = rangeDoppler({ radar, lines, samples, processedBandwidthHz, rawType: "ci8" });
const raw = randomArray(layout("ci8", [lines, samples]), random(3)) as Int8Array;

describe.each(["cpu", "gpu"] as const)("a quicklook on the %s", (name) => {
  it("is the mean power of cells in decibels over that of all", async () => {
    using device = await open(name === "cpu" ? cpu() : gpu());
    const looks = { azimuthLooks: 3, rangeLooks: 2 };
    const [rows, columns] = [Math.floor(program.geometry.rows / 3), Math.floor(program.geometry.cells / 2)];
    const made = withQuicklook(program, looks, { whiteDb: 9, dynamicRangeDb: 30 });
    expect([made.rows, made.columns]).toEqual([rows, columns]);
    const { quicklook } = await evaluate(made, device, { raw });
    const { image } = await evaluate(program, device, { raw });
    const { data } = multilook(image, program.geometry.rows, program.geometry.cells, looks);
    const mean = data.reduce((sum, value) => sum + value, 0) / data.length;
    const wanted = Array.from(data, (value) => Math.min(255, Math.max(0, (10 * Math.log10(value / mean) + 21) * 8.5)));
    expect(quicklook.length).toBe(wanted.length);
    // A level that is nearly half way may round the other way.
    expect(Math.max(...wanted.map((level, i) => Math.abs(quicklook[i] - level)))).toBeLessThan(0.501);
    expect(new Set(quicklook).size).toBeGreaterThan(50);
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });

  it("makes cells that are not finite black or white, and leaves the others unchanged", async () => {
    using device = await open(name === "cpu" ? cpu() : gpu());
    const made = withQuicklook(program, { azimuthLooks: 1, rangeLooks: 1 });
    const { rows: lines, cells } = program.geometry;
    // Everything after the power of the image, from given powers.
    const from = made.steps.findIndex(({ bind }) => bind["out"] === "power") + 1;
    const inputs = { power: layout("f32", [lines, cells]) };
    const { outputTypes: _, ...same } = made;
    const picture: Program = { ...same, inputs, constants: {}, steps: made.steps.slice(from) };
    const power = Float32Array.from({ length: lines * cells }, (_, i) => 1 + (i % 97));
    const bad = new Map([7, 4000, 9000].flatMap((at) => [[at, Number.NaN] as const, [at + 1, Number.POSITIVE_INFINITY] as const]));
    for (const [at, value] of bad) power[at] = value;
    const finite = power.filter((value) => Number.isFinite(value));
    const meanDb = 10 * Math.log10(finite.reduce((sum, value) => sum + value, 0) / power.length);
    const { quicklook } = await evaluate(picture, device, { power });
    power.forEach((value, at) => {
      if (bad.has(at)) expect(quicklook[at]).toBe(Number.isNaN(value) ? 0 : 255);
      // 12 dB above the mean is white, 50 dB below that black.
      else expect(Math.abs(quicklook[at] - Math.min(255, (10 * Math.log10(value) - meanDb + 38) * 5.1))).toBeLessThan(0.501);
    });
  });
});

test.each([
  ["azimuthLooks", { azimuthLooks: 0, rangeLooks: 1 }, {}],
  ["rangeLooks", { azimuthLooks: 1, rangeLooks: 1e6 }, {}],
  ["whiteDb", { azimuthLooks: 1, rangeLooks: 1 }, { whiteDb: Number.NaN }],
  ["dynamicRangeDb", { azimuthLooks: 1, rangeLooks: 1 }, { dynamicRangeDb: 0 }],
])("refuses a bad %s", (field, looks, options) => {
  expect(() => withQuicklook(program, looks, options)).toThrow(
    expect.objectContaining({ code: "input", fields: expect.objectContaining({ field }) }),
  );
});
