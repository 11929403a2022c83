/** The work of `schedule analyse`: a task set to its report. No files, no texts. */
import { heeding } from "@dechirp/core";
import type { Clock } from "@dechirp/processor/clock";
import { analyse, bestRho, defaultRho, rhoSweepSteps, type TaskSet } from "@dechirp/realtime";
import type { TasksInput } from "./input.ts";
import { type AnalysisReport, scheduleFormat, scheduleVersion } from "./report.ts";

export interface AnalyseHooks {
  /** Whether the report has the sweep. */
  readonly sweep?: boolean;
  readonly signal?: AbortSignal;
  /** `share` of the whole, 0 to 1. */
  readonly onProgress?: (what: string, share: number) => void;
}

export async function analyseTasks({ file, set }: TasksInput, clock: Clock, hooks: AnalyseHooks = {}): Promise<AnalysisReport> {
  const analysis = await clock.time("analyse", () => analyse(set));
  const { signal, onProgress } = hooks;
  const steps = rhoSweepSteps(set, undefined, (rho, share) => onProgress?.(`ρ ${Number(rho.toPrecision(4))}`, share));
  const sweep = await clock.time("sweep", () => heeding(signal, "analysing", steps));
  return {
    format: scheduleFormat,
    version: scheduleVersion,
    kind: "analysis",
    input: file,
    rho: set.rho ?? defaultRho,
    ...analysis,
    recommended: (["response", "throughput"] as const).map((goal) => {
      const { sweep: _, ...choice } = bestRho(sweep, goal);
      return choice;
    }),
    ...(hooks.sweep ? { sweep } : {}),
    timings: [...clock.timings],
    notes: ["bounds are as good as the execution times in the file: from measured ones, which are no guarantee, they are estimates"],
  };
}

/** The set with `rho` in place of the file's, its tasks' own as well; sizes that tasks name stay. */
export function withRho(set: TaskSet, rho: number): TaskSet {
  return { ...set, rho, tasks: set.tasks.map(({ rho: _, ...task }) => task) };
}
