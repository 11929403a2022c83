/**
 * Means of products over sets of cells, as a kernel: all that the covariances of all Doppler windows are made of (Section III-B of the
 * paper). Where groups are trained by whole blocks, a set is a block and each product is summed once; the solve stage makes
 * the mean of blocks. A workgroup stages the rows of some neighbouring bins on chip, a tile of cells at a time, and each of
 * its invocations sums a few products. The float64 form is efa/covariance.ts.
 */
import type { Kernel, WgslKernel, WgslLimits } from "@dechirp/core";
import type { EfaGeometry } from "../efa/options.ts";
import { kernelWasm } from "../wasm/kernels.ts";
import { dopplerLayout, meansLayout } from "./layouts.ts";
import type { EfaTables } from "./tables.ts";

/** Ports: x c64 [channel][bin][range], pairs u32 [product][4], runs u32 [set] or [bin][set], means c64 [bin][set][product]. */
export function productsKernel(geometry: EfaGeometry, tables: EfaTables): Kernel {
  const { dopplerBins, ranges, sets: training } = geometry;
  const { products, sets } = tables;
  const count = products.rows;
  const items = dopplerBins * sets.count;
  return {
    op: "kernel",
    name: `products=${count} ${geometry.shared ? "shared" : "unshared"} of ${Math.round(sets.cells)} cells`,
    flops: 8 * items * count * sets.cells,
    ports: {
      x: { access: "read", layout: dopplerLayout(geometry) },
      pairs: { access: "read", layout: { dtype: "u32", shape: [products.rows, products.width] } },
      runs: { access: "read", layout: { dtype: "u32", shape: [sets.runs.rows, sets.runs.width] } },
      means: { access: "write", layout: meansLayout(geometry, tables) },
    },
    items,
    ...kernelWasm("products", geometry, tables),
    wgsl: (_constants, limits) => productsText(geometry, tables, limits),
    reference({ x, pairs, runs, means }, _uniforms, start, end) {
      for (let item = start; item < end; item++) {
        const bin = Math.floor(item / sets.count);
        const row = (training.perBin ? item : item % sets.count) * sets.runs.width;
        const rowOf = (at: number): number => (pairs.re(at) * dopplerBins + ((bin + pairs.re(at + 1)) % dopplerBins)) * ranges;
        for (let product = 0; product < count; product++) {
          const [first, second] = [rowOf(4 * product), rowOf(4 * product + 2)];
          let re = 0;
          let im = 0;
          for (let r = 0; r < runs.re(row + 1); r++) {
            const from = runs.re(row + 2 + 2 * r);
            for (let l = from; l < from + runs.re(row + 3 + 2 * r); l++) {
              const [a, b, c, d] = [x.re(first + l), x.im(first + l), x.re(second + l), x.im(second + l)];
              re += a * c + b * d;
              im += b * c - a * d;
            }
          }
          means.set(item * count + product, re / runs.re(row), im / runs.re(row));
        }
      }
    },
  };
}

const invocations = 64;
/** Products that an invocation sums at once, in registers. */
const mostSums = 8;
/** Cells that are on chip at once. */
const tiles = [32, 16, 8, 4, 2, 1];
const mostBins = 8;

/** How many bins a workgroup takes and how many cells are on chip at once; undefined where not even one of each fits. */
function tiling(
  { channels, temporalTaps, dopplerBins, sets: { perBin } }: EfaGeometry,
  workgroupBytes: number,
): { readonly bins: number; readonly tile: number } | undefined {
  for (const tile of tiles) {
    for (let bins = perBin ? 1 : Math.min(mostBins, dopplerBins); bins >= 1; bins--) {
      if (8 * channels * (bins + temporalTaps - 1) * (tile + 1) <= workgroupBytes && dopplerBins % bins === 0) return { bins, tile };
    }
  }
  return undefined;
}

function productsText(geometry: EfaGeometry, { products, sets }: EfaTables, limits: WgslLimits): WgslKernel | undefined {
  const { channels, dopplerBins, ranges, temporalTaps, shared, sets: training } = geometry;
  const plan = tiling(geometry, limits.workgroupBytes);
  if (!plan || limits.invocations < invocations) return undefined;
  const { bins, tile } = plan;
  const count = products.rows;
  const staged = bins + temporalTaps - 1;
  const pitch = tile + 1;
  // An unshared window begins below its bin.
  const below = shared ? 0 : temporalTaps >> 1;
  const sums = Math.min(mostSums, Math.ceil((bins * count) / invocations));
  const parts = Math.ceil((bins * count) / (sums * invocations));
  const groups = (dopplerBins / bins) * sets.count * parts;
  const [gx, gy] = [Math.min(groups, 65_535), Math.ceil(groups / 65_535)];
  const each = (text: (q: number) => string): string => Array.from({ length: sums }, (_, q) => text(q)).join("\n");
  const code = `var<workgroup> rows: array<vec2f, ${channels * staged * pitch}>;
fn row_of(channel: u32, offset: u32, bin: u32) -> u32 {
  return (channel * ${staged}u + bin + (offset + ${below}u) % ${dopplerBins}u) * ${pitch}u;
}
@compute @workgroup_size(${invocations})
fn main(@builtin(local_invocation_index) t: u32, @builtin(workgroup_id) group_id: vec3u) {
  let place = group_id.y * ${gx}u + group_id.x;
  if (place >= ${groups}u) { return; }
  let part = place % ${parts}u;
  let block = (place / ${parts}u) % ${sets.count}u;
  let bin = place / ${parts * sets.count}u * ${bins}u;
${each(
  (q) => `  let unit${q} = (part * ${sums}u + ${q}u) * ${invocations}u + t;
  let product${q} = unit${q} % ${count}u;
  let bin${q} = min(unit${q} / ${count}u, ${bins - 1}u);
  let a${q} = row_of(load_pairs(product${q} * 4u), load_pairs(product${q} * 4u + 1u), bin${q});
  let b${q} = row_of(load_pairs(product${q} * 4u + 2u), load_pairs(product${q} * 4u + 3u), bin${q});
  var sum${q} = vec2f();`,
)}
  let row = ${training.perBin ? `(bin * ${sets.count}u + block)` : "block"} * ${sets.runs.width}u;
  let many = load_runs(row + 1u);
  for (var r = 0u; r < many; r++) {
    let begin = load_runs(row + 2u + 2u * r);
    let end = begin + load_runs(row + 3u + 2u * r);
    for (var origin = begin; origin < end; origin += ${tile}u) {
      for (var e = t; e < ${channels * staged * tile}u; e += ${invocations}u) {
        let line = e / ${tile}u;
        let cell = origin + e % ${tile}u;
        let at = (line / ${staged}u) * ${dopplerBins}u + (bin + ${dopplerBins - below}u + line % ${staged}u) % ${dopplerBins}u;
        var value = vec2f();
        if (cell < end) { value = load_x(at * ${ranges}u + cell); }
        rows[line * ${pitch}u + e % ${tile}u] = value;
      }
      workgroupBarrier();
      let cells = min(${tile}u, end - origin);
      for (var l = 0u; l < cells; l++) {
${each((q) => `        sum${q} += cmulc(rows[a${q} + l], rows[b${q} + l]);`)}
      }
      workgroupBarrier();
    }
  }
  let cells = f32(load_runs(row));
${each((q) => `  if (unit${q} < ${bins * count}u) { store_means(((bin + bin${q}) * ${sets.count}u + block) * ${count}u + product${q}, sum${q} / cells); }`)}
}`;
  return { code, dispatches: [{ entry: "main", groups: [gx, gy, 1] }] };
}
