// @ts-check
/**
 * Writes `licences.md` beside the built site: name, version and licence of every package whose code is in it, workers included, with the text
 * of the licence. (The option `build.license` of Vite 8.3 leaves out what only workers load.)
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The folder of the package that a module belongs to, or undefined if it is not installed. @param {string} module */
const packageFolder = (module) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(module.replace(/^\0+/, ""))?.[0];

/** Notes the package of a module. @param {Set<string>} folders @param {string} module */
function note(folders, module) {
  const folder = packageFolder(module);
  if (folder !== undefined && existsSync(join(folder, "package.json"))) folders.add(folder);
}

/** @param {string} folder */
function textOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((one) => /^(licen[cs]e|copying)/i.test(one));
  const text = file === undefined ? "" : `\n${readFileSync(join(folder, file), "utf8").trim().replaceAll(/^#+ /gm, "")}\n`;
  return { title: `${name} ${version}`, text: `## ${name} ${version} (${license})\n${text}` };
}

/** Two plugins of Vite: one for the page, and one for the workers. */
export function licences() {
  /** @type {Set<string>} */
  const folders = new Set();
  /** @type {import("vite").Plugin["generateBundle"]} */
  const generateBundle = (_, bundle) => {
    for (const file of Object.values(bundle)) for (const module of file.type === "chunk" ? file.moduleIds : []) note(folders, module);
  };
  /** @type {import("vite").Plugin} */
  const page = {
    name: "licences",
    apply: "build",
    // Style sheets become one asset, which names no modules.
    transform: { filter: { id: /\.css$/ }, handler: (_, id) => void note(folders, id) },
    generateBundle,
    writeBundle({ dir }) {
      const texts = [...folders].map(textOf).sort((a, b) => (a.title < b.title ? -1 : 1));
      const all = new Map(texts.map(({ title, text }) => [title, text]));
      if (dir !== undefined)
        writeFileSync(join(dir, "licences.md"), `# Licences of what is in this site\n\n${[...all.values()].join("\n")}`);
    },
  };
  return { page, worker: { name: "licences-of-workers", generateBundle } };
}
