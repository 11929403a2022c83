/**
 * Tests long columns, of which an invocation transforms two adjacent ones: padded, cropped, inverse, in place, in segments, and shapes
 * without pairs, against the CPU backend. Also short columns whose elements a hook computes in pairs.
 */
import { correct, gate, random, randomArray } from "@dechirp/conformance";
import { type Device, type Fft, type Load, layout, open, portsOf } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gpu } from "../src/index.ts";
import { distance } from "./real-lines.ts";

async function run(
  device: Device,
  op: Fft,
  input: Float32Array,
  inPlace = false,
): Promise<{ out: Float32Array; text: string; convolved?: true }> {
  using plan = await device.plan(op, { inPlace });
  const ports = portsOf(op);
  using from = device.alloc(ports["in"].layout);
  using to = inPlace ? undefined : device.alloc(ports["out"].layout);
  from.write(input as never);
  await plan.run({ in: from, out: to ?? from }).done;
  return { out: (await (to ?? from).read()) as Float32Array, text: plan.text, ...(plan.convolved && { convolved: plan.convolved }) };
}

describe("long columns", () => {
  // With this option short columns are treated as long ones, and compile fast.
  const planning = { longestWideTile: 8 };
  let device: Device;
  let split: Device;
  let reference: Device;
  beforeAll(async () => {
    [device, split, reference] = await Promise.all([
      open(gpu({ planning })),
      // Two or three segments per array: no more in all than the eight bindings that every WebGPU device has.
      open(gpu({ planning, maxBindingBytes: 4096 })),
      open(cpu({ workers: 1 })),
    ]);
  });
  afterAll(() => {
    for (const one of [device, split, reference]) one[Symbol.dispose]();
  });

  const c64 = (...shape: number[]) => layout("c64", shape);
  const ops: readonly { readonly name: string; readonly op: Fft; readonly inPlace?: boolean; readonly pairs: boolean }[] = [
    { name: "eight", op: { op: "fft", layout: c64(64, 8), axis: 0, inverse: false }, pairs: true },
    { name: "inverse, in three outer parts", op: { op: "fft", layout: c64(3, 64, 4), axis: 1, inverse: true }, pairs: true },
    {
      name: "padded and kept in part",
      op: { op: "fft", layout: c64(2, 47, 12), axis: 1, n: 64, inverse: false, keep: [10, 33] },
      pairs: true,
    },
    { name: "in place", op: { op: "fft", layout: c64(64, 12), axis: 0, inverse: false }, inPlace: true, pairs: true },
    { name: "of 45, which is not a power of two", op: { op: "fft", layout: c64(45, 8), axis: 0, inverse: true }, pairs: true },
    { name: "six, which is not a whole number of tiles", op: { op: "fft", layout: c64(64, 6), axis: 0, inverse: false }, pairs: false },
    { name: "seven", op: { op: "fft", layout: c64(64, 7), axis: 0, inverse: false }, pairs: false },
  ];
  for (const { name, op, inPlace = false, pairs } of ops) {
    it(name, async () => {
      const input = randomArray(layout("c64", op.layout.shape), random(8)) as Float32Array;
      const wanted = await run(reference, op, input);
      const got = await run(device, op, input, inPlace);
      expect(got.text).toContain("one-pass");
      expect(got.text.includes("in pairs")).toBe(pairs);
      const n = op.n ?? op.layout.shape[op.axis];
      expect(distance(got.out, wanted.out)).toBeLessThan(gate(n, got) + gate(n, wanted));
      const parts = await run(split, op, input, inPlace);
      expect(distance(parts.out, got.out)).toBeLessThan(correct(n, "c64"));
    });
  }
});

describe("columns whose elements are computed in pairs", () => {
  let device: Device;
  beforeAll(async () => {
    device = await open(gpu());
  });
  afterAll(() => device[Symbol.dispose]());

  /** A hook that multiplies an array's elements by their index along `axis` plus one, also in pairs along that axis. */
  const load = (shape: readonly number[], axis: number): Load => {
    const weighted = (last: string): string => {
      const flat = shape.map((_, a) => `${a === axis ? last : `at[${a}]`} * ${shape.slice(a + 1).reduce((product, n) => product * n, 1)}u`);
      return `f32(${last} + 1u) * load_x(${flat.join(" + ")})`;
    };
    return {
      name: "weighted",
      sources: { x: layout("c64", shape) },
      wgsl: () => `return ${weighted(`at[${axis}]`)};`,
      wgslPair: { axis, text: () => `return vec4f(${weighted(`at[${axis}]`)}, ${weighted(`(at[${axis}] + 1u)`)});` },
      reference: (at, { x }) => {
        const i = at.reduce((sum, index, a) => sum * shape[a] + index, 0);
        return [(at[axis] + 1) * x.re(i), (at[axis] + 1) * x.im(i)];
      },
    };
  };

  it.each([
    [[16, 4, 4], 0, 2, false],
    [[16, 4, 3], 0, 2, false],
    [[16, 8], 0, 1, true],
    [[2, 8, 16], 2, 1, true],
  ] as [number[], number, number, boolean][])(
    "of %j along axis %d, in pairs along %d, corner turn %s",
    async (shape, axis, pairAxis, turned) => {
      const input = randomArray(layout("c64", shape), random(9)) as Float32Array;
      const plain: Fft = { op: "fft", layout: layout("c64", shape), axis, inverse: false, cornerTurn: turned };
      const op: Fft = { ...plain, load: load(shape, pairAxis) };
      using plan = await device.plan(op);
      using x = device.alloc(layout("c64", shape));
      using out = device.alloc(portsOf(op)["out"].layout);
      x.write(input as never);
      await plan.run({ x, out }).done;
      expect(plan.text).toContain("in pairs");
      const beyond = shape.slice(pairAxis + 1).reduce((product, n) => product * n, 1);
      const weighted = input.map((value, i) => ((Math.floor((i >> 1) / beyond) % shape[pairAxis]) + 1) * value);
      const wanted = await run(device, plain, weighted);
      expect(distance((await out.read()) as Float32Array, wanted.out)).toBeLessThan(correct(16, "c64"));
    },
  );
});
