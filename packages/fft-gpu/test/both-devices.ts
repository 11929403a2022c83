/** The GPU backend beside the CPU backend, for tests that compare their results. */
import { gate, random, randomArray } from "@dechirp/conformance";
import { type Device, type Fft, type Layout, layout, open, portsOf, type RealFft } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { afterAll, beforeAll, expect } from "vitest";
import { gpu } from "../src/index.ts";
import { distance, run } from "./real-lines.ts";

/** Both devices, open during the tests of the file or group that this is called in. */
export function bothDevices() {
  let reference: Device;
  let device: Device;
  beforeAll(async () => {
    reference = await open(cpu({ workers: 1 }));
    device = await open(gpu());
  });
  afterAll(() => {
    reference[Symbol.dispose]();
    device[Symbol.dispose]();
  });
  return {
    /** The results of both: first those of the CPU backend. */
    each: async <T>(work: (on: Device) => Promise<T>): Promise<readonly [reference: T, device: T]> => [
      await work(reference),
      await work(device),
    ],
    /** Runs the op on both devices, expects equal results but for rounding, and returns the text of the GPU's plan. */
    async compare(op: Fft | RealFft, n: number): Promise<string> {
      const input = randomArray(portsOf(op)["in"]!.layout, random(n)) as Float32Array;
      const [wanted, got] = [await run(reference, op, input), await run(device, op, input)];
      expect(distance(got.out, wanted.out), `${JSON.stringify(op)} ${got.text}`).toBeLessThan(gate(n, got) + gate(n, wanted));
      return got.text;
    },
  };
}

/** Rows of the shape, filtered by one line of frequencies. */
export async function filteredRows(on: Device, shape: Layout<"c64">, input: Float32Array, h: Float32Array) {
  using plan = await on.plan({ op: "spectral-filter", layout: shape, axis: 1, h: "line" });
  using x = on.alloc(shape);
  using filter = on.alloc(layout("c64", [h.length / 2]));
  using out = on.alloc(shape);
  x.write(input);
  filter.write(h);
  await plan.run({ in: x, h: filter, out }).done;
  return { out: (await out.read()) as Float32Array, text: plan.text };
}
