/** What traces break, counted; how many jobs a trace may have. */
import { inputError } from "@dechirp/core";
import type { FaultKind, TraceFault } from "../simulate/faults.ts";
import { maxTraceJobs } from "../simulate/simulate.ts";
import type { SimulationReport } from "./report.ts";

/** Faults that are counted, of each kind. */
export const mostFaults = 100_000;
const mostExamples = 3;

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

/** Throws `input` where so many jobs of every task are more than a trace holds. */
export function checkTraceJobs({ tasks }: { readonly tasks: readonly { readonly count?: number }[] }, jobs: number): void {
  const total = tasks.reduce((sum, { count = 1 }) => sum + count, 0);
  if (!(total * jobs <= maxTraceJobs)) throw inputError("jobs", `at most ${Math.floor(maxTraceJobs / total)} for ${total} tasks`, jobs);
}
