// @ts-check
/**
 * Makes the pages of the API in `api/`, and their part of the sidebar, from the docstrings of the sources and the texts in `reference/`. Needs
 * no build. TypeDoc needs a TypeScript with an API, which is this package's own.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseReference } from "./api/families.mjs";
import { makePages } from "./api/pages.mjs";
import { readApi } from "./api/project.mjs";

const site = fileURLToPath(new URL("..", import.meta.url));

/** Texts about packages, in the order in which `index.md` links them. @param {string} folder */
function readReferences(folder) {
  const index = readFileSync(join(folder, "index.md"), "utf8");
  const linked = [...index.matchAll(/\]\(\/api\/([\w-]+)\/\)/g)].map(([, name = ""]) => `${name}.md`);
  const files = readdirSync(folder).filter((file) => file.endsWith(".md") && file !== "index.md");
  const unlinked = files.filter((file) => !linked.includes(file));
  if (unlinked.length > 0) throw new Error(`apps/docs/reference/index.md has no link to ${unlinked.join(", ")}`);
  return {
    index,
    references: linked
      .filter((file) => files.includes(file))
      .map((file) => parseReference(readFileSync(join(folder, file), "utf8"), `apps/docs/reference/${file}`)),
  };
}

/**
 * Writes the pages.
 * @returns {Promise<string[]>} what is wrong with the sources or the texts, one sentence each
 */
export async function writeApi() {
  const packages = await readApi({ packages: join(site, "..", "..", "packages"), tsconfig: join(site, "tsconfig.api.json") });
  const { index, references } = readReferences(join(site, "reference"));
  const { pages, sidebar, faults } = makePages(packages, references);
  const out = join(site, "api");
  rmSync(out, { recursive: true, force: true });
  for (const { path, text } of [...pages, { path: "index", text: index }]) {
    const file = join(out, `${path}.md`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  writeFileSync(join(out, "sidebar.json"), JSON.stringify(sidebar));
  return faults;
}
