/**
 * The output of the filter for every steering vector, Doppler bin and range, as a kernel (Section III-D of the paper). A workgroup has the
 * weights of a bin and group on chip and filters some of the cells of the group. The float64 form is `applyWeights` of adaptive.ts.
 */
import type { Kernel, WgslKernel, WgslLimits } from "@dechirp/core";
import type { EfaGeometry } from "../efa/options.ts";
import { kernelWasm } from "../wasm/kernels.ts";
import { applyText } from "./apply.ts";
import { amplitudeScales, filterGroup } from "./host.ts";
import { dopplerLayout, gainsLayout, outputPorts, weightsLayout } from "./layouts.ts";

/** Ports: x c64 [channel][bin][range], weights, gains; y, and strongest u32 [bin][range] if only the largest is kept. */
export function weightingKernel(geometry: EfaGeometry): Kernel {
  const { dopplerBins, ranges, sets, steeringVectors, order: n, output, maxOverSteering } = geometry;
  return {
    op: "kernel",
    name: `weighting ${output} vectors=${steeringVectors}${maxOverSteering ? " largest" : ""}`,
    flops: 8 * dopplerBins * ranges * steeringVectors * n,
    ports: {
      x: { access: "read", layout: dopplerLayout(geometry) },
      weights: { access: "read", layout: weightsLayout(geometry) },
      gains: { access: "read", layout: gainsLayout(geometry) },
      ...outputPorts(geometry),
    },
    items: dopplerBins * sets.groups,
    ...kernelWasm(maxOverSteering ? "weightingLargest" : "weighting", geometry),
    wgsl: (_constants, limits) => weightingText(geometry, limits),
    reference(ports, _uniforms, start, end) {
      const weights = new Float64Array(2 * steeringVectors * n);
      const gains = new Float64Array(steeringVectors);
      for (let item = start; item < end; item++) {
        const first = item * steeringVectors;
        for (let i = 0; i < steeringVectors * n; i++) {
          weights[2 * i] = ports["weights"].re(first * n + i);
          weights[2 * i + 1] = ports["weights"].im(first * n + i);
        }
        for (let p = 0; p < steeringVectors; p++) gains[p] = ports["gains"].re(first + p);
        filterGroup(geometry, ports, item, weights, gains);
      }
    },
  };
}

const mostLanes = 64;

function weightingText(geometry: EfaGeometry, { workgroupBytes, invocations }: WgslLimits): WgslKernel | undefined {
  const { dopplerBins, sets, steeringVectors, order: n, output } = geometry;
  const lanes = Math.min(mostLanes, invocations, 2 ** Math.ceil(Math.log2(Math.max(sets.groupRanges, Math.min(steeringVectors, 32)))));
  const pairs = Math.ceil(n / 2);
  const chunk = Math.min(steeringVectors, Math.floor(workgroupBytes / (16 * pairs + 4)), 256);
  if (chunk < 1) return undefined;
  const chunks = Math.ceil(steeringVectors / chunk);
  const apply = applyText(geometry, { lanes, chunk, chunks, pairs, filter: (pair, vector) => `filters[${pair} * ${chunk}u + ${vector}]` });
  const groups = dopplerBins * sets.groups * apply.tiles;
  const [gx, gy] = [Math.min(groups, 65_535), Math.ceil(groups / 65_535)];
  const code = `var<workgroup> filters: array<vec4f, ${pairs * chunk}>;
var<workgroup> scales: array<f32, ${chunk}>;
@compute @workgroup_size(${lanes})
fn main(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group_id: vec3u) {
  let place = group_id.y * ${gx}u + group_id.x;
  if (place >= ${groups}u) { return; }
  let tile = place % ${apply.tiles}u;
  let item = place / ${apply.tiles}u;
  let bin = item / ${sets.groups}u;
  let group = item % ${sets.groups}u;
  let live = true;
${apply.snapshot}
${apply.begin}
  for (var origin = 0u; origin < ${steeringVectors}u; origin += ${chunk}u) {
    for (var v = lane; v < ${chunk}u; v += ${lanes}u) {
      let gain = load_gains(item * ${steeringVectors}u + min(origin + v, ${steeringVectors - 1}u));
      scales[v] = select(0.0, ${amplitudeScales[output].text}, gain > 0.0);
    }
    workgroupBarrier();
    for (var e = lane; e < ${pairs * chunk}u; e += ${lanes}u) {
      let v = e / ${pairs}u;
      let i = e % ${pairs}u * 2u;
      let at = (item * ${steeringVectors}u + min(origin + v, ${steeringVectors - 1}u)) * ${n}u + i;
      let second = ${n % 2 === 0 ? "load_weights(at + 1u)" : `select(vec2f(), load_weights(min(at + 1u, ${dopplerBins * sets.groups * steeringVectors * n - 1}u)), i + 1u < ${n}u)`};
      filters[(i / 2u) * ${chunk}u + v] = vec4f(load_weights(at), second) * scales[v];
    }
    workgroupBarrier();
${apply.outputs}
    workgroupBarrier();
  }
${apply.end}
}`;
  return { code, dispatches: [{ entry: "main", groups: [gx, gy, 1] }] };
}
