/**
 * `dechirp bench all`: runs every experiment, one after the other, and ends with a table of the project's targets. What one experiment
 * measured is printed and written as soon as it ends, so that neither a failure nor a signal in another one loses it.
 */
import { join } from "node:path";
import { isRadarError, messageOf } from "@dechirp/core";
import type { ExperimentHooks, ExperimentReports } from "@dechirp/experiments";
import { type ReportTable, type ReportTables, reportMarkdown } from "@dechirp/experiments/tables";
import { blame } from "../errors.ts";
import { type Io, print } from "../io.ts";
import { clearProgress, createProgress } from "../progress.ts";
import { reportText } from "../text-tables.ts";

/** What an experiment returns. */
export interface Outcome {
  readonly report: object;
  readonly tables: ReportTables;
  readonly pictures?: Readonly<Record<string, string>>;
  /** Writes further files that options ask for. Returns their names. */
  write?(signal: AbortSignal): Promise<readonly string[]>;
}

/** The files of an outcome by name: report.json, report.md and pictures. */
export function outcomeFiles({ report, tables, pictures = {} }: Outcome): Readonly<Record<string, Uint8Array>> {
  const markdown = reportMarkdown(tables, Object.keys(pictures));
  const texts = { "report.json": `${JSON.stringify(report, null, 2)}\n`, "report.md": markdown, ...pictures };
  return Object.fromEntries(Object.entries(texts).map(([file, content]) => [file, new TextEncoder().encode(content)]));
}

/** An experiment that is ready to run, or the reason why this machine can't run it. */
export type Part = { readonly name: string } & ({ run(hooks: ExperimentHooks): Promise<Outcome> } | { readonly why: string });

/** Runs the parts, and returns why parts failed, by name. Throws `aborted` after it has printed what there is. */
export async function runAll(parts: readonly Part[], io: Io, { out, json }: { readonly out?: string; readonly json?: boolean }) {
  const { targetOutcomes, targetTable } = await import("@dechirp/experiments");
  const { writeFolderAtomically } = await import("@dechirp/io/node");
  const { signal } = io;
  const reports: Record<string, object> = {};
  const failures: Record<string, string> = {};
  const why: Record<string, string> = Object.fromEntries(
    parts.map((part) => [part.name, "why" in part ? part.why : "it did not run, because the work was ended before"]),
  );
  const summary = (): { readonly report: object; readonly tables: ReportTables } => {
    const targets = targetOutcomes(reports as ExperimentReports, why);
    const ran: ReportTable = {
      title: "Experiments",
      header: ["experiment", "outcome"],
      rows: parts.map(({ name }) => [name, why[name] ?? "measured"]),
    };
    return {
      report: { format: "dechirp-bench-all", version: 1, date: new Date().toISOString(), experiments: Object.keys(reports), why, targets },
      tables: { title: "All experiments", heading: [], tables: [ran, targetTable(targets)], notes: [] },
    };
  };
  const write = async (folder: string, outcome: Outcome): Promise<void> => {
    await blame("write", undefined, () => writeFolderAtomically(folder, outcomeFiles(outcome), { signal }));
  };
  let told = false;
  const tell = (): void => {
    if (told) return;
    told = true;
    clearProgress();
    const { report, tables } = summary();
    print(io, json, { ...report, reports }, () => reportText(tables));
  };
  // The process does not wait until an experiment has ended, which may take as long as the compilation of a kernel.
  signal.addEventListener("abort", tell, { once: true });
  try {
    for (const [i, part] of parts.entries()) {
      if ("why" in part) continue;
      const { name } = part;
      using progress = createProgress(io, "bench");
      try {
        const onProgress = (what: string, share: number): void => progress.update(`${name}: ${what}`, (i + share) / parts.length);
        const outcome = await part.run({ signal, onProgress });
        reports[name] = outcome.report;
        delete why[name];
        progress[Symbol.dispose]();
        if (!json) print(io, false, undefined, () => `${outcome.tables.title}\n\n${reportText(outcome.tables)}\n`);
        if (out !== undefined) await write(join(out, name), outcome);
        await outcome.write?.(signal);
      } catch (error) {
        if (signal.aborted || isRadarError(error, "aborted")) throw error;
        failures[name] = `failed: ${messageOf(error)}`;
        why[name] = failures[name];
      }
      if (out !== undefined) await write(out, summary());
    }
  } finally {
    signal.removeEventListener("abort", tell);
    tell();
  }
  return failures;
}
