/** `analyseTasks`: bounds and the best ρ of a task set, as a report. */
import { checkFields, type FieldsOf, nextTurn, runAbortable } from "@dechirp/core/internal";
import { analyseTaskSet } from "../bounds.ts";
import { defaultRho, type TaskSet } from "../model.ts";
import { bestRho, rhoSweepSteps } from "../recommend.ts";
import { checkTaskSet } from "../validate.ts";
import { fieldsOfHooks, tellHooks } from "./hooks.ts";
import type { AnalysisReport, ReportHooks } from "./report.ts";

/** Options of `analyseTasks`, with its hooks. */
export interface AnalyseOptions extends ReportHooks {
  /** Whether the report includes the sweep over ρ. Default: false. */
  readonly sweep?: boolean;
}

const fieldsOfOptions: FieldsOf<AnalyseOptions> = { ...fieldsOfHooks, sweep: "boolean" };

/**
 * Computes bounds for the tasks of `set`, and the best ρ for bounds and for throughput. Throws `input` for an invalid set or option,
 * `failed` if a hook throws, and `aborted`.
 */
export async function analyseTasks(set: TaskSet, options: AnalyseOptions = {}): Promise<AnalysisReport> {
  checkFields(options, fieldsOfOptions, "options of analyseTasks");
  const { signal } = options;
  const { onProgress, part } = tellHooks(options);
  const checked = checkTaskSet(set);
  await nextTurn(signal, "analysing");
  const analysis = await part("analyse", () => analyseTaskSet(checked));
  const steps = rhoSweepSteps(checked, undefined, (rho, share) => onProgress(`ρ ${Number(rho.toPrecision(4))}`, share));
  const sweep = await part("sweep", () => runAbortable(signal, "analysing", steps));
  onProgress("done", 1);
  return {
    kind: "analysis",
    rho: checked.rho ?? defaultRho,
    ...analysis,
    recommended: (["response", "throughput"] as const).map((goal) => {
      const { sweep: _, ...choice } = bestRho(sweep, goal);
      return choice;
    }),
    ...(options.sweep && { sweep }),
    notes: ["bounds are as good as the execution times of the tasks; if these were measured, the bounds are estimates and no guarantee"],
  };
}

/** Returns the set with `rho` instead of its own ρ and its tasks' ρ. Tasks with `sizes` keep them. */
export function withRho(set: TaskSet, rho: number): TaskSet {
  return { ...set, rho, tasks: set.tasks.map(({ rho: _, ...task }) => task) };
}
