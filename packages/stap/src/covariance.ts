/**
 * Sample covariances R̂ = (1/K)·Σ s·sᴴ over training sets, in float64. Row i holds element i of the snapshots over all
 * ranges. A product of two rows is summed once in aligned pairs, quads, octets …, and every training set adds up a few of
 * those sums. So sets that overlap nearly completely cost little more than blocks, nothing is ever subtracted, and
 * rounding grows with log K.
 */
import { runToEnd } from "@dechirp/core/internal";
import type { TrainingSets } from "./training.ts";

/** A row of a snapshot matrix: `ranges` interleaved samples of `data`, starting at `at`. */
export interface Row {
  readonly data: Float64Array | Float32Array;
  /** Index of a number, not of a complex sample. */
  readonly at: number;
}

/** Which partial sums each group adds up, the same for all pairs of rows. Internal. */
export interface SummationPlan {
  readonly ranges: number;
  readonly groups: number;
  /** Index of the first partial sum of each level. */
  readonly levels: readonly number[];
  readonly sums: number;
  /** The sums of group g are nodes[starts[g]] … nodes[starts[g + 1] − 1]. */
  readonly starts: Int32Array;
  readonly nodes: Int32Array;
  /** Cells of a group's training set, K. */
  readonly cells: Int32Array;
}

/** The plan for the sets of one Doppler bin. */
export function planSummation(sets: TrainingSets, bin: number): SummationPlan {
  const { ranges, groups } = sets;
  const levels: number[] = [];
  let sums = 0;
  for (let width = 1; width <= ranges; width *= 2) {
    levels.push(sums);
    sums += Math.floor(ranges / width);
  }
  const starts = new Int32Array(groups + 1);
  const cells = new Int32Array(groups);
  const nodes: number[] = [];
  for (let group = 0; group < groups; group++) {
    for (const [first, count] of sets.runs(group, bin)) {
      cells[group] += count;
      const end = first + count;
      for (let at = first; at < end; ) {
        // The largest aligned span that starts here and ends within the run.
        let level = 0;
        while (at % 2 ** (level + 1) === 0 && at + 2 ** (level + 1) <= end) level++;
        nodes.push(levels[level] + at / 2 ** level);
        at += 2 ** level;
      }
    }
    starts[group + 1] = nodes.length;
  }
  return { ranges, groups, levels, sums, starts, nodes: Int32Array.from(nodes), cells };
}

/** Room for the partial sums of one pair of rows. */
export const summationScratch = (plan: SummationPlan): Float64Array => new Float64Array(2 * plan.sums);

/** Writes (1/K)·Σ a·b* over every group's training set to out[2·(offset + group·stride)] and the number after it. */
export function meanProducts(
  plan: SummationPlan,
  a: Row,
  b: Row,
  scratch: Float64Array,
  out: Float64Array,
  offset: number,
  stride: number,
): void {
  const { ranges, groups, levels, starts, nodes, cells } = plan;
  for (let l = 0, i = a.at, j = b.at; l < ranges; l++, i += 2, j += 2) {
    const [ar, ai] = [a.data[i], a.data[i + 1]];
    const [br, bi] = [b.data[j], b.data[j + 1]];
    scratch[2 * l] = ar * br + ai * bi;
    scratch[2 * l + 1] = ai * br - ar * bi;
  }
  for (let level = 1; level < levels.length; level++) {
    let from = 2 * levels[level - 1];
    const end = 2 * (levels[level] + Math.floor(ranges / 2 ** level));
    for (let to = 2 * levels[level]; to < end; to += 2, from += 4) {
      scratch[to] = scratch[from] + scratch[from + 2];
      scratch[to + 1] = scratch[from + 1] + scratch[from + 3];
    }
  }
  for (let group = 0; group < groups; group++) {
    let re = 0;
    let im = 0;
    for (let at = starts[group]; at < starts[group + 1]; at++) {
      re += scratch[2 * nodes[at]];
      im += scratch[2 * nodes[at] + 1];
    }
    const to = 2 * (offset + group * stride);
    out[to] = re / cells[group];
    out[to + 1] = im / cells[group];
  }
}

/**
 * R̂ [group][n][n] of the snapshots whose element i is `rows[i]`: exactly Hermitian, with a real diagonal. Every
 * product is computed from its own rows, so that any snapshots can be used.
 */
export const sampleCovariances = (rows: readonly Row[], plan: SummationPlan): Float64Array => runToEnd(sampleCovarianceSteps(rows, plan));

/** `sampleCovariances` in pieces. */
export function* sampleCovarianceSteps(rows: readonly Row[], plan: SummationPlan): Generator<void, Float64Array> {
  const n = rows.length;
  const out = new Float64Array(2 * plan.groups * n * n);
  const scratch = summationScratch(plan);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      meanProducts(plan, rows[i], rows[j], scratch, out, i * n + j, n * n);
      yield;
    }
  }
  completeHermitian(out, n, plan.groups);
  return out;
}

/** Writes the upper triangles of `count` n × n matrices from their lower ones. */
export function completeHermitian(matrices: Float64Array, n: number, count: number): void {
  for (let g = 0, base = 0; g < count; g++, base += 2 * n * n) {
    for (let i = 0; i < n; i++) {
      matrices[base + 2 * (i * n + i) + 1] = 0;
      for (let j = 0; j < i; j++) {
        matrices[base + 2 * (j * n + i)] = matrices[base + 2 * (i * n + j)];
        matrices[base + 2 * (j * n + i) + 1] = -matrices[base + 2 * (i * n + j) + 1];
      }
    }
  }
}
