// @ts-check
/**
 * `npm run check`: the checks of the repository, of links, numbers, tables, manifests and dependencies, and of the sizes of packages as they are
 * built now. Prints everything it finds; the exit status is 1 if there is anything.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readWorkspace, violations } from "./check-dependencies.mjs";
import { deadLinks } from "./check-links.mjs";
import { publicSurfaces, sharedNames } from "./check-names.mjs";
import { inspect, repositoryFiles } from "./check-repository.mjs";
import { staleFormats } from "./format-tables.mjs";
import { originFindings, readManifests } from "./manifests.mjs";
import { measureSizes } from "./package-sizes.mjs";
import { publicFolders } from "./package-tools.mjs";
import { staleNumbers } from "./readme-numbers.mjs";
import { root, runMain, SetUpError, say } from "./setup.mjs";
import { staleWindows } from "./window-tables.mjs";

/** Sizes that exceed their budgets. Without a build there is nothing to measure. */
async function largePackages() {
  if (publicFolders().every((folder) => existsSync(join(folder, "dist")))) return (await measureSizes(join(root, "apps/docs"))).exceeded;
  say("sizes of packages are not checked: npm run build first");
  return [];
}

await runMain(async () => {
  const files = repositoryFiles();
  const { errors, warnings } = inspect(files);
  const { packages, rootManifest } = readWorkspace();
  const { origin, manifests } = readManifests();
  const stale = [...staleNumbers(), ...(await staleFormats()), ...(await staleWindows())];
  const broken = [
    ...violations(packages, rootManifest),
    ...sharedNames(publicSurfaces()),
    ...deadLinks(files),
    ...stale,
    ...originFindings(origin, manifests),
    ...(await largePackages()),
  ];
  for (const warning of warnings) say(`warning: ${warning}`);
  for (const error of [...errors, ...broken]) say(error);
  const found = errors.length + broken.length;
  if (found > 0)
    throw new SetUpError(`${found} ${found === 1 ? "finding" : "findings"} in ${files.length} files and ${packages.length} packages`);
  say(`${files.length} files and ${packages.length} packages follow the rules`);
});
