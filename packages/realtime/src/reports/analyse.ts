/** A task set to the report of its analysis: bounds, and the best ρ. */
import { checkFields, type FieldsOf, nextTurn, runAbortable } from "@dechirp/core/internal";
import { analyseTaskSet } from "../bounds.ts";
import { defaultRho, type TaskSet } from "../model.ts";
import { bestRho, rhoSweepSteps } from "../recommend.ts";
import { checkTaskSet } from "../validate.ts";
import { fieldsOfHooks, tellHooks } from "./hooks.ts";
import type { AnalysisReport, ReportHooks } from "./report.ts";

/** What an analysis has beside the bounds, and whom it tells. */
export interface AnalyseOptions extends ReportHooks {
  /** Whether the report has the sweep of ρ; not where left out. */
  readonly sweep?: boolean;
}

const fieldsOfOptions: FieldsOf<AnalyseOptions> = { ...fieldsOfHooks, sweep: "boolean" };

/**
 * Bounds for the tasks of `set`, and which ρ is best for bounds and for throughput. Throws `input` for a bad set or option, `failed` where
 * a hook throws, and `aborted`.
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
    notes: ["bounds are as good as the execution times of the tasks: from measured ones, which are no guarantee, they are estimates"],
  };
}

/** The set with `rho` in place of its own, its tasks' own as well; sizes that tasks name stay. */
export function withRho(set: TaskSet, rho: number): TaskSet {
  return { ...set, rho, tasks: set.tasks.map(({ rho: _, ...task }) => task) };
}
