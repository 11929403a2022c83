/** Finds the built studio: in the package that is installed with the command, or in the source tree. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { CommandError } from "../errors.ts";

/** The folder of the built studio. Throws if it is not there, which happens only in a source tree that was not built. */
export function siteFolder(): string {
  const folder = join(dirname(createRequire(import.meta.url).resolve("@dechirp/studio/package.json")), "dist");
  if (!existsSync(join(folder, "index.html")))
    throw new CommandError("internal", "the studio is not built; in the source tree, npm run build builds it", { file: folder });
  return folder;
}

/** The content security policy that the page of the site states, which also forbids other pages to embed it. Throws if the page states none. */
export function policyOf(site: string): string {
  const page = readFileSync(join(site, "index.html"), "utf8");
  const stated = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1];
  if (stated === undefined) throw new CommandError("internal", "the page of the studio states no content security policy", { file: site });
  return `${stated.replaceAll("&#39;", "'")}; frame-ancestors 'none'`;
}
