/** `simulateTasks`: simulates a task set, checks the trace against the rules, and reports both. */
import { inputError } from "@dechirp/core";
import { checkFields, type FieldsOf, runAbortable } from "@dechirp/core/internal";
import { analyseTaskSet } from "../bounds.ts";
import { defaultRho, type TaskSet } from "../model.ts";
import { traceFaultSteps } from "../simulate/faults.ts";
import { brokenSchedulers, type SimulatedSchedule, type SimulateOptions, simulateTaskSetSteps } from "../simulate/simulate.ts";
import { checkTaskSet } from "../validate.ts";
import { checkTraceJobs, countFaults, maxFaults } from "./faults.ts";
import { fieldsOfHooks, tellHooks } from "./hooks.ts";
import type { Policy, ReportHooks, SimulationReport, SimulationSettings } from "./report.ts";

/** With random execution times, a job takes at least this share of its WCET. */
const leastShare = 0.5;

/** The result of `simulateTasks`. */
export interface SimulationResult {
  /** Every job of every task. */
  readonly trace: SimulatedSchedule;
  /** The report. */
  readonly report: SimulationReport;
}

const fieldsOfSettings: FieldsOf<SimulationSettings> = {
  seed: "number",
  jobs: "number",
  policy: "string",
  release: "string",
  execution: "string",
};

/**
 * Simulates a task set and checks the trace. Throws `input` that names the field: for an invalid set or setting, for more `jobs` than a
 * trace can hold, for a task without a period if releases are sporadic; `failed` if a hook throws; and `aborted`.
 */
export async function simulateTasks(set: TaskSet, settings: SimulationSettings, hooks: ReportHooks = {}): Promise<SimulationResult> {
  checkFields(settings, fieldsOfSettings, "settings of simulateTasks");
  checkFields(hooks, fieldsOfHooks, "hooks of simulateTasks");
  const { signal } = hooks;
  const { onProgress, part } = tellHooks(hooks);
  const checked = checkTaskSet(set);
  const { seed, jobs, policy, release, execution } = settings;
  if (!Object.hasOwn(policyTexts, policy)) throw inputError("policy", `one of ${Object.keys(policyTexts).join(", ")}`, policy);
  if (execution !== "worst" && execution !== "random") throw inputError("execution", '"worst" or "random"', execution);
  checkTraceJobs(checked, jobs);
  const options: SimulateOptions = {
    seed,
    jobs,
    release,
    leastShare: execution === "worst" ? 1 : leastShare,
    ...policyOptions(policy, checked),
  };
  const during = async <T>(what: string, share: number, steps: Generator<unknown, T>): Promise<T> => {
    onProgress(what, share);
    return runAbortable(signal, what, steps);
  };
  const trace = await part("simulate", () => during("simulating", 0, simulateTaskSetSteps(checked, options)));
  const found = await part("check", () => during("checking the trace", 0.5, traceFaultSteps(checked, trace, { most: maxFaults })));
  onProgress("done", 1);
  const { tasks, ...sums } = trace.summary;
  const analysis = analyseTaskSet(checked);
  return {
    trace,
    report: {
      kind: "simulation",
      units: checked.units,
      rho: checked.rho ?? defaultRho,
      settings,
      ...sums,
      tasks: tasks.map((task, i) => {
        const { count, sizes, wait, partition, deadline } = analysis.tasks[i];
        return {
          ...task,
          count,
          sizes,
          waitBound: partition === null ? wait : 0,
          deadline,
          reachedDeadline: deadline === null ? null : task.maxResponse / deadline,
        };
      }),
      ...countFaults(found),
      notes: [
        ...(policy === "fifo" ? [] : [`${policyTexts[policy]}: the bounds do not hold for this policy`]),
        "this simulates the model: jobs take at most their execution times, and granting units takes no time",
      ],
    },
  };
}

/** A short description of each policy. */
export const policyTexts: Readonly<Record<Policy, string>> = {
  fifo: "first come, first served",
  lifo: "last come, first served",
  "two-jobs": "a task may have two jobs at once",
  "without-one": "a single unit is not permitted to tasks that may have more",
};

const policyOptions = (policy: Policy, set: TaskSet): SimulateOptions => (policy === "fifo" ? {} : brokenSchedulers[policy](set));
