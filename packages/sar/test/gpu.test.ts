/** The range-Doppler program on the GPU against the CPU, after every stage; and that its hooks are part of the transforms there. */
import { compare, type Device, evaluate, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RangeDopplerParams, rangeDoppler, scenePresets, simulateStripmap, withDetection } from "../src/index.ts";

const preset = scenePresets.quality;
let devices: readonly [Device, Device];
let raw: Float32Array;

beforeAll(async () => {
  devices = [await open(gpu()), await open(cpu())];
  raw = (await simulateStripmap(preset)).raw as Float32Array;
}, 600_000);

afterAll(() => {
  for (const device of devices) device[Symbol.dispose]();
});

const params: RangeDopplerParams = {
  radar: preset.radar,
  lines: preset.lines,
  samples: preset.samples,
  processedBandwidthHz: preset.processedBandwidthHz,
};

describe("range-Doppler on the GPU", () => {
  test.each(["range", "doppler"] as const)("agrees with the CPU after every stage, src %s", { timeout: 600_000 }, async (src) => {
    const program = rangeDoppler({ ...params, src });
    const { first, stages } = await compare(program, devices[0], devices[1], { raw });
    expect(first).toBeUndefined();
    expect(stages.length).toBe(program.steps.length);
    for (const device of devices) expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });

  test("detects to magnitudes and grey levels as the CPU does", { timeout: 600_000 }, async () => {
    for (const kind of ["magnitude", "decibel"] as const) {
      const program = withDetection(rangeDoppler(params), kind);
      const uniforms = kind === "decibel" ? { lowDb: -60, highDb: 0 } : {};
      const [mine, theirs] = [
        await evaluate(program, devices[0], { raw }, { uniforms }),
        await evaluate(program, devices[1], { raw }, { uniforms }),
      ];
      let worst = 0;
      let largest = 0;
      (mine["image"] as Float32Array).forEach((value, i) => {
        worst = Math.max(worst, Math.abs(value - theirs["image"][i]));
        largest = Math.max(largest, theirs["image"][i]);
      });
      // Grey levels may round the other way, and far below −60 dB nothing is left of the bits: those are 0 on both.
      expect(worst).toBeLessThanOrEqual(kind === "decibel" ? 1 : largest * 2 ** -18);
    }
  });

  test("fuses every hook into its transform", async () => {
    for (const step of rangeDoppler(params).steps) {
      using plan = await devices[0].plan(step.op);
      expect(plan.text).toMatch(/^\([a-z-]+\/gpu /);
      expect(plan.text).not.toMatch(/host|lowered/);
    }
  });
});
