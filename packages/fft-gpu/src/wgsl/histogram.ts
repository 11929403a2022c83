/**
 * Generates the passes of histograms. The first sets the counts to zero. In the second, each workgroup counts a part of the values in its own memory, and adds
 * its counts to the result. Integers are added in any order with the same result.
 *
 * Invocations that count in the same memory bank wait for each other. So a workgroup has as many copies of the counts as fit, and the
 * copies of a bin are in neighbouring banks: neighbouring invocations use different ones, whatever the values are. If not even one copy
 * fits, values are counted in the result itself.
 */
import { type ArrayUse, type Dispatch, spread } from "../dispatch.ts";

/**
 * What can be tuned. On an H100, 256 to 4096 bins of 128 MiB are read at 0.90 to 0.92 of the rate of a copy with 1024 invocations, and at 0.7 to 0.8 with
 * 512 or 256: fewer and larger workgroups have fewer copies to clear and to add. The numbers of workgroups and of copies hardly matter for random
 * values; copies keep equal values from waiting for each other. Batches of 8 lose 5 %.
 */
export const histogramTuning = {
  /** Invocations of a workgroup, at most. */
  invocations: 1024,
  /** Words that the invocations of the largest workgroup load before they count the first value. Those of smaller ones load twice as many. */
  batch: 4,
  /** Invocations in all, if there are enough values. */
  threads: 264 * 1024,
  /** Copies of the counts, at most. */
  copies: 16,
  /** Bytes of several copies, at most. */
  bytes: 16_384,
} as const;

/** What a histogram counts. */
export interface HistogramPass {
  readonly bins: number;
  /** Number of units, and the values of each. */
  readonly units: number;
  readonly width: 1 | 4;
  /** An expression for the unit at an index: a vec4f of four values, or one value. */
  load(index: string): string;
  /** Expressions for the lower edge and for bins per unit of value. */
  readonly low: string;
  readonly scale: string;
  readonly declarations: string;
  readonly arrays: Readonly<Record<string, ArrayUse>>;
  readonly workgroupBytes: number;
  /** Invocations that a workgroup may have. */
  readonly invocations: number;
}

/** The dispatches: counts are cleared, then values are counted. */
export function histogramDispatches(pass: HistogramPass): readonly Dispatch[] {
  const { bins, units, width, load, low, scale, declarations, arrays } = pass;
  const invocations = Math.min(pass.invocations, histogramTuning.invocations);
  const batch = histogramTuning.batch * (invocations < histogramTuning.invocations ? 2 : 1);
  const fitting = Math.floor(Math.min(pass.workgroupBytes, histogramTuning.bytes) / (4 * bins));
  const single = 4 * bins <= pass.workgroupBytes ? 1 : 0;
  const copies = fitting > 1 ? Math.min(histogramTuning.copies, 2 ** Math.floor(Math.log2(fitting))) : single;
  const step = invocations * batch;
  const count = Math.min(Math.ceil(histogramTuning.threads / invocations), Math.ceil(units / step));
  const { groups, index } = spread(count);
  const { out } = arrays;
  const clear: Dispatch = {
    code: `@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < ${bins}u) { store_out(id.x, 0u); }
}`,
    entry: "main",
    arrays: { out },
    groups: [Math.ceil(bins / 64), 1, 1],
  };
  const values = (n: number): string => {
    const ks = Array.from({ length: n }, (_, k) => k);
    const at = (k: number): string => (k === 0 ? "i" : `i + ${k * invocations}u`);
    return [
      ...ks.map((k) => `let x${k} = ${load(at(k))};`),
      ...ks.flatMap((k) =>
        width === 1 ? [`count(x${k}, low, scale, copy);`] : ["x", "y", "z", "w"].map((part) => `count(x${k}.${part}, low, scale, copy);`),
      ),
    ].join("\n    ");
  };
  const tally = copies === 0 ? "add_out(bin, 1u);" : `atomicAdd(&counts[${copies === 1 ? "bin" : `bin * ${copies}u + copy`}], 1u);`;
  const code = `${declarations}
${copies === 0 ? "" : `var<workgroup> counts: array<atomic<u32>, ${bins * copies}>;`}
fn count(x: f32, low: f32, scale: f32, copy: u32) {
  if (dechirp_nan(x)) { return; }
  let bin = u32(clamp((x - low) * scale, 0.0, ${bins - 1}.0));
  ${tally}
}
@compute @workgroup_size(${invocations})
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) group_id: vec3u) {
  let group = ${index};
  if (group >= ${count}u) { return; }
  ${copies === 0 ? "" : `for (var j = tid; j < ${bins * copies}u; j += ${invocations}u) { atomicStore(&counts[j], 0u); }\n  workgroupBarrier();`}
  let low = ${low};
  let scale = ${scale};
  let copy = tid % ${Math.max(1, copies)}u;
  // Workgroups take turns, so that those that run at the same time read neighbouring memory.
  var i = group * ${step}u + tid;
  for (; i + ${(batch - 1) * invocations}u < ${units}u; i += ${count * step}u) {
    ${values(batch)}
  }
  for (; i < ${units}u; i += ${invocations}u) {
    ${values(1)}
  }
  ${
    copies === 0
      ? ""
      : `workgroupBarrier();
  for (var bin = tid; bin < ${bins}u; bin += ${invocations}u) {
    var sum = 0u;
    // Invocations begin with different copies, which are in different banks.
    for (var k = 0u; k < ${copies}u; k++) { sum += atomicLoad(&counts[bin * ${copies}u + ((k + tid) % ${copies}u)]); }
    if (sum > 0u) { add_out(bin, sum); }
  }`
  }
}`;
  return [clear, { code, entry: "main", arrays, groups }];
}
