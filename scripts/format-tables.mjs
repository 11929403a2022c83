// @ts-check
/**
 * Generates the tables of formats in io's README and on the site's page from io's own table. `node scripts/format-tables.mjs` writes them
 * between the markers, and `npm run check` fails if they differ. Needs io to be built.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { root, SetUpError } from "./setup.mjs";

const markers = ["<!-- formats: made by scripts/format-tables.mjs -->", "<!-- end of formats -->"];

/**
 * The functions that read and write each kind of recording, and the command that takes it.
 * @type {Readonly<Record<string, { title: string, reader: string, writer: string, command: string }>>}
 */
const kinds = {
  stripmap: { title: "scene", reader: "readScene", writer: "writeSceneFolder", command: "focus" },
  "phase-history": { title: "phase history", reader: "readPhaseHistory", writer: "", command: "backproject" },
  array: { title: "array", reader: "readArray", writer: "", command: "stap" },
};

/** @typedef {{ most: number, of: string }} Limit */
/**
 * @typedef {{ name: string, kind: string, title: string, folder?: string, file?: string, reads: string, refuses: string,
 *   limits: Readonly<Record<string, Limit>>, inParts?: string, writes?: { files: string } }} Format
 */

/** The table of formats in io's build. @returns {Promise<readonly Format[]>} */
async function builtFormats() {
  const file = join(root, "packages", "io", "dist", "formats.js");
  if (!existsSync(file)) throw new SetUpError("packages/io is not built; run npm run build");
  return (await import(pathToFileURL(file).href)).formats;
}

/** @param {number} most @param {string} of */
function limitText(most, of) {
  const bytes = /^bytes (.*)$/.exec(of);
  if (bytes) return `${most >= 2 ** 30 ? `${most / 2 ** 30} GiB` : `${most / 2 ** 20} MiB`} ${bytes[1]}`;
  return `${most > 2 ** 16 && Number.isInteger(Math.log2(most)) ? `2^${Math.log2(most)}` : most} ${of}`;
}

const fileLimit = { most: 2 ** 32, of: "bytes of a file (`maxBytes`)" };

/** @param {Format} format */
const limitsText = ({ limits, inParts }) =>
  [...Object.values(limits), fileLimit].map(({ most, of }) => limitText(most, of)).join("; ") + (inParts ? `, except ${inParts}` : "");

/** @param {string} kind */
function kindOf(kind) {
  const found = kinds[kind];
  if (!found) throw new Error(`scripts/format-tables.mjs does not know the kind ${kind}`);
  return found;
}

/** The table of each file. @type {Readonly<Record<string, (formats: readonly Format[]) => string[]>>} */
const tables = {
  "packages/io/README.md": (formats) => [
    "| Format | `name` | Read | Written | Refused | Limits |",
    "|---|---|---|---|---|---|",
    ...formats.map((one) => {
      const { reader, writer } = kindOf(one.kind);
      const written = one.writes ? `\`${writer}\`: ${one.writes.files}` : "no";
      return `| ${one.title} | \`${one.name}\` | \`${reader}\`: ${one.reads} | ${written} | ${one.refuses} | ${limitsText(one)} |`;
    }),
  ],
  "apps/docs/file-formats.md": (formats) => [
    "| Format | Command | How it is known | Written, too |",
    "| --- | --- | --- | --- |",
    ...formats.map(({ kind, title, folder, file, writes }) => {
      const known = [...(folder ? [`a folder with ${folder}`] : []), ...(file ? [file] : [])].join("; ");
      return `| ${title} | \`${kindOf(kind).command}\` | ${known} | ${writes ? writes.files : "no"} |`;
    }),
  ],
};

/** Escapes stars, and underscores at the end of a word, outside code, so that Markdown does not read them as emphasis. @param {string} line */
const escaped = (line) =>
  line
    .split("`")
    .map((part, i) => (i % 2 === 0 ? part.replace(/\*|(?<![a-z\d])_|_(?![a-z\d])/gi, "\\$&") : part))
    .join("`");

/**
 * Returns `text` of a file with its table replaced by the current one. @param {string} file @param {string} text @param {readonly
 * Format[]} formats
 */
export function withFormats(file, text, formats) {
  const [start, end] = markers.map((marker) => text.indexOf(/** @type {string} */ (marker)));
  if (start === undefined || end === undefined || start < 0 || end < start) throw new Error(`${file} has no ${markers.join(" and ")}`);
  const table = /** @type {(formats: readonly Format[]) => string[]} */ (tables[file])(formats).map(escaped);
  return `${text.slice(0, start)}${markers[0]}\n\n${table.join("\n")}\n\n${text.slice(end)}`;
}

/** Lists the files whose tables are out of date. @returns {Promise<string[]>} */
export async function staleFormats() {
  const formats = await builtFormats();
  return Object.keys(tables).flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    return withFormats(file, text, formats) === text
      ? []
      : [`${file}: the table of formats differs from packages/io/src/table.ts; run npm run build, then node scripts/format-tables.mjs`];
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const formats = await builtFormats();
  for (const name of Object.keys(tables)) {
    const file = join(root, name);
    writeFileSync(file, withFormats(name, readFileSync(file, "utf8"), formats));
  }
}
