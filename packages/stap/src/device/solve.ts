/**
 * Weights of every Doppler bin, group and steering vector, as a kernel: a workgroup puts one covariance together from its products,
 * loads its diagonal, factors it on chip (Cholesky) and solves for all steering vectors, one an invocation (Section III-C of the paper;
 * the factorisation is Golub & Van Loan's outer-product form). The float64 form is adaptive.ts.
 *
 * A pivot that is not positive ends a matrix: its weights are zeros, and `status` says at which row, counted from 1, so that no NaN
 * goes unreported.
 */
import { type ArrayView, type Kernel, type Layout, type WgslKernel, type WgslLimits, wgslFloat } from "@dechirp/core";
import type { EfaGeometry } from "../efa/options.ts";
import { productsLayout } from "./covariance.ts";
import type { Table } from "./tables.ts";

export const weightsLayout = ({ dopplerBins, sets, steeringVectors, order }: EfaGeometry): Layout<"c64"> => ({
  dtype: "c64",
  shape: [dopplerBins, sets.groups, steeringVectors, order],
});
export const gainsLayout = ({ dopplerBins, sets, steeringVectors }: EfaGeometry): Layout<"f32"> => ({
  dtype: "f32",
  shape: [dopplerBins, sets.groups, steeringVectors],
});
export const statusLayout = ({ dopplerBins, sets }: EfaGeometry): Layout<"u32"> => ({ dtype: "u32", shape: [dopplerBins, sets.groups] });

const invocations = 64;
/** Beyond, an invocation's vector would leave its registers by far. */
const mostOrder = 64;
/** A pivot below so many roundings of its diagonal is none. */
const pivotShare = 2 ** -22;

/**
 * Ports: means c64 [bin][group][product], elements u32 [triangle][3], steering c64 [P][n]; weights c64 [bin][group][P][n],
 * gains wᴴv f32 [bin][group][P], status u32 [bin][group], 0 where all is well.
 */
export function solveKernel(geometry: EfaGeometry, products: Table, elements: Table): Kernel {
  const { dopplerBins, sets, steeringVectors, order: n } = geometry;
  const items = dopplerBins * sets.groups;
  return {
    op: "kernel",
    name: `cholesky n=${n} vectors=${steeringVectors}`,
    flops: items * ((4 / 3) * n ** 3 + 8 * steeringVectors * n * n),
    ports: {
      means: { access: "read", layout: productsLayout(geometry, products) },
      elements: { access: "read", layout: { dtype: "u32", shape: [elements.rows, elements.width] } },
      steering: { access: "read", layout: { dtype: "c64", shape: [steeringVectors, n] } },
      weights: { access: "write", layout: weightsLayout(geometry) },
      gains: { access: "write", layout: gainsLayout(geometry) },
      status: { access: "write", layout: statusLayout(geometry) },
    },
    items,
    wgsl: (_constants, limits) => solveText(geometry, products, elements, limits),
    reference(ports, _uniforms, start, end) {
      const triangle = new Float64Array(2 * elements.rows);
      const y = new Float64Array(2 * n);
      for (let item = start; item < end; item++) {
        readTriangle(geometry, products.rows, elements, ports["means"], item, triangle);
        const failed = factor(triangle, n, geometry.loading);
        ports["status"].set(item, failed);
        for (let p = 0; p < steeringVectors; p++) {
          const gain = failed > 0 ? 0 : solve(triangle, n, ports["steering"], p * n, y);
          ports["gains"].set(item * steeringVectors + p, gain);
          for (let i = 0; i < n; i++)
            ports["weights"].set((item * steeringVectors + p) * n + i, failed > 0 ? 0 : y[2 * i], failed > 0 ? 0 : y[2 * i + 1]);
        }
      }
    },
  };
}

function readTriangle(
  { dopplerBins, sets }: EfaGeometry,
  count: number,
  { data, width }: Table,
  means: ArrayView,
  item: number,
  triangle: Float64Array,
): void {
  const [bin, group] = [Math.floor(item / sets.groups), item % sets.groups];
  for (let e = 0; e < triangle.length / 2; e++) {
    const at = (((bin + data[e * width]) % dopplerBins) * sets.groups + group) * count + data[e * width + 1];
    triangle[2 * e] = means.re(at);
    triangle[2 * e + 1] = data[e * width + 2] === 1 ? -means.im(at) : means.im(at);
  }
}

const at = (row: number, column: number): number => row * (row + 1) + 2 * column;

/** L of R + loading·tr(R)/n·I over its lower triangle, the diagonal's reciprocals in place of it; the row, from 1, that ends it, or 0. */
function factor(r: Float64Array, n: number, loading: number): number {
  let trace = 0;
  for (let i = 0; i < n; i++) trace += r[at(i, i)];
  for (let i = 0; i < n; i++) r[at(i, i)] += (loading * trace) / n;
  for (let k = 0; k < n; k++) {
    const diagonal = r[at(k, k)];
    let pivot = diagonal;
    for (let j = 0; j < k; j++) pivot -= r[at(k, j)] ** 2 + r[at(k, j) + 1] ** 2;
    if (!(pivot > n * 2 ** -52 * diagonal)) return k + 1;
    const scale = 1 / Math.sqrt(pivot);
    for (let i = k + 1; i < n; i++) {
      let re = r[at(i, k)];
      let im = r[at(i, k) + 1];
      for (let j = 0; j < k; j++) {
        const [a, b, c, d] = [r[at(i, j)], r[at(i, j) + 1], r[at(k, j)], r[at(k, j) + 1]];
        re -= a * c + b * d;
        im -= b * c - a * d;
      }
      r[at(i, k)] = re * scale;
      r[at(i, k) + 1] = im * scale;
    }
    r[at(k, k)] = scale;
  }
  return 0;
}

/** w = L⁻ᴴL⁻¹v into `y`; |L⁻¹v|² = wᴴv. */
function solve(l: Float64Array, n: number, v: ArrayView, from: number, y: Float64Array): number {
  let gain = 0;
  for (let i = 0; i < n; i++) {
    let re = v.re(from + i);
    let im = v.im(from + i);
    for (let j = 0; j < i; j++) {
      re -= l[at(i, j)] * y[2 * j] - l[at(i, j) + 1] * y[2 * j + 1];
      im -= l[at(i, j)] * y[2 * j + 1] + l[at(i, j) + 1] * y[2 * j];
    }
    y[2 * i] = re * l[at(i, i)];
    y[2 * i + 1] = im * l[at(i, i)];
    gain += y[2 * i] ** 2 + y[2 * i + 1] ** 2;
  }
  for (let i = n - 1; i >= 0; i--) {
    let re = y[2 * i];
    let im = y[2 * i + 1];
    for (let j = i + 1; j < n; j++) {
      re -= l[at(j, i)] * y[2 * j] + l[at(j, i) + 1] * y[2 * j + 1];
      im -= l[at(j, i)] * y[2 * j + 1] - l[at(j, i) + 1] * y[2 * j];
    }
    y[2 * i] = re * l[at(i, i)];
    y[2 * i + 1] = im * l[at(i, i)];
  }
  return gain;
}

function solveText(geometry: EfaGeometry, products: Table, elements: Table, limits: WgslLimits): WgslKernel | undefined {
  const { dopplerBins, sets, steeringVectors, order: n, loading } = geometry;
  const size = elements.rows;
  if (n > mostOrder || 8 * size + 4 * n + 16 > limits.workgroupBytes || limits.invocations < invocations) return undefined;
  const rows = `(${dopplerBins * sets.groups}u)`;
  const [x, y] = [Math.min(dopplerBins * sets.groups, 65_535), Math.ceil((dopplerBins * sets.groups) / 65_535)];
  const code = `var<workgroup> r: array<vec2f, ${size}>;
var<workgroup> diagonals: array<f32, ${n}>;
var<workgroup> failed: u32;
fn place(row: u32, column: u32) -> u32 { return row * (row + 1u) / 2u + column; }
@compute @workgroup_size(${invocations})
fn main(@builtin(local_invocation_index) t: u32, @builtin(workgroup_id) group_id: vec3u) {
  let item = group_id.y * ${x}u + group_id.x;
  if (item >= ${rows}) { return; }
  let bin = item / ${sets.groups}u;
  let group = item % ${sets.groups}u;
  for (var e = t; e < ${size}u; e += ${invocations}u) {
    let source = (bin + load_elements(e * 3u)) % ${dopplerBins}u;
    let value = load_means((source * ${sets.groups}u + group) * ${products.rows}u + load_elements(e * 3u + 1u));
    r[e] = vec2f(value.x, select(value.y, -value.y, load_elements(e * 3u + 2u) == 1u));
  }
  if (t == 0u) { failed = 0u; }
  workgroupBarrier();
  var trace = 0.0;
  for (var i = 0u; i < ${n}u; i++) { trace += r[place(i, i)].x; }
  workgroupBarrier();
  for (var i = t; i < ${n}u; i += ${invocations}u) {
    let value = r[place(i, i)].x + ${wgslFloat(loading / n)} * trace;
    r[place(i, i)] = vec2f(value, 0.0);
    diagonals[i] = value;
  }
  workgroupBarrier();
  for (var k = 0u; k < ${n}u; k++) {
    let pivot = r[place(k, k)].x;
    let good = pivot > ${wgslFloat(pivotShare * Math.sqrt(n))} * diagonals[k];
    let scale = select(0.0, inverseSqrt(pivot), good);
    workgroupBarrier();
    if (t == 0u && !good && failed == 0u) { failed = k + 1u; }
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
  if (t == 0u) { store_status(item, failed); }
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
    let to = item * ${steeringVectors}u + p;
    store_gains(to, select(gain, 0.0, bad));
    for (var i = 0u; i < ${n}u; i++) { store_weights(to * ${n}u + i, select(y[i], vec2f(), bad)); }
  }
}`;
  return { code, dispatches: [{ entry: "main", groups: [x, y, 1] }] };
}
