/** Reports as titled tables with sentences around them, as data and as Markdown: the surface of @dechirp/experiments/tables. */

/** A titled table. Every row has a cell for each name of `header`; the first column names the row. */
export interface ReportTable {
  readonly title: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A report for people: what was run on what, the measured beside the published, and what to know about the numbers. */
export interface ReportTables {
  readonly title: string;
  readonly heading: readonly string[];
  readonly tables: readonly ReportTable[];
  readonly notes: readonly string[];
}

/** A number with so many decimals; a dash where there is none. */
export const decimals = (value: number | null | undefined, digits: number): string =>
  value === undefined || value === null || Number.isNaN(value) ? "-" : value.toFixed(digits).replace(/^-(0\.?0*)$/, "$1");

/** A table as Markdown under its title. Cells are taken as they are: what Markdown reads as its own has to be escaped. */
export function tableMarkdown({ title, header, rows }: ReportTable): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [`## ${title}`, "", row(header), row(header.map((_, i) => (i === 0 ? "---" : "---:"))), ...rows.map(row)].join("\n");
}

/** A report as Markdown; `pictures`: names of files beside it. */
export function reportMarkdown({ title, heading, tables, notes }: ReportTables, pictures: readonly string[] = []): string {
  // A star at the beginning of a note would be another list.
  const list = (lines: readonly string[]): string => lines.map((line) => `- ${line.replace(/^\*/, "\\*")}`).join("\n");
  const shown = pictures.map((file) => `![${file.replace(/\.svg$/, "")}](${file})`);
  const parts = [`# ${title}`, list(heading), ...tables.map(tableMarkdown), list(notes), ...shown];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}
