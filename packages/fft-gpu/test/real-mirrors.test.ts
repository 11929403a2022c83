/**
 * Tests real lines of one pass in the shapes in which an invocation holds mirror images together, and in the neighbouring ones that exchange them,
 * against the CPU backend: rows and columns, numbers of lines that leave workgroups partly empty, padded and kept in part.
 */
import { gate, random, randomArray } from "@dechirp/conformance";
import { type Device, layout, open, portsOf, type RealFft } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gpu } from "../src/index.ts";
import { distance, run } from "./real-lines.ts";

describe("real lines in one pass", () => {
  let reference: Device;
  beforeAll(async () => {
    reference = await open(cpu({ workers: 1 }));
  });
  afterAll(() => reference[Symbol.dispose]());

  /** Half of the length, invocations of a line, and radices of its stages. */
  const shapes: readonly (readonly [half: number, threads: number, radices: readonly number[]])[] = [
    [64, 4, [8, 8]],
    [64, 8, [4, 4, 4]],
    [512, 64, [8, 16, 4]],
    [512, 64, [4, 8, 16]],
    [360, 30, [6, 10, 6]],
    [225, 15, [15, 15]],
  ];
  it.each(shapes)("half of %d, %d invocations, radices %j", async (half, threads, radices) => {
    using device = await open(gpu({ planning: { prefer: { threads: { [half]: threads }, radices: { [half]: radices } } } }));
    const n = 2 * half;
    const spectrum = half + 1;
    const ops: readonly RealFft[] = [
      { op: "real-fft", layout: layout("f32", [5, n]), axis: 1, inverse: false },
      { op: "real-fft", layout: layout("f32", [5, n - 3]), axis: 1, n, inverse: false, keep: [1, half - 1] },
      { op: "real-fft", layout: layout("c64", [5, spectrum]), axis: 1, inverse: true },
      { op: "real-fft", layout: layout("c64", [3, spectrum - 7]), axis: 1, n, inverse: true, keep: [3, half] },
      { op: "real-fft", layout: layout("f32", [n, 11]), axis: 0, inverse: false },
      { op: "real-fft", layout: layout("c64", [2, spectrum, 5]), axis: 1, inverse: true },
    ];
    for (const [i, op] of ops.entries()) {
      const input = randomArray(portsOf(op)["in"]!.layout, random(half + i)) as Float32Array;
      const [wanted, got] = [await run(reference, op, input), await run(device, op, input)];
      expect(got.text).toContain(`half-length one-pass radix=${radices.join("·")} threads=${threads} `);
      expect(distance(got.out, wanted.out), `${JSON.stringify(op)} ${got.text}`).toBeLessThan(gate(n, got) + gate(n, wanted));
    }
  });

  it.each([588, 686, 720, 1176])("%d points by the planner, there and back", async (n) => {
    using device = await open(gpu());
    const ops: readonly RealFft[] = [
      { op: "real-fft", layout: layout("f32", [11, n]), axis: 1, inverse: false },
      { op: "real-fft", layout: layout("c64", [70, n / 2 + 1]), axis: 1, inverse: true },
      { op: "real-fft", layout: layout("c64", [n / 2 + 1, 9]), axis: 0, inverse: true },
    ];
    for (const op of ops) {
      const input = randomArray(portsOf(op)["in"]!.layout, random(n)) as Float32Array;
      const [wanted, got] = [await run(reference, op, input), await run(device, op, input)];
      expect(distance(got.out, wanted.out), got.text).toBeLessThan(gate(n, got) + gate(n, wanted));
    }
  });

  it.each([
    [1024, false, "8·8·8 threads=64 lines=1 exchange=split)"],
    [1024, true, "8·8·8 threads=32 lines=1 exchange=split mirrored)"],
    [2048, false, "8·16·8 threads=64 lines=1 exchange=split mirrored)"],
    [2048, true, "8·8·16 threads=64 lines=1 exchange=split mirrored)"],
    [4096, false, "16·16·8 threads=128 lines=1 exchange=split mirrored)"],
    [16_384, true, "16·16·32 threads=256 lines=1 exchange=split/2 mirrored)"],
  ])("the planner's stages of %d, inverse %s, are %s", async (n, inverse, shape) => {
    using device = await open(gpu());
    const of = inverse ? layout("c64", [1, n / 2 + 1]) : layout("f32", [1, n]);
    using plan = await device.plan({ op: "real-fft", layout: of as RealFft["layout"], axis: 1, inverse });
    expect(plan.text).toContain(`radix=${shape}`);
  });
});
