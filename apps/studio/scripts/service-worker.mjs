// @ts-check
/** Writes the service worker of a built site: `src/host/service-worker.ts` behind the table of the site's files with their hashes. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { transformWithOxc } from "vite";

const name = "service-worker.js";
/** Hosts may not serve files whose names begin with a dot. */
const isKept = (/** @type {string} */ file) => file !== name && !/(^|\/)\./.test(file) && !file.endsWith(".md");

/** @param {string | Uint8Array} content */
const digestOf = (content) => createHash("sha256").update(content).digest("base64");

/** @param {string} site the folder of the built site */
export async function writeServiceWorker(site) {
  const paths = readdirSync(site, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(site, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .filter(isKept)
    .sort();
  const files = Object.fromEntries(
    paths.map((path) => [path === "index.html" ? "./" : path, `sha256-${digestOf(readFileSync(join(site, path)))}`]),
  );
  const source = fileURLToPath(new URL("../src/host/service-worker.ts", import.meta.url));
  const { code } = await transformWithOxc(readFileSync(source, "utf8"), source, { sourcemap: false });
  const table = JSON.stringify(files, undefined, 1);
  writeFileSync(join(site, name), `const version = "${digestOf(table + code)}";\nconst files = ${table};\n${code}`);
}

/** A plugin of Vite that writes the service worker when all other files are written. @returns {import("vite").Plugin} */
export const serviceWorker = () => ({
  name: "service-worker",
  apply: "build",
  writeBundle: { order: "post", sequential: true, handler: ({ dir }) => (dir === undefined ? undefined : writeServiceWorker(dir)) },
});
