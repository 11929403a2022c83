import { ArrayView, createRandom, layout, open, portsOf, scalarCount, typedArray } from "@dechirp/core";
import { differenceOf } from "@dechirp/core/compare";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import { describe, expect, test } from "vitest";
import { canceller } from "./canceller.ts";

const [pulses, ranges] = [33, 70];
const cancel = canceller(pulses, ranges);
const { x: input, y: output } = portsOf(cancel);
const { gaussian } = createRandom(3);
const x = Float32Array.from({ length: scalarCount(input.layout) }, gaussian);
const uniforms = { cyclesPerPulse: 0.15625 }; // exact in float32

/** The formula in float64, written a second time, because the reference is tested too. */
function byDefinition(): Float64Array {
  const y = new Float64Array(scalarCount(output.layout));
  const turn = (at: number): [number, number] => {
    const [magnitude, angle] = [Math.hypot(x[at], x[at + 1]), Math.atan2(x[at + 1], x[at]) - 2 * Math.PI * uniforms.cyclesPerPulse];
    return [magnitude * Math.cos(angle), magnitude * Math.sin(angle)];
  };
  for (let i = 0; i < y.length; i += 2) {
    const [re, im] = turn(i + 2 * ranges);
    y[i] = re - x[i];
    y[i + 1] = im - x[i + 1];
  }
  return y;
}
const expected = byDefinition();

const norm = (values: ArrayLike<number>): number => Math.hypot(...Array.from(values));
const epsilon = 2 ** -23;
/**
 * Errors of the rotated echo: 2⁻²² from `cis`, which is the error that it guarantees, and √5·ε/2 from the complex product (Brent, Percival,
 * Zimmermann 2007). The difference adds one more rounding.
 */
const tolerance = ((2 + Math.sqrt(5) / 2) * epsilon * norm(x.subarray(2 * ranges))) / norm(expected) + epsilon / 2;

test("the reference agrees with the formula", () => {
  const y = new ArrayView(layout("c128", output.layout.shape), typedArray("c128", scalarCount(output.layout)));
  cancel.reference({ x: new ArrayView(input.layout, x), y }, uniforms, 0, 1000);
  cancel.reference({ x: new ArrayView(input.layout, x), y }, uniforms, 1000, cancel.items); // in two parts
  expect(differenceOf(y.layout, y.data, expected).relativeL2).toBeLessThan(8 * 2 ** -52);
});

describe.each([
  ["cpu", cpu()],
  ["gpu", gpu()],
])("on %s", (_id, backend) => {
  test("the device agrees with the formula", async () => {
    using device = await open(backend);
    using plan = await device.plan(cancel);
    using from = device.alloc(input.layout);
    using to = device.alloc(output.layout);
    from.write(x);
    plan.run({ x: from, y: to }, { uniforms });
    expect(differenceOf(output.layout, await to.read(), expected).relativeL2).toBeLessThan(tolerance);
  });
});
