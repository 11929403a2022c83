/** Reads, analyses and simulates task sets in a worker. */
import { createPause, inputError, messageOf, runInPieces } from "@dechirp/core";
import { boundsByRho, boundsByTasks, simulatedResponses, throughputByRho } from "@dechirp/experiments/schedules";
import { createNameCheck } from "@dechirp/io";
import type { LinePlot } from "@dechirp/pictures";
import { checkTaskSet, type TaskSet } from "@dechirp/realtime";
import {
  type AnalysisReport,
  analyseTasks,
  type SimulationSettings,
  simulateTasks,
  taskFields,
  taskSetFields,
  traceCsv,
} from "@dechirp/realtime/reports";
import { expose } from "comlink";
import { listening, type OnAdvance } from "../work/listening.ts";
import "../work/wire.ts";

/** The most jobs whose grants the page draws. */
const mostDrawn = 400;

const api = {
  /** Reads the text of a tasks.json. Rejects with `input` and one sentence if it is not one. */
  read(text: string): TaskSet {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      throw inputError("tasks.json", `JSON (${messageOf(error)})`, text.slice(0, 40));
    }
    const check = createNameCheck("tasks.json");
    check("", value, taskSetFields);
    const tasks = (value as { readonly tasks?: unknown } | null)?.tasks;
    if (Array.isArray(tasks)) for (const [i, task] of tasks.entries()) check(`tasks[${i}].`, task, taskFields);
    return checkTaskSet(value);
  },

  /** Simulates a task set; the report has the bounds, too. The first jobs of the trace are for a chart. */
  simulate: (set: TaskSet, settings: SimulationSettings, signal: AbortSignal, listener: OnAdvance) =>
    listening(listener, async (onProgress) => {
      const { trace, report } = await simulateTasks(set, settings, { signal, onProgress });
      return { report, jobs: trace.jobs.slice(0, mostDrawn), responses: simulatedResponses(report) };
    }),

  /** Analyses a task set for its ρ, and sweeps over ρ. With plots of the sweep, and of the bounds by number of tasks. */
  analyse: (set: TaskSet, signal: AbortSignal, listener: OnAdvance): Promise<Analysed> =>
    listening(listener, async (onProgress) => {
      const report = await analyseTasks(set, { sweep: true, signal, onProgress });
      const sweep = report.sweep ?? [];
      const byTasks = await runInPieces(boundsByTasks(set), createPause("analysing", signal));
      return { report, plots: [boundsByRho(sweep), throughputByRho(sweep), byTasks] };
    }),

  /** Every job of a simulation as CSV. */
  async trace(set: TaskSet, settings: SimulationSettings): Promise<Blob> {
    const { trace } = await simulateTasks(set, settings);
    return new Blob([...traceCsv(trace.jobs)] as BlobPart[], { type: "text/csv" });
  },
};

/** An analysis with its plots: bounds by ρ, throughput by ρ, bounds by number of tasks. */
export interface Analysed {
  readonly report: AnalysisReport;
  readonly plots: readonly LinePlot[];
}

export type RealtimeApi = typeof api;

expose(api);
