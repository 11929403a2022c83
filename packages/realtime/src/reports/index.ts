/** The surface of @dechirp/realtime/reports: checked tasks and settings to typed reports of their analysis, simulation and run. */
export { type AnalyseOptions, analyseTasks, withRho } from "./analyse.ts";
export { mostFaults } from "./faults.ts";
export type {
  AnalysisReport,
  ExecutorName,
  ObservedResponses,
  Policy,
  RanTask,
  ReportHooks,
  RhoChoice,
  RunReport,
  RunSettings,
  SimulatedTask,
  SimulationReport,
  SimulationSettings,
} from "./report.ts";
export { type RanTasks, type RunTasksOptions, runTasks } from "./run.ts";
export { checkRunTasks, kindOf, type RunTask, type RunTasks } from "./run-tasks.ts";
export { policyTexts, type SimulatedTasks, simulateTasks } from "./simulate.ts";
