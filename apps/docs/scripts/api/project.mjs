// @ts-check
/**
 * The exported symbols of public packages, as TypeDoc reads them from the sources: no build is needed. Entry points called `internal` are for
 * packages of this repository alone and are left out. Knows nothing of pages.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { Application } from "typedoc";

/**
 * @typedef {object} ApiSymbol
 * @property {string} name
 * @property {import("typedoc").DeclarationReflection} reflection
 * @property {string} source the file that declares it, below the package's `src`
 * @property {number} position in that file
 * @property {readonly string[]} entries what it can be imported from, in the manifest's order
 *
 * @typedef {object} ApiPackage
 * @property {string} name
 * @property {string} folder
 * @property {string} description from its manifest
 * @property {readonly ApiSymbol[]} symbols
 */

/** Public packages and the sources of their entry points. @param {string} packages the folder of all packages */
const readPackages = (packages) =>
  readdirSync(packages)
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(packages, folder, "package.json"), "utf8")) }))
    .filter(({ manifest }) => manifest.private !== true)
    .map(({ folder, manifest: { name, description, exports } }) => ({
      name,
      folder,
      description,
      entries: Object.entries(exports)
        .filter(([path, target]) => target["@dechirp/source"] && !path.endsWith("/internal"))
        .map(([path, target]) => ({ name: posix.join(name, path), source: join(packages, folder, target["@dechirp/source"]) })),
    }));

/**
 * Reads them. Throws where TypeDoc can't.
 * @param {{ packages: string, tsconfig: string }} places
 * @returns {Promise<ApiPackage[]>}
 */
export async function readApi({ packages, tsconfig }) {
  const all = readPackages(packages);
  const sources = all.flatMap(({ entries }) => entries.map(({ source }) => source));
  const app = await Application.bootstrap({
    entryPoints: sources,
    tsconfig,
    name: "API",
    readme: "none",
    sort: ["source-order"],
    excludeInternal: true,
    excludeExternals: true,
    excludePrivate: true,
    disableSources: true,
    logLevel: "Warn",
    validation: { notExported: false, invalidLink: true, rewrittenLink: true, notDocumented: false, unusedMergeModuleWith: true },
  });
  const project = await app.convert();
  if (!project) throw new Error("TypeDoc could not read the sources");
  app.validate(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) throw new Error("TypeDoc found faults in the sources, which it named above");

  const modules = new Map((project.children ?? []).map((module) => [project.getSymbolIdFromReflection(module)?.fileName, module]));
  return all.map(({ name, folder, description, entries }) => {
    const root = join(packages, folder, "src");
    /** @type {Map<import("typedoc").Reflection, { reflection: import("typedoc").DeclarationReflection, entries: string[] }>} */
    const found = new Map();
    for (const entry of entries) {
      // Of one entry point alone, TypeDoc makes no module: the project is it.
      const module = sources.length === 1 ? project : modules.get(/** @type {import("typedoc").NormalizedPath} */ (entry.source));
      if (!module) throw new Error(`TypeDoc did not read ${entry.source}`);
      for (const child of module.children ?? []) {
        const reflection = /** @type {import("typedoc").DeclarationReflection} */ (
          child.isReference() ? child.getTargetReflectionDeep() : child
        );
        const symbol = found.get(reflection) ?? { reflection, entries: [] };
        symbol.entries.push(entry.name);
        found.set(reflection, symbol);
      }
    }
    const symbols = [...found.values()].map(({ reflection, entries: names }) => {
      const { fileName = "", pos = 0 } = project.getSymbolIdFromReflection(reflection) ?? {};
      return {
        name: reflection.name,
        reflection,
        source: posix.relative(root.replaceAll("\\", "/"), fileName),
        position: pos,
        entries: names,
      };
    });
    return { name, folder, description, symbols };
  });
}
