/**
 * Means of products over training sets, as a kernel: all that the covariances of all Doppler windows are made of (Section III-B of the
 * paper). One item a bin, group and product. The float64 form is efa/covariance.ts.
 */
import type { Kernel, Layout } from "@dechirp/core";
import type { EfaGeometry } from "../efa/options.ts";
import type { Table } from "./tables.ts";

export const productsLayout = ({ dopplerBins, sets }: EfaGeometry, products: Table): Layout<"c64"> => ({
  dtype: "c64",
  shape: [dopplerBins, sets.groups, products.rows],
});

/** Ports: x c64 [channel][bin][range], pairs u32 [product][4], runs u32 [group] or [bin][group], means c64 [bin][group][product]. */
export function productsKernel(geometry: EfaGeometry, pairs: Table, runs: Table): Kernel {
  const { channels, dopplerBins, ranges, sets } = geometry;
  const { groups, perBin } = sets;
  const count = pairs.rows;
  const items = dopplerBins * groups * count;
  const cells = Math.ceil(runs.data.reduce((sum, value, i) => sum + (i % runs.width === 0 ? value : 0), 0) / runs.rows);
  return {
    op: "kernel",
    name: `products=${count} ${geometry.shared ? "shared" : "unshared"} of ${cells} cells`,
    flops: 8 * items * cells,
    ports: {
      x: { access: "read", layout: { dtype: "c64", shape: [channels, dopplerBins, ranges] } },
      pairs: { access: "read", layout: { dtype: "u32", shape: [pairs.rows, pairs.width] } },
      runs: { access: "read", layout: { dtype: "u32", shape: [runs.rows, runs.width] } },
      means: { access: "write", layout: productsLayout(geometry, pairs) },
    },
    items,
    wgsl: (_constants, _limits, toolkit) =>
      toolkit.items(`let product = item % ${count}u;
let place = item / ${count}u;
let group = place % ${groups}u;
let bin = place / ${groups}u;
let first = (load_pairs(product * 4u) * ${dopplerBins}u + (bin + load_pairs(product * 4u + 1u)) % ${dopplerBins}u) * ${ranges}u;
let second = (load_pairs(product * 4u + 2u) * ${dopplerBins}u + (bin + load_pairs(product * 4u + 3u)) % ${dopplerBins}u) * ${ranges}u;
let row = ${perBin ? "place" : "group"} * ${runs.width}u;
var sum = vec2f();
let many = load_runs(row + 1u);
for (var r = 0u; r < many; r++) {
  let begin = load_runs(row + 2u + 2u * r);
  let end = begin + load_runs(row + 3u + 2u * r);
  for (var l = begin; l < end; l++) { sum += cmulc(load_x(first + l), load_x(second + l)); }
}
store_means(item, sum / f32(load_runs(row)));`),
    reference({ x, pairs: table, runs: rows, means }, _uniforms, start, end) {
      for (let item = start; item < end; item++) {
        const product = item % count;
        const place = Math.floor(item / count);
        const bin = Math.floor(place / groups);
        const rowOf = (at: number): number =>
          (table.re(4 * product + at) * dopplerBins + ((bin + table.re(4 * product + at + 1)) % dopplerBins)) * ranges;
        const [first, second] = [rowOf(0), rowOf(2)];
        const row = (perBin ? place : place % groups) * runs.width;
        let re = 0;
        let im = 0;
        for (let r = 0; r < rows.re(row + 1); r++) {
          const from = rows.re(row + 2 + 2 * r);
          for (let l = from; l < from + rows.re(row + 3 + 2 * r); l++) {
            const [a, b, c, d] = [x.re(first + l), x.im(first + l), x.re(second + l), x.im(second + l)];
            re += a * c + b * d;
            im += b * c - a * d;
          }
        }
        means.set(item, re / rows.re(row), im / rows.re(row));
      }
    },
  };
}
