/** The reductions that the bench measures on the CPU and on GPUs: their ops, names, and the errors of their results. */
import type { Layout, Reduction } from "@dechirp/core";
import { histogram, reduce } from "@dechirp/core/reduce";
import { spreadOver } from "./gpu/reference.ts";

/** One reduction of an array of two axes. */
export interface ReduceWork {
  readonly what: Reduction | "histogram";
  readonly shape: Layout<"c64" | "f32">;
  readonly axes: readonly number[];
  /** Bins of a histogram between −½ and ½. */
  readonly bins?: number;
}

const along = (axes: readonly number[]): string => (axes.length === 2 ? "all axes" : `axis ${axes[0]}`);

/** The numbers of `by`: others than those of `in`, so that both are read. */
const second = (data: Float32Array, i: number): number => data[data.length - 1 - i];

/** The largest error among some results, relative to the sum of the terms' magnitudes; for maxima and counts, 0 or 1. */
export function reduceError({ what, shape, axes, bins = 0 }: ReduceWork, x: Float32Array, result: ArrayLike<number>): number {
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
          what === "product"
            ? complex
              ? [second(x, 2 * e), -second(x, 2 * e + 1)]
              : [second(x, e), 0]
            : what === "sum"
              ? [1, 0]
              : [a, -b];
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

/** The op. */
export const opOf = ({ what, shape, axes, bins = 0 }: ReduceWork) =>
  what === "histogram"
    ? histogram(shape, { bins, low: -0.5, high: 0.5 })
    : reduce(shape, { what, axes, ...(what === "product" && { conjugate: true }) });

/** The name of a case. */
export function nameOf({ what, shape: { dtype, shape }, axes, bins }: ReduceWork): string {
  const array = `${dtype} ${shape.join("×")}`;
  return what === "histogram" ? `reduce: histogram of ${bins} bins ${array}` : `reduce: ${what} ${array} ${along(axes)}`;
}
