/**
 * Tests half precision between the passes of long transforms: it is used if requested, the signal to quantization noise ratio is what the
 * plan says for any levels of the lines, and infinity and NaN stay in their line.
 */
import { random, randomArray } from "@dechirp/conformance";
import { type Device, layout, type Op, open, portsOf, type TypedArrayOf } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GpuOptions, gpu } from "../src/index.ts";

/** Runs `op` on `device` once. */
async function results(
  device: Device,
  op: Op,
  inputs: Readonly<Record<string, Float32Array>>,
): Promise<{ out: Float32Array; text: string }> {
  using plan = await device.plan(op);
  const arrays = Object.fromEntries(Object.entries(portsOf(op)).map(([name, port]) => [name, device.alloc(port.layout)]));
  try {
    for (const [name, data] of Object.entries(inputs)) arrays[name].write(data as TypedArrayOf);
    await plan.run(arrays);
    return { out: (await arrays["out"].read()) as Float32Array, text: plan.text };
  } finally {
    for (const array of Object.values(arrays)) array[Symbol.dispose]();
  }
}

const sqnrDb = (actual: Float32Array, expected: Float32Array, from = 0, to = expected.length): number => {
  let [signal, noise] = [0, 0];
  for (let i = from; i < to; i++) {
    signal += expected[i] ** 2;
    noise += (actual[i] - expected[i]) ** 2;
  }
  return 10 * Math.log10(signal / noise);
};

const stated = (text: string): number => Number(/scratch=f16 SQNR=(\d+)dB/.exec(text)?.[1]);

describe("half precision between passes", () => {
  // Short passes, so that lengths which compile fast have several.
  const options: GpuOptions = { scratch: "f16", planning: { longestPass: 64, longestFactor: 32 } };
  let device: Device;
  let reference: Device;
  beforeAll(async () => {
    device = await open(gpu(options));
    reference = await open(cpu({ workers: 1 }));
  });
  afterAll(() => {
    device[Symbol.dispose]();
    reference[Symbol.dispose]();
  });

  const shapes: readonly { name: string; op: Op; roundings: number }[] = [
    { name: "rows in two passes", op: { op: "fft", layout: layout("c64", [6, 1024]), axis: 1, inverse: false }, roundings: 1 },
    { name: "rows in three passes", op: { op: "fft", layout: layout("c64", [3, 4096]), axis: 1, inverse: false }, roundings: 2 },
    { name: "inverse, in three passes", op: { op: "fft", layout: layout("c64", [3, 4096]), axis: 1, inverse: true }, roundings: 2 },
    { name: "columns in two passes", op: { op: "fft", layout: layout("c64", [480, 21]), axis: 0, inverse: false }, roundings: 1 },
    { name: "columns in three passes", op: { op: "fft", layout: layout("c64", [2, 2048, 5]), axis: 1, inverse: true }, roundings: 2 },
    {
      name: "a filter in three passes",
      op: { op: "spectral-filter", layout: layout("c64", [5, 576]), axis: 1, h: "line" },
      roundings: 2,
    },
    {
      name: "a padded and cropped transform",
      op: { op: "fft", layout: layout("c64", [7, 700]), axis: 1, n: 960, keep: [100, 300], inverse: false },
      roundings: 1,
    },
  ];
  for (const { name, op, roundings } of shapes) {
    it(`${name}: has the SQNR that the plan states`, async () => {
      const next = random(21);
      const inputs = Object.fromEntries(
        Object.entries(portsOf(op))
          .filter(([, { access }]) => access === "read")
          .map(([port, { layout: shape }]) => [port, randomArray(shape, next) as Float32Array]),
      );
      const [got, wanted] = [await results(device, op, inputs), await results(reference, op, inputs)];
      expect(stated(got.text)).toBeGreaterThanOrEqual(70);
      // Rounding to nearest even. The stated ratio is a mean over mantissas; that of a few thousand values is within 1 dB of it.
      expect(sqnrDb(got.out, wanted.out)).toBeGreaterThan(Math.max(70, stated(got.text) - 1));
      expect(sqnrDb(got.out, wanted.out)).toBeLessThan(stated(got.text) + 3);
      expect(Math.round(74.35 - 10 * Math.log10(roundings))).toBe(stated(got.text));
    });
  }

  it("scales every line by itself: 10⁻³⁰ beside 10³⁰, and zeros stay zeros", async () => {
    const op: Op = { op: "fft", layout: layout("c64", [4, 1024]), axis: 1, inverse: false };
    const x = randomArray(op.layout, random(4)) as Float32Array;
    const levels = [1e-30, 1e30, 0, 1];
    const scaled = x.map((v, i) => v * levels[Math.floor(i / 2048)]);
    const [got, wanted] = [await results(device, op, { in: scaled }), await results(reference, op, { in: scaled })];
    for (const l of [0, 1, 3])
      expect(
        sqnrDb(
          got.out.map((v) => v / levels[l]),
          wanted.out.map((v) => v / levels[l]),
          2048 * l,
          2048 * (l + 1),
        ),
      ).toBeGreaterThan(70);
    expect(got.out.subarray(2 * 2048, 3 * 2048).every((v) => v === 0)).toBe(true);
  });

  it("infinity and NaN stay in their line", async () => {
    const op: Op = { op: "fft", layout: layout("c64", [8, 1024]), axis: 1, inverse: false };
    const x = randomArray(op.layout, random(5)) as Float32Array;
    const broken = x.slice();
    broken[2 * 2048 + 77] = Number.NaN;
    broken[5 * 2048 + 5] = Number.POSITIVE_INFINITY;
    const [got, wanted] = [await results(device, op, { in: broken }), await results(reference, op, { in: x })];
    for (const l of [0, 1, 3, 4, 6, 7]) expect(sqnrDb(got.out, wanted.out, 2048 * l, 2048 * (l + 1))).toBeGreaterThan(70);
    for (const l of [2, 5]) expect(got.out.subarray(2048 * l, 2048 * (l + 1)).every((v) => !Number.isFinite(v))).toBe(true);
  });

  it("is not used if passes would cost more than 70 dB allows, nor without the option", async () => {
    const op: Op = { op: "spectral-filter", layout: layout("c64", [2, 8000]), axis: 1, h: "line" };
    using plan = await device.plan(op);
    expect(plan.text).toContain("5-pass");
    expect(plan.text).not.toContain("f16");
    using usual = await open(gpu({ planning: { longestPass: 64 } }));
    using other = await usual.plan({ op: "fft", layout: layout("c64", [1024]), axis: 0, inverse: false });
    expect(other.text).toContain("2-pass");
    expect(other.text).not.toContain("f16");
  });

  it("is used by long lines without being forced", async () => {
    const op: Op = { op: "fft", layout: layout("c64", [1, 2 ** 17]), axis: 1, inverse: false };
    using own = await open(gpu({ scratch: "f16" }));
    const x = randomArray(op.layout, random(6)) as Float32Array;
    const [got, wanted] = [await results(own, op, { in: x }), await results(reference, op, { in: x })];
    expect(stated(got.text)).toBeGreaterThanOrEqual(70);
    expect(sqnrDb(got.out, wanted.out)).toBeGreaterThan(stated(got.text) - 1);
  });
});
