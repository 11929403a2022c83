// @ts-check
/**
 * Finds names that two public packages export, values and types alike. If both mean the same, it should live in one package that the
 * other imports; if not, one of them needs another name. Run by `npm run check`.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseSync } from "oxc-parser";
import { manifestOf, publicFolders } from "./package-tools.mjs";

/**
 * The names that a source file exports, including those of `export *` from files of the same package.
 * @param {string} file @param {(file: string) => string} read
 * @returns {string[]}
 */
export function exportedNames(file, read = (path) => readFileSync(path, "utf8")) {
  const { module } = parseSync(file, read(file));
  return module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ exportName, importName, moduleRequest }) => {
      if (exportName.kind === "Name" && exportName.name !== null) return [exportName.name];
      const from = moduleRequest?.value;
      return importName.kind === "AllButDefault" && from?.startsWith(".") ? exportedNames(join(dirname(file), from), read) : [];
    }),
  );
}

/**
 * A sentence for each name that more than one package exports. Entries of one package may share names: they share declarations.
 * @param {ReadonlyMap<string, readonly string[]>} surfaces names by package
 */
export function sharedNames(surfaces) {
  /** @type {Map<string, Set<string>>} */
  const homes = new Map();
  for (const [name, exported] of surfaces) for (const one of exported) homes.set(one, (homes.get(one) ?? new Set()).add(name));
  return [...homes].flatMap(([one, packages]) =>
    packages.size > 1
      ? [
          `${one} is exported by ${[...packages].join(" and ")}: the same thing must be in one package, different things need different names`,
        ]
      : [],
  );
}

/** Every public package's exported names, over all of its entries. @returns {Map<string, string[]>} */
export function publicSurfaces() {
  return new Map(
    publicFolders().map((folder) => {
      const { name, exports } = manifestOf(folder);
      const entries = Object.values(exports).flatMap((/** @type {Record<string, string>} */ one) => one["@dechirp/source"] ?? []);
      const files = entries.map((entry) => join(folder, entry)).filter((file) => existsSync(file));
      return [name, files.flatMap((file) => exportedNames(file))];
    }),
  );
}
