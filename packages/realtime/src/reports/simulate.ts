/** A task set and settings to a simulated trace, what breaks its rules, and a report of both. */
import { inputError } from "@dechirp/core";
import { checkFields, type FieldsOf, runAbortable } from "@dechirp/core/internal";
import { analyseTaskSet } from "../bounds.ts";
import { defaultRho, type TaskSet } from "../model.ts";
import { traceFaultSteps } from "../simulate/faults.ts";
import { brokenSchedulers, type SimulatedSchedule, type SimulateOptions, simulateTaskSetSteps } from "../simulate/simulate.ts";
import { checkTaskSet } from "../validate.ts";
import { checkTraceJobs, countFaults, mostFaults } from "./faults.ts";
import { fieldsOfHooks, tellHooks } from "./hooks.ts";
import type { Policy, ReportHooks, SimulationReport, SimulationSettings } from "./report.ts";

/** Of its WCET, what a job takes at least where execution times are random. */
const leastShare = 0.5;

/** A simulation as data. */
export interface SimulatedTasks {
  /** Every job, and who they are of. */
  readonly trace: SimulatedSchedule;
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
 * Simulates and checks the trace. Throws `input` naming the field: for a bad set or setting, for more `jobs` than a trace holds, for a
 * task that lacks the period which sporadic releases need; `failed` where a hook throws, and `aborted`.
 */
export async function simulateTasks(set: TaskSet, settings: SimulationSettings, hooks: ReportHooks = {}): Promise<SimulatedTasks> {
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
  const found = await part("check", () => during("checking the trace", 0.5, traceFaultSteps(checked, trace, { most: mostFaults })));
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
        ...(policy === "fifo" ? [] : [`${policyTexts[policy]}: the bounds do not hold for it`]),
        "what is simulated is the model: execution times are the tasks' or less, granting units takes no time",
      ],
    },
  };
}

/** What each policy does, in words. */
export const policyTexts: Readonly<Record<Policy, string>> = {
  fifo: "first come, first served",
  lifo: "the last comes first",
  "two-jobs": "two jobs of a task at once",
  "without-one": "a single unit is not permitted where more are",
};

const policyOptions = (policy: Policy, set: TaskSet): SimulateOptions => (policy === "fifo" ? {} : brokenSchedulers[policy](set));
