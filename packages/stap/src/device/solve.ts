/**
 * Weights of every Doppler bin, group and steering vector, as a kernel. A workgroup assembles a covariance from the means of its
 * training sets, loads its diagonal and solves for all steering vectors on chip (on-chip.ts). With Cholesky's method, larger covariances
 * are factored
 * in workgroup memory without registers, and each invocation solves one steering vector. The float64 form is adaptive.ts.
 *
 * A pivot that is not positive ends a matrix: its weights are zeros, and `status` says why (status.ts), so that no NaN goes unreported.
 */
import type { Kernel, WgslKernel, WgslLimits } from "@dechirp/core";
import { wgslFloat } from "@dechirp/core/internal";
import type { EfaGeometry } from "../efa/options.ts";
import { kernelWasm } from "../wasm/kernels.ts";
import { hostSolver } from "./host.ts";
import { covariancePorts, gainsLayout, statusLayout, weightsLayout } from "./layouts.ts";
import { onChipSolver } from "./on-chip.ts";
import { checkDeclarations } from "./on-chip-shape.ts";
import type { EfaTables } from "./tables.ts";

/** Variants that the bench compares. */
export interface SolveVariant {
  /** Rows of an invocation in Gauss-Jordan elimination: the blocking factor B_T of the paper. */
  readonly rowsPerInvocation?: number;
}

/**
 * Ports: means c64 [bin][set][product], elements u32 [triangle][3], members f32 [group][…], steering c64 [P][n]; weights c64
 * [bin][group][P][n], gains wᴴv f32 [bin][group][P], status u32 [bin][group], 0 if a covariance is solved.
 */
export function solveKernel(geometry: EfaGeometry, tables: EfaTables, variant: SolveVariant = {}): Kernel {
  const { dopplerBins, sets, steeringVectors, order: n, solver } = geometry;
  const items = dopplerBins * sets.groups;
  return {
    op: "kernel",
    name: `${solver} n=${n} vectors=${steeringVectors}`,
    flops: items * ((4 / 3) * n ** 3 + 8 * steeringVectors * n * n),
    ports: {
      ...covariancePorts(geometry, tables),
      weights: { access: "write", layout: weightsLayout(geometry) },
      gains: { access: "write", layout: gainsLayout(geometry) },
      status: { access: "write", layout: statusLayout(geometry) },
    },
    items,
    ...kernelWasm("solve", geometry, tables),
    wgsl: (_constants, limits) => onChipText(geometry, tables, limits, variant) ?? largeText(geometry, tables, limits),
    reference({ means, steering, weights, gains, status }, _uniforms, start, end) {
      const host = hostSolver(geometry, tables);
      for (let item = start; item < end; item++) {
        status.set(item, host.solve(means, steering, item));
        const first = item * steeringVectors;
        for (let i = 0; i < steeringVectors * n; i++) weights.set(first * n + i, host.weights[2 * i], host.weights[2 * i + 1]);
        for (let p = 0; p < steeringVectors; p++) gains.set(first + p, host.gains[p]);
      }
    },
  };
}

function onChipText(geometry: EfaGeometry, tables: EfaTables, limits: WgslLimits, variant: SolveVariant): WgslKernel | undefined {
  const { steeringVectors, order: n } = geometry;
  const solver = onChipSolver(geometry, tables, limits, { scaled: false, ...variant });
  if (!solver) return undefined;
  const code = `${solver.declarations}
@compute @workgroup_size(${solver.workgroupSize})
fn main(@builtin(local_invocation_index) t: u32, @builtin(workgroup_id) group_id: vec3u) {
${solver.prepare}
  for (var origin = 0u; origin < ${steeringVectors}u; origin += ${solver.chunk}u) {
${solver.solve}
    let wanted = select(0u, min(${solver.chunk}u, ${steeringVectors}u - origin), live);
    let to = item * ${steeringVectors}u + origin;
    for (var v = lane; v < wanted; v += ${solver.lanes}u) { store_gains(to + v, gains[matrix * ${solver.chunk}u + v]); }
    for (var e = lane; e < wanted * ${n}u; e += ${solver.lanes}u) {
      let i = e % ${n}u;
      let f = ${solver.filter("i / 2u", `e / ${n}u`)};
      store_weights(to * ${n}u + e, select(f.xy, f.zw, i % 2u == 1u));
    }
    workgroupBarrier();
  }
  if (lane == 0u && live) { store_status(item, ${solver.status}); }
}`;
  return { code, dispatches: [{ entry: "main", groups: solver.groups }] };
}

const invocations = 64;
/** Largest order for which the vector of an invocation stays in registers. */
const mostLargeOrder = 128;

function largeText(geometry: EfaGeometry, { products, elements, sets: summed }: EfaTables, limits: WgslLimits): WgslKernel | undefined {
  const { dopplerBins, sets, steeringVectors, order: n, loading, solver } = geometry;
  const size = elements.rows;
  if (solver !== "cholesky" || n > mostLargeOrder || 8 * size + 4 * n + 24 > limits.workgroupBytes || limits.invocations < invocations)
    return undefined;
  const { width } = summed.members;
  const rows = `(${dopplerBins * sets.groups}u)`;
  const [x, y] = [Math.min(dopplerBins * sets.groups, 65_535), Math.ceil((dopplerBins * sets.groups) / 65_535)];
  const code = `var<workgroup> r: array<vec2f, ${size}>;
var<workgroup> diagonals: array<f32, ${n}>;
var<workgroup> failed: u32;
var<workgroup> weak: u32;
var<workgroup> told: atomic<u32>;
${checkDeclarations}
fn place(row: u32, column: u32) -> u32 { return row * (row + 1u) / 2u + column; }
@compute @workgroup_size(${invocations})
fn main(@builtin(local_invocation_index) t: u32, @builtin(workgroup_id) group_id: vec3u) {
  let item = group_id.y * ${x}u + group_id.x;
  if (item >= ${rows}) { return; }
  let bin = item / ${sets.groups}u;
  let group = item % ${sets.groups}u;
  for (var e = t; e < ${size}u; e += ${invocations}u) {
    let source = (bin + load_elements(e * 3u)) % ${dopplerBins}u;
    let many = u32(load_members(group * ${width}u));
    var value = vec2f();
    for (var k = 0u; k < many; k++) {
      let member = group * ${width}u + 1u + 2u * k;
      let mean = (source * ${summed.count}u + u32(load_members(member))) * ${products.rows}u + load_elements(e * 3u + 1u);
      value += load_members(member + 1u) * load_means(mean);
    }
    r[e] = vec2f(value.x, select(value.y, -value.y, load_elements(e * 3u + 2u) == 1u));
  }
  if (t == 0u) {
    failed = 0u;
    weak = 0u;
    atomicStore(&told, 0u);
  }
  workgroupBarrier();
  var trace = 0.0;
  for (var i = 0u; i < ${n}u; i++) { trace += r[place(i, i)].x; }
  trace = finite_or_zero(trace);
  workgroupBarrier();
  for (var i = t; i < ${n}u; i += ${invocations}u) {
    let value = r[place(i, i)].x + ${wgslFloat(loading / n)} * trace;
    r[place(i, i)] = vec2f(value, 0.0);
    diagonals[i] = value;
  }
  workgroupBarrier();
  for (var k = 0u; k < ${n}u; k++) {
    let pivot = r[place(k, k)].x;
    let good = is_pivot(pivot, diagonals[k]);
    let scale = select(0.0, inverseSqrt(pivot), good);
    workgroupBarrier();
    if (t == 0u && !good && failed == 0u) { failed = pivot_status(k, diagonals[k]); }
    if (t == 0u && is_weak(pivot, diagonals[k])) { weak = 1u; }
    for (var i = k + t; i < ${n}u; i += ${invocations}u) {
      if (i == k) { r[place(k, k)] = vec2f(scale, 0.0); } else { r[place(i, k)] *= scale; }
    }
    workgroupBarrier();
    // The rest of the triangle, less the column's products.
    let left = ${n - 1}u - k;
    for (var e = t; e < left * left; e += ${invocations}u) {
      let i = k + 1u + e / left;
      let j = k + 1u + e % left;
      if (j <= i) { r[place(i, j)] -= cmulc(r[place(i, k)], r[place(j, k)]); }
    }
    workgroupBarrier();
  }
  let bad = failed > 0u;
  for (var p = t; p < ${steeringVectors}u; p += ${invocations}u) {
    var y: array<vec2f, ${n}>;
    var gain = 0.0;
    for (var i = 0u; i < ${n}u; i++) {
      var sum = load_steering(p * ${n}u + i);
      for (var j = 0u; j < i; j++) { sum -= cmul(r[place(i, j)], y[j]); }
      y[i] = sum * r[place(i, i)].x;
      gain += dot(y[i], y[i]);
    }
    for (var i = ${n - 1}i; i >= 0i; i--) {
      var sum = y[i];
      for (var j = u32(i) + 1u; j < ${n}u; j++) { sum -= cmulc(y[j], r[place(j, u32(i))]); }
      y[i] = sum * r[place(u32(i), u32(i))].x;
    }
    let usable = is_gain(gain) && !bad;
    if (!usable && !bad) { atomicMax(&told, gain_status(p)); }
    if (usable && weak != 0u) {
      var square = 0.0;
      for (var i = 0u; i < ${n}u; i++) { square += dot(diagonals[i] * y[i], y[i]); }
      atomicMax(&told, condition_status(square / gain));
    }
    let to = item * ${steeringVectors}u + p;
    store_gains(to, select(0.0, gain, usable));
    for (var i = 0u; i < ${n}u; i++) { store_weights(to * ${n}u + i, select(y[i], vec2f(), bad)); }
  }
  workgroupBarrier();
  if (t == 0u) { store_status(item, select(failed, atomicLoad(&told), failed == 0u)); }
}`;
  return { code, dispatches: [{ entry: "main", groups: [x, y, 1] }] };
}
