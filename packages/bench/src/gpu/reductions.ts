/**
 * Reductions and histograms on the GPU. What counts is how fast they read: the bytes that they read a second, beside those that the copy reads
 * and writes. Results are compared with float64 sums of the same numbers, at some places.
 */
import { byteLength, elementCount, layout, resultLayout } from "@dechirp/core";
import { nameOf, opOf, type ReduceWork, reduceError } from "../reduce-work.ts";
import { type GpuCase, sideOf, timeRuns } from "./cases.ts";

function reduceCase(work: ReduceWork): GpuCase {
  const { what, shape, axes, bins = 0 } = work;
  const op = opOf(work);
  const [lines, n] = shape.shape;
  return {
    name: nameOf(work),
    errorKind: "largest error of sampled results, relative to the sum of magnitudes",
    clock: "device",
    peer: { kind: "reduce", lines, n, what, axes, dtype: shape.dtype, bins },
    async setUp({ device, data }) {
      const x = data.subarray(0, elementCount(shape) * (shape.dtype === "c64" ? 2 : 1));
      const input = device.alloc(shape, "in");
      input.write(x);
      const by = what === "product" ? device.alloc(shape, "by") : undefined;
      by?.write(Float32Array.from(x).reverse());
      const plan = await device.plan(op);
      const result = device.alloc(resultLayout(op), "out");
      const times = (runs: number): void => {
        for (let r = 0; r < runs; r++) plan.run({ in: input, ...(by && { by }), out: result });
      };
      const contender = {
        name: `dechirp ${plan.text}`,
        kind: "ours",
        bytes: byteLength(shape) * (by ? 2 : 1) + byteLength(result.layout),
        flops: 0,
        allowed: 1e-6,
        async sample(runs: number) {
          times(Math.min(5, runs));
          return timeRuns(device, runs, () => times(runs));
        },
        error: async () => reduceError(work, x, await result.read()),
        dispose() {
          for (const thing of [plan, input, by, result]) thing?.[Symbol.dispose]();
        },
      } as const;
      return { contenders: [contender] };
    },
  };
}

/** Every case for arrays of about `elements` complex numbers. */
export function reductionCases(elements: number): GpuCase[] {
  const side = sideOf(elements);
  const complex = layout("c64", [side, side]);
  const real = layout("f32", [2 * side, side]);
  const works: ReduceWork[] = [];
  for (const axes of [[0], [1], [0, 1]]) {
    for (const what of ["sum", "sum of squares", "product"] as const) works.push({ what, shape: complex, axes });
    for (const what of ["sum", "max", "argmax"] as const) works.push({ what, shape: real, axes });
  }
  for (const bins of [256, 1024, 4096, 65_536]) works.push({ what: "histogram", shape: real, axes: [0, 1], bins });
  return works.map(reduceCase);
}
