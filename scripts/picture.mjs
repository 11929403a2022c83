/**
 * Makes the README's picture from what `npm start` wrote: `node scripts/picture.mjs out docs/images/quicklook.png`. Two by
 * two looks, so that the file is small. Needs a build.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, target] = process.argv.slice(2);
if (!folder || !target) {
  console.error("usage: node scripts/picture.mjs FOLDER TARGET.png");
  process.exit(2);
}
const use = (/** @type {string} */ name) =>
  import(pathToFileURL(join(import.meta.dirname, "..", "packages", name, "dist", "index.js")).href);
const { readNpy, encodePng } = await use("io");
const { quicklook } = await use("sar");

const path = join(folder, "image.npy");
const { layout, data } = await readNpy(await readFile(path), { file: path });
const [rows, columns] = layout.shape;
await writeFile(target, await encodePng(quicklook(data, rows, columns, { maxSide: 576, dynamicRangeDb: 40 })));
