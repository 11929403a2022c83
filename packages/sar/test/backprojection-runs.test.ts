/** Runs of pulses: what they add to an image is what they add to the image of all pulses, and what is refused. */
import { createRandom, type Device, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import type { PhaseHistory } from "@dechirp/radar";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { backproject, createBackprojector } from "../src/backprojection/backprojector.ts";
import { squareGrid } from "./backprojection-scenes.ts";

const names = ["cpu", "gpu"] as const;
const devices = {} as Record<(typeof names)[number], Device>;
beforeAll(async () => {
  devices.cpu = await open(cpu({ workers: 2 }));
  devices.gpu = await open(gpu());
});
afterAll(() => {
  for (const name of names) devices[name][Symbol.dispose]();
});

const [pulses, count] = [40, 64];
const { gaussian } = createRandom(5);
const positions = Float64Array.from({ length: 3 * pulses }, (_, i) => [-4000, 30 * (Math.floor(i / 3) - 20), 3000][i % 3]);
const plain: PhaseHistory = {
  positions,
  referenceRangeMeters: new Float64Array(pulses).fill(5000),
  frequency: { firstHz: 9e9, stepHz: 0.5e6, count },
  samples: Float32Array.from({ length: 2 * pulses * count }, gaussian),
};
const histories: Record<string, PhaseHistory> = {
  "equal pulses": plain,
  "pulses that differ, some bad, with the other sign": {
    ...plain,
    phaseSign: 1,
    badPulses: [3, 14, 25],
    pulseFrequencies: {
      firstHz: Float64Array.from({ length: pulses }, (_, p) => 9e9 + 2e4 * p),
      stepHz: Float64Array.from({ length: pulses }, (_, p) => 0.5e6 - 90 * p),
    },
  },
};
const grid = squareGrid(96, 0.5);

/** The history with zeros for all pulses but those of a run. */
function only(history: PhaseHistory, first: number, some: number): PhaseHistory {
  const samples = new Float32Array(history.samples.length);
  samples.set(history.samples.subarray(2 * first * count, 2 * (first + some) * count), 2 * first * count);
  return { ...history, samples };
}

describe.each(names)("runs of pulses on %s", (name) => {
  it.each(Object.keys(histories))("have the image of all pulses of which the others are zeros: %s", async (what) => {
    const history = histories[what];
    const device = devices[name];
    const options = { tile: 16, pulsesPerBlock: 11 };
    using projector = await createBackprojector(device, history, grid, { ...options, pulses: [11, 15] });
    for (const [i, [first, some]] of (
      [
        [11, 15],
        [0, 11],
        [22, 18],
        [33, 1],
      ] as const
    ).entries()) {
      const { image } = await backproject(device, only(history, first, some), grid, options);
      expect(image.some((value) => value !== 0)).toBe(true);
      if (i > 0) await projector.begin({ pulses: [first, some] });
      let last = { pulses: 0, of: 0 };
      await projector.add(history.samples.subarray(2 * first * count, 2 * (first + some) * count));
      await projector.finish({
        onProgress(now) {
          last = now;
        },
      });
      expect(projector.pulses).toBe(some);
      expect(last).toEqual({ pulses: some, of: some });
      const found = await projector.image();
      for (let k = 0; k < image.length; k++) if (found[k] !== image[k]) expect(found[k], `${first}: ${k}`).toBe(image[k]);
      const { image: alone } = await backproject(device, history, grid, { ...options, pulses: [first, some] });
      expect(Buffer.from(alone.buffer).equals(Buffer.from(found.buffer))).toBe(true);
    }
  });
});

it("refuses runs that are not in the aperture, and more pulses than a run has", async () => {
  const make = (run: unknown) => createBackprojector(devices.cpu, plain, grid, { tile: 16, pulses: run as [number, number] });
  for (const [run, field] of [
    [[-1, 2], "pulses[0]"],
    [[40, 0], "pulses[0]"],
    [[0.5, 2], "pulses[0]"],
    [[30, 11], "pulses[1]"],
    [[0, Number.NaN], "pulses[1]"],
    [[3], "pulses"],
    [7, "pulses"],
    [null, "pulses"],
  ] as const)
    await expect(make(run)).rejects.toMatchObject({ code: "input", fields: { field } });
  using projector = await make([4, 3]);
  await expect(projector.add(plain.samples.subarray(0, 2 * 4 * count))).rejects.toMatchObject({ fields: { field: "samples.length" } });
  await expect(projector.begin({ pulses: [38, 3] })).rejects.toMatchObject({ fields: { field: "pulses[1]" } });
  await projector.add(plain.samples.subarray(2 * 4 * count, 2 * 7 * count));
  expect(projector.pulses).toBe(3);
});
