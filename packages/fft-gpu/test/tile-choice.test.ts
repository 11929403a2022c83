/** Tests the choice of a workgroup of adjacent lines: that it fits, follows what was measured, and transforms correctly. */
import { gate, random, randomArray } from "@dechirp/conformance";
import { type Device, type Fft, layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { largestWindow } from "../src/crowd.ts";
import { gpu } from "../src/index.ts";
import { type LineShape, lineShape } from "../src/shape.ts";
import { shortestChosen, type TileOptions, tileChoice } from "../src/tile-choice.ts";
import { distance, run } from "./real-lines.ts";

const h200 = { workgroupBytes: 49_152, invocations: 1024 };
const limits = { h200, defaults: { workgroupBytes: 16_384, invocations: 256 }, large: { workgroupBytes: 65_536, invocations: 1024 } };
const many: TileOptions = { ...h200, count: 100_000, numberBytes: 4, lineBytes: 0, fewest: 4 };

describe("the choice of a tile", () => {
  it.each(Object.entries(limits))("fits into a workgroup: %s", (_, limit) => {
    let found = 0;
    for (let n = shortestChosen; n <= 4096; n++) {
      for (const [count, lineBytes] of [
        [1, 0],
        [7, 4],
        [1000, 0],
        [100_000, 4],
      ]) {
        const choice = tileChoice(n, { ...many, ...limit, count, lineBytes, fewest: 1 });
        if (!choice) continue;
        found += 1;
        const { stages, threads, lines, windows, groups } = choice;
        expect(stages.reduce((a, b) => a * b, 1)).toBe(n);
        expect(lines).toBeLessThanOrEqual(count);
        expect(threads * lines).toBeLessThanOrEqual(limit.invocations);
        const bytes = lines * (4 * largestWindow(n, windows, stages) + lineBytes);
        expect(bytes * groups).toBeLessThanOrEqual(Math.max(limit.workgroupBytes, 49_152));
        expect(bytes).toBeLessThanOrEqual(limit.workgroupBytes);
      }
    }
    expect(found).toBeGreaterThan(400);
  });

  it("takes 16 lines and two stages where they fit, with the stages that were measured", () => {
    expect(tileChoice(512, many)).toEqual({ lines: 16, stages: [32, 16], threads: 16, windows: 2, groups: 2, full: true });
    expect(tileChoice(500, many)).toMatchObject({ lines: 16, stages: [25, 20], threads: 20, windows: 2 });
    expect(tileChoice(1000, many)).toMatchObject({ lines: 8, stages: [5, 25, 8], threads: 40, windows: 2, groups: 2 });
    expect(tileChoice(64, { ...many, numberBytes: 8 })).toMatchObject({ lines: 32, stages: [8, 8] });
  });

  it("gives each core a workgroup if there are few lines", () => {
    for (const n of [256, 512, 1000, 1080]) {
      expect(tileChoice(n, { ...many, count: 1000 })?.lines, `n = ${n}`).toBe(8);
      expect(tileChoice(n, { ...many, count: 100 })?.lines, `n = ${n}`).toBe(4);
    }
  });

  it("leaves room to spread elements over the banks of memory", () => {
    for (let n = shortestChosen; n <= 2560; n += 32) {
      if (!tileChoice(n, many) || Number.isInteger(Math.log2(n))) continue;
      const shape = lineShape(n, h200, { mapping: "tile", count: 100_000, byCost: true, crowded: true }) as LineShape;
      const words = (largestWindow(n, shape.windows, shape.radices) * shape.lines) / shape.together;
      expect(shape.room, `n = ${n}`).toBeGreaterThanOrEqual(1.02 * words - 1);
    }
  });

  it("keeps the stages of other rules where these have more lines, as on devices with few invocations", () => {
    for (const limit of [limits.defaults, { workgroupBytes: 32_768, invocations: 256 }, h200]) {
      for (let n = shortestChosen; n <= 2560; n++) {
        const options = { mapping: "tile", count: 100_000, crowded: true } as const;
        const [old, shape] = [lineShape(n, limit, options), lineShape(n, limit, { ...options, byCost: true })];
        if (old && shape) expect(shape.lines, `n = ${n}`).toBeGreaterThanOrEqual(Math.min(8, old.lines));
      }
    }
    expect(tileChoice(1080, { ...many, workgroupBytes: 32_768, invocations: 256 })?.lines).toBe(8);
  });

  it("keeps memory for itself only where more workgroups would have too few registers", () => {
    for (const [n, count] of [
      [64, 2048],
      [256, 1024],
      [512, 512],
    ] as const) {
      const shape = lineShape(n, h200, { mapping: "tile", count, byCost: true, crowded: true });
      expect(shape?.leastWords, `${n} × ${count}`).toBeUndefined();
    }
  });

  it("has no choice for other primes, shorter lines and lines that do not fit", () => {
    for (const n of [17 * 16, 63, 4099]) expect(tileChoice(n, many)).toBeUndefined();
    expect(tileChoice(4096, { ...many, workgroupBytes: 16_384, invocations: 256 })).toBeUndefined();
  });
});

describe("columns", () => {
  let devices: readonly Device[];
  let reference: Device;
  beforeAll(async () => {
    // The second one has the limits of every WebGPU device.
    devices = await Promise.all([open(gpu()), open(gpu({ limits: "default" }))]);
    reference = await open(cpu({ workers: 1 }));
  });
  afterAll(() => {
    for (const one of [...devices, reference]) one[Symbol.dispose]();
  });

  it.each<readonly [n: number, outers: number, inners: number, inverse: boolean]>([
    [96, 1, 65, false],
    [216, 3, 17, true],
    [540, 1, 33, false],
    [768, 2, 16, true],
    [972, 1, 19, false],
    [1000, 2, 9, false],
    [1152, 1, 130, true],
    [2304, 1, 11, false],
    [3000, 1, 13, true],
  ])("of %i points, %i × %i of them, inverse: %s", async (n, outers, inners, inverse) => {
    const op: Fft = { op: "fft", layout: layout("c64", [outers, n, inners]), axis: 1, inverse };
    const input = randomArray(op.layout, random(n)) as Float32Array;
    const wanted = await run(reference, op, input);
    for (const device of devices) {
      const got = await run(device, op, input);
      expect(distance(got.out, wanted.out), got.text).toBeLessThan(gate(n, got) + gate(n, wanted));
    }
  });
});
