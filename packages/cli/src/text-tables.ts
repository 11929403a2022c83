/** Titled tables of a report, once as data, then as text for terminals or as Markdown. */
import { table } from "./table.ts";

export interface TextTable {
  readonly title: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export const tableText = ({ title, header, rows }: TextTable): string => `${title}\n${table([header, ...rows]).replace(/^/gm, "  ")}`;

export function tableMarkdown({ title, header, rows }: TextTable): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [`## ${title}`, "", row(header), row(header.map((_, i) => (i === 0 ? "---" : "---:"))), ...rows.map(row)].join("\n");
}
