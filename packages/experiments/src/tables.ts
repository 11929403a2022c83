/** Reports as titled tables with sentences around them, as data and as Markdown. These are the exports of @dechirp/experiments/tables. */

/** A titled table. Every row has a cell for each entry of `header`. The first column names the row. */
export interface ReportTable {
  /** The table's title. */
  readonly title: string;
  /** Names of the columns. */
  readonly header: readonly string[];
  /** The cells, row by row. */
  readonly rows: readonly (readonly string[])[];
}

/** A report for readers: what ran on which device, tables of measured and published values, and notes about the numbers. */
export interface ReportTables {
  /** The report's title. */
  readonly title: string;
  /** Sentences before the tables. */
  readonly heading: readonly string[];
  /** The tables. */
  readonly tables: readonly ReportTable[];
  /** Sentences after the tables. */
  readonly notes: readonly string[];
}

/** Formats a number with `digits` decimals. Returns a dash if there is no number. */
export const decimals = (value: number | null | undefined, digits: number): string =>
  value === undefined || value === null || Number.isNaN(value) ? "-" : value.toFixed(digits).replace(/^-(0\.?0*)$/, "$1");

/** Formats a table as Markdown under its title. Cells are not escaped, so the caller must escape characters that Markdown interprets. */
export function tableMarkdown({ title, header, rows }: ReportTable): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [`## ${title}`, "", row(header), row(header.map((_, i) => (i === 0 ? "---" : "---:"))), ...rows.map(row)].join("\n");
}

/** Formats a report as Markdown. `pictures` are the names of image files in the same folder. */
export function reportMarkdown({ title, heading, tables, notes }: ReportTables, pictures: readonly string[] = []): string {
  // A star at the beginning of a note would start another list.
  const list = (lines: readonly string[]): string => lines.map((line) => `- ${line.replace(/^\*/, "\\*")}`).join("\n");
  const shown = pictures.map((file) => `![${file.replace(/\.svg$/, "")}](${file})`);
  const parts = [`# ${title}`, list(heading), ...tables.map(tableMarkdown), list(notes), ...shown];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}
