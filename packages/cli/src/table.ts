/** Plain text for terminals: aligned columns and numbers of fixed decimals. No colours. */
export { decimals } from "@dechirp/experiments/tables";

/** Rows of cells as lines; the columns in `left`, the first where left out, are aligned left, the others right. */
export function table(rows: readonly (readonly string[])[], left: readonly number[] = [0]): string {
  const widths = rows[0].map((_, c) => Math.max(...rows.map((row) => row[c].length)));
  return rows
    .map((row) =>
      row
        .map((cell, c) => (left.includes(c) ? cell.padEnd(widths[c]) : cell.padStart(widths[c])))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
