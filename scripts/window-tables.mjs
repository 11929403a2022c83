// @ts-check
/**
 * Generates the tables of windows in the READMEs and on the site from the table of `@dechirp/radar`: `node scripts/window-tables.mjs` writes
 * them between the markers, and `npm run check` fails if they are out of date. Needs radar to be built.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { root, SetUpError } from "./setup.mjs";

const markers = ["<!-- windows: made by scripts/window-tables.mjs -->", "<!-- end of windows -->"];

/** @typedef {{ name: string, label: string, min: number, max: number, default: number, integer?: true, description: string }} Parameter */
/** @typedef {{ parameters: readonly Parameter[], formula: string, description: string, source: string, shape?: unknown }} Row */
/** @typedef {Readonly<Record<string, Row>>} Table */

/** The table in radar's build. @returns {Promise<Table>} */
async function builtTable() {
  const file = join(root, "packages", "radar", "dist", "index.js");
  if (!existsSync(file)) throw new SetUpError("packages/radar is not built: npm run build");
  return (await import(pathToFileURL(file).href)).windowTable;
}

/** @param {string} kind @param {Row} row */
const syntax = (kind, { parameters }) => `\`${kind}${parameters.length > 0 ? `:${parameters.map(({ label }) => label).join(",")}` : ""}\``;

/** @param {Parameter} parameter */
const parameterText = ({ name, label, min, max, default: usual, integer, description }) =>
  `\`${label}\` (\`${name}\`): ${description}; ${integer ? "an integer from" : "from"} ${min} to ${max}, default ${usual}`;

/** @param {Table} table */
const reference = (table) => [
  "| Window | Parameters | w(x), x from −½ to ½ | | Source |",
  "|---|---|---|---|---|",
  ...Object.entries(table).map(
    ([kind, row]) =>
      `| ${syntax(kind, row)} | ${row.parameters.map(parameterText).join("<br>")} | ${row.formula} | ${row.description} | ${row.source} |`,
  ),
];

/** Each file with the table that it shows. @type {Readonly<Record<string, (table: Table) => string[]>>} */
const tables = {
  "packages/radar/README.md": reference,
  "apps/docs/quality.md": reference,
  "packages/cli/README.md": (table) => [
    "| `SPEC` | Parameters | |",
    "|---|---|---|",
    ...Object.entries(table).map(
      ([kind, row]) =>
        `| ${syntax(kind, row)} | ${row.parameters.map(parameterText).join("; ")} | ${row.description}${row.shape ? "" : "; not for `focus`"} |`,
    ),
  ],
};

/** Returns `text` of a file with its table replaced by the current one. @param {string} file @param {string} text @param {Table} table */
export function withWindows(file, text, table) {
  const [start, end] = markers.map((marker) => text.indexOf(/** @type {string} */ (marker)));
  if (start === undefined || end === undefined || start < 0 || end < start) throw new Error(`${file} has no ${markers.join(" and ")}`);
  const lines = /** @type {(table: Table) => string[]} */ (tables[file])(table);
  return `${text.slice(0, start)}${markers[0]}\n\n${lines.join("\n")}\n\n${text.slice(end)}`;
}

/** A sentence for each file whose table is out of date. @returns {Promise<string[]>} */
export async function staleWindows() {
  const table = await builtTable();
  return Object.keys(tables).flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    return withWindows(file, text, table) === text
      ? []
      : [
          `${file}: the table of windows differs from packages/radar/src/window-table.ts; run npm run build, then node scripts/window-tables.mjs`,
        ];
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const table = await builtTable();
  for (const name of Object.keys(tables)) {
    const file = join(root, name);
    writeFileSync(file, withWindows(name, readFileSync(file, "utf8"), table));
  }
}
