// @ts-check
/**
 * The tables of formats in io's README and on the site's page, out of io's own table: `node scripts/format-tables.mjs` puts them between the
 * markers, and `npm run check` fails where they are others. Needs io as built.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { root, SetUpError } from "./setup.mjs";

const markers = ["<!-- formats: made by scripts/format-tables.mjs -->", "<!-- end of formats -->"];

/**
 * What a kind of recording is read and written by, and which command takes it.
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
 *   limits: Readonly<Record<string, Limit>>, writes?: { files: string } }} Format
 */

/** The table as io is built. @returns {Promise<readonly Format[]>} */
async function builtFormats() {
  const file = join(root, "packages", "io", "dist", "formats.js");
  if (!existsSync(file)) throw new SetUpError("packages/io is not built: npm run build");
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
const limitsText = ({ limits }) => [...Object.values(limits), fileLimit].map(({ most, of }) => limitText(most, of)).join("; ");

/** @param {string} kind */
function kindOf(kind) {
  const found = kinds[kind];
  if (!found) throw new Error(`scripts/format-tables.mjs does not know the kind ${kind}`);
  return found;
}

/** Each file with the table that it has. @type {Readonly<Record<string, (formats: readonly Format[]) => string[]>>} */
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

/** Stars that are no emphasis, but for those in code. @param {string} line */
const escaped = (line) =>
  line
    .split("`")
    .map((part, i) => (i % 2 === 0 ? part.replaceAll("*", "\\*") : part))
    .join("`");

/** `text` of a file with its table as it is. @param {string} file @param {string} text @param {readonly Format[]} formats */
export function withFormats(file, text, formats) {
  const [start, end] = markers.map((marker) => text.indexOf(/** @type {string} */ (marker)));
  if (start === undefined || end === undefined || start < 0 || end < start) throw new Error(`${file} has no ${markers.join(" and ")}`);
  const table = /** @type {(formats: readonly Format[]) => string[]} */ (tables[file])(formats).map(escaped);
  return `${text.slice(0, start)}${markers[0]}\n\n${table.join("\n")}\n\n${text.slice(end)}`;
}

/** What is wrong with the tables. @returns {Promise<string[]>} */
export async function staleFormats() {
  const formats = await builtFormats();
  return Object.keys(tables).flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    return withFormats(file, text, formats) === text
      ? []
      : [`${file}: the table of formats is not that of packages/io/src/table.ts; run npm run build, then node scripts/format-tables.mjs`];
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const formats = await builtFormats();
  for (const name of Object.keys(tables)) {
    const file = join(root, name);
    writeFileSync(file, withFormats(name, readFileSync(file, "utf8"), formats));
  }
}
