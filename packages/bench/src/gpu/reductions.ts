/**
 * Reductions and histograms on the GPU. What counts is how fast they read: the bytes that they read a second, beside those that the copy reads
 * and writes. Results are compared with float64 sums of the same numbers, at some places.
 */
import { byteLength, elementCount, type Layout, layout, type Reduction, resultLayout } from "@dechirp/core";
import { histogram, reduce } from "@dechirp/core/reduce";
import { type GpuCase, sideOf, timeRuns } from "./cases.ts";
import { spreadOver } from "./reference.ts";

interface ReduceWork {
  readonly what: Reduction | "histogram";
  readonly shape: Layout<"c64" | "f32">;
  readonly axes: readonly number[];
  readonly bins?: number;
}

const along = (axes: readonly number[]): string => (axes.length === 2 ? "all axes" : `axis ${axes[0]}`);

/** The numbers of `by`: others than those of `in`, so that both are read. */
const second = (data: Float32Array, i: number): number => data[data.length - 1 - i];

/** The largest error among some results, relative to the sum of the terms' magnitudes; for maxima and counts, 0 or 1. */
function errorOf({ what, shape, axes, bins = 0 }: ReduceWork, x: Float32Array, result: ArrayLike<number>): number {
  const [rows, columns] = shape.shape;
  if (what === "histogram") {
    const counts = new Float64Array(bins);
    for (const v of x) counts[Math.max(0, Math.min(bins - 1, Math.floor(Math.fround(Math.fround(v + 0.5) * bins))))]++;
    return counts.every((count, bin) => count === result[bin]) ? 0 : 1;
  }
  const complex = shape.dtype === "c64";
  const isAll = axes.length === 2;
  const [count, stride] = isAll ? [rows * columns, 1] : axes[0] === 0 ? [rows, columns] : [columns, 1];
  const outputs = isAll ? [0] : spreadOver(axes[0] === 0 ? columns : rows, 8);
  return Math.max(
    ...outputs.map((output) => {
      const first = isAll ? 0 : axes[0] === 0 ? output : output * columns;
      let [re, im, size, most, at] = [0, 0, 0, -Infinity, 0];
      for (let r = 0; r < count; r++) {
        const e = first + r * stride;
        if (!complex && x[e] > most) [most, at] = [x[e], r];
        const [a, b] = complex ? [x[2 * e], x[2 * e + 1]] : [x[e], 0];
        const [c, d] =
          what === "product" ? (complex ? [second(x, 2 * e), -second(x, 2 * e + 1)] : [second(x, e), 0]) : what === "sum" ? [1, 0] : [a, -b];
        re += a * c - b * d;
        im += a * d + b * c;
        size += Math.hypot(a, b) * Math.hypot(c, d);
      }
      if (what === "max") return result[output] === most ? 0 : 1;
      if (what === "argmax") return result[output] === at ? 0 : 1;
      const isReal = !complex || what === "sum of squares";
      const got = isReal ? [result[output], 0] : [result[2 * output], result[2 * output + 1]];
      return Math.hypot(got[0] - re, got[1] - (isReal ? 0 : im)) / size;
    }),
  );
}

function reduceCase(work: ReduceWork): GpuCase {
  const { what, shape, axes, bins = 0 } = work;
  const op =
    what === "histogram"
      ? histogram(shape, { bins, low: -0.5, high: 0.5 })
      : reduce(shape, { what, axes, ...(what === "product" && { conjugate: true }) });
  const [lines, n] = shape.shape;
  return {
    name: `reduce: ${what} ${what === "histogram" ? `of ${bins} bins ` : ""}${shape.dtype} ${lines}×${n} ${what === "histogram" ? "" : along(axes)}`.trim(),
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
        error: async () => errorOf(work, x, await result.read()),
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
