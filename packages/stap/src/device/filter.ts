/**
 * Solving and weighting as one kernel: the weights of a covariance filter the cells of its group while they are on chip, and are never
 * stored in
 * memory. If a device cannot do that, or if it would leave most of the device idle (`isFused`), solve.ts and weighting.ts do the same.
 */
import type { Kernel, WgslKernel, WgslLimits } from "@dechirp/core";
import type { EfaGeometry } from "../efa/options.ts";
import { kernelWasm } from "../wasm/kernels.ts";
import { applyText } from "./apply.ts";
import { filterGroup, hostSolver } from "./host.ts";
import { covariancePorts, dopplerLayout, outputPorts, statusLayout } from "./layouts.ts";
import { onChipSolver } from "./on-chip.ts";
import type { EfaTables } from "./tables.ts";

/** Largest number of cells of a group that one workgroup filters. */
const mostCells = 256;

/**
 * Whether solving and weighting are one kernel by default. On an H100 it took 0.67 to 0.84 of the time of two kernels up to order
 * 24, in blocks of 32 ranges; in blocks of 64 it took 0.78 at order 18, but 1.06 at 24, whose weights and snapshots leave few registers.
 */
export const isFused = ({ order, sets }: EfaGeometry): boolean =>
  order <= (sets.groupRanges <= 32 ? 24 : 20) && sets.groupRanges <= mostCells;

/** Ports: x, means, elements, members, steering; y, status, and strongest if only the largest is kept. */
export function filterKernel(geometry: EfaGeometry, tables: EfaTables): Kernel {
  const { dopplerBins, ranges, sets, steeringVectors, order: n, output, maxOverSteering, solver } = geometry;
  const items = dopplerBins * sets.groups;
  return {
    op: "kernel",
    name: `${solver} n=${n} vectors=${steeringVectors}, weighting ${output}${maxOverSteering ? " largest" : ""}`,
    flops: items * ((4 / 3) * n ** 3 + 8 * steeringVectors * n * n) + 8 * dopplerBins * ranges * steeringVectors * n,
    ports: {
      x: { access: "read", layout: dopplerLayout(geometry) },
      ...covariancePorts(geometry, tables),
      ...outputPorts(geometry),
      status: { access: "write", layout: statusLayout(geometry) },
    },
    items,
    ...kernelWasm(maxOverSteering ? "filterLargest" : "filter", geometry, tables),
    wgsl: (_constants, limits) => filterText(geometry, tables, limits),
    reference(ports, _uniforms, start, end) {
      const host = hostSolver(geometry, tables);
      for (let item = start; item < end; item++) {
        ports["status"].set(item, host.solve(ports["means"], ports["steering"], item));
        filterGroup(geometry, ports, item, host.weights, host.gains);
      }
    },
  };
}

function filterText(geometry: EfaGeometry, tables: EfaTables, limits: WgslLimits): WgslKernel | undefined {
  const { sets, steeringVectors, maxOverSteering } = geometry;
  const solver = onChipSolver(geometry, tables, limits, { scaled: true, lanes: Math.min(sets.groupRanges, 32) });
  if (!solver) return undefined;
  const apply = applyText(geometry, solver);
  const tiles = `for (var tile = 0u; tile < ${apply.tiles}u; tile++) {`;
  const chunks = `for (var origin = 0u; origin < ${steeringVectors}u; origin += ${solver.chunk}u) {`;
  // A lane keeps the largest over several chunks, so that its cell stays while they are processed.
  const body =
    maxOverSteering && solver.chunks > 1
      ? `  ${tiles}
${apply.snapshot}
${apply.begin}
    ${chunks}
${solver.solve}
${apply.outputs}
      workgroupBarrier();
    }
${apply.end}
  }`
      : `  ${chunks}
${solver.solve}
    ${tiles}
${apply.snapshot}
${apply.begin}
${apply.outputs}
${apply.end}
    }
    workgroupBarrier();
  }`;
  const code = `${solver.declarations}
@compute @workgroup_size(${solver.workgroupSize})
fn main(@builtin(local_invocation_index) t: u32, @builtin(workgroup_id) group_id: vec3u) {
${solver.prepare}
${body}
  if (lane == 0u && live) { store_status(item, ${solver.status}); }
}`;
  return { code, dispatches: [{ entry: "main", groups: solver.groups }] };
}
