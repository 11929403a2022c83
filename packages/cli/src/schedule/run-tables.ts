/**
 * Formats the report of `schedule run` as text for terminals and as Markdown. Names come from files and may contain anything, so they
 * are reduced to one printable line.
 */
import { oneLine } from "@dechirp/core/internal";
import { bindingTexts, nameText, sizesText, verdict } from "@dechirp/experiments/schedules";
import type { ReportTable } from "@dechirp/experiments/tables";
import { type ExecutorName, type TaskRunReport, workKind } from "@dechirp/realtime/reports";
import { decimals } from "../table.ts";
import type { ScheduleRunReport } from "./report.ts";
import { count, faultsTable, leftColumns, markdownCells, markdownText, pictureLines, terminalTable, us } from "./tables.ts";

/** The executors in words. */
export const executorTexts: Readonly<Record<ExecutorName, string>> = {
  pool: "units are workers",
  chunks: "one dispatch at a time",
  slots: "units are slots of a dispatch",
};

/** What a job transforms, in words. */
export const workText = ({ samples, line }: Pick<TaskRunReport, "samples" | "line">): string =>
  line === undefined ? count(samples, "sample") : `${count(samples / (2 * line), "line")} of ${line}`;

/** The first task of each kind of work. */
export const oneOfKind = (tasks: readonly TaskRunReport[]): readonly TaskRunReport[] => {
  const kinds = new Map<string, TaskRunReport>();
  for (const task of tasks) if (!kinds.has(workKind(task))) kinds.set(workKind(task), task);
  return [...kinds.values()];
};

/**
 * Whether all outputs were right, no unit was used by two tasks at once, and grants followed the rules. Otherwise the numbers are
 * meaningless.
 */
export const isSound = ({ wrong, ownershipViolations, faults }: ScheduleRunReport): boolean =>
  wrong.lock.length + wrong.bestEffort.length + ownershipViolations + Object.keys(faults).length === 0;

function timesTable({ tasks, executor }: ScheduleRunReport): ReportTable {
  // A dispatch contains all tasks.
  const kinds = executor === "slots" ? tasks.slice(0, 1) : oneOfKind(tasks);
  return {
    title:
      executor === "slots"
        ? "Observed times of dispatches, microseconds"
        : "Observed times by number of units, with the other units loaded, microseconds",
    header: ["work", "k", "times", "mean", "p50", "p99", "max", "L[k]"],
    rows: kinds.flatMap((task) =>
      task.profile.map(({ k, runs, mean, p50, p99, max, wcet }) => [
        executor === "slots" ? "all tasks" : workText(task),
        executor === "slots" ? "all" : String(k),
        String(runs),
        us(mean),
        us(p50),
        us(p99),
        us(max),
        us(wcet),
      ]),
    ),
  };
}

const bindings: Readonly<Record<TaskRunReport["binding"], string>> = { ...bindingTexts, chunks: "turns", slots: "dispatches" };

function boundsTable({ tasks, executor }: ScheduleRunReport): ReportTable {
  const response = executor === "pool" ? "Lemma 2" : "response";
  return {
    title: "Bounds from observed times, microseconds",
    header: ["task", "count", "work", "S", "wait", response, "partition", "bound", "by", "deadline", "slack", "met"],
    rows: tasks.map((task) => [
      nameText(task.id),
      String(task.count),
      workText(task),
      sizesText(task.sizes),
      us(task.wait),
      us(task.response),
      us(task.partition),
      us(task.bound),
      bindings[task.binding],
      us(task.deadline),
      us(task.slack),
      task.deadline === null ? "-" : task.schedulable ? "yes" : "no",
    ]),
  };
}

function responsesTable({ tasks }: ScheduleRunReport): ReportTable {
  return {
    title: "Observed responses under the lock, and by best effort (BE), microseconds",
    header: ["task", "jobs", "mean wait", "max wait", "mean", "p99", "max", "bound", "max / bound", "over", "BE mean", "BE p99", "BE max"],
    rows: tasks.map(({ id, observed, bound, bestEffort }) => [
      nameText(id),
      String(observed.jobs),
      us(observed.meanWait),
      us(observed.maxWait),
      us(observed.mean),
      us(observed.p99),
      us(observed.max),
      us(bound),
      decimals(observed.max / bound, 3),
      String(observed.exceedances),
      us(bestEffort.mean),
      us(bestEffort.p99),
      us(bestEffort.max),
    ]),
  };
}

const millions = (perSecond: number): string => String(Number((perSecond / 1e6).toPrecision(3)));

function throughputTable({ throughput: { lock, bestEffort } }: ScheduleRunReport): ReportTable {
  return {
    title: "Throughput, million samples per second",
    header: ["what", "lock", "best effort"],
    rows: [
      ["over the time of all jobs", millions(lock.byWall), millions(bestEffort.byWall)],
      ["over the sum of responses, as published", millions(lock.byResponse), millions(bestEffort.byResponse)],
    ],
  };
}

const headline = (report: ScheduleRunReport): string => {
  const { input, tasks, executor, units, rho } = report;
  const copies = tasks.reduce((sum, task) => sum + task.count, 0);
  const ratio = executor === "pool" ? `, ρ ${rho}` : "";
  const basis = tasks.some(({ deadline }) => deadline !== null) ? ", by observed times" : "";
  return `${oneLine(input)}: ${count(copies, "task")} on ${count(units, "unit")}${ratio}: ${verdict(report)}${basis}`;
};

function facts({ device, executor, clock, settings }: ScheduleRunReport): readonly string[] {
  return [
    `${device.id}: ${device.description}; ${executorTexts[executor]}; ${count(device.cores, "core")}`,
    `times by ${clock.name}, in steps of ${Number(clock.resolution.toPrecision(2))} µs; ${count(settings.jobs, "job")} per task, one after another, all tasks at the same time`,
  ];
}

/** The results of the checks, one line each. */
function checks({ wrong, ownershipChecks, ownershipViolations, tasks }: ScheduleRunReport): readonly string[] {
  const over = tasks.reduce((sum, { observed }) => sum + observed.exceedances, 0);
  const all = tasks.reduce((sum, { observed }) => sum + observed.jobs, 0);
  const outputs = [...new Set([...wrong.lock, ...wrong.bestEffort])];
  return [
    `jobs over a bound: ${over} of ${all}`,
    `units taken and given back: ${count(ownershipChecks, "check")}, ${count(ownershipViolations, "violation")}${ownershipViolations > 0 ? ": WRONG" : ""}`,
    outputs.length === 0
      ? "outputs: all agree with float64 to float32 rounding"
      : `WRONG outputs, which differ from float64: ${outputs.slice(0, 5).map(nameText).join(", ")}${outputs.length > 5 ? ` and ${outputs.length - 5} more` : ""}`,
  ];
}

const tablesOf = (report: ScheduleRunReport): readonly ReportTable[] => [
  timesTable(report),
  boundsTable(report),
  responsesTable(report),
  throughputTable(report),
  ...(Object.keys(report.faults).length > 0 ? [faultsTable(report)] : []),
];

/** Formats the report for a terminal. */
export const runText = (report: ScheduleRunReport): string =>
  [
    headline(report),
    ...facts(report).map((fact) => `  ${oneLine(fact)}`),
    ...tablesOf(report).flatMap((one) => ["", terminalTable(one, [...leftColumns, "work", "the first"])]),
    "",
    ...checks(report).map((check) => `  ${check}`),
    "",
    ...report.notes.map((note) => `  note: ${oneLine(note)}`),
  ].join("\n");

/** Formats the report as Markdown. */
export const runMarkdown = (report: ScheduleRunReport, pictures: readonly string[]): string =>
  [
    "# Observed responses",
    "",
    `${markdownText(headline(report))}.`,
    "",
    ...facts(report).map((fact) => `- ${markdownText(oneLine(fact))}`),
    ...tablesOf(report).flatMap((one) => ["", markdownCells(one)]),
    "",
    ...checks(report).map((check) => `- ${markdownText(check)}`),
    ...pictureLines(pictures),
    "",
    ...report.notes.map((note) => `- ${markdownText(oneLine(note))}`),
    "",
  ].join("\n");
