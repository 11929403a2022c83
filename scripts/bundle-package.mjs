// @ts-check
/**
 * The last step of a package's build, run in the package's folder: joins its modules to few files for Node, which loads some 500 modules of all
 * packages in twice the time of 150. `dist/NAME.node.js` is the entry point for each export with the condition `node`, and for each command.
 * Files of the language's compiler stay as they are for other hosts, because tools for pages take from them only what a page uses. Other
 * packages are not joined, so a class or a module's state exists once.
 */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const folder = process.cwd();
const dist = join(folder, "dist");
const ending = ".node.js";
const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

const files = [...Object.values(manifest.exports ?? {}).map(({ node }) => node), ...Object.values(manifest.bin ?? {})];
const entries = files.filter((file) => file?.endsWith(ending)).map((file) => join(folder, file.replace(ending, ".js")));
// Names of parts change with their content.
for (const file of readdirSync(dist, { recursive: true, encoding: "utf8" })) if (file.endsWith(ending)) rmSync(join(dist, file));
await build({
  entryPoints: entries,
  outdir: dist,
  outbase: dist,
  entryNames: "[dir]/[name].node",
  // In dist itself, where modules find package.json by `../package.json`.
  chunkNames: "part-[hash].node",
  bundle: true,
  splitting: true,
  packages: "external",
  platform: "node",
  format: "esm",
  target: "node20.19",
  logLevel: "warning",
});
