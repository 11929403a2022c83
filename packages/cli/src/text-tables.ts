/** Formats titled tables and whole reports for terminals. */
import type { ReportTable, ReportTables } from "@dechirp/experiments/tables";
import { table } from "./table.ts";

const tableText = ({ title, header, rows }: ReportTable): string => `${title}\n${table([header, ...rows]).replace(/^/gm, "  ")}`;

/** Formats a report for a terminal. */
export const reportText = ({ heading, tables, notes }: ReportTables): string =>
  [heading.join("\n"), ...tables.map(tableText), notes.join("\n")].filter((part) => part !== "").join("\n\n");
