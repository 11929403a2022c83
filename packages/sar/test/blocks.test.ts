import { evaluate, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { expect, it } from "vitest";
import {
  createConvolver,
  imageGeometry,
  planBlocks,
  type RangeDopplerParams,
  rangeDoppler,
  scenePresets,
  simulateStripmap,
} from "../src/index.ts";
import { imageInBlocks } from "./blocks-image.ts";

it("tabulates", async () => {
  using device = await open(cpu());
  for (const [name, bw] of [
    ["default", 110],
    ["default", undefined],
    ["quality", 175],
  ] as const) {
    const preset = scenePresets[name];
    const params: RangeDopplerParams = {
      radar: preset.radar,
      lines: 3000,
      samples: 1200,
      rcmc: { kind: "sinc", taps: 8, window: "kaiser" },
      ...(bw && { processedBandwidthHz: bw }),
    };
    const { raw: r } = await simulateStripmap(
      {
        ...preset,
        lines: params.lines,
        samples: params.samples,
        targets: [],
        background: { levelDb: -25, density: 1, texture: "terrain" },
        dtype: "c64",
      } as never,
      { convolve: createConvolver(device).convolve },
    );
    const raw = r as Float32Array;
    const whole = imageGeometry(params);
    const program = rangeDoppler(params);
    const { image: expected } = await evaluate(program, device, { raw });
    console.log(
      name,
      bw,
      "rows",
      whole.rows,
      "cells",
      whole.cells,
      "full",
      whole.exposure.fullRows,
      "N",
      whole.azimuthLength,
      "margin",
      whole.fadingRows,
    );
    for (const marginRows of [16, 32, 64, 128, whole.fadingRows]) {
      const plan = planBlocks(params, whole, { memoryBytes: 2 ** 31, marginRows, mostLines: 1600 });
      const image = await imageInBlocks(device, params, whole, plan, raw);
      let [e, p] = [0, 0];
      const rows = new Float64Array(whole.rows);
      for (let i = 0; i < image.length; i++) {
        const d = (image[i] - expected[i]) ** 2;
        e += d;
        p += expected[i] ** 2;
        rows[Math.floor(i / 2 / whole.cells)] += d;
      }
      const seam = plan.step;
      const db = (x: number) => (10 * Math.log10(x / (p / whole.rows))).toFixed(1);
      console.log(
        marginRows,
        "blocks",
        plan.blocks.length,
        "N",
        plan.lines,
        "step",
        plan.step,
        "swaths",
        plan.swaths.length,
        plan.src,
        "rms dB",
        (10 * Math.log10(e / p)).toFixed(1),
        "rows at seam",
        [-2, -1, 0, 1].map((d) => db(rows[seam + d])).join(" "),
        "middle",
        db(rows[seam + Math.floor(seam / 2)]),
        "work",
        plan.work.toFixed(2),
      );
    }
  }
  expect(1).toBe(1);
});
