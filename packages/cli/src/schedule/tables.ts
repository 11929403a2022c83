/**
 * Formats the reports of `schedule` as text for terminals and as Markdown. Names come from files and may contain anything, so they are
 * reduced to one printable line.
 */

import { oneLine } from "@dechirp/core/internal";
import { bindingTexts, nameText, sizesText, verdict } from "@dechirp/experiments/schedules";
import { type ReportTable, tableMarkdown } from "@dechirp/experiments/tables";
import type { Analysis, FaultKind, RhoPoint } from "@dechirp/realtime";
import { faultTexts, maxFaults, policyTexts, type RhoChoice } from "@dechirp/realtime/reports";
import { decimals, table } from "../table.ts";
import type { ScheduleAnalysisReport, ScheduleSimulationReport } from "./report.ts";

/** The most rows of a table on a terminal. */
const mostRows = 100;

/** Formats microseconds. */
export const us = (value: number | null): string => decimals(value, 2);
/** Formats a share as a percentage. */
export const percent = (share: number | null): string => (share === null ? "-" : `${decimals(100 * share, 1)} %`);
/** Formats a number with a noun: `1 task`, `2 tasks`. */
export const count = (n: number, one: string): string => `${n} ${one}${n === 1 ? "" : "s"}`;

function analysisTable({ tasks }: Analysis): ReportTable {
  return {
    title: "Bounds, microseconds",
    header: ["task", "count", "S", "L max", "A max", "wait", "Lemma 2", "partition", "bound", "by", "deadline", "slack", "met"],
    rows: tasks.map((task) => [
      nameText(task.id),
      String(task.count),
      sizesText(task.sizes),
      us(task.longest),
      us(task.area),
      us(task.wait),
      us(task.response),
      us(task.partition),
      us(task.bound),
      bindingTexts[task.binding],
      us(task.deadline),
      us(task.slack),
      task.deadline === null ? "-" : task.schedulable ? "yes" : "no",
    ]),
  };
}

const goalTexts = { response: "least bounds", throughput: "most throughput" } as const;

const pointHeader = ["ρ", "largest bound", "bound / deadline", "throughput", "S"];

const recommendedTable = (recommended: readonly RhoChoice[]): ReportTable => ({
  title: "Recommended ρ",
  header: ["goal", ...pointHeader],
  rows: recommended.map((choice) => [goalTexts[choice.goal], ...pointCells(choice)]),
});

const sweepTable = (sweep: readonly RhoPoint[]): ReportTable => ({
  title: "Every ρ that makes a difference",
  header: pointHeader,
  rows: sweep.map(pointCells),
});

function pointCells({ rho, worstResponse, worstRelative, throughput, sizes }: RhoPoint): readonly string[] {
  const told = sizes.slice(0, 3).map((of) => `{${sizesText(of)}}`);
  const all = [...told, ...(sizes.length > 3 ? ["…"] : [])].join(" ");
  return [decimals(rho, 4), us(worstResponse), percent(worstRelative), percent(throughput), all];
}

const tasksText = ({ input, units, rho, tasks }: ScheduleAnalysisReport | ScheduleSimulationReport): string =>
  `${oneLine(input)}: ${count(
    tasks.reduce((sum, task) => sum + task.count, 0),
    "task",
  )} on ${count(units, "unit")}, ρ ${rho}`;

/** Formats a table for terminals, of limited length. Columns whose header is in `left` are aligned left. */
export function terminalTable({ title, header, rows }: ReportTable, left: readonly string[]): string {
  const more = rows.length > mostRows ? [`… and ${rows.length - mostRows} more; --json has them all`] : [];
  const columns = header.flatMap((name, i) => (left.includes(name) ? [i] : []));
  return [title, ...[table([header, ...rows.slice(0, mostRows)], columns), ...more].map((line) => line.replace(/^/gm, "  "))].join("\n");
}

/** Headers of columns that are aligned left. */
export const leftColumns = ["task", "goal", "S", "by", "what"];

/** Formats the report for a terminal. Includes the table of the sweep if `swept`. */
export function analysisText(report: ScheduleAnalysisReport, swept: boolean): string {
  const { demand, recommended, sweep, notes } = report;
  return [
    `${tasksText(report)}: ${verdict(report)}`,
    ...(demand === null ? [] : [`  tasks with a period demand ${percent(demand)} of the units' time`]),
    "",
    terminalTable(analysisTable(report), leftColumns),
    "",
    terminalTable(recommendedTable(recommended), leftColumns),
    ...(swept && sweep ? ["", terminalTable(sweepTable(sweep), leftColumns)] : []),
    "",
    ...notes.map((note) => `  note: ${oneLine(note)}`),
  ].join("\n");
}

function simulationTable({ tasks }: ScheduleSimulationReport): ReportTable {
  return {
    title: "Observed in the simulation beside the bounds, microseconds",
    header: [
      "task",
      "jobs",
      "S",
      "mean wait",
      "max wait",
      "wait bound",
      "mean response",
      "max response",
      "bound",
      "max / bound",
      "deadline",
    ],
    rows: tasks.map((task) => [
      nameText(task.id),
      String(task.jobs),
      sizesText(task.sizes),
      us(task.meanWait),
      us(task.maxWait),
      us(task.waitBound),
      us(task.meanResponse),
      us(task.maxResponse),
      us(task.bound),
      decimals(task.reached, 3),
      us(task.deadline),
    ]),
  };
}

/** The table of broken rules and exceeded bounds. */
export function faultsTable({ faults, examples }: Pick<ScheduleSimulationReport, "faults" | "examples">): ReportTable {
  return {
    title: "Broken rules and exceeded bounds",
    header: ["what", "how often", "the first"],
    rows: (Object.entries(faults) as [FaultKind, number][]).map(([kind, times]) => {
      const first = examples.find((one) => one.kind === kind);
      return [
        faultTexts[kind],
        times >= maxFaults ? `${maxFaults} or more` : String(times),
        first ? `${nameText(first.task)}, job ${first.job}: ${first.text}` : "-",
      ];
    }),
  };
}

const none = "no rule is broken, no bound exceeded";

function simulationFacts({ settings, span, used, jobsPerSecond, throughput }: ScheduleSimulationReport): readonly string[] {
  const { seed, policy, release, execution } = settings;
  return [
    `policy ${policy} (${policyTexts[policy]}), releases ${release}, execution times ${execution}, seed ${seed}`,
    `${decimals(span / 1000, 3)} ms, units in use ${percent(used)} of it; ${decimals(jobsPerSecond, 2)} jobs per second; throughput ${percent(throughput)}, Σ L[1] of the jobs over the units' time`,
  ];
}

/** Formats the report for a terminal. */
export function simulationText(report: ScheduleSimulationReport): string {
  const broken = Object.keys(report.faults).length > 0;
  return [
    `${tasksText(report)}: ${count(report.jobs, "job")}`,
    ...simulationFacts(report).map((fact) => `  ${fact}`),
    "",
    terminalTable(simulationTable(report), leftColumns),
    "",
    broken ? terminalTable(faultsTable(report), [...leftColumns, "the first"]) : `  ${none}`,
    "",
    ...report.notes.map((note) => `  note: ${oneLine(note)}`),
  ].join("\n");
}

/** Escapes characters that have a meaning in Markdown. */
export const markdownText = (text: string): string => text.replace(/[\\|<>`*_[\]]/g, "\\$&");

/** Formats a table as Markdown. */
export const markdownCells = (one: ReportTable): string => tableMarkdown({ ...one, rows: one.rows.map((row) => row.map(markdownText)) });

/** Markdown lines that show pictures. */
export const pictureLines = (names: readonly string[]): readonly string[] => names.flatMap((name) => ["", `![${name}](${name}.svg)`]);

/** Formats the report as Markdown. */
export const analysisMarkdown = (report: ScheduleAnalysisReport, pictures: readonly string[]): string =>
  [
    "# Response-time bounds",
    "",
    `${markdownText(tasksText(report))}: ${markdownText(verdict(report))}.`,
    ...(report.demand === null ? [] : ["", `Tasks with a period demand ${percent(report.demand)} of the units' time.`]),
    "",
    markdownCells(analysisTable(report)),
    "",
    markdownCells(recommendedTable(report.recommended)),
    ...(report.sweep ? ["", markdownCells(sweepTable(report.sweep))] : []),
    ...pictureLines(pictures),
    "",
    ...report.notes.map((note) => `- ${note}`),
    "",
  ].join("\n");

/** Formats the report as Markdown. */
export const simulationMarkdown = (report: ScheduleSimulationReport, pictures: readonly string[]): string =>
  [
    "# Simulation",
    "",
    `${markdownText(tasksText(report))}: ${count(report.jobs, "job")}.`,
    "",
    ...simulationFacts(report).map((fact) => `- ${fact}`),
    "",
    markdownCells(simulationTable(report)),
    "",
    Object.keys(report.faults).length > 0 ? markdownCells(faultsTable(report)) : `${none}.`,
    ...pictureLines(pictures),
    "",
    ...report.notes.map((note) => `- ${note}`),
    "",
  ].join("\n");
