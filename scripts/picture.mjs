/**
 * Makes the picture of the README from the output of `npm start`: `node scripts/picture.mjs out docs/images/quicklook.png`. It is smaller
 * than `out/quicklook.png`, so that its text is readable in the README and the file is small. Needs a build.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, target] = process.argv.slice(2);
if (!folder || !target) {
  console.error("usage: node scripts/picture.mjs FOLDER TARGET.png");
  process.exit(2);
}
const use = (/** @type {string} */ name, file = "index.js") =>
  import(pathToFileURL(join(import.meta.dirname, "..", "packages", name, "dist", file)).href);
const [{ readNpy }, { quicklook }, { imagePicture }, { pngOfSvg }] = await Promise.all([
  use("io"),
  use("sar"),
  use("pictures"),
  use("pictures", "node-png.js"),
]);

const path = join(folder, "image.npy");
const { layout, data } = await readNpy(await readFile(path), { file: path });
const { axes } = JSON.parse(await readFile(join(folder, "report.json"), "utf8"));
const [rows, columns] = layout.shape;
const { azimuthMeters: azimuth, slantRangeMeters: range } = axes;
const grey = quicklook(data, rows, columns, {
  rowSpacingMeters: azimuth.step,
  columnSpacingMeters: range.step,
  maxSide: 480,
  dynamicRangeDb: 40,
  square: true,
});
/** The axis of pixels that are each the mean of `looks` cells. */
const pixels = (
  /** @type {string} */ label,
  /** @type {{ start: number, step: number }} */ { start, step },
  /** @type {number} */ looks,
) => ({
  label,
  unit: "m",
  start: start + ((looks - 1) / 2) * step,
  step: step * looks,
});
const svg = await imagePicture({
  title: "Farmland with five reflectors, simulated",
  ...grey,
  x: pixels("slant range", range, grey.rangeLooks),
  y: pixels("azimuth", azimuth, grey.azimuthLooks),
  lowDb: -40,
  highDb: 0,
});
await writeFile(target, await pngOfSvg(svg));
