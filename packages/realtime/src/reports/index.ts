/**
 * The public exports of @dechirp/realtime/reports: functions that check tasks and settings and return typed reports of an analysis, a
 * simulation or a run.
 */
export { type AnalyseOptions, analyseTasks, withRho } from "./analyse.ts";
export { faultTexts, maxFaults } from "./faults.ts";
export type {
  AnalysisReport,
  ExecutorName,
  ObservedResponses,
  Policy,
  ReportHooks,
  RhoChoice,
  RunReport,
  RunSettings,
  SimulatedTask,
  SimulationReport,
  SimulationSettings,
  TaskRunReport,
} from "./report.ts";
export { type RunResult, type RunTasksOptions, runTasks } from "./run.ts";
export { checkRunTasks, type RunTask, type RunTasks, taskFields, taskSetFields, workKind } from "./run-tasks.ts";
export { policyTexts, type SimulationResult, simulateTasks } from "./simulate.ts";
export { traceCsv } from "./trace-csv.ts";
