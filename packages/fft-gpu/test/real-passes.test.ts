/**
 * Tests real lines that take several passes over memory as complex lines of half the length: rows and columns, padded, kept in part, in blocks,
 * in segments, with hooks, and lengths whose lines have no pairs, against the CPU backend.
 */
import { correct, gate, random, randomArray } from "@dechirp/conformance";
import { type Device, layout, open, portsOf, type RealFft } from "@dechirp/core";
import { load, times, toReal, type Value } from "@dechirp/core/expression";
import { cpu } from "@dechirp/fft-cpu";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gpu } from "../src/index.ts";
import { distance, run } from "./real-lines.ts";

const forward = (shape: number[], axis: number, more: Partial<RealFft> = {}): RealFft => ({
  op: "real-fft",
  layout: layout("f32", shape),
  axis,
  inverse: false,
  ...more,
});
const inverse = (shape: number[], axis: number, more: Partial<RealFft> = {}): RealFft => ({
  op: "real-fft",
  layout: layout("c64", shape),
  axis,
  inverse: true,
  ...more,
});

describe("real lines in several passes", () => {
  // With these options short lines are treated as long ones, and compile fast.
  const planning = { longestPass: 32, longestFactor: 32 };
  let devices: Readonly<Record<string, Device>>;
  let reference: Device;
  beforeAll(async () => {
    devices = {
      "": await open(gpu({ planning })),
      // Two or three segments per array: no more in all than the eight bindings that every WebGPU device has.
      "in segments": await open(gpu({ planning, maxBindingBytes: 8192 })),
      "in blocks of lines": await open(gpu({ planning: { ...planning, cacheBytes: 4096 } })),
      "in narrow tiles": await open(gpu({ planning: { ...planning, prefer: { tile: 2, fewestTile: 2 } } })),
    };
    reference = await open(cpu({ workers: 1 }));
  });
  afterAll(() => {
    for (const one of [...Object.values(devices), reference]) one[Symbol.dispose]();
  });

  const weighted = (shape: number[]) => {
    const of = layout("f32", shape);
    return load({ name: "weighted", layout: of, sources: { x: of } }, ({ at, x }) => times(x(at) as Value<"real">, toReal(at[1]!)));
  };
  const half = "half-length ";
  const cases: readonly (readonly [name: string, op: RealFft, how: string])[] = [
    ["one line of 1024", forward([1, 1024], 1), `${half}2-pass`],
    ["three lines of 1024", forward([3, 1024], 1), `${half}2-pass`],
    ["lines of 960, 32·15·2", forward([2, 960], 1), `${half}2-pass`],
    ["lines of 4000, three passes", forward([2, 4000], 1), `${half}3-pass`],
    ["lines of 8192, three passes", forward([1, 8192], 1), `${half}3-pass`],
    ["lines of 450: 15 columns have no pairs", forward([2, 450], 1), "n=450 2-pass"],
    ["lines of an odd length", forward([2, 625], 1), "n=625 2-pass"],
    ["fourteen columns", forward([1024, 14], 0), `${half}2-pass`],
    ["five columns in two parts", forward([2, 512, 5], 1), `${half}2-pass`],
    ["padded from 700", forward([3, 700], 1, { n: 1024 }), `${half}2-pass`],
    ["padded from 701", forward([3, 701], 1, { n: 1024 }), `${half}2-pass`],
    ["cropped", forward([3, 1025], 1, { n: 512 }), `${half}2-pass`],
    ["kept in part", forward([3, 1024], 1, { keep: [100, 300] }), `${half}2-pass`],
    ["with the bin of half the rate alone", forward([3, 1024], 1, { keep: [512, 1] }), `${half}2-pass`],
    ["one line back", inverse([1, 513], 1), `${half}2-pass`],
    ["three lines back", inverse([3, 513], 1), `${half}2-pass`],
    ["three passes back", inverse([2, 2001], 1), `${half}3-pass`],
    ["columns back", inverse([2, 513, 6], 1), `${half}2-pass`],
    ["back from fewer bins", inverse([3, 200], 1, { n: 1024 }), `${half}2-pass`],
    ["back, kept in part", inverse([3, 513], 1, { keep: [101, 333] }), `${half}2-pass`],
    ["back, whole pairs kept", inverse([3, 513], 1, { keep: [100, 332] }), `${half}2-pass`],
    ["back to an odd length", inverse([3, 313], 1, { n: 625 }), "n=625 2-pass"],
    ["with a hook", forward([3, 1024], 1, { load: weighted([3, 1024]) }), `${half}2-pass`],
  ];
  for (const [name, op, how] of cases) {
    it(name, async () => {
      const first = Object.entries(portsOf(op)).find(([port]) => port !== "out")![1];
      const input = randomArray(first.layout, random(name.length)) as Float32Array;
      const wanted = await run(reference, op, input);
      const n = op.n ?? (op.inverse ? 2 * (op.layout.shape[op.axis]! - 1) : op.layout.shape[op.axis]!);
      for (const [which, device] of Object.entries(devices)) {
        const got = await run(device, op, input);
        if (which === "") expect(got.text).toContain(how);
        expect(distance(got.out, wanted.out), `${which}: ${got.text}`).toBeLessThan(gate(n, got) + gate(n, wanted));
      }
    });
  }

  it.each([
    ["rows", forward([3, 1024], 1)],
    ["rows of three passes", forward([2, 8000], 1)],
    ["columns back", inverse([2, 481, 7], 1)],
  ])("%s have the stated SQNR with half precision between passes", async (_, op) => {
    using device = await open(gpu({ scratch: "f16", planning }));
    const input = randomArray(portsOf(op)["in"]!.layout, random(3)) as Float32Array;
    const [got, wanted] = [await run(device, op, input), await run(reference, op, input)];
    const stated = Number(/half-length .* SQNR=(\d+)dB/.exec(got.text)?.[1]);
    // The stated ratio is an expectation for mantissas of any size; that of a few lines differs by less than a decibel.
    expect(-20 * Math.log10(distance(got.out, wanted.out))).toBeGreaterThan(stated - 1);
  });

  it("go there and back", async () => {
    const shape = [7, 2400];
    const input = randomArray(layout("f32", shape), random(1)) as Float32Array;
    const device = devices[""]!;
    const spectrum = await run(device, forward(shape, 1), input);
    const back = await run(device, inverse([7, 1201], 1), spectrum.out);
    expect([spectrum.text, back.text].every((text) => text.includes("half-length 3-pass"))).toBe(true);
    expect(distance(back.out, input)).toBeLessThan(correct(2400, "c64", 2));
  });
});
