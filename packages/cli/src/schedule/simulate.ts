/** The work of `schedule simulate`: a task set and settings to a trace and its report. No files, no texts. */
import { heeding, isRadarError } from "@dechirp/core";
import type { Clock } from "@dechirp/processor/clock";
import {
  analyse,
  defaultRho,
  type FaultKind,
  maxTraceJobs,
  mutants,
  type SimulateOptions,
  type Simulation,
  simulateSteps,
  type TaskSet,
  type TraceFault,
  traceFaultSteps,
} from "@dechirp/realtime";
import { argumentError, blame, CommandError } from "../errors.ts";
import type { TasksInput } from "./input.ts";
import { type Policy, type SimulationReport, type SimulationSettings, scheduleFormat, scheduleVersion } from "./report.ts";

/** Faults that are counted, of each kind. */
export const mostFaults = 100_000;
const mostExamples = 3;
/** Of its WCET, what a job takes at least where execution times are random. */
const leastShare = 0.5;

export interface SimulatedTasks {
  readonly trace: Simulation;
  readonly report: SimulationReport;
}

/** Simulates and checks the trace. Throws `argument` for more jobs than a trace holds, `file` for a set that lacks periods. */
export async function simulateTasks(
  { file, set }: TasksInput,
  settings: SimulationSettings,
  clock: Clock,
  signal?: AbortSignal,
): Promise<SimulatedTasks> {
  const { seed, jobs, policy, release, execution } = settings;
  const total = set.tasks.reduce((sum, { count = 1 }) => sum + count, 0);
  if (total * jobs > maxTraceJobs) throw argumentError("--jobs", `at most ${Math.floor(maxTraceJobs / total)} for ${total} tasks`, jobs);
  const options: SimulateOptions = {
    seed,
    jobs,
    release,
    leastShare: execution === "worst" ? 1 : leastShare,
    ...policyOptions(policy, set),
  };
  const trace = await clock.time("simulate", () =>
    blameSimulation(file, jobs, () => heeding(signal, "simulating", simulateSteps(set, options))),
  );
  const found = await clock.time("check", () => heeding(signal, "checking the trace", traceFaultSteps(set, trace, { most: mostFaults })));
  const { tasks, ...sums } = trace.summary;
  const analysis = analyse(set);
  return {
    trace,
    report: {
      format: scheduleFormat,
      version: scheduleVersion,
      kind: "simulation",
      input: file,
      units: set.units,
      rho: set.rho ?? defaultRho,
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
      timings: [...clock.timings],
      notes: [
        ...(policy === "fifo" ? [] : [`${policyTexts[policy]}: the bounds do not hold for it`]),
        "what is simulated is the model: execution times are the file's or less, granting units takes no time",
      ],
    },
  };
}

/** How many there are of each kind, and the first of these. */
export function countFaults(found: readonly TraceFault[]): Pick<SimulationReport, "faults" | "examples"> {
  const faults: Partial<Record<FaultKind, number>> = {};
  const examples: TraceFault[] = [];
  for (const fault of found) {
    const count = (faults[fault.kind] ?? 0) + 1;
    faults[fault.kind] = count;
    if (count <= mostExamples) examples.push(fault);
  }
  return { faults, examples };
}

export const policyTexts: Readonly<Record<Policy, string>> = {
  fifo: "first come, first served",
  lifo: "the last comes first",
  "two-jobs": "two jobs of a task at once",
  "without-one": "a single unit is not permitted where more are",
};

const policyOptions = (policy: Policy, set: TaskSet): SimulateOptions => (policy === "fifo" ? {} : mutants[policy](set));

/** The set is checked: what is wrong is the number of jobs, else something that the file lacks. */
async function blameSimulation<T>(file: string, jobs: number, work: () => Promise<T>): Promise<T> {
  try {
    return await blame("file", file, work);
  } catch (error) {
    if (error instanceof CommandError && isRadarError(error.cause, "input") && error.fields["field"] === "jobs")
      throw argumentError("--jobs", String(error.fields["expected"]), jobs);
    throw error;
  }
}
