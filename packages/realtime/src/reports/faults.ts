/** Counts of the faults in a trace, and the limit on jobs of a trace. */
import { inputError } from "@dechirp/core";
import type { FaultKind, TraceFault } from "../simulate/faults.ts";
import { maxTraceJobs } from "../simulate/simulate.ts";
import type { SimulationReport } from "./report.ts";

/** The largest number of faults of a kind that are counted. */
export const maxFaults = 100_000;
const mostExamples = 3;

/** Counts the faults of each kind and keeps the first few of each. */
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

/** Throws `input` if `jobs` jobs of every task are more than a trace can hold. */
export function checkTraceJobs({ tasks }: { readonly tasks: readonly { readonly count?: number }[] }, jobs: number): void {
  const total = tasks.reduce((sum, { count = 1 }) => sum + count, 0);
  if (!(total * jobs <= maxTraceJobs)) throw inputError("jobs", `at most ${Math.floor(maxTraceJobs / total)} for ${total} tasks`, jobs);
}

/** What each kind of fault is, in the plural. */
export const faultTexts: Readonly<Record<FaultKind, string>> = {
  record: "inconsistent records",
  duplicate: "jobs recorded twice",
  outstanding: "requests before the task's previous job was done",
  size: "grants of a size that is not permitted",
  overlap: "units granted twice at once",
  order: "grants before an earlier request was granted",
  greedy: "grants of fewer units than were idle and permitted",
  idle: "times when units were idle while a job waited",
  execution: "executions longer than the WCET",
  wait: "waits beyond the bound",
  response: "responses beyond the bound",
};
