/**
 * Tests arrays that are larger than a binding, on devices that are opened with small bindings: every op against the CPU backend. Also two
 * images of real size, which do not fit one binding of WebGPU's default limits.
 */
import { correct, dftBins, random, randomArray } from "@dechirp/conformance";
import {
  byteLength,
  type Device,
  evaluate,
  type Fft,
  type Layout,
  layout,
  type Op,
  open,
  type Program,
  portsOf,
  type TypedArrayOf,
} from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gpu } from "../src/index.ts";
import { leavesOut, leftOut } from "./adapter.ts";

const program = (op: Op): Program => {
  const ports = Object.entries(portsOf(op));
  return {
    name: op.op,
    inputs: Object.fromEntries(ports.filter(([, { access }]) => access === "read").map(([name, port]) => [name, port.layout])),
    steps: [{ name: op.op, op, bind: Object.fromEntries(ports.map(([name]) => [name, name])) }],
    outputs: ["out"],
  };
};

const difference = (actual: TypedArrayOf, expected: TypedArrayOf): number => {
  let error = 0;
  let energy = 0;
  actual.forEach((v, i) => {
    error += (v - expected[i]) ** 2;
    energy += expected[i] ** 2;
  });
  return Math.sqrt(error / energy);
};

/** Bytes of a segment of the segmented arrays. */
const segmentBytes = 4096;

describe("arrays in segments", () => {
  const devices: Device[] = [];
  beforeAll(async () => {
    devices.push(await open(gpu({ maxBindingBytes: segmentBytes })), await open(cpu({ workers: 1 })));
  });
  afterAll(() => {
    for (const device of devices) device[Symbol.dispose]();
  });

  const c64 = (...shape: number[]): Layout<"c64"> => layout("c64", shape);
  // A segment has 512 complex elements. There are 2 to 4 per array, no more in all than the eight bindings that every WebGPU device
  // has.
  const ops: readonly Op[] = [
    { op: "fft", layout: c64(40, 50), axis: 1, inverse: false },
    { op: "fft", layout: c64(40, 50), axis: 0, inverse: true },
    { op: "fft", layout: c64(64, 32), axis: 0, inverse: false },
    { op: "fft", layout: c64(1, 2048), axis: 1, inverse: false },
    { op: "fft", layout: c64(16, 97), axis: 1, inverse: false },
    { op: "fft", layout: c64(20, 50), axis: 1, n: 90, inverse: false, keep: [10, 60] },
    { op: "real-fft", layout: layout("f32", [40, 64]), axis: 1, inverse: false },
    { op: "spectral-filter", layout: c64(20, 64), axis: 1, h: "line" },
    { op: "filter-inverse", layout: c64(64, 16), axis: 0, h: "all" },
    { op: "multiply", layout: c64(30, 50), axis: 0, h: "line" },
    { op: "transpose", layout: c64(40, 50), permutation: [1, 0] },
    { op: "convert", layout: layout("ci16", [2000]), to: "c64", scale: 0.5 },
    { op: "convert", layout: layout("f32", [4000]), to: "u8", scale: 100 },
  ];

  it.each(ops.map((op) => [op.op === "kernel" ? "" : `${op.op} ${JSON.stringify(op)}`, op] as const))("%s", async (_, op) => {
    const source = random(7);
    const inputs = Object.fromEntries(Object.entries(program(op).inputs).map(([name, shape]) => [name, randomArray(shape, source)]));
    const [mine, theirs] = [await evaluate(program(op), devices[0], inputs), await evaluate(program(op), devices[1], inputs)];
    const n = op.op === "convert" || op.op === "multiply" || op.op === "transpose" || op.op === "kernel" ? 1 : 2048;
    expect(difference(mine["out"], theirs["out"])).toBeLessThan(2 * correct(n, "c64", 2));
  });

  it("reports that more segments are bound than the device allows", async () => {
    await expect(devices[0].plan({ op: "fft", layout: layout("c64", [512, 512]), axis: 0, inverse: false })).rejects.toMatchObject({
      code: "limit",
    });
  });

  // Four segments for `in` and four for `out` leave no binding for the table: the input is copied, and transformed in place.
  it.each([
    [[64, 32], 0],
    [[1, 2048], 1],
    [[16, 97], 1],
  ] as const)("copies the input if it can't bind it and the output together: %j along axis %i", async (shape, axis) => {
    using device = await open(gpu({ limits: "default", maxBindingBytes: segmentBytes }));
    for (const inPlace of [false, true]) {
      const op: Fft = { op: "fft", layout: layout("c64", shape), axis, inverse: inPlace };
      const input = randomArray(op.layout, random(3)) as Float32Array;
      const { out: wanted } = await evaluate(program(op), devices[1], { in: input });
      using plan = await device.plan(op, { inPlace });
      expect(plan.text).toContain("copied");
      using from = device.alloc(op.layout);
      using to = device.alloc(op.layout);
      from.write(input);
      const out = inPlace ? from : to;
      await plan.run({ in: from, out }).done;
      expect(difference(await out.read(), wanted)).toBeLessThan(2 * correct(2048, "c64"));
      if (!inPlace) expect(await from.read()).toEqual(input);
    }
  });

  it("parts in one segment, or from the beginning of a segment on, work; others are refused by name", async () => {
    const [device] = devices;
    const rows = c64(48, 32); // 16 rows in a segment
    const x = randomArray(rows, random(5));
    using whole = device.alloc(rows);
    whole.write(x);
    for (const [first, count] of [
      [20, 8],
      [16, 32],
      [32, 16],
      [0, 20],
    ]) {
      const op: Op = { op: "fft", layout: c64(count, 32), axis: 1, inverse: false };
      const data = x.slice(64 * first, 64 * (first + count));
      const { out: wanted } = await evaluate(program(op), devices[1], { in: data });
      using plan = await device.plan(op);
      using out = device.alloc(op.layout);
      plan.run({ in: whole.part(first, count), out });
      expect(difference(await out.read(), wanted), `${first}+${count}`).toBeLessThan(2 * correct(32, "c64"));
      using target = device.alloc(rows);
      plan.run({ in: whole.part(first, count), out: target.part(first, count) });
      const all = await target.read();
      expect(difference(all.slice(64 * first, 64 * (first + count)), wanted)).toBeLessThan(2 * correct(32, "c64"));
      expect(all.filter((v, i) => v !== 0 && (i < 64 * first || i >= 64 * (first + count)))).toHaveLength(0);
    }
    expect(() => whole.part(12, 8)).toThrowError(
      expect.objectContaining({ code: "limit", fields: expect.objectContaining({ field: "first", limit: segmentBytes }) }),
    );
  });

  it("writes and reads any range across segments, with elements of any size", async () => {
    for (const dtype of ["c64", "i8", "ci8", "u8", "i16", "ci16", "u32"] as const) {
      // Three segments and most of a fourth, as every WebGPU device allows arrays of four.
      const segment = segmentBytes / byteLength(layout(dtype, [1]));
      const length = 3 * segment + Math.floor(0.9 * segment);
      const shape = layout(dtype, [length]);
      using buffer = devices[0].alloc(shape);
      const expected = randomArray(shape, random(1));
      const components = expected.length / length;
      buffer.write(expected);
      for (const [start, count] of [
        [0, length],
        [1, 1],
        [3, 7],
        [segment - 2, 5],
        [segment - 1, 2],
        [2 * segment, 3],
        [3 * segment - 1, 3],
        [segment + 1, segment],
        [length - 1, 1],
        [13, length - 500],
      ]) {
        const part = randomArray(layout(dtype, [count]), random(start + 2));
        buffer.write(part, start);
        expected.set(part as never, start * components);
        expect(await buffer.read({ start, count }), `${dtype} ${start}+${count}`).toEqual(part);
      }
      expect(await buffer.read(), dtype).toEqual(expected);
    }
  });
});

// SwiftShader is too slow for some hundred million points.
describe.skipIf(leavesOut)(`images of real size${leavesOut ? `: ${leftOut}` : ""}`, () => {
  // A binding has at most 128 MiB by default; 8192² complex elements are four of them.
  it.each([
    [4096, 0, "default"],
    [4096, 1, "default"],
    [8192, 0, "adapter"],
    [8192, 1, "default"],
  ] as const)("%i², axis %i, %s limits", async (n, axis, limits) => {
    using device = await open(gpu({ limits, maxBindingBytes: 2 ** 27 }));
    const op: Fft = { op: "fft", layout: layout("c64", [n, n]), axis, inverse: false };
    using plan = await device.plan(op, { inPlace: true });
    using image = device.alloc(op.layout);
    // Rows are written one by one, so that the host does not hold the whole image.
    const source = random(n);
    const lines = [0, 1, 4095 % n, n - 1];
    const kept = new Map(lines.map((l) => [l, new Float32Array(2 * n)]));
    const block = 256;
    // The rows of every block begin at another number of one sequence: so many random numbers would take seconds to draw.
    const shift = 2 * 997;
    const sequence = Float32Array.from({ length: 2 * n * block + shift * (n / block) }, () => source.next() - 0.5);
    for (let first = 0; first < n; first += block) {
      const rows = sequence.subarray((shift * first) / block, (shift * first) / block + 2 * n * block);
      image.write(rows, first * n);
      for (const [l, values] of kept) {
        if (axis === 1 && l >= first && l < first + block) values.set(rows.subarray(2 * (l - first) * n, 2 * (l - first + 1) * n));
        if (axis === 0) for (let r = 0; r < block; r++) values.set(rows.subarray(2 * (r * n + l), 2 * (r * n + l) + 2), 2 * (first + r));
      }
      if (first % 2048 === 0) await device.ready();
    }
    plan.run({ in: image, out: image });
    for (const [l, values] of kept) {
      const bins = [0, 1, n / 2 + 1, n - 1];
      const expected = dftBins(values, n, bins, false);
      for (const [b, bin] of bins.entries()) {
        const start = axis === 1 ? l * n + bin : bin * n + l;
        const [re, im] = await image.read({ start, count: 1 });
        const scale = Math.sqrt(n / 6);
        expect(Math.hypot(re - expected[2 * b], im - expected[2 * b + 1]) / scale).toBeLessThan(correct(n, "c64"));
      }
    }
  });
});
