// @ts-check
/**
 * Writes and checks the fields of package.json that say where the packages come from. The root's package.json has them once: `repository`,
 * `homepage`, `bugs`. `npm run manifests` derives the fields of every public package from it, `npm run check` checks them, and `npm run
 * manifests -- --release` refuses the placeholder, which npm's provenance would refuse later.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root, runMain, SetUpError, say } from "./setup.mjs";

/** Stands for the GitHub account until there is one. */
const placeholder = "OWNER";

/**
 * @typedef {{ repository: { type: string, url: string }, homepage: string, bugs: { url: string } }} Origin of the root
 * @typedef {Record<string, unknown> & { name: string, private?: boolean }} Manifest
 */

/**
 * The fields of the package in a folder, such as `packages/core`.
 * @param {Origin} origin @param {string} folder
 */
export const originFields = ({ repository, homepage, bugs }, folder) => ({
  repository: { ...repository, directory: folder },
  homepage: `${homepage.replace(/#.*$/, "")}/tree/main/${folder}#readme`,
  bugs,
});

/**
 * Lists what is wrong with the manifests, by folder.
 * @param {Origin} origin @param {ReadonlyMap<string, Manifest>} manifests
 * @returns {string[]}
 */
export const originFindings = (origin, manifests) =>
  [...manifests].flatMap(([folder, manifest]) => {
    if (manifest.private) return [];
    const wrong = Object.entries(originFields(origin, folder)).filter(
      ([field, value]) => JSON.stringify(manifest[field]) !== JSON.stringify(value),
    );
    return wrong.map(
      ([field]) => `${folder}/package.json: ${field} differs from what the root's package.json implies; run npm run manifests`,
    );
  });

/** @param {...string} path */
const readJson = (...path) => JSON.parse(readFileSync(join(root, ...path, "package.json"), "utf8"));

/** @returns {{ origin: Origin, manifests: Map<string, Manifest> }} */
export const readManifests = () => ({
  origin: readJson(),
  manifests: new Map(
    ["packages", "apps"].flatMap((group) => readdirSync(join(root, group)).map((name) => [`${group}/${name}`, readJson(group, name)])),
  ),
});

/** Adds the fields behind `author`, where readers expect them. @param {Manifest} manifest @param {object} fields */
function withFields(manifest, fields) {
  const others = Object.entries(manifest).filter(([name]) => !Object.hasOwn(fields, name));
  const place = others.findIndex(([name]) => name === "author") + 1;
  return Object.fromEntries([...others.slice(0, place), ...Object.entries(fields), ...others.slice(place)]);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await runMain(() => {
    const { origin, manifests } = readManifests();
    if (process.argv.includes("--release")) {
      const findings = originFindings(origin, manifests);
      if (JSON.stringify(originFields(origin, "")).includes(placeholder))
        findings.push(
          `package.json: repository, homepage and bugs still say ${placeholder}; see "Changesets and releases" in CONTRIBUTING.md`,
        );
      if (findings.length > 0) throw new SetUpError(findings.join("\n"));
      return;
    }
    for (const [folder, manifest] of manifests) {
      if (manifest.private) continue;
      const text = JSON.stringify(withFields(manifest, originFields(origin, folder)), null, 2);
      writeFileSync(join(root, folder, "package.json"), `${text}\n`);
    }
    say("the manifests are up to date");
  });
}
