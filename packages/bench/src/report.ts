/** Results as JSON, which is kept, and as Markdown for readers. */
import { cpus, totalmem } from "node:os";
import type { Row } from "./runner.ts";

/** The results of the bench. */
export interface Results {
  readonly format: "dechirp-bench";
  readonly version: 1;
  readonly date: string;
  readonly machine: { readonly processor: string; readonly cores: number; readonly memoryGiB: number; readonly node: string };
  readonly rows: readonly Row[];
  /** Notes, mainly about contenders that were left out: `case: contender` → reason. */
  readonly absent: Readonly<Record<string, string>>;
}

/** Makes the results from rows, with this machine's description. */
export function results(rows: readonly Row[], absent: Readonly<Record<string, string>>, now = new Date()): Results {
  const processors = cpus();
  return {
    format: "dechirp-bench",
    version: 1,
    date: now.toISOString(),
    machine: {
      processor: processors[0]?.model.trim() ?? "unknown",
      cores: processors.length,
      memoryGiB: Math.round(totalmem() / 2 ** 30),
      node: process.version,
    },
    rows,
    absent,
  };
}

/** Formats the results as Markdown. */
export function markdown({ date, machine, rows, absent }: Results): string {
  const lines = [
    `Measured ${date.slice(0, 10)} on ${machine.cores} cores of ${machine.processor}, Node ${machine.node}; medians of interleaved windows, quartiles in brackets.`,
    ...(rows.some((row) => !projects(row))
      ? ["", "| case | contender | ms | GFLOPS | × the first | error |", "|---|---|---:|---:|---:|---:|"]
      : []),
    ...rows
      .filter((row) => !projects(row))
      .map(
        (r) =>
          `| ${r.case} | ${r.contender} | ${timeText(r)} | ${r.gflops > 0 ? short(r.gflops) : "–"} | ${short(r.speedup)} | ${Number.isNaN(r.error) ? "–" : `${r.error.toExponential(1)} (${r.errorKind})`} |`,
      ),
  ];
  if (rows.some(projects)) {
    lines.push("", "| case | contender | ms | Gbp/s | × the first | SER, dB |", "|---|---|---:|---:|---:|---:|");
    for (const r of rows.filter(projects))
      lines.push(
        `| ${r.case} | ${r.contender} | ${timeText(r)} | ${short(r.gigaprojections ?? 0)} | ${short(r.speedup)} | ${decibels(r.error)} |`,
      );
  }
  const missing = Object.entries(absent);
  if (missing.length > 0) lines.push("", ...missing.map(([what, why]) => `Note: ${what} (${why}).`));
  return `${lines.join("\n")}\n`;
}

/** Whether the row is of backprojection, which has other rates and errors. */
const projects = ({ gigaprojections }: Row): boolean => gigaprojections !== undefined;

/** Converts a relative L2 error to a signal-to-error ratio in dB. */
export const decibels = (error: number): string => (-20 * Math.log10(error)).toFixed(1);

/** Formats milliseconds with their quartiles. */
export const timeText = ({ milliseconds, quartiles: [low, high] }: Row): string => `${short(milliseconds)} (${short(low)}–${short(high)})`;

/** Formats a number with three digits, or with all digits before the point. */
export const short = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));
