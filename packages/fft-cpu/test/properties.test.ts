/** Tests random ops: the fused, the lowered and the defined result agree, for any shape and option. */
import { correct, random, randomArray, transformed } from "@dechirp/conformance";
import {
  evaluate,
  type Fft,
  type FilterInverse,
  formatOp,
  type Keep,
  layout,
  type Op,
  open,
  portsOf,
  type RealFft,
  type SpectralFilter,
  type TypedArrayOf,
  transformLength,
  validateOp,
} from "@dechirp/core";
import { lower } from "@dechirp/core/backend";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cpu } from "../src/index.ts";

type Transform = Fft | RealFft | SpectralFilter | FilterInverse;

const place = fc
  .array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 })
  .chain((shape) => fc.tuple(fc.constant(shape), fc.nat(shape.length - 1), fc.integer({ min: 1, max: 70 })))
  .map(([shape, axis, extent]) => ({ shape: shape.map((e, a) => (a === axis ? extent : e)), axis }));

const kind = fc.constantFrom(
  "fft",
  "inverse fft",
  "real-fft",
  "inverse real-fft",
  "spectral-filter line",
  "spectral-filter all",
  "filter-inverse line",
  "filter-inverse all",
);

const transforms: fc.Arbitrary<Transform> = fc
  .record({
    kind,
    place,
    n: fc.option(fc.integer({ min: 1, max: 90 }), { nil: undefined }),
    keep: fc.option(fc.tuple(fc.nat(1000), fc.nat(1000)), { nil: undefined }),
    wide: fc.boolean(),
  })
  .map(({ kind: name, place: { shape, axis }, n, keep, wide }) => {
    const [op, h] = name.replace(/^inverse /, "").split(" ");
    const inverse = name.startsWith("inverse ");
    const real = op === "real-fft" && !inverse;
    const dtype = wide ? (real ? "f64" : "c128") : real ? "f32" : "c64";
    const needed = op === "real-fft" && inverse && shape[axis] === 1 ? (n ?? 1) : n; // a single bin does not determine the length
    const base = {
      op,
      layout: layout(dtype, shape),
      axis,
      ...(needed === undefined ? {} : { n: needed }),
      ...(h ? { h } : { inverse }),
    } as unknown as Transform;
    const length = transformLength(base);
    const bins = real ? Math.floor(length / 2) + 1 : length;
    const start = (keep?.[0] ?? 0) % bins;
    const range: Keep = [start, 1 + ((keep?.[1] ?? 0) % (bins - start))];
    return keep ? ({ ...base, keep: range } as Transform) : base;
  });

const rms = (x: ArrayLike<number>): number => Math.sqrt(Array.from(x).reduce((sum, v) => sum + v * v, 0) / x.length);

test("fused, lowered and defined results agree", async () => {
  using device = await open(cpu());
  await fc.assert(
    fc.asyncProperty(transforms, fc.nat(1e6), async (op, seed) => {
      validateOp(op);
      const source = random(seed);
      const ports = portsOf(op);
      const inputs: Record<string, TypedArrayOf> = {};
      for (const [name, port] of Object.entries(ports)) if (port.access === "read") inputs[name] = randomArray(port.layout, source);
      const expected = transformed(op, inputs["in"], inputs["h"]);
      const { keep: _, ...all } = op;
      const scale = rms(transformed(all as Transform, inputs["in"], inputs["h"]));
      const allowed = correct(transformLength(op), op.layout.dtype, 3) * scale * Math.sqrt(expected.length);
      const program = {
        name: "one step",
        inputs: Object.fromEntries(Object.keys(inputs).map((name) => [name, ports[name].layout])),
        outputs: ["out"],
      };
      const bind = Object.fromEntries(Object.keys(ports).map((name) => [name, name]));
      const steps = [{ name: "step", op: op as Op, bind }];
      const outputs = [
        await evaluate({ ...program, steps }, device, inputs),
        await evaluate({ ...program, steps }, device, inputs, { fuse: false }),
        await evaluate(lower(op) ?? { ...program, steps }, device, inputs, { fuse: false }),
      ];
      for (const { out } of outputs) {
        const error = Math.sqrt(Array.from(out).reduce((sum, v, i) => sum + (v - expected[i]) ** 2, 0));
        expect(error, formatOp(op)).toBeLessThanOrEqual(allowed);
      }
    }),
    { numRuns: 300, seed: 20_19 },
  );
  expect(device.memory()).toMatchObject({ buffers: 0, bytes: 0, plans: 0 });
});
