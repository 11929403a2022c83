/**
 * Means of products over sets of cells, as a kernel. The covariances of all Doppler windows are made of them (Section III-B of the
 * paper). If groups are trained by whole blocks, a set is a block and each product is summed once; the solve stage computes
 * the mean of blocks. On a GPU a workgroup stages the rows of some neighbouring bins on chip, a tile of cells at a time, and each of
 * its invocations sums the products of a few rows with a few others. The float64 form is efa/covariance.ts.
 */
import type { Kernel, WgslKernel, WgslLimits } from "@dechirp/core";
import type { EfaGeometry } from "../efa/options.ts";
import { kernelWasm } from "../wasm/kernels.ts";
import { dopplerLayout, meansLayout } from "./layouts.ts";
import { addConjugateProduct } from "./multiply-add.ts";
import type { EfaTables } from "./tables.ts";

/** Ports: x c64 [channel][bin][range], pairs u32 [product][4], runs u32 [set] or [bin][set], means c64 or c128 [bin][set][product]. */
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
    wgsl: (_constants, limits) => (geometry.precision === "f64" ? undefined : productsText(geometry, tables, limits)),
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

/** Largest number of cells that are on chip at once. */
const mostCells = 32;
/**
 * Number of cells in a sum before it is added to another. For PERFECT's small input, whose samples are all positive, this gives 5 dB less
 * error than one sum of all cells.
 */
const cellsOfSum = 8;
const mostBins = 32;
const mostInvocations = 128;
/** Workgroup memory for staged rows. More would leave room for too few workgroups. */
const mostBytes = 16_384;

/**
 * The work of a workgroup: `bins` neighbouring bins of a set, `tile` cells at once. Each invocation sums the products of `side` rows with
 * `side` others (a unit), so that everything read on chip is used `side` times.
 */
interface Tiling {
  readonly side: number;
  /** Number of units of a bin. */
  readonly units: number;
  readonly bins: number;
  readonly tile: number;
  readonly invocations: number;
}

/** Undefined if not even one bin and cell fit. */
function tiling(geometry: EfaGeometry, limits: WgslLimits): Tiling | undefined {
  const { channels, temporalTaps, order, dopplerBins, shared, sets } = geometry;
  const rows = shared ? channels : order;
  const side = rows <= 3 ? rows : rows === 4 ? 2 : rows <= 6 ? 3 : 4;
  const blocks = Math.ceil(rows / side);
  const units = (blocks * (blocks + 1)) / 2 + (shared ? (temporalTaps - 1) * blocks ** 2 : 0);
  const wanted = Math.min(sets.perBin ? 1 : mostBins, dopplerBins, Math.max(1, Math.floor(mostInvocations / units)));
  const bytes = Math.min(limits.workgroupBytes, mostBytes);
  for (let tile = mostCells; tile >= 1; tile /= 2) {
    for (let bins = wanted; bins >= Math.ceil(wanted / 2); bins--) {
      if (8 * channels * (bins + temporalTaps - 1) * (tile + 1) > bytes) continue;
      const invocations = Math.min(mostInvocations, limits.invocations, 32 * Math.ceil((units * bins) / 32));
      return { side, units, bins, tile, invocations };
    }
  }
  return undefined;
}

function productsText(geometry: EfaGeometry, { products, sets }: EfaTables, limits: WgslLimits): WgslKernel | undefined {
  const { channels, dopplerBins, ranges, temporalTaps, order, shared, sets: training } = geometry;
  const plan = tiling(geometry, limits);
  if (!plan) return undefined;
  const { side, units, bins, tile, invocations } = plan;
  const count = products.rows;
  const staged = bins + temporalTaps - 1;
  const pitch = tile + 1;
  const rows = shared ? channels : order;
  const blocks = Math.ceil(rows / side);
  const parts = Math.ceil((units * bins) / invocations);
  const groups = Math.ceil(dopplerBins / bins) * sets.count * parts;
  const [gx, gy] = [Math.min(groups, 65_535), Math.ceil(groups / 65_535)];
  const sides = Array.from({ length: side }, (_, i) => i);
  const each = (text: (i: number) => string): string => sides.map(text).join("\n");
  const pairs = (text: (i: number, j: number) => string): string => each((i) => sides.map((j) => text(i, j)).join("\n"));
  // A window that is not shared begins below its bin, and its rows are those of R̂, channel·T + tap.
  const below = shared ? 0 : temporalTaps >> 1;
  const line = (row: string, lag: string): string =>
    shared ? `(${row}) * ${staged}u + ${lag}` : `(${row}) / ${temporalTaps}u * ${staged}u + (${row}) % ${temporalTaps}u`;
  const code = `var<workgroup> rows: array<vec2f, ${channels * staged * pitch}>;
@compute @workgroup_size(${invocations})
fn main(@builtin(local_invocation_index) t: u32, @builtin(workgroup_id) group_id: vec3u) {
  let place = group_id.y * ${gx}u + group_id.x;
  if (place >= ${groups}u) { return; }
  let block = (place / ${parts}u) % ${sets.count}u;
  let bin = place / ${parts * sets.count}u * ${bins}u;
  let work = place % ${parts}u * ${invocations}u + t;
  let own = work % ${bins}u;
  let unit = min(work / ${bins}u, ${units - 1}u);
  // Which rows: of one bin with itself the blocks of a lower triangle, then all blocks for every lag.
  var lag = 0u;
  var i = 0u;
  var j = unit;
  if (unit < ${(blocks * (blocks + 1)) / 2}u) {
    while (j > i) { i += 1u; j -= i; }
  } else {
    let rest = unit - ${(blocks * (blocks + 1)) / 2}u;
    lag = 1u + rest / ${blocks * blocks}u;
    i = rest / ${blocks}u % ${blocks}u;
    j = rest % ${blocks}u;
  }
  i *= ${side}u;
  j *= ${side}u;
${each(
  (s) => `  let a${s} = (${line(`min(i + ${s}u, ${rows - 1}u)`, "0u")} + own) * ${pitch}u;
  let b${s} = (${line(`min(j + ${s}u, ${rows - 1}u)`, "lag")} + own) * ${pitch}u;`,
)}
${pairs((p, q) => `  var sum${p}x${q} = vec2f();`)}
  let row = ${training.perBin ? `(bin * ${sets.count}u + block)` : "block"} * ${sets.runs.width}u;
  let many = load_runs(row + 1u);
  for (var r = 0u; r < many; r++) {
    let begin = load_runs(row + 2u + 2u * r);
    let end = begin + load_runs(row + 3u + 2u * r);
    for (var origin = begin; origin < end; origin += ${tile}u) {
      for (var e = t; e < ${channels * staged * tile}u; e += ${invocations}u) {
        let at = e / ${tile}u;
        let cell = origin + e % ${tile}u;
        let source = at / ${staged}u * ${dopplerBins}u + (bin + ${dopplerBins - below}u + at % ${staged}u) % ${dopplerBins}u;
        var value = vec2f();
        if (cell < end) { value = load_x(source * ${ranges}u + cell); }
        rows[at * ${pitch}u + e % ${tile}u] = value;
      }
      workgroupBarrier();
      let cells = min(${tile}u, end - origin);
      for (var first = 0u; first < cells; first += ${cellsOfSum}u) {
${pairs((p, q) => `        var part${p}x${q} = vec2f();`)}
        let last = min(first + ${cellsOfSum}u, cells);
        for (var l = first; l < last; l++) {
${each(
  (s) => `          let x${s} = rows[a${s} + l];
          let z${s} = rows[b${s} + l];`,
)}
${pairs((p, q) => `          ${addConjugateProduct(`part${p}x${q}`, `x${p}`, `z${q}`)}`)}
        }
${pairs((p, q) => `        sum${p}x${q} += part${p}x${q};`)}
      }
      workgroupBarrier();
    }
  }
  if (work >= ${units * bins}u || bin + own >= ${dopplerBins}u) { return; }
  let share = 1.0 / f32(load_runs(row));
  let to = ((bin + own) * ${sets.count}u + block) * ${count}u;
${pairs((p, q) => `  store_product(to, lag, i + ${p}u, j + ${q}u, sum${p}x${q} * share);`)}
}
fn store_product(to: u32, lag: u32, i: u32, j: u32, value: vec2f) {
  if (i >= ${rows}u || j >= ${rows}u) { return; }
  if (lag == 0u) {
    if (j <= i) { store_means(to + i * (i + 1u) / 2u + j, value); }
  } else {
    store_means(to + ${(rows * (rows + 1)) / 2}u + ((lag - 1u) * ${rows}u + i) * ${rows}u + j, value);
  }
}`;
  return { code, dispatches: [{ entry: "main", groups: [gx, gy, 1] }] };
}
