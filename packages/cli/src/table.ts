/** Formats tables for terminals: aligned columns, numbers with fixed decimals, no colours. */
export { decimals } from "@dechirp/experiments/tables";

/** Formats rows of cells as lines. Columns in `left` (default: the first) are aligned left, the others right. */
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
