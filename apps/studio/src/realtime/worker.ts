/** Analyses and simulates task sets in a worker. */
import type { TaskSet } from "@dechirp/realtime";
import { type SimulationSettings, simulateTasks } from "@dechirp/realtime/reports";
import { expose } from "comlink";
import "../work/wire.ts";

/** The most jobs whose grants the page draws. */
const mostDrawn = 400;

const api = {
  /** Simulates a task set; the report has the bounds, too. The first jobs of the trace are for a chart. */
  async simulate(set: TaskSet, settings: SimulationSettings, signal: AbortSignal) {
    const { trace, report } = await simulateTasks(set, settings, { signal });
    return { report, jobs: trace.jobs.slice(0, mostDrawn) };
  },
};

export type RealtimeApi = typeof api;

expose(api);
