/** Plots of `schedule analyse` as SVG documents: bounds by number of tasks, and bounds and throughput by ρ. */

import { runAbortable } from "@dechirp/core/internal";
import { boundsByRho, boundsByTasks, throughputByRho } from "@dechirp/experiments/schedules";
import { linePlot } from "@dechirp/pictures";
import type { RhoPoint, TaskSet } from "@dechirp/realtime";

/** Draws all plots. Resolves with SVG documents by name. Rejects with `aborted` if the signal fires. */
export async function analysisPictures(
  set: TaskSet,
  sweep: readonly RhoPoint[],
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  return {
    "bounds-by-tasks": await linePlot(await runAbortable(signal, "drawing", boundsByTasks(set)), { signal }),
    "bounds-by-rho": await linePlot(boundsByRho(sweep), { signal }),
    "throughput-by-rho": await linePlot(throughputByRho(sweep), { signal }),
  };
}
